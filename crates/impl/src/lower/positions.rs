//! Lines and columns of many places in one text.
//!
//! Columns count characters, so finding one means counting from the start of the line. Every
//! instruction has a position, and a program may be one long line: what is counted is kept.

use heapwright_ir::Position;

/// Characters are counted once for every stretch of this many bytes.
const STRETCH: usize = 256;

pub(super) struct Positions<'a> {
    text: &'a str,
    /// Bytes at which lines start.
    lines: Vec<usize>,
    /// Characters before each stretch.
    characters: Vec<u32>,
}

impl<'a> Positions<'a> {
    pub fn new(text: &'a str) -> Self {
        let newlines = text.match_indices('\n').map(|(at, _)| at + 1);
        let lines = std::iter::once(0).chain(newlines).collect();
        let mut characters = Vec::with_capacity(text.len() / STRETCH + 1);
        let mut count = 0;
        for stretch in text.as_bytes().chunks(STRETCH) {
            characters.push(count);
            count += starts(stretch);
        }
        characters.push(count);
        Positions {
            text,
            lines,
            characters,
        }
    }

    /// The position of a byte.
    pub fn at(&self, offset: u32) -> Position {
        let offset = (offset as usize).min(self.text.len());
        let line = self.lines.partition_point(|&start| start <= offset);
        let start = self.lines[line - 1];
        Position {
            file: 0,
            line: u32::try_from(line).unwrap_or(u32::MAX),
            column: self.before(offset) - self.before(start) + 1,
        }
    }

    /// Characters before a byte.
    fn before(&self, offset: usize) -> u32 {
        let stretch = offset / STRETCH;
        let rest = &self.text.as_bytes()[stretch * STRETCH..offset];
        self.characters[stretch] + starts(rest)
    }
}

/// How many characters start in these bytes.
fn starts(bytes: &[u8]) -> u32 {
    let count = bytes.iter().filter(|&&byte| byte & 0xc0 != 0x80).count();
    u32::try_from(count).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use heapwright_spec::diagnostic::{SourceMap, Span};

    #[test]
    fn positions_are_those_of_the_diagnostics() {
        for text in [
            String::new(),
            "\n".to_owned(),
            "ab\ncd\n\nä∧e".to_owned(),
            "ä∧e".repeat(300),
            format!("{}\n{}\nx", "a".repeat(255), "∧".repeat(100)),
        ] {
            let mut sources = SourceMap::new();
            let file = sources.add("f.impl", text.clone());
            let positions = Positions::new(&text);
            for offset in (0..=text.len()).filter(|&offset| text.is_char_boundary(offset)) {
                let (line, column) = sources.line_column(Span::new(file, offset, offset));
                let found = positions.at(offset as u32);
                assert_eq!((found.line as usize, found.column as usize), (line, column));
            }
        }
    }
}
