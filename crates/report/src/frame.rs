//! The box of one object: how large it is and where its fields are in it.
//!
//! In lists every field is a row of its own, because references leave to the sides. In trees and
//! graphs references leave downwards, so they share a strip at the bottom, side by side; those
//! that lead upwards (parent pointers) share a strip at the top.

use crate::geometry::{Point, Rect, point};
use crate::picture::{Content, Object, Row};
use crate::text::width;

/// Advance of one column of the 12 pixel monospaced font.
pub(crate) const COLUMN: f64 = 7.3;
pub(crate) const HEADER: f64 = 21.0;
pub(crate) const ROW: f64 = 17.0;
const PADDING: f64 = 8.0;

/// Where the references of an object are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Placement {
    /// In a row of its own.
    Row,
    /// In the strip above the header.
    Top,
    /// In the strip below everything else.
    Bottom,
}

/// A box with a place; all rectangles are in the same coordinates.
#[derive(Clone, Debug)]
pub(crate) struct Frame {
    pub rect: Rect,
    pub header: Rect,
    /// One for every row of the object.
    pub cells: Vec<(Rect, Placement)>,
    /// Where the note on fields that are not shown goes.
    pub note: Option<Rect>,
}

/// The pieces of text in a field: its name, its value, what it was.
pub(crate) fn pieces(row: &Row) -> (&str, String, Option<String>) {
    let value = match &row.content {
        Content::Scalar(label) => label.shown.clone(),
        Content::Null => "/".to_owned(),
        Content::Object(_) => (row.part.as_ref()).map_or(String::new(), |part| format!("&{part}")),
        Content::Elsewhere(number) => format!("{number}…"),
        Content::Dangling(number) => number.clone(),
    };
    let was = row.was.as_ref().map(|was| format!("was {}", was.shown));
    (&row.name.shown, value, was)
}

/// The header's text.
pub(crate) fn header(object: &Object) -> (&str, String) {
    let mut rest = format!("#{}", object.number);
    if let Some(word) = object.status.word() {
        rest = format!("{rest} {word}");
    }
    (&object.class.shown, rest)
}

fn cell_width(row: &Row) -> f64 {
    let (name, value, was) = pieces(row);
    let mut columns = width(name);
    for piece in [Some(value), was].into_iter().flatten() {
        if !piece.is_empty() {
            columns += 1 + width(&piece);
        }
    }
    columns as f64 * COLUMN + 2.0 * PADDING
}

impl Frame {
    /// The box of an object at the origin, at least `least` wide.
    pub fn new(object: &Object, places: &[Placement], least: f64) -> Frame {
        let (class, rest) = header(object);
        let place_of = |index: usize| places.get(index).copied().unwrap_or(Placement::Row);
        let strip = |place: Placement| -> Vec<usize> {
            (0..object.rows.len())
                .filter(|&index| place_of(index) == place)
                .collect()
        };
        let (top, bottom) = (strip(Placement::Top), strip(Placement::Bottom));
        let strip_width = |strip: &[usize]| -> f64 {
            strip
                .iter()
                .map(|&index| cell_width(&object.rows[index]))
                .sum()
        };
        let mut total = (width(class) + 1 + width(&rest)) as f64 * COLUMN + 2.0 * PADDING;
        total = total.max(strip_width(&top)).max(strip_width(&bottom));
        for (index, row) in object.rows.iter().enumerate() {
            if place_of(index) == Placement::Row {
                total = total.max(cell_width(row));
            }
        }
        if object.omitted > 0 {
            total = total.max(18.0 * COLUMN + 2.0 * PADDING);
        }
        let total = total.max(least).max(object.least).ceil();

        let line = |y: f64, height: f64| Rect {
            x: 0.0,
            y,
            width: total,
            height,
        };
        let mut cells = vec![(Rect::default(), Placement::Row); object.rows.len()];
        let mut y = 0.0;
        let mut lay_strip = |strip: &[usize], y: f64, place: Placement| {
            let spare = (total - strip_width(strip)) / strip.len().max(1) as f64;
            let mut x = 0.0;
            for &index in strip {
                let width = cell_width(&object.rows[index]) + spare;
                let rect = Rect {
                    x,
                    y,
                    width,
                    height: ROW,
                };
                cells[index] = (rect, place);
                x += width;
            }
        };
        if !top.is_empty() {
            lay_strip(&top, y, Placement::Top);
            y += ROW;
        }
        let header = line(y, HEADER);
        y += HEADER;
        let rows = (0..object.rows.len()).filter(|&index| place_of(index) == Placement::Row);
        let below = y;
        let count = rows.clone().count();
        y += count as f64 * ROW;
        let note = (object.omitted > 0).then(|| line(y, ROW));
        if note.is_some() {
            y += ROW;
        }
        if !bottom.is_empty() {
            lay_strip(&bottom, y, Placement::Bottom);
            y += ROW;
        }
        for (position, index) in rows.enumerate() {
            cells[index] = (line(below + position as f64 * ROW, ROW), Placement::Row);
        }
        // A little room below the last row looks better than text on the border.
        let height = if bottom.is_empty() && (count > 0 || note.is_some()) {
            y + 3.0
        } else {
            y
        };
        Frame {
            rect: line(0.0, height),
            header,
            cells,
            note,
        }
    }

    pub fn moved(mut self, by: Point) -> Frame {
        self.rect = self.rect.moved(by);
        self.header = self.header.moved(by);
        for (cell, _) in &mut self.cells {
            *cell = cell.moved(by);
        }
        self.note = self.note.map(|note| note.moved(by));
        self
    }

    /// The frame with its left upper corner at a point.
    pub fn at(self, x: f64, y: f64) -> Frame {
        let corner = point(x - self.rect.x, y - self.rect.y);
        self.moved(corner)
    }
}
