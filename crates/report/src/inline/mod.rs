//! Pictures for the web page, in as few bytes as possible: a report has hundreds of them.
//!
//! They show what [`crate::svg()`] shows, but share one style sheet with short names, lie on whole
//! pixels, put all references of a kind into one path, and leave quotes out where HTML allows it.

mod style;

use std::fmt::Write;

use crate::drawing::{
    MARGIN, columns, count, description, differences, in_order, notes, place_scalars,
    source_is_live, tip,
};
use crate::frame::{COLUMN, Frame, Placement, header, pieces};
use crate::geometry::{Path, Point, Rect, point};
use crate::layout::{Layout, Tag, Wire, layout_of};
use crate::picture::{Content, EdgeKind, Object, Picture, Row, Status, picture};
use crate::scene::Scene;
use crate::text::{Label, width, xml};

pub use style::stylesheet;

/// A picture for the page.
pub struct Inline {
    /// What it is made of, the element around it included.
    pub pieces: Vec<Piece>,
    /// In a few words what is different from the state before; how many objects there are if there
    /// is no such state.
    pub changes: String,
    /// Its width in pixels.
    pub width: i64,
}

/// A piece of a picture.
#[derive(Clone, Debug)]
pub enum Piece {
    /// Something that is there once.
    Markup(String),
    /// Something that other pictures may have, too: an object, or the label of a root.
    Part {
        /// Where it is.
        x: i64,
        /// Where it is.
        y: i64,
        /// What it looks like at the origin.
        markup: String,
    },
}

/// Draws a scene.
pub fn inline(scene: &Scene<'_>) -> Inline {
    let picture = picture(scene);
    let differences = differences(&picture);
    let changes = match scene.before {
        None => count(picture.objects.len() + picture.omitted, "object"),
        Some(_) if differences.is_empty() => "no object changed".to_owned(),
        Some(_) => differences.join(", "),
    };
    let layout = layout_of(scene, &picture);
    let (pieces, width) = draw(&picture, layout);
    Inline {
        pieces,
        changes,
        width,
    }
}

/// The pieces of the element, and its width.
fn draw(picture: &Picture, layout: Layout) -> (Vec<Piece>, i64) {
    let bounds = layout.bounds;
    let (scalars, scalar_width, scalar_height) = place_scalars(picture, bounds.width);
    let notes = notes(picture);
    let widest = notes.iter().map(|note| columns(note)).fold(0.0, f64::max);
    let total_width = bounds.width.max(scalar_width).max(widest) + 2.0 * MARGIN;
    let note_height = 20.0 * notes.len() as f64;
    let total_height = bounds.height + scalar_height + note_height + 2.0 * MARGIN;
    let mut pen = Pen {
        picture,
        pieces: Vec::new(),
        out: format!(
            "<svg class=hp role=img width={} height={} aria-label=\"{}\">",
            pixels(total_width.ceil()),
            pixels(total_height.ceil()),
            xml(&description(picture))
        ),
    };
    for (at, scalar) in scalars {
        let class = match (scalar.dangling, scalar.changed) {
            (true, _) => " class=x",
            (_, true) => " class=w",
            _ => "",
        };
        pen.text(
            class,
            at.x,
            at.y,
            &whole(&[&scalar.label]),
            &xml(&scalar.label.shown),
        );
    }
    let shift = point(MARGIN - bounds.x, MARGIN + scalar_height - bounds.y);
    let layout = layout.moved(shift);
    let (behind, front) = in_order(picture, &layout.wires);
    pen.wires(&behind);
    for (object, frame) in picture.objects.iter().zip(&layout.frames) {
        pen.object(object, frame);
    }
    pen.wires(&front);
    for tag in &layout.tags {
        pen.tag(tag);
    }
    for (line, note) in notes.iter().enumerate() {
        let y = total_height - MARGIN - note_height + 20.0 * line as f64 + 16.0;
        pen.text(" class=n", MARGIN, y, "", &xml(note));
    }
    pen.out.push_str("</svg>");
    pen.cut();
    (pen.pieces, pixels(total_width.ceil()))
}

struct Pen<'p> {
    picture: &'p Picture,
    pieces: Vec<Piece>,
    out: String,
}

