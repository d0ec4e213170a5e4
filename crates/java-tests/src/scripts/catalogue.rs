//! What scripts for a class are made of: its constructors, methods and factories, what they need, and
//! what can be done with what they give.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use heapwright_engine::scripts::{
    Callee, Catalogue, Observer, Operand, Operation, OperationId, Recipe, Script, TypeId, TypeInfo,
};
use heapwright_engine::sequences::Argument;
use heapwright_java::classfile::Class;
use heapwright_java::descriptor::{MethodDescriptor, Primitive, Type, package_of};
use heapwright_java::emit::{ScriptCall, ScriptOperand, ScriptStatement};
use heapwright_java::hierarchy::{DeclaredMethod, GenericType, LinkError};
use heapwright_java::target::{
    TargetMethod, callable_constructors, offered_functions, offered_methods,
};
use heapwright_java::world::{OBJECT, STRING, World};
use heapwright_logic::ClassId;

use super::library::{TOLD_BY_TEXT, Way, ways};
use super::literals::Constants;
use super::types::{Given, JavaTy};
use crate::sequences::{Maker, Written, boxed_in};
use heapwright_testgen::Error;

/// Implementations of an interface that are tried.
const MOST_IMPLEMENTATIONS: usize = 4;

/// Elements that a collection gets when it is made.
const MOST_ELEMENTS: u32 = 4;

/// Types that a catalogue has: whatever lies further away than that is null.
const MOST_TYPES: usize = 400;

/// Methods that lead out of what scripts can follow.
const LEFT_OUT: [&str; 6] = [
    "stream",
    "parallelStream",
    "wait",
    "notify",
    "notifyAll",
    "finalize",
];

/// More questions than these to an object tell a reader nothing.
const MOST_OBSERVERS: usize = 8;

/// A catalogue, with what its parts are in Java.
pub struct JavaCatalogue {
    /// What the engine explores.
    pub catalogue: Catalogue,
    /// The operations, by id.
    pub calls: Vec<ScriptCall>,
    /// Questions to objects after a call.
    pub observers: Vec<Observer>,
    /// Their methods.
    pub asked: Vec<TargetMethod>,
    /// The types, by id.
    pub types: Vec<JavaTy>,
    /// How literals are written.
    pub written: Written,
    /// What texts that the code reads are made of.
    pub tokens: Vec<String>,
}

impl JavaCatalogue {
    /// The statements of a script, in Java.
    pub fn written(&self, script: &Script) -> Option<Vec<ScriptStatement>> {
        let statements = script.statements.iter().map(|statement| {
            let operands = statement.operands.iter().map(|operand| match operand {
                Operand::Variable(index) => ScriptOperand::Variable(*index as usize),
                Operand::Literal(argument) => ScriptOperand::Given(self.written.of(argument)),
            });
            Some(ScriptStatement {
                call: self.calls.get(statement.operation.0 as usize)?.clone(),
                operands: operands.collect(),
            })
        });
        statements.collect()
    }

    /// The catalogue for a class and all classes that are nested with it.
    pub fn of(world: &mut World, class: &Arc<Class>) -> Result<JavaCatalogue, Error> {
        let family = families(world, class).map_err(Error::code)?;
        let mut builder = Builder {
            package: package_of(&class.name).to_owned(),
            constants: Constants::of(&family),
            world,
            family,
            catalogue: Catalogue::default(),
            calls: Vec::new(),
            types: BTreeMap::new(),
            operations: BTreeMap::new(),
            waiting: VecDeque::new(),
            offered: BTreeSet::new(),
            written: Written::default(),
        };
        builder.enter_family(class).map_err(Error::code)?;
        builder.find_unfit();
        let (observers, asked) = builder.observers().map_err(Error::code)?;
        Ok(JavaCatalogue {
            catalogue: builder.catalogue,
            calls: builder.calls,
            observers,
            asked,
            types: ordered(builder.types),
            tokens: builder.constants.tokens,
            written: builder.written,
        })
    }
}

/// A class with all that are nested with it. One without methods of its own is what it inherits, so
/// the classes above it belong to it.
fn families(world: &World, class: &Arc<Class>) -> Result<Vec<Arc<Class>>, LinkError> {
    let mut family = world.family(class)?;
    let mut next = Arc::clone(class);
    while !has_methods(&next)
        && let Some(above) = &next.superclass
        && world.is_of_user(above)
    {
        next = world.class_path().load(above)?;
        for class in world.family(&next)? {
            if family.iter().all(|known| known.name != class.name) {
                family.push(class);
            }
        }
    }
    Ok(family)
}

