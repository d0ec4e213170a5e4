//! Marks on a picture: something is said about a place in the line below it.

use std::collections::BTreeMap;
use std::fmt::Write;

use heapwright_logic::Loc;

/// Places of a heap that something is said about.
#[derive(Clone, Default, Debug)]
pub struct Marks {
    /// What is said about objects.
    pub objects: BTreeMap<Loc, String>,
    /// What is said about roots.
    pub roots: Vec<(String, String)>,
    /// Whether objects have their addresses as numbers, because a text beside the picture does.
    pub addresses: bool,
}

/// A text that grows by lines, with marks below them.
#[derive(Default)]
pub struct Page {
    text: String,
    /// Where the line begins in the text.
    line_start: usize,
    /// Width of the line so far.
    column: usize,
    /// Marks for the line that is being written.
    marks: Vec<Mark>,
}

/// A mark below the line that is being written.
struct Mark {
    column: usize,
    width: usize,
    said: String,
}

impl Page {
    /// Where the line goes on.
    pub fn column(&self) -> usize {
        self.column
    }

    /// Goes on with the line.
    pub fn put(&mut self, text: &str) {
        self.text.push_str(text);
        self.column += width(text);
    }

    /// Marks as many columns of the line as a text has.
    pub fn mark(&mut self, column: usize, marked: &str, said: &str) {
        self.marks.push(Mark {
            column,
            width: width(marked),
            said: said.to_owned(),
        });
    }

    /// Ends the line with a text.
    pub fn line(&mut self, text: &str) {
        self.put(text);
        self.end_line();
    }

    /// Ends the line, and puts its marks below it.
    pub fn end_line(&mut self) {
        let line = self.text.get(self.line_start..).unwrap_or("").to_owned();
        self.text.push('\n');
        for mark in std::mem::take(&mut self.marks) {
            // Arrows that go on below keep their line.
            let begin = line.chars().take(mark.column).map(|c| match c {
                '│' | '├' => '│',
                _ => ' ',
            });
            self.text.extend(begin);
            self.text.push_str(&"^".repeat(mark.width));
            let _ = writeln!(self.text, " {}", mark.said);
        }
        self.line_start = self.text.len();
        self.column = 0;
    }

    /// All lines.
    pub fn into_text(self) -> String {
        self.text
    }

    /// Whether there are no lines.
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }
}

/// How many columns a text has.
pub fn width(text: &str) -> usize {
    text.chars().count()
}
