//! Switches over patterns, strings and enums that compilers leave to `SwitchBootstraps`: a method
//! that tries one label after the other, from the one that it is told to begin with.

use std::sync::Arc;

use super::dynamic::{Assembler, made_up_class};
use super::emitter::Emitter;
use crate::classfile::{
    self, Access, Comparison, Condition, DynamicCall, FieldReference, Instruction, Invocation,
    Kind, Local, MethodHandle, MethodReference, Pc,
};
use crate::descriptor::{MethodDescriptor, Name, Primitive, Type};
use crate::world::{OBJECT, STRING, Trouble};

/// The value that is looked at.
const VALUE: Instruction = Instruction::Load(Kind::Reference, Local(0));

/// The number of the first label that counts.
const RESTART: Instruction = Instruction::Load(Kind::Int, Local(1));

/// What a value is compared with.
enum Label {
    /// It is of this class.
    Class(Type),
    /// It is equal to this string.
    String(classfile::Constant),
    /// It is an `Integer` or a `Character` of this value.
    Number(i32),
    /// It is this constant of an enum.
    Constant(Arc<FieldReference>),
    /// Nothing is: the constant is gone.
    Never,
}

impl Emitter<'_> {
    pub(super) fn pattern_switch(&mut self, call: &DynamicCall) -> Result<(), Trouble> {
        let (name, is_new) = self.call_site_class("Switch");
        if is_new {
            let mut labels = Vec::new();
            for argument in &call.bootstrap.arguments {
                labels.push(self.label(argument, call)?);
            }
            let class = switch_class(&name, call, &labels)?;
            self.world.class_path().define(Arc::new(class));
        }
        self.call_made_up(&name, call)
    }

    fn label(&self, label: &classfile::Constant, call: &DynamicCall) -> Result<Label, Trouble> {
        use classfile::Constant as Java;
        let is_enum_switch = &*call.name == "enumSwitch"
            || matches!(&*call.bootstrap.method, MethodHandle::InvokeStatic(method)
                if &*method.name == "enumSwitch");
        Ok(match label {
            Java::Class(ty) if ty.is_reference() => Label::Class(ty.clone()),
            Java::Int(number) => Label::Number(*number),
            Java::String(constant) if is_enum_switch => match call.descriptor.parameters.first() {
                Some(Type::Class(class)) => self.enum_label(class, &constant.to_string()),
                _ => return Err(unsupported()),
            },
            Java::String(_) => Label::String(label.clone()),
            Java::Dynamic(constant) => {
                let (class, name) = enum_description(constant).ok_or_else(unsupported)?;
                self.enum_label(&class, &name)
            }
            _ => return Err(unsupported()),
        })
    }

    /// The label of a constant, which need not exist any more.
    fn enum_label(&self, class: &str, constant: &str) -> Label {
        let Ok(class) = self.world.class_path().load(class) else {
            return Label::Never;
        };
        let mut fields = class.fields.iter();
        let found = fields.find(|field| field.access.is_enum() && &*field.name == constant);
        found.map_or(Label::Never, |field| {
            Label::Constant(Arc::new(FieldReference {
                class: class.name.clone(),
                name: field.name.clone(),
                ty: field.ty.clone(),
            }))
        })
    }
}

fn unsupported() -> Trouble {
    Trouble::Unsupported("a label of a pattern switch".to_owned())
}

/// The class and the name in a description of an enum's constant, which compilers write as calls:
/// `EnumDesc.of(ClassDesc.of("C"), "NAME")`.
fn enum_description(constant: &classfile::DynamicConstant) -> Option<(String, String)> {
    use classfile::Constant as Java;
    let called = |constant: &classfile::DynamicConstant| {
        let [Java::MethodHandle(handle), arguments @ ..] = constant.bootstrap.arguments.as_slice()
        else {
            return None;
        };
        match &**handle {
            MethodHandle::InvokeStatic(method) => Some((method.clone(), arguments.to_vec())),
            _ => None,
        }
    };
    let (of, arguments) = called(constant)?;
    let [Java::Dynamic(class), Java::String(name)] = arguments.as_slice() else {
        return None;
    };
    let (class_of, class_arguments) = called(class)?;
    let [Java::String(class)] = class_arguments.as_slice() else {
        return None;
    };
    let is_known = of.class == Type::class("java.lang.Enum$EnumDesc")
        && class_of.class == Type::class("java.lang.constant.ClassDesc")
        && [&of.name, &class_of.name]
            .iter()
            .all(|name| &***name == "of");
    is_known.then(|| (class.to_string(), name.to_string()))
}

