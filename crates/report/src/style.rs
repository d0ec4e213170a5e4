//! Colours and lines of the pictures, light and dark.
//!
//! Every colour is written twice: plainly, for viewers without custom properties, and as a custom
//! property with a light and a dark value. A page that embeds pictures can set `data-theme` to
//! `light` or `dark` on any element around them to overrule what the system asks for.

use std::fmt::Write;
use std::sync::OnceLock;

/// Role, light value, dark value.
const COLOURS: &[(&str, &str, &str)] = &[
    ("page", "#ffffff", "#14171c"),
    ("box", "#ffffff", "#1d2229"),
    ("header", "#eef2f7", "#2a313b"),
    ("border", "#7d8899", "#7c8796"),
    ("line", "#d9dfe7", "#3a424e"),
    ("text", "#1b2330", "#e7ebf0"),
    ("muted", "#5d6878", "#9eaaba"),
    ("edge", "#2f5f9e", "#7fb0ee"),
    ("back", "#8d99ab", "#75808f"),
    ("root", "#6b3fa0", "#c3a2f0"),
    ("changed", "#b45309", "#f0a94a"),
    ("changed-fill", "#fff0d4", "#3d2f16"),
    ("new", "#15803d", "#5fd08a"),
    ("new-fill", "#e2f6e8", "#17351f"),
    ("danger", "#b91c1c", "#ff8f87"),
];

/// Selector, and pairs of property and value; `@role` is a colour.
const RULES: &[(&str, &[(&str, &str)])] = &[
    (
        "",
        &[
            (
                "font-family",
                "ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace",
            ),
            ("font-size", "12px"),
        ],
    ),
    (" .hw-page", &[("fill", "@page")]),
    (" text", &[("fill", "@text")]),
    (" .hw-muted", &[("fill", "@muted")]),
    (" .hw-note", &[("fill", "@muted"), ("font-style", "italic")]),
    (" .hw-was", &[("fill", "@changed")]),
    (" .hw-strong", &[("font-weight", "bold")]),
    (
        " .hw-box",
        &[
            ("fill", "@box"),
            ("stroke", "@border"),
            ("stroke-width", "1.2"),
        ],
    ),
    (" .hw-header", &[("fill", "@header")]),
    (" .hw-line", &[("stroke", "@line"), ("fill", "none")]),
    (" .hw-fill", &[("fill", "@changed-fill")]),
    (
        " .hw-new .hw-box",
        &[("stroke", "@new"), ("stroke-width", "2")],
    ),
    (" .hw-new .hw-header", &[("fill", "@new-fill")]),
    (" .hw-new .hw-id", &[("fill", "@new")]),
    (
        " .hw-freed .hw-box",
        &[("stroke", "@danger"), ("stroke-dasharray", "5 3")],
    ),
    (" .hw-freed .hw-id", &[("fill", "@danger")]),
    (
        " .hw-unreachable .hw-box",
        &[("stroke", "@back"), ("stroke-dasharray", "2 3")],
    ),
    (
        " .hw-unreachable text,.hw-heap .hw-freed .hw-muted",
        &[("fill", "@muted")],
    ),
    (
        " .hw-edge path",
        &[
            ("fill", "none"),
            ("stroke", "@edge"),
            ("stroke-width", "1.5"),
        ],
    ),
    (
        " .hw-edge .hw-tip",
        &[("fill", "@edge"), ("stroke", "none")],
    ),
    (
        " .hw-back path",
        &[("stroke", "@back"), ("stroke-width", "1.2")],
    ),
    (
        " .hw-back .hw-tip",
        &[("fill", "@back"), ("stroke", "none")],
    ),
    (
        " .hw-changed path",
        &[("stroke", "@changed"), ("stroke-width", "2.2")],
    ),
    (
        " .hw-changed .hw-tip",
        &[("fill", "@changed"), ("stroke", "none")],
    ),
    (
        " .hw-removed path",
        &[
            ("stroke", "@changed"),
            ("stroke-width", "1"),
            ("stroke-dasharray", "2 4"),
        ],
    ),
    (
        " .hw-dangling path",
        &[("stroke", "@danger"), ("stroke-dasharray", "6 3")],
    ),
    (
        " .hw-dangling .hw-tip",
        &[("fill", "@danger"), ("stroke", "none")],
    ),
    (
        " .hw-stale path",
        &[("stroke", "@back"), ("stroke-dasharray", "2 3")],
    ),
    (
        " .hw-stale .hw-tip",
        &[("fill", "@back"), ("stroke", "none")],
    ),
    (
        " .hw-removed .hw-tip",
        &[("fill", "@changed"), ("stroke", "none")],
    ),
    (" .hw-bad", &[("fill", "@danger"), ("font-weight", "bold")]),
    (
        " .hw-root rect",
        &[("fill", "none"), ("stroke", "@root"), ("stroke-width", "1")],
    ),
    (" .hw-stem", &[("fill", "none"), ("stroke", "@root")]),
    (
        " .hw-root text,.hw-heap .hw-root .hw-tip",
        &[("fill", "@root")],
    ),
    (
        " .hw-root.hw-lost rect,.hw-heap .hw-lost .hw-stem",
        &[("fill", "none"), ("stroke", "@danger")],
    ),
    (
        " .hw-lost text,.hw-heap .hw-lost .hw-tip",
        &[("fill", "@danger")],
    ),
];

/// The colours as custom properties that follow the colour scheme of the page around them.
pub(crate) fn colours() -> String {
    (COLOURS.iter())
        .map(|(role, light, dark)| format!("--hw-{role}:light-dark({light},{dark});"))
        .collect()
}

/// The style sheet for all pictures, to be written once into a page that embeds several.
pub fn stylesheet() -> &'static str {
    static SHEET: OnceLock<String> = OnceLock::new();
    SHEET.get_or_init(write_sheet)
}

fn write_sheet() -> String {
    let mut sheet = String::new();
    let colours = |dark: bool| -> String {
        let value =
            |colour: &(&str, &'static str, &'static str)| if dark { colour.2 } else { colour.1 };
        (COLOURS.iter())
            .map(|colour| format!("--hw-{}:{};", colour.0, value(colour)))
            .collect()
    };
    let _ = writeln!(sheet, ".hw-heap{{{}}}", colours(false));
    let _ = writeln!(
        sheet,
        "@media (prefers-color-scheme:dark){{.hw-heap{{{}}}}}",
        colours(true)
    );
    let _ = writeln!(sheet, "[data-theme=light] .hw-heap{{{}}}", colours(false));
    let _ = writeln!(sheet, "[data-theme=dark] .hw-heap{{{}}}", colours(true));
    for (selector, declarations) in RULES {
        let _ = write!(sheet, ".hw-heap{selector}{{");
        for (property, value) in *declarations {
            match value.strip_prefix('@') {
                None => {
                    let _ = write!(sheet, "{property}:{value};");
                }
                Some(role) => {
                    let light = COLOURS.iter().find(|colour| colour.0 == role);
                    let light = light.map_or("currentColor", |colour| colour.1);
                    let _ = write!(sheet, "{property}:{light};{property}:var(--hw-{role});");
                }
            }
        }
        sheet.push_str("}\n");
    }
    sheet
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_colour_that_a_rule_names_exists() {
        assert!(!stylesheet().contains("currentColor"));
        assert_eq!(
            stylesheet().matches('{').count(),
            stylesheet().matches('}').count()
        );
    }
}
