//! Pictures on the page: what several of them have in common is written once, and referred to.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use super::data::{Page, Picture};
use crate::inline::Piece;

/// Bytes of pictures; a page that is too large opens slowly.
const MOST: usize = 1_000_000;

/// About what a reference takes.
const REFERENCE: usize = 32;

/// The pictures of a page.
pub struct Pictures<'p> {
    /// The numbers of the parts that are written once.
    shared: BTreeMap<&'p str, usize>,
    /// The tests whose pictures there is room for.
    drawn: BTreeSet<usize>,
}

impl<'p> Pictures<'p> {
    /// Looks for what the pictures have in common, and for those that there is room for: the tests
    /// with findings come first, then the first ones of every method.
    pub fn of(page: &'p Page) -> Pictures<'p> {
        let tests = page.methods.iter().flat_map(|method| &method.tests);
        let mut times: BTreeMap<&str, usize> = BTreeMap::new();
        for piece in tests
            .flat_map(|test| test.pictures())
            .flat_map(|known| &known.pieces)
        {
            if let Piece::Part { markup, .. } = piece {
                *times.entry(markup).or_insert(0) += 1;
            }
        }
        let often = times.into_iter().filter(|(_, times)| *times > 1);
        let shared = often.zip(0..).map(|((markup, _), number)| (markup, number));
        let mut pictures = Pictures {
            shared: shared.collect(),
            drawn: BTreeSet::new(),
        };
        pictures.choose(page);
        pictures
    }

    fn choose(&mut self, page: &Page) {
        let mut tests = Vec::new();
        for method in &page.methods {
            for (position, test) in method.tests.iter().enumerate() {
                let key = (test.findings.is_empty(), position, tests.len());
                let size: usize = test.pictures().map(|known| self.size(known)).sum();
                tests.push((key, size));
            }
        }
        tests.sort_unstable();
        let mut left = MOST.saturating_sub(self.shared.keys().map(|markup| markup.len()).sum());
        for ((_, _, number), size) in tests {
            let Some(rest) = left.checked_sub(size) else {
                break;
            };
            left = rest;
            self.drawn.insert(number);
        }
    }

    fn size(&self, picture: &Picture) -> usize {
        let pieces = picture.pieces.iter().map(|piece| match piece {
            Piece::Part { markup, .. } if self.shared.contains_key(markup.as_str()) => REFERENCE,
            Piece::Markup(markup) | Piece::Part { markup, .. } => markup.len(),
        });
        pieces.sum()
    }

    /// Whether the pictures of a test are shown.
    pub fn are_drawn(&self, test: usize) -> bool {
        self.drawn.contains(&test)
    }

    /// Writes what the pictures refer to.
    pub fn write_shared(&self, out: &mut String) {
        out.push_str("<svg class=defs aria-hidden=true><defs>");
        for (markup, number) in &self.shared {
            if let Some(rest) = markup.strip_prefix("<g ") {
                let _ = write!(out, "<g id=p{number} {rest}");
            }
        }
        out.push_str("</defs></svg>\n");
    }

    /// Writes a picture.
    pub fn write(&self, picture: &Picture, out: &mut String) {
        for piece in &picture.pieces {
            match piece {
                Piece::Markup(markup) => out.push_str(markup),
                Piece::Part { x, y, markup } => {
                    let _ = match self.shared.get(markup.as_str()) {
                        Some(number) => write!(out, "<use href=#p{number} x={x} y=\"{y}\"/>"),
                        None => write!(out, "<g transform=translate({x},{y})>{markup}</g>"),
                    };
                }
            }
        }
    }
}