fn switch_class(
    name: &Name,
    call: &DynamicCall,
    labels: &[Label],
) -> Result<classfile::Class, Trouble> {
    let [
        Type::Class(_) | Type::Array(_),
        Type::Primitive(Primitive::Int),
    ] = call.descriptor.parameters.as_slice()
    else {
        return Err(unsupported());
    };
    let mut code = Assembler::default();
    code.push(VALUE);
    code.push(Instruction::If(Condition::Null(false), Pc(4)));
    return_number(-1)
        .into_iter()
        .for_each(|part| code.push(part));
    let mut start = 4;
    for (number, label) in (0..).zip(labels) {
        // Where the next label begins follows from how long this one is.
        let length = label_code(number, label, Pc(0)).len();
        start += length;
        let next = u16::try_from(start).map_err(|_| unsupported())?;
        let parts = label_code(number, label, Pc(next));
        parts.into_iter().for_each(|part| code.push(part));
    }
    let count = i32::try_from(labels.len()).map_err(|_| unsupported())?;
    return_number(count)
        .into_iter()
        .for_each(|part| code.push(part));
    // Public, static and synthetic.
    let (name_of_method, access) = (call.name.clone(), Access(0x1009));
    let method = code.method(name_of_method, call.descriptor.clone(), access, 2);
    let (interfaces, fields) = (Vec::new(), Vec::new());
    Ok(made_up_class(
        name.clone(),
        interfaces,
        fields,
        vec![method],
    ))
}

fn return_number(number: i32) -> [Instruction; 2] {
    [
        Instruction::Constant(classfile::Constant::Int(number)),
        Instruction::Return(Some(Kind::Int)),
    ]
}

/// Returns the number of a label if it is not before the first that counts and the value fits.
/// Goes to `next` otherwise.
fn label_code(number: i32, label: &Label, next: Pc) -> Vec<Instruction> {
    let otherwise = |condition| Instruction::If(condition, next);
    let is_false = Condition::Zero(Comparison::Equal);
    let constant = |value| Instruction::Constant(classfile::Constant::Int(value));
    let mut code = vec![
        RESTART,
        constant(number),
        otherwise(Condition::Ints(Comparison::Greater)),
    ];
    match label {
        Label::Class(ty) => {
            code.extend([
                VALUE,
                Instruction::InstanceOf(ty.clone()),
                otherwise(is_false),
            ]);
        }
        Label::String(text) => {
            let object = vec![Type::class(OBJECT)];
            let equals = virtual_call(STRING, "equals", object, Primitive::Boolean);
            let text = Instruction::Constant(text.clone());
            code.extend([text, VALUE, equals, otherwise(is_false)]);
        }
        Label::Constant(field) => {
            let field = Instruction::GetStatic(field.clone());
            code.extend([VALUE, field, otherwise(Condition::SameReference(false))]);
        }
        Label::Number(value) => return number_code(number, *value, next, code),
        Label::Never => code.push(Instruction::Goto(next)),
    }
    code.extend(return_number(number));
    code
}

/// An `Integer` label stands for characters too.
fn number_code(number: i32, value: i32, next: Pc, mut code: Vec<Instruction>) -> Vec<Instruction> {
    // Each of the two classes takes ten instructions.
    let start = next.0.saturating_sub(20);
    let classes = [
        (
            "java.lang.Integer",
            "intValue",
            Primitive::Int,
            Pc(start.saturating_add(10)),
        ),
        ("java.lang.Character", "charValue", Primitive::Char, next),
    ];
    for (class, method, result, otherwise) in classes {
        let ty = Type::class(class);
        code.extend([
            VALUE,
            Instruction::InstanceOf(ty.clone()),
            Instruction::If(Condition::Zero(Comparison::Equal), otherwise),
            VALUE,
            Instruction::CheckCast(ty),
            virtual_call(class, method, Vec::new(), result),
            Instruction::Constant(classfile::Constant::Int(value)),
            Instruction::If(Condition::Ints(Comparison::NotEqual), next),
        ]);
        code.extend(return_number(number));
    }
    code
}

fn virtual_call(class: &str, name: &str, parameters: Vec<Type>, result: Primitive) -> Instruction {
    let result = Some(Type::Primitive(result));
    Instruction::Invoke(
        Invocation::Virtual,
        Arc::new(MethodReference {
            class: Type::class(class),
            name: name.into(),
            descriptor: Arc::new(MethodDescriptor { parameters, result }),
            is_interface: false,
        }),
    )
}
