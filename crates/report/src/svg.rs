//! Pictures as SVG: one element without scripts, fonts or anything else from outside.

use std::fmt::Write;

use crate::drawing::{
    MARGIN, columns, count, description, in_order, notes, place_scalars, source_is_live, tip,
};
use crate::frame::{COLUMN, Frame, Placement, ROW, header, pieces};
use crate::geometry::{Path, Rect, number, point};
use crate::layout::{Layout, Tag, Wire, layout_of};
use crate::picture::{Content, EdgeKind, Object, Picture, Row, picture};
use crate::scene::Scene;
use crate::style::stylesheet;
use crate::text::{Label, width, xml};

/// The picture as a file of its own.
pub fn svg(scene: &Scene) -> String {
    format!("{}\n", write(scene, Some(stylesheet())))
}

/// The picture for a page that has the [`stylesheet`] already.
pub fn svg_fragment(scene: &Scene) -> String {
    write(scene, None)
}

fn write(scene: &Scene, style: Option<&str>) -> String {
    let picture = picture(scene);
    let layout = layout_of(scene, &picture);
    let mut page = Page {
        picture: &picture,
        out: String::new(),
    };
    let (scalars, scalar_width, scalar_height) = page.scalars(layout.bounds.width);
    let notes = notes(&picture);
    let widest_note = notes.iter().map(|note| columns(note)).fold(0.0, f64::max);
    let total_width = layout.bounds.width.max(scalar_width).max(widest_note) + 2.0 * MARGIN;
    let note_height = 20.0 * notes.len() as f64;
    let total_height = layout.bounds.height + scalar_height + note_height + 2.0 * MARGIN;

    page.open(total_width, total_height, style);
    page.out.push_str(&scalars);
    let shift = point(
        MARGIN - layout.bounds.x,
        MARGIN + scalar_height - layout.bounds.y,
    );
    page.content(layout.moved(shift));
    for (line, note) in notes.iter().enumerate() {
        let y = total_height - MARGIN - note_height + 20.0 * line as f64 + 16.0;
        let _ = writeln!(
            page.out,
            "<text class=\"hw-note\" x=\"{}\" y=\"{}\">{}</text>",
            number(MARGIN),
            number(y),
            xml(note)
        );
    }
    page.out.push_str("</svg>");
    page.out
}

struct Page<'a> {
    picture: &'a Picture,
    out: String,
}

