//! Pictures as Graphviz text.

use std::fmt::Write;

use crate::frame::{header, pieces};
use crate::picture::{EdgeKind, Object, Picture, Status, picture};
use crate::scene::Scene;
use crate::shape::{Shape, components, recognise};
use crate::text::record;

/// The picture as a directed graph of record nodes.
pub fn dot(scene: &Scene) -> String {
    let picture = picture(scene);
    let mut out = String::from("digraph heap {\n");
    let parts = components(&picture);
    let is_list = |part: &Vec<usize>| matches!(recognise(&picture, part), Shape::List(_));
    let sideways = !parts.is_empty() && parts.iter().all(is_list);
    let direction = if sideways { "LR" } else { "TB" };
    let _ = writeln!(out, "  label=\"{}\";", record(&picture.title));
    let _ = writeln!(out, "  rankdir={direction};");
    let font = "fontname=\"monospace\", fontsize=10";
    let _ = writeln!(out, "  node [shape=record, {font}];");
    let _ = writeln!(out, "  edge [{font}];");
    for (index, object) in picture.objects.iter().enumerate() {
        let label = node_label(object, sideways);
        let attributes = match object.status {
            Status::Kept => "",
            Status::New => ", color=\"#15803d\", penwidth=2",
            Status::Freed => ", color=\"#b91c1c\", style=dashed",
            Status::Unreachable => ", color=gray, style=dotted",
        };
        let _ = writeln!(out, "  n{index} [label=\"{label}\"{attributes}];");
    }
    edges(&picture, &mut out);
    for (index, root) in picture.roots.iter().enumerate() {
        let name = record(root.label.whole());
        let _ = writeln!(out, "  r{index} [shape=plaintext, label=\"{name}\"];");
        let _ = writeln!(out, "  r{index} -> n{};", root.target);
    }
    for (index, scalar) in picture.scalars.iter().enumerate() {
        let text = record(scalar.label.whole());
        let _ = writeln!(out, "  s{index} [shape=plaintext, label=\"{text}\"];");
    }
    for (index, (omitted, noun)) in [
        (picture.omitted, "objects"),
        (picture.omitted_roots, "roots"),
    ]
    .into_iter()
    .enumerate()
    {
        if omitted > 0 {
            let text = format!("and {omitted} more {noun}");
            let _ = writeln!(out, "  more{index} [shape=plaintext, label=\"{text}\"];");
        }
    }
    out.push_str("}\n");
    out
}

/// `{Node #1|value 3|{<f1> left|<f2> right /}}`: the fields of a list below each other, the
/// references of anything else side by side.
fn node_label(object: &Object, sideways: bool) -> String {
    let (class, rest) = header(object);
    let mut lines = vec![record(&format!("{class} {rest}"))];
    let mut strip = Vec::new();
    for (index, row) in object.rows.iter().enumerate() {
        let (name, value, was) = pieces(row);
        let mut text = record(name);
        for piece in [Some(value), was].into_iter().flatten() {
            if !piece.is_empty() {
                let _ = write!(text, " {}", record(&piece));
            }
        }
        if row.content.is_reference() {
            strip.push(format!("<f{index}> {text}"));
        } else {
            lines.push(text);
        }
    }
    if object.omitted > 0 {
        lines.push(format!("and {} more", object.omitted));
    }
    if sideways {
        lines.append(&mut strip);
        return lines.join("|");
    }
    if !strip.is_empty() {
        lines.push(format!("{{{}}}", strip.join("|")));
    }
    format!("{{{}}}", lines.join("|"))
}

fn edges(picture: &Picture, out: &mut String) {
    for edge in &picture.edges {
        let attributes = match edge.kind {
            EdgeKind::Kept => "",
            EdgeKind::Changed => " [color=\"#b45309\", penwidth=2]",
            EdgeKind::Removed => " [color=\"#b45309\", style=dotted]",
            EdgeKind::Dangling => " [color=\"#b91c1c\", style=dashed]",
            EdgeKind::Stale => " [color=gray, style=dotted]",
        };
        let (from, row, to) = (edge.from, edge.row, edge.to);
        let _ = writeln!(out, "  n{from}:f{row} -> n{to}{attributes};");
    }
}
