//! Translation on demand.

use heapwright_ir::machine::Missing;
use heapwright_ir::{
    Callee, Function, FunctionId, Operand, Operation, Reg, Terminator, verify_function,
};
use heapwright_logic::{ClassId, Sort};
use rustc_hash::FxHashSet;

use super::builder::Builder;
use super::{MethodPlace, TranslateError, Trouble, World};
use crate::descriptor::{Type, package_of};
use crate::hierarchy::{DeclaredMethod, LinkError};
use crate::target::TargetMethod;
use crate::translate::translate;

/// How many functions are translated at once, with the one that is needed: enough for the helpers
/// of a method, and few enough that what is never called costs little.
const MOST_AT_ONCE: usize = 64;

/// What a function that is only a stub will be.
#[derive(Debug, Clone)]
pub(crate) enum Pending {
    /// A method.
    Method(DeclaredMethod),
    /// Gives the class object of a type.
    ClassObject(Type),
    /// Clones objects of a class.
    ObjectClone(ClassId),
    /// Clones arrays of a class.
    ArrayClone(ClassId),
    /// Copies elements of arrays of a class.
    ArrayCopy(ClassId, Type),
}

impl World {
    /// The function of a method to be tested, translated, with the classes of all objects
    /// completed that inputs may consist of.
    pub fn entry(&mut self, target: &TargetMethod) -> Result<FunctionId, TranslateError> {
        let declared = &target.declared;
        let fail = |error| TranslateError {
            place: place(declared),
            problem: Box::new(Trouble::Link(error)),
        };
        self.complete(&target.class.ty()).map_err(fail)?;
        let parameters = declared.method.descriptor.parameters.iter();
        for ty in parameters.clone().filter(|ty| ty.is_reference()) {
            self.complete(ty).map_err(fail)?;
        }
        self.note_code_under_test(target).map_err(fail)?;
        let receiver = [target.class.ty()];
        let inputs = receiver.into_iter().chain(parameters.cloned());
        self.complete_inputs(inputs.collect());
        let function = self.function(declared);
        self.load(function);
        match self.failures.get(&function) {
            Some(error) => Err(error.clone()),
            None => Ok(function),
        }
    }

    /// Supplies the code of a function that a run has called: whether it was not there before.
    /// Then the run is to be repeated.
    pub fn supply(&mut self, function: FunctionId) -> bool {
        let was_pending = self.pending.contains_key(&function);
        self.load(function);
        was_pending
    }

    /// The same for whatever a run turned out to need.
    pub fn supply_missing(&mut self, missing: &Missing) -> bool {
        missing.function().is_some_and(|id| self.supply(id))
    }

    /// Translates a function, and what it calls in the same package, up to a limit. A function
    /// that cannot be translated says so when it is called.
    pub fn load(&mut self, function: FunctionId) {
        let home = self.methods.get(&function);
        let home = home.map(|method| package_of(&method.class.name).to_owned());
        let mut waiting = vec![function];
        let mut seen = FxHashSet::default();
        while let Some(next) = waiting.pop() {
            if !seen.insert(next) || seen.len() > MOST_AT_ONCE {
                continue;
            }
            self.load_one(next);
            for callee in self.callees(next) {
                let package = self.methods.get(&callee);
                let package = package.map(|method| package_of(&method.class.name));
                if package.is_none() || package == home.as_deref() {
                    waiting.push(callee);
                }
            }
        }
        self.refresh_interning();
    }

    /// The functions that a function calls statically.
    fn callees(&self, function: FunctionId) -> Vec<FunctionId> {
        let blocks = self.program.function(function).blocks.iter();
        let instructions = blocks.flat_map(|block| &block.instructions);
        let callee = instructions.filter_map(|instruction| match &instruction.operation {
            Operation::Call {
                callee: Callee::Static(callee),
                ..
            } => Some(*callee),
            _ => None,
        });
        callee.collect()
    }

