//! The text of a program under test, taken apart: declarations, which stand at the top of a test,
//! and statements, which come between setup and check.
//!
//! Texts are copied as they are, comments included, and it is known which line of the test each
//! line of the program became.

use std::collections::BTreeSet;
use std::ops::Range;

use super::text::tokens;
use crate::syntax::ast::{File, StatementKind};
use crate::syntax::{Keyword, Sign, Token, TokenKind};

/// Pieces of a program's text.
#[derive(Debug)]
pub(super) struct UnderTest<'a> {
    text: &'a str,
    pub declarations: Vec<Piece>,
    pub statements: Vec<Piece>,
}

/// Something to be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Piece {
    /// A part of the program.
    Copied(Range<usize>),
    /// Something that it lacks.
    Added(&'static str),
}

impl<'a> UnderTest<'a> {
    /// Takes a correct program apart. Variables that are `set` before its statements are not
    /// declared again.
    pub fn new(text: &'a str, tree: &File, set: &BTreeSet<String>) -> Self {
        let mut under_test = UnderTest {
            text,
            declarations: Vec::new(),
            statements: Vec::new(),
        };
        let cuts = repeated_declarations(tree, set);
        let tokens = tokens(text);
        let mut at = 0;
        let mut start = 0;
        while at < tokens.len() {
            let is_declaration = begins_declaration(&tokens, at);
            at = if is_declaration {
                end_of_declaration(&tokens, at)
            } else {
                end_of_statements(&tokens, at)
            };
            let last = tokens.get(at - 1);
            let end = last.map_or(text.len(), |token| token.span.end as usize);
            let full = end_of_line(text, end, at == tokens.len());
            if is_declaration {
                under_test.declarations.push(Piece::Copied(start..full));
            } else {
                let terminated = last.is_some_and(is_terminator);
                under_test.add_statements(start..end, &cuts);
                if !terminated {
                    under_test.statements.push(Piece::Added(";"));
                }
                under_test.statements.push(Piece::Copied(end..full));
            }
            start = full;
        }
        under_test
    }

    /// Statements without the parts that are cut out of them.
    fn add_statements(&mut self, mut range: Range<usize>, cuts: &[Range<usize>]) {
        for cut in cuts {
            if range.contains(&cut.start) {
                self.statements.push(Piece::Copied(range.start..cut.start));
                range.start = cut.end;
            }
        }
        self.statements.push(Piece::Copied(range));
    }

    /// Writes pieces without the blank lines in front and behind, and finds the line in which a
    /// byte of the program ends up.
    pub fn write(&self, pieces: &[Piece], out: &mut String, wanted: Option<usize>) -> Option<u32> {
        let mut line = None;
        let start = out.len();
        for piece in pieces {
            match piece {
                Piece::Added(text) => out.push_str(text),
                Piece::Copied(range) => {
                    let mut range = range.clone();
                    let mut copied = self.text.get(range.clone()).unwrap_or_default();
                    if out.len() == start {
                        copied = copied.trim_start();
                        range.start = range.end - copied.len();
                    }
                    if let Some(wanted) = wanted.filter(|wanted| range.contains(wanted)) {
                        let before = copied.get(..wanted - range.start).unwrap_or_default();
                        let lines = count_lines(out) + count_lines(before);
                        line = u32::try_from(lines + 1).ok();
                    }
                    copy(copied, out);
                }
            }
        }
        out.truncate(start + out[start..].trim_end().len());
        if out.len() > start {
            out.push('\n');
        }
        line
    }
}

/// Where a position of the program is in its text, in bytes.
pub(super) fn byte_at(text: &str, line: u32, column: u32) -> Option<usize> {
    let before = text
        .split_inclusive('\n')
        .take(line.checked_sub(1)? as usize);
    let start: usize = before.map(str::len).sum();
    let in_line = text.get(start..)?.char_indices();
    let (offset, _) = in_line.into_iter().nth(column.saturating_sub(1) as usize)?;
    Some(start + offset)
}

fn count_lines(text: &str) -> usize {
    text.matches('\n').count()
}

/// Copies a text. Lines for machines would be taken for those of the test itself, and become
/// ordinary comments.
fn copy(text: &str, out: &mut String) {
    for line in text.split_inclusive('\n') {
        let comment = line.trim_start();
        match comment.strip_prefix("//!") {
            Some(rest) => {
                out.push_str(&line[..line.len() - comment.len()]);
                out.push_str("//");
                out.push_str(rest);
            }
            None => out.push_str(line),
        }
    }
}

