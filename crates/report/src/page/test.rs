//! One test: pictures, path, program.

use std::fmt::Write;

use super::data::{Picture, Step, Test};
use super::escape::{escape, prose};
use super::pictures::Pictures;

/// Decisions that are listed.
const MOST_STEPS: usize = 40;

/// Pictures that are wider do not stand side by side.
const WIDEST: i64 = 440;

/// Lines of a path that are listed.
const MOST_LINES: usize = 60;

/// Writes a test with a number of its own.
pub fn write(test: &Test, number: usize, opened: bool, known: &Pictures<'_>, out: &mut String) {
    let class = if test.findings.is_empty() {
        "test"
    } else {
        "\"test found\""
    };
    let open = if opened { " open" } else { "" };
    let mut lines = test.lines.clone();
    lines.sort_unstable();
    lines.dedup();
    let lines: Vec<String> = lines.iter().map(u32::to_string).collect();
    let _ = write!(
        out,
        "<details class={class} id=t{number} data-path=\"{}\"{open}><summary><b>{}</b><span>{}</span>\
         <p>{} → {}</p></summary><div class=body>",
        lines.join(" "),
        escape(&test.name),
        escape(&test.outcome),
        escape(&test.input),
        escape(&test.result)
    );
    for finding in &test.findings {
        let _ = write!(out, "<p class=wrong>{}</p>", escape(&finding.words));
    }
    match known.are_drawn(number) {
        true => pictures(test, known, out),
        false => out.push_str(
            "<p class=gone>There was no room for the pictures of this test; --svg draws them all.</p>",
        ),
    }
    out.push_str("<div class=cols>");
    path(test, out);
    if let Some(source) = &test.source {
        let _ = write!(
            out,
            "<div><h4>Test</h4><pre class=src tabindex=0>{}</pre></div>",
            escape(source)
        );
    }
    out.push_str("</div></div></details>\n");
}

fn pictures(test: &Test, known: &Pictures<'_>, out: &mut String) {
    let wide = test.pictures().map(|picture| picture.width).max() > Some(WIDEST);
    let class = if wide { "\"pair wide\"" } else { "pair" };
    let _ = write!(out, "<div class={class}>");
    picture("Before", &test.before, known, out);
    match &test.after {
        Some(after) => picture("After", after, known, out),
        None => {
            let _ = write!(
                out,
                "<figure><figcaption><b>After</b><span>no object changed</span></figcaption>\
                 <p class=same>{}</p></figure>",
                escape(&test.result)
            );
        }
    }
    out.push_str("</div>");
}

fn picture(moment: &str, picture: &Picture, known: &Pictures<'_>, out: &mut String) {
    let _ = write!(
        out,
        "<figure><figcaption><b>{moment}</b><span>{}</span></figcaption><div class=draw tabindex=0>",
        escape(&picture.changes)
    );
    known.write(picture, out);
    out.push_str("</div></figure>");
}

fn path(test: &Test, out: &mut String) {
    if test.steps.is_empty() && test.lines.is_empty() {
        return;
    }
    out.push_str("<div><h4>Path</h4>");
    if !test.steps.is_empty() {
        out.push_str("<ol class=path>");
        for known in test.steps.iter().take(MOST_STEPS) {
            step(known, out);
        }
        if test.steps.len() > MOST_STEPS {
            let _ = write!(out, "<li>and {} more", test.steps.len() - MOST_STEPS);
        }
        out.push_str("</ol>");
    }
    if !test.lines.is_empty() {
        let shown: Vec<String> = (test.lines.iter().take(MOST_LINES))
            .map(u32::to_string)
            .collect();
        let more = match test.lines.len() > MOST_LINES {
            true => " …",
            false => "",
        };
        let _ = write!(out, "<p class=way>Lines {}{more}</p>", shown.join(" "));
    }
    out.push_str("</div>");
}

/// A decision as an item of a list.
pub fn step(step: &Step, out: &mut String) {
    let class = if step.forced { " class=f" } else { "" };
    let line = step
        .line
        .map_or(String::new(), |line| format!(" data-l={line}"));
    let _ = write!(out, "<li{class}{line}>{}", prose(&step.words));
}
