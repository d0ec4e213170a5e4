//! The formatter for specifications.
//!
//! Like gofmt it keeps the lines of the author and arranges what is in them: spaces between tokens,
//! indentation, at most one empty line, one declaration per line. Comments stay where they are.
//!
//! A result is given only if it has the same tokens, comments and syntax tree as the text, so a
//! formatter with a mistake changes nothing.

mod pieces;
mod spacing;

use heapwright_spec::diagnostic::{Diagnostic, FileId};
use heapwright_spec::syntax::{ast, parse_file};

use pieces::{Kind, Piece};
use spacing::Context;

/// A text, formatted. Returns `None` if it has errors of syntax.
pub fn format(text: &str) -> Option<String> {
    let unix = text.replace("\r\n", "\n");
    let pieces = pieces::of(&unix)?;
    let tree = tree(&unix)?;
    let formatted = lines(&pieces);
    let same_pieces = pieces::of(&formatted).is_some_and(|after| {
        let texts = |piece: &Piece<'_>| (piece.kind, piece.text.to_owned());
        after.iter().map(texts).eq(pieces.iter().map(texts))
    });
    if !same_pieces || self::tree(&formatted)? != tree {
        return None;
    }
    match unix.len() == text.len() {
        true => Some(formatted),
        false => Some(formatted.replace('\n', "\r\n")),
    }
}

/// The syntax tree of a text without errors.
fn tree(text: &str) -> Option<ast::File> {
    let parsed = parse_file(FileId(0), text);
    let is_fine = !parsed.diagnostics.iter().any(Diagnostic::is_error);
    is_fine.then_some(parsed.file)
}

/// The pieces, arranged.
fn lines(pieces: &[Piece<'_>]) -> String {
    let mut out = String::new();
    let mut context = Context::default();
    for (at, piece) in pieces.iter().enumerate() {
        let before = at.checked_sub(1).map(|before| &pieces[before]);
        let begins = context.is_between_declarations() && piece.kind == Kind::Token;
        let breaks = match before {
            None => 0,
            // A comment behind a declaration belongs to its line.
            Some(before) if begins && before.kind == Kind::Token && !context.is_rest(piece) => {
                piece.breaks.clamp(1, 2)
            }
            Some(_) => piece.breaks.min(2),
        };
        let is_first = breaks > 0 || before.is_none();
        out.extend(std::iter::repeat_n('\n', breaks));
        if is_first {
            let indent = context.indent(next_token(pieces, at));
            out.extend(std::iter::repeat_n(' ', indent));
        } else if let Some(before) = before {
            let behind = &pieces[at + 1..];
            out.extend(std::iter::repeat_n(' ', context.gap(before, piece, behind)));
        }
        out.push_str(piece.text);
        context.pass(piece, &pieces[at + 1..]);
    }
    if !out.is_empty() {
        out.push('\n');
    }
    out
}

/// The token at or behind a piece.
fn next_token<'a>(pieces: &'a [Piece<'a>], at: usize) -> Option<&'a Piece<'a>> {
    pieces[at..].iter().find(|piece| piece.kind == Kind::Token)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        let formatted = format(text).unwrap_or_else(|| panic!("no result for {text}"));
        assert_eq!(formatted, expected);
        assert_eq!(
            format(&formatted).as_deref(),
            Some(expected),
            "once is enough"
        );
    }

    #[test]
    fn spaces_and_indentation_are_arranged() {
        check(
            "data  Node{int value;Node next;}pred p( x ,n ):=\nemp&x=null\n|exists v,m.x->Node( v,m )*p(m ,n-1)\n&!(n=-1)&n>0;",
            "data Node { int value; Node next; }\npred p(x, n) :=\n    emp & x = null\n  | exists v, m.x -> Node(v, m) * p(m, n - 1)\n        & !(n = -1) & n > 0;\n",
        );
        check(
            "data L {\nint size;\n\n\n// The first.\nNode first;\n}\n\n\n\npost L#<init>( a ) throws  a.B:=this.size=(a?1:0);",
            "data L {\n    int size;\n\n    // The first.\n    Node first;\n}\n\npost L#<init>(a) throws a.B := this.size = (a ? 1 : 0);\n",
        );
    }

    #[test]
    fn what_depends_on_blanks_keeps_them() {
        check(
            "check p->next=q&p -> node(next : n);",
            "check p->next = q & p -> node(next: n);\n",
        );
        check(
            "check exists e : a.B. e!=null;",
            "check exists e: a.B. e != null;\n",
        );
    }

    #[test]
    fn comments_stay() {
        check(
            "// first\ncheck a=1;   // beside\n/* b */ check b /* c */ = 2;\n\n// last",
            "// first\ncheck a = 1;   // beside\n/* b */ check b /* c */ = 2;\n\n// last\n",
        );
        check(
            "check /* one\n  two */ a = 1;",
            "check /* one\n  two */ a = 1;\n",
        );
        check(
            "check a :=\n// why\nx=1\n// or\n|x=2;",
            "check a :=\n    // why\n    x = 1\n  // or\n  | x = 2;\n",
        );
        check("", "");
        check("// only", "// only\n");
    }

    #[test]
    fn line_ends_stay() {
        check(
            "check a=1;\r\n\r\ncheck b=1;\r\n",
            "check a = 1;\r\n\r\ncheck b = 1;\r\n",
        );
    }

    #[test]
    fn errors_keep_the_text() {
        for text in ["pred p(", "check 'a;", "check /* a = 1;", "data"] {
            assert_eq!(format(text), None, "{text}");
        }
    }
}
