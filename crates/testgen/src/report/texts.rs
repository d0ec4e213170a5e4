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
    found: RefCell<BTreeMap<String, Rc<Text>>>,
}

/// A text that is split into lines once.
#[derive(Default)]
pub struct Text {
    text: String,
    /// Where the lines begin.
    starts: Vec<usize>,
}

impl Text {
    /// Splits a text into lines.
    pub fn new(text: String) -> Text {
        let newlines = text.match_indices('\n').map(|(at, _)| at + 1);
        let starts = std::iter::once(0).chain(newlines);
        let starts = starts.filter(|&start| start < text.len()).collect();
        Text { text, starts }
    }

    /// A line by its number from 0.
    pub fn line(&self, number: usize) -> Option<&str> {
        let rest = self.text.get(*self.starts.get(number)?..)?;
        rest.lines().next()
    }
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
    pub fn of(&self, program: &Program, file: u32) -> Rc<Text> {
        let Some(file) = program.files.get(file as usize) else {
            return Rc::default();
        };
        let mut found = self.found.borrow_mut();
        let text = found
            .entry(file.name.clone())
            .or_insert_with(|| match file.text.is_empty() {
                true => Rc::new(Text::new((self.find)(&file.name).unwrap_or_default())),
                false => Rc::new(Text::new(file.text.clone())),
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
        let first = |file: u32| texts.of(&program, file).line(0).map(str::to_owned);
        assert_eq!(first(0).as_deref(), Some("known"));
        assert_eq!(first(1).as_deref(), Some("text of b"));
        assert_eq!(first(1).as_deref(), Some("text of b"));
        assert_eq!(asked.get(), 1);
        assert_eq!(first(2), None);
    }

    #[test]
    fn a_text_has_the_lines_that_it_has() {
        for text in ["", "\n", "a", "a\n", "a\n\nb", "\r\na\r\n"] {
            let split = Text::new(text.to_owned());
            let lines: Vec<&str> = (0..).map_while(|number| split.line(number)).collect();
            assert_eq!(lines, text.lines().collect::<Vec<_>>(), "{text:?}");
        }
    }
}
