//! A text as tokens and comments, with what is between them.

use heapwright_spec::syntax::token_places;

/// What a piece is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A token.
    Token,
    /// `// ...`
    LineComment,
    /// `/* ... */`
    BlockComment,
}

/// A token or comment.
#[derive(Clone, Copy, Debug)]
pub struct Piece<'a> {
    /// What it is.
    pub kind: Kind,
    /// Its text, without white space at the end.
    pub text: &'a str,
    /// How many lines end in front of it.
    pub breaks: usize,
    /// How many characters of white space are in front of it.
    pub blanks: usize,
}

/// The pieces of a text. Returns `None` if something in it is no token.
pub fn of(text: &str) -> Option<Vec<Piece<'_>>> {
    let places = token_places(text)?;
    let mut pieces = Vec::new();
    let mut at = 0;
    for place in places {
        let white = comments(text, at, place.start, &mut pieces)?;
        pieces.push(piece(Kind::Token, text.get(place.clone())?, white));
        at = place.end;
    }
    comments(text, at, text.len(), &mut pieces)?;
    Some(pieces)
}

/// Adds the comments between two tokens, and gives the white space behind the last of them.
fn comments<'a>(
    text: &'a str,
    mut at: usize,
    end: usize,
    pieces: &mut Vec<Piece<'a>>,
) -> Option<&'a str> {
    loop {
        let rest = text.get(at..end)?;
        let is_white = |character: char| character.is_whitespace() || character == '\u{feff}';
        let begin = rest
            .find(|character| !is_white(character))
            .unwrap_or(rest.len());
        let (white, rest) = rest.split_at(begin);
        if rest.is_empty() {
            return Some(white);
        }
        let (kind, length) = match rest.starts_with("//") {
            true => (Kind::LineComment, rest.find('\n').unwrap_or(rest.len())),
            false => (Kind::BlockComment, block(rest)?),
        };
        pieces.push(piece(kind, rest[..length].trim_end(), white));
        at += begin + length;
    }
}

/// The length of a block comment; they nest.
fn block(text: &str) -> Option<usize> {
    let mut depth = 0usize;
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        if rest.starts_with("/*") {
            depth += 1;
            at += 2;
        } else if rest.starts_with("*/") {
            depth = depth.checked_sub(1)?;
            at += 2;
        } else {
            at += rest.chars().next()?.len_utf8();
        }
        if depth == 0 {
            return Some(at);
        }
    }
    None
}

fn piece<'a>(kind: Kind, text: &'a str, white: &str) -> Piece<'a> {
    Piece {
        kind,
        text,
        breaks: white.matches('\n').count(),
        blanks: white.chars().count(),
    }
}