/// Whether a class has methods with a body beside its constructors.
fn has_methods(class: &Class) -> bool {
    let mut methods = class.methods.iter();
    methods.any(|method| {
        let is_written = !method.access.is_synthetic() && !method.name.starts_with('<');
        method.code.is_some() && is_written
    })
}

struct Builder<'w> {
    world: &'w mut World,
    package: String,
    constants: Constants,
    family: Vec<Arc<Class>>,
    catalogue: Catalogue,
    calls: Vec<ScriptCall>,
    types: BTreeMap<JavaTy, TypeId>,
    /// The operations that are known, by what they call and the type of the receiver.
    operations: BTreeMap<(String, Option<JavaTy>), OperationId>,
    /// Types whose recipes are not there yet.
    waiting: VecDeque<(TypeId, JavaTy)>,
    /// The types whose methods scripts are extended by.
    offered: BTreeSet<JavaTy>,
    written: Written,
}

type Linked<T> = Result<T, LinkError>;

impl Builder<'_> {
    fn is_of_family(&self, name: &str) -> bool {
        self.family.iter().any(|class| &*class.name == name)
    }

    /// Whether tests can name a class.
    fn is_visible(&self, class: &Class) -> bool {
        let is_near = class.package() == self.package;
        let mut next = Some(class.name.clone());
        while let Some(name) = next {
            let Ok(class) = self.world.class_path().load(&name) else {
                return false;
            };
            let inner = class.as_inner_class();
            let access = inner.map_or(class.access, |inner| inner.access);
            if access.is_private() || !(access.is_public() || is_near) {
                return false;
            }
            if inner.is_some_and(|inner| inner.outer.is_none()) {
                return false;
            }
            next = inner.and_then(|inner| inner.outer.clone());
        }
        true
    }

    /// Whether tests can name the constants of an enum.
    fn is_visible_enum(&self, name: &str) -> bool {
        let class = self.world.class_path().load(name);
        class.is_ok_and(|class| class.access.is_enum() && self.is_visible(&class))
    }

    /// Everything that can be done with the classes under test.
    fn enter_family(&mut self, class: &Arc<Class>) -> Linked<()> {
        for class in self.family.clone() {
            let id = self.world.complete(&class.ty())?;
            self.catalogue.family.insert(id);
            let functions = self.world.functions_of(&class);
            for function in functions {
                self.catalogue.tested.insert(function);
                let ignored = self.world.ignored_edges(function);
                self.catalogue.ignored.extend(ignored);
            }
            let state = self.world.class_state(&class)?;
            self.catalogue.initialisers.extend(state.initialiser);
            self.catalogue.own.insert(state.global);
        }
        // The class that was named comes first.
        let others = self.family.clone();
        let others = others.into_iter().filter(|one| one.name != class.name);
        for class in std::iter::once(class.clone()).chain(others) {
            if !self.is_visible(&class) {
                continue;
            }
            let ty = JavaTy::plain(class.ty());
            self.ty(&ty)?;
            self.offer(&ty)?;
            self.extend_by_constructors(&class, &ty)?;
            for function in offered_functions(&class) {
                self.method(&function, None, true)?;
            }
        }
        while let Some((id, ty)) = self.waiting.pop_front() {
            self.elaborate(id, &ty)?;
        }
        Ok(())
    }

    fn extend_by_constructors(&mut self, class: &Arc<Class>, ty: &JavaTy) -> Linked<()> {
        for constructor in self.constructors(class) {
            let id = self.constructor(&constructor, ty)?;
            if let Some(operation) = self.catalogue.operations.get_mut(id.0 as usize) {
                operation.extends = true;
            }
        }
        Ok(())
    }

    /// The constructors that tests can call.
    fn constructors(&self, class: &Arc<Class>) -> Vec<TargetMethod> {
        let inner = class.as_inner_class();
        let is_inner = inner.is_some_and(|inner| !inner.access.is_static())
            && class.record.is_none()
            && !class.access.is_interface();
        if class.access.is_abstract() || class.access.is_enum() || is_inner {
            return Vec::new();
        }
        let is_near = class.package() == self.package;
        let constructors = callable_constructors(class).into_iter();
        let seen = constructors.filter(|one| one.declared.method.access.is_public() || is_near);
        seen.collect()
    }

    /// A type by its number. What it is made of follows.
    fn ty(&mut self, ty: &JavaTy) -> Linked<TypeId> {
        if let Some(&known) = self.types.get(ty) {
            return Ok(known);
        }
        let class = match &ty.erased {
            Type::Primitive(_) => None,
            Type::Class(name) if **name == *OBJECT => Some(ClassId::ANY),
            erased => Some(self.world.complete(erased)?),
        };
        let id = TypeId(self.catalogue.types.len() as u32);
        self.catalogue.types.push(TypeInfo {
            class,
            nullable: ty.erased.is_reference(),
            ..TypeInfo::default()
        });
        self.types.insert(ty.clone(), id);
        if self.catalogue.types.len() <= MOST_TYPES {
            self.waiting.push_back((id, ty.clone()));
        }
        Ok(id)
    }

    fn info(&mut self, id: TypeId, change: impl FnOnce(&mut TypeInfo)) {
        if let Some(info) = self.catalogue.types.get_mut(id.0 as usize) {
            change(info);
        }
    }

    /// Finds out how objects of a type are made.
    fn elaborate(&mut self, id: TypeId, ty: &JavaTy) -> Linked<()> {
        let literals = self.literals(&ty.erased);
        if !literals.is_empty() {
            self.info(id, |info| info.literals = literals);
            return Ok(());
        }
        let recipes = match &ty.erased {
            Type::Primitive(_) => Vec::new(),
            Type::Array(element) => {
                let element = (ty.arguments.first().cloned())
                    .unwrap_or_else(|| JavaTy::plain((**element).clone()));
                vec![Recipe::Call(self.array(&element, ty)?)]
            }
            Type::Class(name) => {
                let name = name.clone();
                let known = ways(&name);
                match known.is_empty() {
                    false => self.library(known, ty)?,
                    true => self.own(&name, ty)?,
                }
            }
        };
        self.info(id, |info| info.recipes = recipes);
        Ok(())
    }

    /// The values of a type that are written down.
    fn literals(&mut self, ty: &Type) -> Vec<Argument> {
        let mut literals = Vec::new();
        let source = match ty {
            Type::Class(name) => match boxed_in(name) {
                Some(primitive) => Type::Primitive(primitive),
                None => ty.clone(),
            },
            _ => ty.clone(),
        };
        let items = self.constants.items(&source);
        let mut maker = Maker {
            world: self.world,
            written: &mut self.written,
            ty,
        };
        for item in &items {
            if let Ok(Some(argument)) = maker.argument(item)
                && !literals.contains(&argument)
            {
                literals.push(argument);
            }
        }
        if let (Type::Class(_), Ok(constants)) = (ty, maker.constants()) {
            literals.extend(constants);
        }
        literals
    }

    /// The recipes for a class of the JDK.
    fn library(&mut self, ways: &[Way], ty: &JavaTy) -> Linked<Vec<Recipe>> {
        let mut recipes = Vec::new();
        for way in ways {
            recipes.extend(match *way {
                Way::Filled(class, method) => self.filled(class, method, ty)?,
                Way::Factory(class, method, descriptor) => {
                    let made = self.library_method(class, method, descriptor)?;
                    match made {
                        Some(target) => {
                            let variables = ty.arguments.clone();
                            let id = self.generic_function(&target, ty, &variables)?;
                            Some(Recipe::Call(id))
                        }
                        None => None,
                    }
                }
                Way::Constructor(class, descriptor) => {
                    let made = self.library_method(class, "<init>", descriptor)?;
                    match made {
                        Some(target) => {
                            let of = JavaTy {
                                erased: target.class.ty(),
                                arguments: ty.arguments.clone(),
                            };
                            Some(Recipe::Call(self.constructor(&target, &of)?))
                        }
                        None => None,
                    }
                }
                Way::Of(class, method) => {
                    let of = JavaTy {
                        erased: Type::class(class),
                        arguments: ty.arguments.clone(),
                    };
                    let class = self.world.class_path().load(class)?;
                    let found = offered_methods(self.world.class_path(), &class)?;
                    let found = found.into_iter().find(|one| {
                        let known = &one.declared.method;
                        *known.name == *method && known.descriptor.parameters.is_empty()
                    });
                    match found {
                        Some(target) => {
                            Some(Recipe::Call(self.method(&target, Some(&of), false)?))
                        }
                        None => None,
                    }
                }
            });
        }
        Ok(recipes)
    }

    fn filled(&mut self, class: &str, method: &str, ty: &JavaTy) -> Linked<Option<Recipe>> {
        let of = JavaTy {
            erased: Type::class(class),
            arguments: ty.arguments.clone(),
        };
        let class = self.world.class_path().load(class)?;
        let constructors = callable_constructors(&class);
        let constructor = (constructors.into_iter())
            .find(|one| one.declared.method.descriptor.parameters.is_empty());
        let count = if method == "put" { 2 } else { 1 };
        let found = offered_methods(self.world.class_path(), &class)?;
        let fill = found.into_iter().find(|one| {
            let known = &one.declared.method;
            *known.name == *method && known.descriptor.parameters.len() == count
        });
        let (Some(constructor), Some(fill)) = (constructor, fill) else {
            return Ok(None);
        };
        Ok(Some(Recipe::Filled {
            start: self.constructor(&constructor, &of)?,
            fill: self.method(&fill, Some(&of), false)?,
            most: MOST_ELEMENTS,
        }))
    }

    fn library_method(
        &self,
        class: &str,
        name: &str,
        descriptor: &str,
    ) -> Linked<Option<TargetMethod>> {
        let class = self.world.class_path().load(class)?;
        let Ok(descriptor) = MethodDescriptor::parse(descriptor) else {
            return Ok(None);
        };
        let method = class.method(name, &descriptor).cloned();
        Ok(method.map(|method| TargetMethod {
            class: class.clone(),
            declared: DeclaredMethod { class, method },
        }))
    }

    /// The recipes for any other class: its constructors and factories, or those of its
    /// implementations, or a stub.
    fn own(&mut self, name: &str, ty: &JavaTy) -> Linked<Vec<Recipe>> {
        let Ok(class) = self.world.class_path().load(name) else {
            return Ok(Vec::new());
        };
        let is_library = !self.world.is_of_user(name);
        let mut recipes = Vec::new();
        if self.is_visible(&class) {
            recipes = self.makers(&class, ty, is_library)?;
        }
        let is_open = class.access.is_interface() || class.access.is_abstract();
        if is_open && !is_library {
            let names = self.world.implementations(name);
            let others = names.into_iter().filter(|other| **other != *name);
            for other in others.take(MOST_IMPLEMENTATIONS) {
                let class = self.world.class_path().load(&other)?;
                let is_near = package_of(&other) == package_of(name) || self.is_of_family(&other);
                if is_near && self.is_visible(&class) {
                    recipes.extend(self.makers(&class, &JavaTy::plain(class.ty()), false)?);
                }
            }
        }
        // An interface that is under test itself has a stub only where nothing else implements it: a
        // listener, say.
        let is_covered = self.is_of_family(name) && !recipes.is_empty();
        if class.access.is_interface() && !is_covered {
            for stub in self.world.stubs(&class.name) {
                let mut answers = Vec::new();
                for method in &stub.methods {
                    let declared = DeclaredMethod {
                        class: class.clone(),
                        method: method.clone(),
                    };
                    if let Some(result) = &method.descriptor.result
                        && !stub.throws
                    {
                        let given = self.given(Some(ty), &declared);
                        let generic = method.signature.as_deref().and_then(GenericType::of_result);
                        answers.push(JavaTy::of(generic.as_ref(), result, &given));
                    }
                }
                let id = self.world.complete(&stub.class)?;
                let mut parameters = Vec::new();
                for answer in &answers {
                    parameters.push(self.ty(answer)?);
                }
                let result = Some(self.ty(ty)?);
                let call = ScriptCall::Stub(class.name.clone(), stub);
                let operation = Operation {
                    callee: Callee::Object(id),
                    parameters,
                    result,
                    extends: false,
                };
                recipes.push(Recipe::Call(self.enter(operation, call)));
            }
        }
        Ok(recipes)
    }

    /// The constructors and factories of a class.
    fn makers(&mut self, class: &Arc<Class>, ty: &JavaTy, simple: bool) -> Linked<Vec<Recipe>> {
        let mut recipes = Vec::new();
        let is_simple = |target: &TargetMethod| {
            let parameters = &target.declared.method.descriptor.parameters;
            parameters.len() <= 2
                && parameters
                    .iter()
                    .all(|ty| !ty.is_reference() || *ty == Type::class(STRING))
        };
        for constructor in self.constructors(class) {
            if !simple || is_simple(&constructor) {
                recipes.push(Recipe::Call(self.constructor(&constructor, ty)?));
            }
        }
        if simple {
            return Ok(recipes);
        }
        for function in offered_functions(class) {
            let result = function.declared.method.descriptor.result.clone();
            let makes = match result {
                Some(result) => self.world.is_below(&result, &class.ty()),
                None => false,
            };
            if makes {
                recipes.push(Recipe::Call(self.method(&function, None, false)?));
            }
        }
        Ok(recipes)
    }

    /// An operation that calls a constructor.
    fn constructor(&mut self, target: &TargetMethod, ty: &JavaTy) -> Linked<OperationId> {
        let key = (target.declared.to_string(), Some(ty.clone()));
        if let Some(&known) = self.operations.get(&key) {
            return Ok(known);
        }
        let class = self.world.complete(&target.class.ty())?;
        let function = self.world.function(&target.declared);
        let given = self.given(Some(ty), &target.declared);
        let parameters = self.parameters(&target.declared, &given)?;
        let result = Some(self.ty(ty)?);
        let operation = Operation {
            callee: Callee::New(class, function),
            parameters,
            result,
            extends: false,
        };
        let id = self.enter(operation, ScriptCall::New(target.clone()));
        self.operations.insert(key, id);
        Ok(id)
    }

    /// An operation that calls a static method whose type parameters are the arguments of its result.
    fn generic_function(
        &mut self,
        target: &TargetMethod,
        ty: &JavaTy,
        arguments: &[JavaTy],
    ) -> Linked<OperationId> {
        let key = (target.declared.to_string(), Some(ty.clone()));
        if let Some(&known) = self.operations.get(&key) {
            return Ok(known);
        }
        let method = &target.declared.method;
        let names = method.signature.as_deref().map(GenericType::parameters_of);
        let given = names
            .unwrap_or_default()
            .into_iter()
            .zip(arguments.iter().cloned())
            .collect();
        let function = self.world.function(&target.declared);
        let parameters = self.parameters(&target.declared, &given)?;
        let result = Some(self.ty(ty)?);
        let operation = Operation {
            callee: Callee::Static(function),
            parameters,
            result,
            extends: false,
        };
        let id = self.enter(operation, ScriptCall::Static(target.clone()));
        self.operations.insert(key, id);
        Ok(id)
    }

    /// An operation that calls a method.
    fn method(
        &mut self,
        target: &TargetMethod,
        receiver: Option<&JavaTy>,
        extends: bool,
    ) -> Linked<OperationId> {
        let key = (target.declared.to_string(), receiver.cloned());
        if let Some(&known) = self.operations.get(&key) {
            if let Some(operation) = self.catalogue.operations.get_mut(known.0 as usize) {
                operation.extends |= extends;
            }
            return Ok(known);
        }
        let declared = &target.declared;
        let given = self.given(receiver, declared);
        let mut parameters = Vec::new();
        let callee = match receiver {
            Some(receiver) => {
                parameters.push(self.ty(receiver)?);
                Callee::Virtual(World::virtual_name(&declared.method))
            }
            None => Callee::Static(self.world.function(declared)),
        };
        let is_equals = &*declared.method.name == "equals" && receiver.is_some();
        let others = match (is_equals, receiver) {
            // What is equal to an object is of its class, as a rule.
            (true, Some(receiver)) if declared.method.descriptor.parameters.len() == 1 => {
                vec![self.ty(receiver)?]
            }
            _ => self.parameters(declared, &given)?,
        };
        parameters.extend(others);
        let generic = declared.method.signature.as_deref();
        let generic = generic.and_then(GenericType::of_result);
        let result = match &declared.method.descriptor.result {
            Some(erased) => {
                let ty = JavaTy::of(generic.as_ref(), erased, &given);
                let id = self.ty(&ty)?;
                if extends {
                    self.offer(&ty)?;
                }
                Some(id)
            }
            None => None,
        };
        let call = match receiver {
            Some(_) => ScriptCall::Method(target.clone()),
            None => ScriptCall::Static(target.clone()),
        };
        let operation = Operation {
            callee,
            parameters,
            result,
            extends,
        };
        let id = self.enter(operation, call);
        self.operations.insert(key, id);
        Ok(id)
    }

    /// Scripts are extended by what can be done with objects of a type that the code under test gives,
    /// if they may be its own.
    fn offer(&mut self, ty: &JavaTy) -> Linked<()> {
        let Type::Class(name) = &ty.erased else {
            return Ok(());
        };
        let is_value = boxed_in(name).is_some() || name.starts_with("java.lang.");
        if is_value || !self.offered.insert(ty.clone()) {
            return Ok(());
        }
        let class = self.world.class_path().load(name)?;
        let is_open = class.access.is_interface() || class.access.is_abstract();
        let is_own = self.is_of_family(name);
        if !self.is_visible(&class) || !(is_own || is_open) || class.access.is_enum() && !is_own {
            return Ok(());
        }
        // Objects of a class elsewhere are those of the code under test only where that has
        // subclasses of it.
        let has_own = self
            .family
            .iter()
            .any(|one| self.world.is_below(&one.ty(), &ty.erased));
        if !has_own {
            return Ok(());
        }
        for target in offered_methods(self.world.class_path(), &class)? {
            if !LEFT_OUT.contains(&&*target.declared.method.name) {
                self.method(&target, Some(ty), true)?;
            }
        }
        Ok(())
    }

    fn array(&mut self, element: &JavaTy, ty: &JavaTy) -> Linked<OperationId> {
        let class = self.world.complete(&ty.erased)?;
        let parameters = vec![self.ty(element)?];
        let result = Some(self.ty(ty)?);
        let operation = Operation {
            callee: Callee::Array(class),
            parameters,
            result,
            extends: false,
        };
        Ok(self.enter(operation, ScriptCall::Array(element.erased.clone())))
    }

    fn enter(&mut self, operation: Operation, call: ScriptCall) -> OperationId {
        let id = OperationId(self.catalogue.operations.len() as u32);
        self.catalogue.operations.push(operation);
        self.calls.push(call);
        id
    }

    /// The types of the parameters of a method.
    fn parameters(&mut self, declared: &DeclaredMethod, given: &Given) -> Linked<Vec<TypeId>> {
        let method = &declared.method;
        let generic = method.signature.as_deref();
        let generic = generic.and_then(GenericType::of_parameters);
        let erased = &method.descriptor.parameters;
        let generic = generic.filter(|generic| generic.len() == erased.len());
        let mut types = Vec::new();
        for (index, erased) in erased.iter().enumerate() {
            let declared = generic.as_ref().and_then(|generic| generic.get(index));
            types.push(self.ty(&JavaTy::of(declared, erased, given))?);
        }
        Ok(types)
    }

    /// What the type parameters of a method's class stand for, where the receiver is of a type.
    fn given(&self, receiver: Option<&JavaTy>, declared: &DeclaredMethod) -> Given {
        let Some(receiver) = receiver else {
            return Given::new();
        };
        let parameters = |class: &Class| {
            let signature = class.signature.as_deref();
            signature.map_or_else(Vec::new, GenericType::parameters_of)
        };
        let own = |class: &Class| -> Given {
            (parameters(class).into_iter())
                .zip(receiver.arguments.iter().cloned())
                .collect()
        };
        if receiver.erased == declared.class.ty() {
            return own(&declared.class);
        }
        let Some(name) = receiver.class_name() else {
            return Given::new();
        };
        let Ok(class) = self.world.class_path().load(name) else {
            return Given::new();
        };
        let known = own(&class);
        let above = self.world.supertype_arguments(name, &declared.class.name);
        let names = parameters(&declared.class).into_iter();
        (names.zip(above.unwrap_or_default()))
            .map(|(name, argument)| {
                let erased = match &argument {
                    GenericType::Class { name, .. } => Type::class(name),
                    _ => Type::class(OBJECT),
                };
                (name, JavaTy::of(Some(&argument), &erased, &known))
            })
            .collect()
    }

    /// Notes which results are not given where other types are expected.
    fn find_unfit(&mut self) {
        let results = self
            .catalogue
            .operations
            .iter()
            .filter_map(|one| one.result);
        let results: BTreeSet<TypeId> = results.collect();
        let parameters = self
            .catalogue
            .operations
            .iter()
            .flat_map(|one| &one.parameters);
        let parameters: BTreeSet<TypeId> = parameters.copied().collect();
        let types: BTreeMap<TypeId, &JavaTy> =
            self.types.iter().map(|(ty, id)| (*id, ty)).collect();
        let mut unfit = Vec::new();
        for (parameter, wanted) in parameters
            .iter()
            .filter_map(|id| Some((id, types.get(id)?)))
        {
            if wanted.arguments.is_empty() {
                continue;
            }
            for (result, given) in results.iter().filter_map(|id| Some((id, types.get(id)?))) {
                let is_below = self.world.is_below(&given.erased, &wanted.erased);
                if is_below && !self.conforms(given, wanted) {
                    unfit.push((*result, *parameter));
                }
            }
        }
        self.catalogue.unfit.extend(unfit);
    }

    /// Whether a type with its arguments can stand where another one is expected, of a class above.
    fn conforms(&self, given: &JavaTy, wanted: &JavaTy) -> bool {
        let (Some(class), Some(above)) = (given.class_name(), wanted.class_name()) else {
            return given.arguments.is_empty() || given == wanted;
        };
        let arguments: Vec<JavaTy> = match class == above {
            true => given.arguments.clone(),
            false => {
                let Ok(loaded) = self.world.class_path().load(class) else {
                    return true;
                };
                let signature = loaded.signature.as_deref();
                let names = signature.map_or_else(Vec::new, GenericType::parameters_of);
                let known = names
                    .into_iter()
                    .zip(given.arguments.iter().cloned())
                    .collect();
                let found = self
                    .world
                    .supertype_arguments(class, above)
                    .unwrap_or_default();
                (found.iter())
                    .map(|argument| {
                        let erased = match argument {
                            GenericType::Class { name, .. } => Type::class(name),
                            _ => Type::class(OBJECT),
                        };
                        JavaTy::of(Some(argument), &erased, &known)
                    })
                    .collect()
            }
        };
        let object = JavaTy::object();
        arguments
            .iter()
            .zip(&wanted.arguments)
            .all(|(given, wanted)| {
                *given == object
                    || *wanted == object
                    || self.world.is_below(&given.erased, &wanted.erased)
            })
    }

    /// The questions that are asked after a call.
    fn observers(&mut self) -> Linked<(Vec<Observer>, Vec<TargetMethod>)> {
        let mut observers = Vec::new();
        let mut asked = Vec::new();
        for class in self.family.clone() {
            if !self.is_visible(&class) {
                continue;
            }
            let methods = offered_methods(self.world.class_path(), &class)?;
            let mut found: Vec<TargetMethod> = (methods.into_iter())
                .filter(|one| {
                    let method = &one.declared.method;
                    let is_told = match &method.descriptor.result {
                        Some(Type::Primitive(_)) => true,
                        Some(Type::Class(name)) => {
                            **name == *STRING || is_box(name) || self.is_visible_enum(name)
                        }
                        _ => false,
                    };
                    // Hash codes are numbers that nobody wants to read.
                    is_told
                        && method.descriptor.parameters.is_empty()
                        && &*method.name != "hashCode"
                        && !method.access.is_synthetic()
                })
                .collect();
            found.sort_by_key(|one| match &*one.declared.method.name {
                "size" | "length" => 0,
                "toString" => 1,
                "isEmpty" => 2,
                _ => 3,
            });
            found.truncate(MOST_OBSERVERS);
            let id = self.world.complete(&class.ty())?;
            for target in found {
                observers.push(Observer {
                    class: id,
                    method: World::virtual_name(&target.declared.method),
                });
                asked.push(target);
            }
        }
        let text = self.library_method(OBJECT, "toString", "()Ljava/lang/String;")?;
        for name in TOLD_BY_TEXT {
            if let Some(target) = &text {
                let id = self.world.complete(&Type::class(name))?;
                observers.push(Observer {
                    class: id,
                    method: World::virtual_name(&target.declared.method),
                });
                asked.push(target.clone());
            }
        }
        Ok((observers, asked))
    }
}

fn is_box(name: &str) -> bool {
    boxed_in(name)
        .is_some_and(|primitive| primitive != Primitive::Int || name == "java.lang.Integer")
}

/// Types in the order of their numbers.
fn ordered(types: BTreeMap<JavaTy, TypeId>) -> Vec<JavaTy> {
    let mut types: Vec<(TypeId, JavaTy)> = types.into_iter().map(|(ty, id)| (id, ty)).collect();
    types.sort_by_key(|(id, _)| *id);
    types.into_iter().map(|(_, ty)| ty).collect()
}