impl Page<'_> {
    fn open(&mut self, width: f64, height: f64, style: Option<&str>) {
        let (width, height) = (number(width.ceil()), number(height.ceil()));
        let title = xml(&self.picture.title);
        let _ = writeln!(
            self.out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"hw-heap\" role=\"img\" \
             width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
             aria-label=\"{title}\">"
        );
        let _ = writeln!(self.out, "<title>{title}</title>");
        let description = xml(&description(self.picture));
        let _ = writeln!(self.out, "<desc>{description}</desc>");
        if let Some(style) = style {
            let _ = writeln!(self.out, "<style>\n{style}</style>");
        }
        let _ = writeln!(
            self.out,
            "<rect class=\"hw-page\" width=\"{width}\" height=\"{height}\"/>"
        );
    }

    /// The values of roots at the top, with the width and height that they take.
    fn scalars(&self, page: f64) -> (String, f64, f64) {
        let mut out = String::new();
        let (places, widest, height) = place_scalars(self.picture, page);
        for (at, scalar) in places {
            let class = match (scalar.dangling, scalar.changed) {
                (true, _) => "hw-bad",
                (_, true) => "hw-was",
                _ => "hw-value",
            };
            let _ = writeln!(
                out,
                "<text class=\"{class}\" x=\"{}\" y=\"{}\">{}{}</text>",
                number(at.x),
                number(at.y),
                title(&scalar.label),
                xml(&scalar.label.shown)
            );
        }
        (out, widest, height)
    }

    fn content(&mut self, layout: Layout) {
        let (behind, front) = in_order(self.picture, &layout.wires);
        for wire in behind {
            self.wire(wire);
        }
        for (object, frame) in self.picture.objects.iter().zip(&layout.frames) {
            self.object(object, frame);
        }
        for wire in front {
            self.wire(wire);
        }
        for tag in &layout.tags {
            self.tag(tag);
        }
    }

    fn object(&mut self, object: &Object, frame: &Frame) {
        let class = match object.status.word() {
            Some(word) => format!("hw-object hw-{word}"),
            None => "hw-object".to_owned(),
        };
        let (name, rest) = header(object);
        let _ = writeln!(
            self.out,
            "<g class=\"{class}\"><title>{} {}</title>",
            xml(object.class.whole()),
            xml(&rest)
        );
        self.rect("hw-box", frame.rect, " rx=\"4\"");
        let inner = frame.header.grown(-0.6);
        let rounded = if frame.header.y > frame.rect.y {
            ""
        } else {
            " rx=\"3.4\""
        };
        self.rect("hw-header", inner, rounded);
        let base = frame.header.center().y + 4.2;
        let id = format!(
            "<tspan class=\"hw-strong\">{}</tspan> <tspan class=\"hw-id\">{}</tspan>",
            xml(name),
            xml(&rest)
        );
        let _ = writeln!(
            self.out,
            "<text x=\"{}\" y=\"{}\">{id}</text>",
            number(frame.rect.x + 8.0),
            number(base)
        );
        for (row, (cell, place)) in object.rows.iter().zip(&frame.cells) {
            self.cell(row, *cell, *place, frame.rect);
        }
        if let Some(note) = frame.note {
            let text = format!("and {}", count(object.omitted, "more field"));
            let _ = writeln!(
                self.out,
                "<text class=\"hw-note\" x=\"{}\" y=\"{}\">{text}</text>",
                number(note.x + 8.0),
                number(note.center().y + 4.2)
            );
        }
        self.out.push_str("</g>\n");
    }

    fn cell(&mut self, row: &Row, cell: Rect, place: Placement, frame: Rect) {
        if row.was.is_some() {
            self.rect("hw-fill", cell.grown(-1.0), "");
        }
        if place != Placement::Row {
            let y = if place == Placement::Top {
                cell.bottom()
            } else {
                cell.y
            };
            let mut lines = format!("M{},{}H{}", number(cell.x), number(y), number(cell.right()));
            if cell.x > frame.x + 1.0 {
                let _ = write!(
                    lines,
                    "M{},{}v{}",
                    number(cell.x),
                    number(cell.y),
                    number(ROW)
                );
            }
            let _ = writeln!(self.out, "<path class=\"hw-line\" d=\"{lines}\"/>");
        }
        let (name, value, was) = pieces(row);
        let class = match row.content {
            Content::Dangling(_) => "hw-bad",
            Content::Null | Content::Elsewhere(_) => "hw-muted",
            _ => "hw-value",
        };
        let mut text = format!("<tspan class=\"hw-muted\">{}</tspan>", xml(name));
        let mut used = width(name);
        if !value.is_empty() {
            let _ = write!(text, " <tspan class=\"{class}\">{}</tspan>", xml(&value));
            used += 1 + width(&value);
        }
        if let Some(was) = was {
            let _ = write!(text, " <tspan class=\"hw-was\">{}</tspan>", xml(&was));
            used += 1 + width(&was);
        }
        // Cells of strips are centred, because references leave from their middle.
        let left = match place {
            Placement::Row => cell.x + 8.0,
            _ => cell.center().x - used as f64 * COLUMN / 2.0,
        };
        let _ = writeln!(
            self.out,
            "<text x=\"{}\" y=\"{}\">{}{text}</text>",
            number(left),
            number(cell.center().y + 4.2),
            whole(row)
        );
    }

    fn wire(&mut self, wire: &Wire) {
        let edge = &self.picture.edges[wire.edge];
        let (from, to) = (
            &self.picture.objects[edge.from],
            &self.picture.objects[edge.to],
        );
        let (class, word) = match edge.kind {
            EdgeKind::Kept if wire.back || !source_is_live(self.picture, wire) => {
                ("hw-edge hw-back", "")
            }
            EdgeKind::Kept => ("hw-edge", ""),
            EdgeKind::Changed => ("hw-edge hw-changed", " (changed)"),
            EdgeKind::Removed => ("hw-edge hw-removed", " (before)"),
            EdgeKind::Dangling => ("hw-edge hw-dangling", " (dangling)"),
            EdgeKind::Stale => ("hw-edge hw-stale", " (freed)"),
        };
        let _ = write!(
            self.out,
            "<g class=\"{class}\"><title>#{}.{} → #{}{word}</title>",
            from.number,
            xml(from.rows[edge.row].name.whole()),
            to.number
        );
        self.arrow(&wire.path, "");
        self.out.push_str("</g>\n");
    }

    fn tag(&mut self, tag: &Tag) {
        let root = &self.picture.roots[tag.root];
        let lost = if root.dangling { " hw-lost" } else { "" };
        let _ = write!(
            self.out,
            "<g class=\"hw-root{lost}\">{}",
            title(&root.label)
        );
        self.rect("hw-tag", tag.rect, " rx=\"9\"");
        let class = if root.changed {
            " class=\"hw-strong\""
        } else {
            ""
        };
        let _ = write!(
            self.out,
            "<text{class} x=\"{}\" y=\"{}\">{}</text>",
            number(tag.rect.x + 7.0),
            number(tag.rect.center().y + 4.2),
            xml(&root.label.shown)
        );
        self.arrow(&tag.stem, " class=\"hw-stem\"");
        self.out.push_str("</g>\n");
    }

    /// A line with a tip. The tip is drawn by itself: markers are referred to by name, and names
    /// would be shared by all pictures on a page.
    fn arrow(&mut self, path: &Path, class: &str) {
        let _ = write!(
            self.out,
            "<path{class} d=\"{}\"/><path class=\"hw-tip\" d=\"{}Z\"/>",
            path.data(),
            tip(path).data()
        );
    }

    fn rect(&mut self, class: &str, rect: Rect, more: &str) {
        let _ = writeln!(
            self.out,
            "<rect class=\"{class}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"{more}/>",
            number(rect.x),
            number(rect.y),
            number(rect.width),
            number(rect.height)
        );
    }
}

/// The whole text of a label that was shortened.
fn title(label: &Label) -> String {
    match &label.full {
        Some(full) => format!("<title>{}</title>", xml(full)),
        None => String::new(),
    }
}

/// The whole text of a field, if any part of it was shortened.
fn whole(row: &Row) -> String {
    let value = match &row.content {
        Content::Scalar(label) => Some(label),
        _ => None,
    };
    let parts = [Some(&row.name), value];
    let mut parts = parts.into_iter().flatten();
    if parts.clone().all(|label| label.full.is_none()) {
        return String::new();
    }
    let name = parts.next().map_or("", Label::whole);
    let value = parts.next().map_or("", Label::whole);
    format!("<title>{} {}</title>", xml(name), xml(value))
}
