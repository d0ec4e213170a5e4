//! One test: pictures, path, program.

use std::collections::BTreeSet;
use std::fmt::Write;

use super::data::{Picture, Step, Test};
use super::escape::{escape, prose};
use super::listing::line_link;
use super::pictures::Pictures;

/// Decisions that are listed.
const MOST_STEPS: usize = 40;

/// Pictures that are wider do not stand side by side.
const WIDEST: i64 = 440;

/// Lines of a path that are listed.
const MOST_LINES: usize = 60;

/// The code of the tested method, which the page shows.
pub struct Code<'p> {
    /// The number of the method.
    pub method: usize,
    /// The lines that have places to go to.
    pub lines: BTreeSet<u32>,
    /// Its file.
    pub file: &'p str,
}

impl Code<'_> {
    /// A text in which places in the file are links: `... at List.java:12`.
    fn linked(&self, text: &str) -> String {
        let start = format!("{}:", self.file);
        let Some(at) = text.find(&start).filter(|_| !self.file.is_empty()) else {
            return escape(text);
        };
        let (before, rest) = text.split_at(at);
        let digits = rest[start.len()..].bytes();
        let digits = digits.take_while(u8::is_ascii_digit).count();
        let (place, after) = rest.split_at(start.len() + digits);
        let line = place[start.len()..].parse::<u32>();
        match line.ok().filter(|line| self.lines.contains(line)) {
            Some(line) => format!(
                "{}<a href=\"#m{}l{line}\">{}</a>{}",
                escape(before),
                self.method,
                escape(place),
                escape(after)
            ),
            None => escape(text),
        }
    }
}

/// Writes a test with a number of its own.
pub fn write(
    test: &Test,
    number: usize,
    opened: bool,
    code: &Code<'_>,
    known: &Pictures<'_>,
    out: &mut String,
) {
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
        let _ = write!(out, "<p class=wrong>{}</p>", code.linked(&finding.words));
    }
    match known.are_drawn(number) {
        true => pictures(test, known, out),
        false => out.push_str(
            "<p class=gone>No pictures here, since the page would be too large; --svg draws all of them.</p>",
        ),
    }
    out.push_str("<div class=cols>");
    path(test, code, out);
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

fn path(test: &Test, code: &Code<'_>, out: &mut String) {
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
            .map(|&line| line_link(code.method, &code.lines, line))
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
