//! How the source writes the parameters of function types, qualifiers included: a test that defines a
//! function of such a type has to write them in the same way.

use super::Reader;
use crate::ast::{CType, FunctionId};
use crate::lower::{COMPARE_NUMBERS, PRELUDE, plain_name};

impl Reader<'_> {
    /// The function of the library that tests may give to the unit, if a struct or a function of it has
    /// a pointer to such.
    pub(super) fn comparator(&self) -> Option<FunctionId> {
        let comparator = self.functions.get(COMPARE_NUMBERS).copied()?;
        // The name may be taken.
        let name = plain_name(COMPARE_NUMBERS);
        if self.functions.contains_key(name) || self.globals.contains_key(name) {
            return None;
        }
        let wanted = &self.unit.functions[comparator.0 as usize].signature;
        let is_wanted = |ty: &CType| {
            let mut innermost = ty;
            while let CType::Pointer(to) | CType::Array(to, _) = innermost {
                innermost = to;
            }
            matches!(innermost, CType::Function(signature) if signature == wanted)
        };
        let records = self.unit.records.iter();
        let mut fields = records.flat_map(|record| &record.fields);
        let mut defined = self.bodies.keys().filter_map(|id| {
            let function = &self.unit.functions[id.0 as usize];
            (!function.name.starts_with(PRELUDE)).then_some(&function.signature)
        });
        let is_used = fields.any(|field| is_wanted(&field.ty))
            || defined.any(|signature| signature.params.iter().any(is_wanted));
        is_used.then_some(comparator)
    }

    /// Notes the parameters of a type that is a function or leads to one. Names inside of a function
    /// may mean nothing elsewhere.
    pub(super) fn spell(&self, ty: &CType, text: &str) {
        let mut innermost = ty;
        while let CType::Pointer(to) | CType::Array(to, _) = innermost {
            innermost = to;
        }
        let CType::Function(signature) = innermost else {
            return;
        };
        let mut spellings = self.names.spellings.borrow_mut();
        if self.is_in_function || spellings.contains_key(signature) {
            return;
        }
        // A function that gives a pointer to a function has the parameters of that behind its own.
        let gives_function =
            matches!(&signature.result, CType::Pointer(to) if matches!(**to, CType::Function(_)));
        let params = match gives_function {
            true => None,
            false => parameters(text),
        };
        let params = params.filter(|params| {
            params.len() == signature.params.len() && params.iter().all(|text| is_portable(text))
        });
        spellings.insert(signature.clone(), params);
    }
}

/// Whether a type may be written elsewhere as it is written here.
fn is_portable(text: &str) -> bool {
    !text.is_empty() && !text.contains(['@', ':', '[', '<']) && !text.contains("unnamed")
}

/// The parameters in the parentheses at the end of a type.
fn parameters(text: &str) -> Option<Vec<String>> {
    let inner = text.trim_end().strip_suffix(')')?;
    let mut depth = 0usize;
    let open = inner.char_indices().rev().find(|(_, c)| {
        match c {
            ')' => depth += 1,
            '(' if depth == 0 => return true,
            '(' => depth -= 1,
            _ => {}
        }
        false
    });
    let inner = inner[open?.0 + 1..].trim();
    if inner.is_empty() || inner == "void" {
        return Some(Vec::new());
    }
    let mut params = vec![String::new()];
    let mut depth = 0i64;
    for c in inner.chars() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            ',' if depth == 0 => {
                params.push(String::new());
                continue;
            }
            _ => {}
        }
        if let Some(last) = params.last_mut() {
            last.push(c);
        }
    }
    let trimmed = params.into_iter().map(|text| text.trim().to_owned());
    Some(trimmed.collect())
}

#[cfg(test)]
mod tests {
    use super::parameters;

    #[test]
    fn parameters_stand_in_the_last_parentheses() {
        let split = |text| parameters(text).map(|params| params.join(" | "));
        let two = Some("const void * | const void *".to_owned());
        assert_eq!(split("int (*)(const void *, const void *)"), two);
        assert_eq!(split("void (void)"), Some(String::new()));
        let nested = Some("int (*)(int, char) | void *".to_owned());
        assert_eq!(split("int (int (*)(int, char), void *)"), nested);
        assert_eq!(split("compare"), None);
    }
}