impl Pen<'_> {
    /// Ends a piece that is there once.
    fn cut(&mut self) {
        let markup = std::mem::take(&mut self.out);
        if !markup.is_empty() {
            self.pieces.push(Piece::Markup(markup));
        }
    }

    /// What was drawn since the last cut is a part that belongs to a place.
    fn cut_part(&mut self, at: Point) {
        let markup = std::mem::take(&mut self.out);
        let (x, y) = (pixels(at.x), pixels(at.y));
        self.pieces.push(Piece::Part { x, y, markup });
    }

    /// A text; `title` and `content` are HTML already.
    fn text(&mut self, class: &str, x: f64, y: f64, title: &str, content: &str) {
        let (x, y) = (pixels(x), pixels(y));
        let _ = write!(self.out, "<text{class} x={x} y={y}>{title}{content}</text>");
    }

    fn area(&mut self, class: char, rect: Rect) {
        let (x, y) = (pixels(rect.x), pixels(rect.y));
        let (width, height) = (pixels(rect.right()) - x, pixels(rect.bottom()) - y);
        let _ = write!(
            self.out,
            "<path class={class} d=\"M{x},{y}h{width}v{height}h{}z\"/>",
            -width
        );
    }

    fn object(&mut self, object: &Object, frame: &Frame) {
        self.cut();
        let corner = point(frame.rect.x, frame.rect.y);
        let frame = &frame.clone().at(0.0, 0.0);
        let class = match object.status {
            Status::Kept => "o".to_owned(),
            status => format!("\"o {}\"", status.word().unwrap_or_default()),
        };
        let _ = write!(self.out, "<g class={class}>");
        self.area('b', frame.rect);
        self.area('h', frame.header.grown(-1.0));
        let (name, rest) = header(object);
        let content = format!("{} <tspan>{}</tspan>", xml(name), xml(&rest));
        let base = frame.header.center().y + 4.0;
        let title = whole(&[&object.class]);
        self.text(" class=s", frame.rect.x + 8.0, base, &title, &content);
        self.lines(frame);
        for (row, (cell, place)) in object.rows.iter().zip(&frame.cells) {
            self.cell(row, *cell, *place);
        }
        if let Some(note) = frame.note {
            let text = format!("and {}", count(object.omitted, "more field"));
            self.text(" class=n", note.x + 8.0, note.center().y + 4.0, "", &text);
        }
        self.out.push_str("</g>");
        self.cut_part(corner);
    }

    /// The lines around fields that stand side by side.
    fn lines(&mut self, frame: &Frame) {
        let mut data = String::new();
        for (cell, place) in &frame.cells {
            let y = match place {
                Placement::Row => continue,
                Placement::Top => cell.bottom(),
                Placement::Bottom => cell.y,
            };
            if cell.x > frame.rect.x + 1.0 {
                let _ = write!(
                    data,
                    "M{},{}V{}",
                    pixels(cell.x),
                    pixels(cell.y),
                    pixels(cell.bottom())
                );
            } else {
                let _ = write!(
                    data,
                    "M{},{}H{}",
                    pixels(frame.rect.x),
                    pixels(y),
                    pixels(frame.rect.right())
                );
            }
        }
        if !data.is_empty() {
            let _ = write!(self.out, "<path class=l d=\"{data}\"/>");
        }
    }

    fn cell(&mut self, row: &Row, cell: Rect, place: Placement) {
        if row.was.is_some() {
            self.area('f', cell.grown(-1.0));
        }
        let (name, value, was) = pieces(row);
        let mut content = xml(name);
        let mut used = width(name);
        if !value.is_empty() {
            let shown = xml(&value);
            let _ = match row.content {
                Content::Dangling(_) => write!(content, " <tspan class=x>{shown}</tspan>"),
                Content::Null | Content::Elsewhere(_) => write!(content, " {shown}"),
                _ => write!(content, " <tspan>{shown}</tspan>"),
            };
            used += 1 + width(&value);
        }
        if let Some(was) = was {
            let _ = write!(content, " <tspan class=w>{}</tspan>", xml(&was));
            used += 1 + width(&was);
        }
        // Cells of strips are centred, because references leave from their middle.
        let left = match place {
            Placement::Row => cell.x + 8.0,
            _ => cell.center().x - used as f64 * COLUMN / 2.0,
        };
        let value = match &row.content {
            Content::Scalar(label) => Some(label),
            _ => None,
        };
        let labels: Vec<&Label> = [Some(&row.name), value].into_iter().flatten().collect();
        self.text("", left, cell.center().y + 4.0, &whole(&labels), &content);
    }

    /// References, those of one kind that follow each other in one path.
    fn wires(&mut self, wires: &[&Wire]) {
        let class = |wire: &Wire| match self.picture.edges[wire.edge].kind {
            EdgeKind::Kept if wire.back || !source_is_live(self.picture, wire) => "\"e back\"",
            EdgeKind::Kept => "e",
            EdgeKind::Changed => "\"e changed\"",
            EdgeKind::Removed => "\"e removed\"",
            EdgeKind::Dangling => "\"e dangling\"",
            EdgeKind::Stale => "\"e stale\"",
        };
        let mut out = String::new();
        for group in wires.chunk_by(|a, b| class(a) == class(b)) {
            let (mut lines, mut tips) = (String::new(), String::new());
            for wire in group {
                lines.push_str(&wire.path.clone().on_pixels().data());
                tips.push_str(&tip_data(&wire.path));
            }
            let kind = group.first().map_or("e", |wire| class(wire));
            let _ = write!(
                out,
                "<g class={kind}><path d=\"{lines}\"/><path d=\"{tips}\"/></g>"
            );
        }
        self.out.push_str(&out);
    }

    fn tag(&mut self, tag: &Tag) {
        self.cut();
        let root = &self.picture.roots[tag.root];
        let class = if root.dangling { "\"r lost\"" } else { "r" };
        let corner = point(tag.rect.x, tag.rect.y);
        let _ = write!(
            self.out,
            "<g class={class}><rect width={} height={} rx=\"9\"/>",
            pixels(tag.rect.width),
            pixels(tag.rect.height)
        );
        let changed = if root.changed { " class=c" } else { "" };
        let base = tag.rect.height / 2.0 + 4.0;
        let title = whole(&[&root.label]);
        self.text(changed, 7.0, base, &title, &xml(&root.label.shown));
        let stem = tag.stem.clone().moved(point(-corner.x, -corner.y));
        let _ = write!(
            self.out,
            "<path d=\"{}\"/><path d=\"{}\"/></g>",
            stem.clone().on_pixels().data(),
            tip_data(&stem)
        );
        self.cut_part(corner);
    }
}

fn tip_data(path: &Path) -> String {
    format!("{}Z", tip(path).on_pixels().data())
}

/// A coordinate as a whole number.
fn pixels(value: f64) -> i64 {
    value.round() as i64
}

/// The whole text of labels of which a part had to be left out, but for packages of classes.
fn whole(labels: &[&Label]) -> String {
    if labels.iter().all(|label| !label.shown.ends_with('…')) {
        return String::new();
    }
    let parts: Vec<&str> = labels.iter().map(|label| label.whole()).collect();
    format!("<title>{}</title>", xml(&parts.join(" ")))
}
