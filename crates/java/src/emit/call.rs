//! The call under test, and calls of constructors.

use std::collections::BTreeSet;
use std::sync::Arc;

use heapwright_logic::Value;

use super::compilation_unit::is_deprecated;
use super::error::EmitError;
use super::helper::Helper;
use super::names::variable;
use super::test_method::{Writer, quoted};
use crate::classfile::{Class, Local, Method, Pc};
use crate::descriptor::{MethodDescriptor, Type};
use crate::hierarchy::GenericType;
use crate::world::OBJECT;

/// What has to stand behind `throws`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Throws {
    Nothing,
    Exception,
    Throwable,
}

/// A call as an expression.
pub(super) struct Call {
    pub text: String,
    /// The type of the expression, if it has a value.
    pub ty: Option<Type>,
    pub throws: Throws,
    /// Whether the type may be a narrower one in the source.
    pub is_generic: bool,
}

impl Writer<'_, '_> {
    /// The call under test.
    pub fn call(&mut self) -> Result<Call, EmitError> {
        let target = self.case.method.clone();
        let method = &target.declared.method;
        self.unit.deprecated |= is_deprecated(&method.annotations);
        let cannot = |reason| EmitError::CannotCall {
            method: target.to_string(),
            reason,
        };
        if method.is_constructor() {
            if target.class.access.is_abstract() || target.class.access.is_enum() {
                return Err(cannot(
                    "there are no objects of exactly this class to be made",
                ));
            }
            return self.constructor_call(&target.class, method);
        }
        if method.name.starts_with('<') {
            return Err(cannot("it initialises a class"));
        }
        let (receiver, parameters) =
            match (method.access.is_static(), self.case.arguments.split_first()) {
                (true, _) => (None, &self.case.arguments[..]),
                (false, Some((Value::Ref(loc), parameters))) => (Some(*loc), parameters),
                (false, _) => return Err(cannot("its receiver is null")),
            };
        let declaring = &target.declared.class;
        let receiver_type = match receiver {
            Some(loc) => self.things.get(loc)?.ty(),
            None => Some(declaring.ty()),
        };
        let receiver_type = receiver_type.unwrap_or_else(|| target.class.ty());
        let direct = self.unit.sees(method.access, declaring)
            && !method.access.is_synthetic()
            && self.unit.is_nameable(&receiver_type)?;
        if direct && let Some(arguments) = self.arguments(&target.class, method, parameters, 0)? {
            let receiver = match receiver {
                Some(_) => self.receiver()?,
                None => self.unit.class_name(&declaring.name)?.unwrap_or_default(),
            };
            let checked = self.has_checked_exceptions(method)?;
            return Ok(Call {
                text: format!("{receiver}.{}({})", method.name, arguments.join(", ")),
                ty: method.descriptor.result.clone(),
                throws: if checked {
                    Throws::Exception
                } else {
                    Throws::Nothing
                },
                is_generic: method.signature.is_some(),
            });
        }
        self.unit.look_into(declaring);
        self.unit.need(Helper::Call);
        let receiver = match receiver {
            Some(_) => self.receiver()?,
            None => "null".to_owned(),
        };
        let class = self.unit.class_literal(&declaring.ty())?;
        let mut pieces = vec![receiver, class, quoted(&method.name)];
        pieces.extend(self.reflective_arguments(&method.descriptor, parameters)?);
        let result = method.descriptor.result.as_ref();
        Ok(Call {
            text: format!("call({})", pieces.join(", ")),
            ty: result.map(|_| Type::class(OBJECT)),
            throws: Throws::Throwable,
            is_generic: false,
        })
    }

    pub fn receiver(&mut self) -> Result<String, EmitError> {
        let receiver = self.case.arguments.first().copied().unwrap_or(Value::Null);
        self.expression(receiver, &self.case.method.class.ty())
    }

    fn constructor_call(
        &mut self,
        class: &Arc<Class>,
        method: &Arc<Method>,
    ) -> Result<Call, EmitError> {
        let arguments = self.case.arguments.clone();
        let visible = self.unit.sees(method.access, class) && !method.access.is_synthetic();
        if visible
            && self.unit.is_nameable(&class.ty())?
            && let Some(text) = self.creation(class, method, &arguments)?
        {
            let checked = self.has_checked_exceptions(method)?;
            return Ok(Call {
                text,
                ty: Some(class.ty()),
                throws: if checked {
                    Throws::Exception
                } else {
                    Throws::Nothing
                },
                is_generic: false,
            });
        }
        self.unit.look_into(class);
        self.unit.need(Helper::Create);
        let mut pieces = vec![self.unit.class_literal(&class.ty())?];
        pieces.extend(self.reflective_arguments(&method.descriptor, &arguments)?);
        Ok(Call {
            text: format!("create({})", pieces.join(", ")),
            ty: Some(Type::class(OBJECT)),
            throws: Throws::Throwable,
            is_generic: false,
        })
    }

    /// A constructor call; nothing if an argument cannot be written.
    pub fn creation(
        &mut self,
        class: &Arc<Class>,
        constructor: &Method,
        arguments: &[Value],
    ) -> Result<Option<String>, EmitError> {
        let inner = class.as_inner_class();
        let outer = inner.filter(|inner| !inner.access.is_static());
        let outer = outer.and_then(|inner| inner.outer.clone());
        let first = constructor.descriptor.parameters.first();
        // Interfaces, enums and records inside of classes are static without a flag.
        let outer = outer.filter(|outer| first == Some(&Type::Class(outer.clone())));
        let is_inner = outer.is_some() && class.record.is_none() && !class.access.is_enum();
        let skip = usize::from(is_inner);
        let Some(texts) = self.arguments(class, constructor, arguments, skip)? else {
            return Ok(None);
        };
        self.unit.deprecated |= is_deprecated(&constructor.annotations);
        if !is_inner {
            let name = self.unit.class_name(&class.name)?;
            return Ok(name.map(|name| format!("new {name}({})", texts.join(", "))));
        }
        let (Some(&value), Some(ty)) = (arguments.first(), first) else {
            return Ok(None);
        };
        if value == Value::Null {
            return Ok(None);
        }
        let outer = self.expression(value, ty)?;
        let name = class.simple_name();
        Ok(Some(format!("{outer}.new {name}({})", texts.join(", "))))
    }

