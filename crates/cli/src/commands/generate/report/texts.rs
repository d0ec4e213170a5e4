//! The texts of source files, looked for when they are needed.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use heapwright_ir::Program;

/// Finds a text by the name of its file.
type Find<'f> = dyn Fn(&str) -> Option<String> + 'f;

/// Texts of the program itself, and from another place for files without one.
pub struct Texts<'f> {
    find: Box<Find<'f>>,
    found: RefCell<BTreeMap<String, Rc<str>>>,
}

impl<'f> Texts<'f> {
    /// Texts that a function finds by the name of their file.
    pub fn new(find: impl Fn(&str) -> Option<String> + 'f) -> Texts<'f> {
        Texts {
            find: Box::new(find),
            found: RefCell::default(),
        }
    }

    /// The text of a file of the program; empty where nobody knows it.
    pub fn of(&self, program: &Program, file: u32) -> Rc<str> {
        let Some(file) = program.files.get(file as usize) else {
            return Rc::default();
        };
        let mut found = self.found.borrow_mut();
        let text = found
            .entry(file.name.clone())
            .or_insert_with(|| match file.text.is_empty() {
                true => (self.find)(&file.name).unwrap_or_default().into(),
                false => file.text.as_str().into(),
            });
        Rc::clone(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use heapwright_ir::SourceFile;
    use std::cell::Cell;

    #[test]
    fn a_text_is_looked_for_once_and_only_if_it_is_not_known() {
        let file = |name: &str, text: &str| SourceFile {
            name: name.to_owned(),
            text: text.to_owned(),
        };
        let program = Program {
            files: vec![file("a", "known"), file("b", "")],
            ..Program::default()
        };
        let asked = Cell::new(0);
        let texts = Texts::new(|name| {
            asked.set(asked.get() + 1);
            Some(format!("text of {name}"))
        });
        assert_eq!(&*texts.of(&program, 0), "known");
        assert_eq!(&*texts.of(&program, 1), "text of b");
        assert_eq!(&*texts.of(&program, 1), "text of b");
        assert_eq!(asked.get(), 1);
        assert_eq!(&*texts.of(&program, 2), "");
    }
}