/// What is cut out of `T x := e` and `T x` outside of blocks, where `x` is set before.
fn repeated_declarations(tree: &File, set: &BTreeSet<String>) -> Vec<Range<usize>> {
    let declarations = tree.statements.iter().filter_map(|statement| {
        let StatementKind::Declare { name, value, .. } = &statement.kind else {
            return None;
        };
        let whole = statement.span();
        let end = if value.is_some() {
            name.span().start
        } else {
            whole.end
        };
        let cut = whole.start as usize..end as usize;
        set.contains(&name.text).then_some(cut)
    });
    declarations.collect()
}

fn begins_declaration(tokens: &[Token], at: usize) -> bool {
    let kind = tokens.get(at).map(|token| &token.kind);
    matches!(
        kind,
        Some(TokenKind::Keyword(Keyword::Struct | Keyword::Proc))
    )
}

/// Behind the brace that closes the first one, and a semicolon.
fn end_of_declaration(tokens: &[Token], start: usize) -> usize {
    let mut open = 0usize;
    for (at, token) in tokens.iter().enumerate().skip(start) {
        match token.kind {
            TokenKind::Sign(Sign::OpenBrace) => open += 1,
            TokenKind::Sign(Sign::CloseBrace) => {
                open = open.saturating_sub(1);
                if open == 0 {
                    let next = tokens.get(at + 1).map(|token| &token.kind);
                    let semicolon = next == Some(&TokenKind::Sign(Sign::Semicolon));
                    return at + 1 + usize::from(semicolon);
                }
            }
            _ => {}
        }
    }
    tokens.len()
}

/// Statements go on to the next declaration, which never stands inside of one.
fn end_of_statements(tokens: &[Token], start: usize) -> usize {
    let mut rest = start..tokens.len();
    rest.find(|&at| begins_declaration(tokens, at))
        .unwrap_or(tokens.len())
}

fn is_terminator(token: &Token) -> bool {
    matches!(
        token.kind,
        TokenKind::Sign(Sign::Semicolon | Sign::CloseBrace)
    )
}

/// The end of the line, if there is nothing but a comment on it; that of the text for the last
/// item.
fn end_of_line(text: &str, end: usize, last: bool) -> usize {
    if last {
        return text.len();
    }
    let rest = text.get(end..).unwrap_or_default();
    let line = rest.split_inclusive('\n').next().unwrap_or_default();
    let blank = line.trim_start();
    if blank.is_empty() || blank.starts_with("//") {
        return end + line.len();
    }
    end
}

#[cfg(test)]
mod tests {
    use super::*;
    use heapwright_spec::diagnostic::FileId;

    fn split(text: &str, set: &[&str]) -> (String, String) {
        let (tree, diagnostics) = crate::syntax::parse(FileId(0), text);
        assert!(diagnostics.is_empty(), "{diagnostics:?}");
        let set = set.iter().map(|&name| name.to_owned()).collect();
        let parts = UnderTest::new(text, &tree, &set);
        let (mut declarations, mut statements) = (String::new(), String::new());
        parts.write(&parts.declarations, &mut declarations, None);
        parts.write(&parts.statements, &mut statements, None);
        (declarations, statements)
    }

    #[test]
    fn comments_stay_with_what_they_are_about() {
        let text = "// s\nstruct S { int a; } // of s\n// x\nx := 1; // of x\n\
                    // p\nproc p() { { skip } };\ny := x // of y\n// end";
        let (declarations, statements) = split(text, &[]);
        assert_eq!(
            declarations,
            "// s\nstruct S { int a; } // of s\n// p\nproc p() { { skip } };\n"
        );
        assert_eq!(
            statements,
            "// x\nx := 1; // of x\ny := x; // of y\n// end\n"
        );
    }

    #[test]
    fn variables_that_are_set_are_not_declared_again() {
        let text = "int a; int b := a; var c := b; if a then { int d := 1 } int d := 2";
        let (_, statements) = split(text, &["a", "b", "c"]);
        assert_eq!(
            statements,
            "; b := a; c := b; if a then { int d := 1 } int d := 2;\n"
        );
    }

    #[test]
    fn lines_for_machines_become_comments() {
        let (declarations, _) = split("//! expect: bliss\n  //!x\nproc p() {} //! y", &[]);
        assert_eq!(declarations, "// expect: bliss\n  //x\nproc p() {} //! y\n");
    }
}