    /// The arguments behind the first few, so that they select the method; nothing if one of them
    /// cannot be written.
    fn arguments(
        &mut self,
        class: &Arc<Class>,
        method: &Method,
        values: &[Value],
        skip: usize,
    ) -> Result<Option<Vec<String>>, EmitError> {
        let overloaded = self.is_overloaded(class, method)?;
        let types = &method.descriptor.parameters;
        let last = types.len().saturating_sub(1);
        let signature = method.signature.as_deref();
        let declared = signature.and_then(GenericType::of_parameters);
        // Parameters that the compiler adds are not in the signature.
        let declared = declared.filter(|declared| declared.len() == types.len());
        let mut texts = Vec::new();
        for (index, (value, ty)) in values.iter().zip(types).enumerate().skip(skip) {
            let is_rest = method.access.is_varargs_method() && index == last;
            let text = self.expression(*value, ty)?;
            let exact = *value != Value::Null && self.type_of(*value, ty)? == *ty;
            let text = match ty.is_reference() && (overloaded || is_rest) && !exact {
                true => {
                    let name = self.unit.type_name(ty)?;
                    name.map(|name| format!("({name}) {text}"))
                }
                false => match declared.as_ref().and_then(|declared| declared.get(index)) {
                    Some(variable @ GenericType::Variable(_))
                        if self.is_mixed(values, types, declared.as_deref(), variable)? =>
                    {
                        self.bare(*value, ty)?
                    }
                    declared => self.fitting_declared(*value, ty, declared)?,
                },
            };
            match text {
                Some(text) => texts.push(text),
                None => return Ok(None),
            }
        }
        Ok(Some(texts))
    }

    /// Whether arguments of several classes stand for a type variable with a bound: there may be no
    /// type that it can be.
    fn is_mixed(
        &self,
        values: &[Value],
        types: &[Type],
        declared: Option<&[GenericType]>,
        variable: &GenericType,
    ) -> Result<bool, EmitError> {
        let mut classes = BTreeSet::new();
        for ((value, ty), declared) in values.iter().zip(types).zip(declared.unwrap_or_default()) {
            if declared == variable && matches!(value, Value::Ref(_)) && *ty != Type::class(OBJECT)
            {
                classes.insert(self.type_of(*value, ty)?);
            }
        }
        Ok(classes.len() > 1)
    }

    /// Whether the number of arguments does not tell the method from all others.
    pub fn is_overloaded(&self, class: &Arc<Class>, method: &Method) -> Result<bool, EmitError> {
        let hierarchy = self.unit.hierarchy();
        let mut classes = hierarchy.superclasses(class)?;
        if method.is_constructor() {
            classes.truncate(1);
        } else {
            classes.extend(hierarchy.interfaces(class)?);
        }
        let count = method.descriptor.parameters.len();
        let same: BTreeSet<&[Type]> = (classes.iter().flat_map(|class| &class.methods))
            .filter(|one| one.name == method.name && !one.access.is_synthetic())
            .filter(|one| {
                one.descriptor.parameters.len() == count || one.access.is_varargs_method()
            })
            .map(|one| &one.descriptor.parameters[..])
            .collect();
        Ok(same.len() > 1)
    }

    /// The types of the parameters, and the arguments.
    fn reflective_arguments(
        &mut self,
        descriptor: &MethodDescriptor,
        values: &[Value],
    ) -> Result<Vec<String>, EmitError> {
        let mut types = Vec::new();
        for ty in &descriptor.parameters {
            types.push(self.unit.class_literal(ty)?);
        }
        let mut pieces = vec![format!("new Class<?>[] {{{}}}", types.join(", "))];
        for (value, ty) in values.iter().zip(&descriptor.parameters) {
            let text = self.expression(*value, ty)?;
            // A single array or null would be taken for all arguments.
            let alone =
                *value == Value::Null || matches!(self.type_of(*value, ty)?, Type::Array(_));
            pieces.push(if alone {
                format!("(Object) {text}")
            } else {
                text
            });
        }
        Ok(pieces)
    }

    pub fn has_checked_exceptions(&self, method: &Method) -> Result<bool, EmitError> {
        let hierarchy = self.unit.hierarchy();
        for exception in &method.exceptions {
            let unchecked = hierarchy.is_subclass(exception, "java.lang.RuntimeException")?
                || hierarchy.is_subclass(exception, "java.lang.Error")?;
            if !unchecked {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// What a parameter is called in the source, if that is known.
pub(super) fn parameter_name(method: &Method, index: usize) -> Option<String> {
    if let Some(Some(name)) = method.parameter_names.get(index) {
        return variable(name);
    }
    let first = u16::from(!method.access.is_static());
    let before = method.descriptor.parameters.iter().take(index);
    let slot = before.fold(first, |slot, ty| slot.saturating_add(ty.slots()));
    let known = method.code.as_ref()?.variable(Local(slot), Pc(0))?;
    variable(&known.name)
}
