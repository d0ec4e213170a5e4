//! What is between two pieces, and where lines begin.

use super::pieces::{Kind, Piece};

/// Signs behind which an operand stands, so that a `-` or `&` there has one operand only.
const OPERATORS: [&str; 44] = [
    "(", ",", ":", "?", ":=", "::=", "≡", "->", "↦", "→", "=>", "⇒", "==", "=", "!=", "≠", "/=",
    "<=", "≤", ">=", "≥", "<", ">", "&&", "&", "∧", "/\\", "||", "|", "∨", "\\/", "!", "¬", "~",
    "*", "∗", "⋆", "+", "-", "−", "/", "%", ".", "·",
];

/// Where in the text the formatter is.
#[derive(Default)]
pub struct Context {
    /// The tokens of the declaration, the last one first among equals: only the last four count.
    last: [String; 4],
    /// Whether a declaration is open.
    is_inside: bool,
    /// Whether the last declaration was a class.
    ends_with_brace: bool,
    /// Whether the braces of a class are open.
    in_class: bool,
    /// Whether the `:=` was passed, and nothing behind it.
    is_defined: bool,
    has_body: bool,
    /// Whether the body began in the line of the `:=`, and has no cases yet.
    is_short: bool,
    /// For each open parenthesis, and the formula around them, how many `?` wait for their `:`.
    open: Vec<usize>,
    waiting: usize,
    /// Whether the last token is a sign in front of its one operand.
    is_prefix: bool,
    /// Whether the last token is a `->` that stands without blanks.
    is_tight: bool,
}

impl Context {
    /// Whether the next token begins a declaration.
    pub fn is_between_declarations(&self) -> bool {
        !self.is_inside
    }

    /// Whether a token between declarations still belongs to the last one: the `;` of `};`.
    pub fn is_rest(&self, piece: &Piece<'_>) -> bool {
        self.ends_with_brace && piece.text == ";"
    }

    /// How far a line is indented whose first token is the given one.
    pub fn indent(&self, token: Option<&Piece<'_>>) -> usize {
        let text = token.map_or("", |token| token.text);
        match () {
            () if !self.is_inside => 0,
            () if self.in_class => {
                if text == "}" {
                    0
                } else {
                    4
                }
            }
            () if !self.is_defined => 4,
            () if self.open.is_empty() && is_bar(text) => 2,
            () if !self.has_body || self.is_short => 4,
            () => 8,
        }
    }

    /// How many spaces are between two pieces of a line.
    pub fn gap(&self, before: &Piece<'_>, piece: &Piece<'_>, behind: &[Piece<'_>]) -> usize {
        if piece.kind == Kind::LineComment {
            return piece.blanks.max(1);
        }
        if before.kind != Kind::Token || piece.kind != Kind::Token {
            return piece.blanks.min(1);
        }
        let is_close = self.is_prefix
            || self.is_tight
            || is_tight(piece, behind)
            || self.is_constructor(piece)
            || match (before.text, piece.text) {
                ("{", "}") | ("(" | "#", _) | (_, "," | ";" | ")" | "." | "·" | "#") => true,
                ("." | "·", _) => piece.blanks == 0,
                (_, ":") => self.waiting == 0,
                (word, "(") => is_word(word) && !(word == "check" && self.last[1].is_empty()),
                _ => false,
            };
        match () {
            () if is_close => 0,
            // `pre` may be as wide as `post`.
            () if before.text == "pre" && self.last[1].is_empty() => piece.blanks.clamp(1, 2),
            () => 1,
        }
    }

    /// Whether a token goes on with the name `#<init>`.
    fn is_constructor(&self, piece: &Piece<'_>) -> bool {
        let [last, second, third, fourth] = self.last.each_ref().map(String::as_str);
        match piece.text {
            "init" => last == "<" && second == "#",
            ">" => last == "init" && second == "<" && third == "#",
            "(" => last == ">" && second == "init" && third == "<" && fourth == "#",
            _ => false,
        }
    }

    /// Goes past a piece.
    pub fn pass(&mut self, piece: &Piece<'_>, behind: &[Piece<'_>]) {
        if piece.kind != Kind::Token {
            (self.is_prefix, self.is_tight) = (false, false);
            return;
        }
        if !self.is_inside && !self.is_rest(piece) {
            *self = Context {
                is_inside: true,
                ..Context::default()
            };
        }
        let text = piece.text;
        let last = self.last[0].as_str();
        self.is_prefix = match text {
            "!" | "¬" | "~" => true,
            "-" | "−" | "&" => last.is_empty() || OPERATORS.contains(&last) || last == "check",
            _ => false,
        };
        self.is_tight = is_tight(piece, behind);
        let defines = matches!(text, ":=" | "::=" | "≡" | "==") && self.open.is_empty();
        if self.is_defined && !self.has_body {
            self.is_short = piece.breaks == 0;
        } else if self.open.is_empty() && is_bar(text) {
            self.is_short = false;
        }
        self.has_body |= self.is_defined;
        self.is_defined |= defines;
        match text {
            "{" => self.in_class = true,
            "}" => self.end(true),
            ";" if !self.in_class => self.end(false),
            "(" => self.open.push(std::mem::take(&mut self.waiting)),
            ")" => self.waiting = self.open.pop().unwrap_or_default(),
            "?" => self.waiting += 1,
            ":" => self.waiting = self.waiting.saturating_sub(1),
            _ => {}
        }
        self.last.rotate_right(1);
        self.last[0] = text.to_owned();
    }

    fn end(&mut self, with_brace: bool) {
        self.is_inside = false;
        self.in_class = false;
        self.ends_with_brace = with_brace;
    }
}

/// Whether an arrow stands without blanks, as in `p->next`, where it means a field. In front of
/// `Node(` it never does.
fn is_tight(piece: &Piece<'_>, behind: &[Piece<'_>]) -> bool {
    let no_blanks = |piece: &Piece<'_>| piece.kind == Kind::Token && piece.blanks == 0;
    piece.text == "->"
        && no_blanks(piece)
        && behind.first().is_some_and(no_blanks)
        && behind.get(1).is_none_or(|piece| piece.text != "(")
}

fn is_bar(text: &str) -> bool {
    matches!(text, "|" | "||" | "∨" | "\\/")
}

fn is_word(text: &str) -> bool {
    text.starts_with(|character: char| character.is_alphabetic() || matches!(character, '_' | '$'))
}
