//! All numbers of given domains, where a structure is to be tested with each of them.

use std::rc::Rc;

use heapwright_logic::VarId;

use super::Partial;
use super::scalars::Feasible;
use super::structure::{Content, Structure};
use crate::subject::Subject;

/// How many valuations of one structure there may be.
const MOST: usize = 100_000;

impl Partial<'_> {
    /// The structure with all numbers of the domains that were asked for; only itself if there are
    /// none.
    pub fn valuations(&self, subject: &Subject, structure: &Structure) -> Vec<Structure> {
        let names = self.names_with_domains(subject, structure);
        let mut found = vec![structure.clone()];
        for (name, least, greatest) in names {
            let mut next = Vec::new();
            for structure in &found {
                for number in least..=greatest {
                    if next.len() < MOST {
                        next.extend(self.with_number(structure, name, number));
                    }
                }
            }
            found = next;
        }
        found
    }

    fn with_number(&self, structure: &Structure, name: VarId, number: i128) -> Option<Structure> {
        let mut scalars = self.scalars.borrow_mut();
        let (variable, constant) = (scalars.terms.var(name), scalars.terms.int(number));
        let equal = scalars.terms.eq(variable, constant);
        let mut structure = structure.clone();
        structure.conditions.push(equal);
        match scalars.check(&structure.conditions) {
            Feasible::With(model) => structure.model = Rc::new(model),
            Feasible::Never | Feasible::Perhaps => return None,
        }
        Some(structure)
    }

    fn names_with_domains(
        &self,
        subject: &Subject,
        structure: &Structure,
    ) -> Vec<(VarId, i128, i128)> {
        if self.domains.is_empty() {
            return Vec::new();
        }
        let arguments = subject.inputs.iter().map(|input| input.name.as_str());
        let arguments = arguments.zip(structure.arguments.iter());
        let fields = structure.objects.iter().flat_map(|object| {
            let fields = &self.program.definitions.class(object.class).fields;
            let names = fields.iter().map(|field| field.name.as_str());
            names.zip(&object.contents)
        });
        arguments
            .chain(fields)
            .filter_map(|(name, content)| {
                let Content::Scalar(number) = content else {
                    return None;
                };
                let domain = self.domains.iter().find(|domain| domain.name == name)?;
                Some((*number, domain.least, domain.greatest))
            })
            .collect()
    }

    /// Questions that were put to the solver for numbers.
    pub fn questions(&self) -> u64 {
        self.scalars.borrow().calls
    }
}