    fn load_one(&mut self, id: FunctionId) {
        let Some(pending) = self.pending.remove(&id) else {
            return;
        };
        let loaded = match &pending {
            Pending::Method(declared) => self.load_method(id, declared),
            Pending::ClassObject(ty) => self.load_class_object(id, ty),
            Pending::ArrayClone(class) => {
                let function = self.array_clone(id, *class);
                self.set_function(id, function);
                Ok(())
            }
            Pending::ObjectClone(class) => {
                let made = self.object_clone(id, *class);
                self.set_made(id, made)
            }
            Pending::ArrayCopy(class, element) => {
                let made = self.array_copy(id, *class, element);
                self.set_made(id, made)
            }
        };
        if let Err(error) = loaded {
            self.fail(id, error);
        }
    }

    fn set_made(
        &mut self,
        id: FunctionId,
        made: Result<Function, LinkError>,
    ) -> Result<(), TranslateError> {
        let function = made.map_err(|error| self.error_at(id, error.into()))?;
        self.set_function(id, function);
        Ok(())
    }

    fn load_method(
        &mut self,
        id: FunctionId,
        declared: &DeclaredMethod,
    ) -> Result<(), TranslateError> {
        if let Some(body) = self.native_body(id, declared) {
            self.set_function(id, body);
            return Ok(());
        }
        let name = self.program.function(id).name.clone();
        let translated = translate(self, declared, name)?;
        self.set_function(id, translated.function);
        self.verify_code(id, declared)?;
        for (block, pc) in translated.jumps {
            self.jumps.insert((id, block), pc);
        }
        Ok(())
    }

    /// Code that no compiler writes may mix up classes, or read what was never written. A virtual
    /// machine refuses it when it loads the class; classes of the JDK were accepted by one already.
    fn verify_code(&self, id: FunctionId, declared: &DeclaredMethod) -> Result<(), TranslateError> {
        if let Ok(true) = self.path.jdk().contains(&declared.class.name) {
            return Ok(());
        }
        let Err(errors) = verify_function(&self.program, id) else {
            return Ok(());
        };
        let first = errors.first();
        let violation = first.map_or(String::new(), |error| error.violation.to_string());
        Err(TranslateError {
            place: place(declared),
            problem: Box::new(Trouble::Unverifiable(violation)),
        })
    }

    fn load_class_object(&mut self, id: FunctionId, ty: &Type) -> Result<(), TranslateError> {
        let object = self.class_object(ty);
        let (global, filler) = object.map_err(|error| self.error_at(id, error.into()))?;
        let any = Sort::Ref(ClassId::ANY);
        let name = self.program.function(id).name.clone();
        let mut builder = Builder::new(name, &[any], Some(any));
        builder.emit(Operation::Call {
            to: None,
            callee: Callee::Static(filler),
            args: Vec::new(),
        });
        builder.end(Terminator::Return(Some(Operand::Global(global))));
        self.set_function(id, builder.finish());
        Ok(())
    }

    fn error_at(&self, id: FunctionId, problem: Trouble) -> TranslateError {
        TranslateError {
            place: MethodPlace {
                class: "".into(),
                method: self.program.function(id).name.clone(),
                pc: None,
            },
            problem: Box::new(problem),
        }
    }

    /// A function that cannot be translated names the reason when it is called.
    fn fail(&mut self, id: FunctionId, error: TranslateError) {
        let stub = self.program.function(id);
        let params: Vec<_> = (stub.registers.iter().take(stub.params as usize))
            .map(|register| register.sort)
            .collect();
        let mut builder = Builder::new(stub.name.clone(), &params, stub.result);
        let args = (0..params.len() as u32).map(|index| Operand::Register(Reg(index)));
        builder.emit(Operation::Call {
            to: None,
            callee: Callee::Intrinsic(format!("untranslated: {error}")),
            args: args.collect(),
        });
        builder.end(Terminator::Unreachable);
        self.set_function(id, builder.finish());
        self.failures.insert(id, error);
    }
}

/// A method as errors name it.
pub(crate) fn place(declared: &DeclaredMethod) -> MethodPlace {
    MethodPlace {
        class: declared.class.name.clone(),
        method: format!("{}{}", declared.method.name, declared.method.descriptor),
        pc: None,
    }
}
