//! Functions that tests define, for pointers to functions: a caller may give any function of the
//! type, and often none of the file is meant (comparators of containers, callbacks of iterations).
//!
//! One kind returns the same whenever it is called; what that is belongs to the input. The other
//! one orders numbers, for pointers to functions that compare.

use heapwright_ir::{Candidates, Operand, Operation, Position, Terminator};
use heapwright_logic::{ClassId, Sort};

use super::Lowering;
use super::builder::Builder;
use super::call::CALL;
use super::library::COMPARE_NUMBERS;
use crate::ast::{self, CType, Signature};

impl Lowering<'_> {
    /// Adds functions of every type that pointers lead to, behind those of the file.
    pub(super) fn stubs(&mut self) {
        self.comparator();
        for (class, signature) in self.classes.function_types() {
            let own = self.functions.iter();
            let mut functions: Vec<_> = own
                .filter(|(id, _)| {
                    self.unit.functions[id.0 as usize].signature.as_ref() == &signature
                })
                .map(|(id, global)| (id.0, self.globals[global.index()].class))
                .collect();
            functions.sort_unstable();
            let mut classes: Vec<ClassId> = functions.into_iter().map(|(_, class)| class).collect();
            classes.extend(self.stub(class, &signature));
            // Other files have other functions.
            let candidates = Candidates {
                classes,
                complete: false,
            };
            self.classes.rules.candidates.insert(class, candidates);
        }
    }

    /// The function that orders numbers is one of its type where a pointer to such is used.
    fn comparator(&mut self) {
        let mut functions = self.unit.functions.iter();
        let found = functions.position(|function| function.name == COMPARE_NUMBERS);
        let Some(index) = found else {
            return;
        };
        let id = ast::FunctionId(index as u32);
        let signature = &self.unit.functions[index].signature;
        let mut types = self.classes.function_types().into_iter();
        if self.ids.contains_key(&id) && types.any(|(_, ty)| ty == **signature) {
            self.function_object(id);
        }
    }

    fn stub(&mut self, class: ClassId, signature: &Signature) -> Option<ClassId> {
        let unit = self.unit;
        let (signature, spelling) = unit.spellings.get_key_value(signature)?;
        let is_value = |ty: &CType| !matches!(ty, CType::Record(_) | CType::Other(_));
        let is_simple = signature.params.iter().all(is_value) && is_value(&signature.result);
        if spelling.is_none() || signature.variadic || !is_simple {
            return None;
        }
        let mut builder = Builder::new();
        let this = builder.register(None, Sort::Ref(class));
        for ty in &signature.params {
            let sort = self.classes.sort(unit, ty)?;
            builder.register(None, sort);
        }
        let stub = self.classes.stub(unit, signature)?;
        let result = self.classes.definitions.class(stub).fields.first();
        let result = result.map(|field| field.sort);
        let own = Sort::Ref(stub);
        let from = Operand::Register(this);
        let object = builder.value(own, |to| Operation::Move { to, from });
        let value = result.map(|sort| {
            builder.value(sort, |to| Operation::Load {
                to,
                object,
                class: stub,
                field: 0,
            })
        });
        builder.end(Terminator::Return(value));
        let name = format!("{CALL} stub {}", stub.index());
        let params = signature.params.len() as u32 + 1;
        let function = builder.finish(&name, params, result, Position::default());
        let method = self.add_synthetic(function);
        let methods = &mut self.classes.infos[stub.index()].methods;
        methods.insert(CALL.to_owned(), method);
        Some(stub)
    }
}
