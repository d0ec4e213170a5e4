//! The page around the methods: head, navigation, totals, findings.

use std::fmt::Write;

use super::data::{Method, Page, Totals};
use super::escape::escape;
use super::pictures::Pictures;
use super::{classes, method};
use crate::inline::stylesheet;

const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("script.js");

/// What every page has in it.
pub const MARK: &str = "<meta name=generator content=Heapwright>";

/// What the page may do: show itself, and run the script with this mark.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; \
    script-src 'nonce-heapwright'; img-src data:; base-uri 'none'; form-action 'none'";

/// Two linked cells, for the tab of the browser.
const ICON: &str = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 \
    16'%3E%3Cpath d='M1 4h6v8H1zM7 8h4' fill='none' stroke='%232f5f9e' stroke-width='1.6'/%3E%3Cpath \
    d='M10 5l5 3-5 3z' fill='%232f5f9e'/%3E%3C/svg%3E";

/// The keys that do something, for the dialogue that lists them.
const KEYS: [(&str, &str); 7] = [
    ("/", "search"),
    ("j k", "next and previous test"),
    ("↓ ↑", "the same, from a test"),
    ("→ ←", "open and close a test"),
    ("Enter", "open or close what is selected"),
    ("t", "light or dark"),
    ("?", "this list"),
];

/// The report as one page of HTML.
pub fn html(page: &Page) -> String {
    let mut out = String::with_capacity(1 << 18);
    let pictures = Pictures::of(page);
    head(page, &mut out);
    pictures.write_shared(&mut out);
    out.push_str("<div class=page>\n");
    navigation(page, &mut out);
    out.push_str("<main id=main tabindex=-1>\n<p id=found role=status class=lede hidden></p>\n");
    overview(page, &mut out);
    findings(page, &mut out);
    let mut first_test = 0;
    for (index, known) in page.methods.iter().enumerate() {
        method::write(known, index, first_test, &pictures, &mut out);
        first_test += known.tests.len();
    }
    let _ = writeln!(out, "<footer>{}</footer>", escape(&page.tool));
    out.push_str("</main>\n</div>\n");
    keys(&mut out);
    let _ = writeln!(out, "<script nonce=heapwright>\n{SCRIPT}</script>");
    out.push_str("</body>\n</html>\n");
    out
}

fn head(page: &Page, out: &mut String) {
    let title = escape(&page.title);
    let noun = escape(&page.noun);
    let pictures = stylesheet();
    let _ = write!(
        out,
        "<!doctype html>\n<html lang=en>\n<head>\n<meta charset=utf-8>\n{MARK}\n\
         <meta name=viewport content=\"width=device-width, initial-scale=1\">\n\
         <meta http-equiv=Content-Security-Policy content=\"{POLICY}\">\n\
         <meta name=color-scheme content=\"light dark\">\n\
         <title>{title} · Heapwright</title>\n<link rel=icon href=\"{ICON}\">\n\
         <style>\n{STYLE}{pictures}</style>\n</head>\n<body id=top>\n\
         <a class=skip href=\"#main\">Skip to the results</a>\n\
         <header class=bar><a class=brand href=\"#top\">Heapwright</a>\
         <span class=at>{title}</span>\
         <input id=search type=search placeholder=\"Search {noun}s and tests\" \
         aria-label=\"Search {noun}s and tests\" autocomplete=off spellcheck=false hidden>\
         <button id=keys type=button aria-label=\"Keyboard shortcuts\" hidden>?</button>\
         <button id=theme type=button aria-label=\"Dark colours\" aria-pressed=false hidden>◐\
         </button></header>\n"
    );
}

fn navigation(page: &Page, out: &mut String) {
    let count = counted(page.methods.len(), &page.noun);
    let label = capitalised(&page.noun);
    let _ = writeln!(
        out,
        "<nav class=side aria-label={label}s><details open><summary>{count}</summary>\
         <select id=status aria-label=\"Which {noun}s are shown\" hidden><option value=\"\">all\
         <option value=bad>with findings<option value=open>not fully covered</select><ul>",
        noun = escape(&page.noun)
    );
    for (index, known) in page.methods.iter().enumerate() {
        let totals = Totals::of(&known.branches);
        let findings = known.tests.iter().any(|test| !test.findings.is_empty());
        let class = if findings { " class=bad" } else { "" };
        let number = match totals.all() {
            0 => counted(known.tests.len(), "test"),
            all => format!("{}/{all}", totals.covered),
        };
        let _ = writeln!(
            out,
            "<li><a href=\"#m{index}\"><span{class}>{}</span><small>{number}</small>{}</a>",
            escape(&known.name),
            meter(&totals)
        );
    }
    out.push_str("</ul></details></nav>\n");
}

/// The noun at the beginning of a label.
fn capitalised(noun: &str) -> String {
    let mut letters = escape(noun).chars().collect::<Vec<_>>();
    if let Some(first) = letters.first_mut() {
        first.make_ascii_uppercase();
    }
    letters.into_iter().collect()
}

fn overview(page: &Page, out: &mut String) {
    let _ = writeln!(
        out,
        "<div id=overview>\n<h1>{}</h1>\n<p class=lede>{}</p>",
        escape(&page.title),
        escape(&sentence(page))
    );
    let kept: usize = page.methods.iter().map(|known| known.tests.len()).sum();
    let found: usize = page.methods.iter().map(|known| known.found).sum();
    let wrong = page.methods.iter().map(number_of_findings).sum::<usize>();
    let totals = &page.totals;
    let of = match found > kept {
        true => format!(" <small>of {found} found</small>"),
        false => String::new(),
    };
    let bad = if wrong > 0 { " class=bad" } else { "" };
    let _ = writeln!(
        out,
        "<dl class=stats><div><dt>Branches covered</dt><dd>{} <small>of {}</small></dd>{}</div>\
         <div><dt>Tests</dt><dd>{kept}{of}</dd></div>\
         <div{bad}><dt>Findings</dt><dd>{wrong}</dd></div></dl>",
        totals.covered,
        totals.all(),
        meter(totals)
    );
    let _ = writeln!(
        out,
        "<ul class=key><li><i></i>{} covered<li><i class=inf></i>{} proved unreachable\
         <li><i class=un></i>{} not covered</ul>",
        totals.covered, totals.infeasible, totals.uncovered
    );
    if !page.facts.is_empty() {
        out.push_str("<dl class=facts>");
        let version = ("Made by".to_owned(), page.tool.clone());
        for (name, text) in page.facts.iter().chain([&version]) {
            let _ = write!(out, "<dt>{}<dd>{}", escape(name), escape(text));
        }
        out.push_str("</dl>\n");
    }
    classes::write(page, out);
    out.push_str("</div>\n");
}

/// The outcome in a sentence.
fn sentence(page: &Page) -> String {
    let totals = &page.totals;
    let tests: usize = page.methods.iter().map(|known| known.tests.len()).sum();
    let tests = counted(tests, "test");
    let methods = counted(page.methods.len(), &page.noun);
    let branches = match totals {
        Totals { .. } if totals.all() == 0 => "There are no branches.".to_owned(),
        Totals {
            uncovered: 0,
            infeasible: 0,
            ..
        } => "Every branch is covered.".to_owned(),
        Totals { uncovered: 0, .. } => "Every branch is covered or proved unreachable.".to_owned(),
        Totals { uncovered: 1, .. } => "1 branch is not covered; its line says why.".to_owned(),
        Totals { uncovered, .. } => {
            format!("{uncovered} branches are not covered; their lines say why.")
        }
    };
    let failures = match page.methods.iter().map(number_of_findings).sum::<usize>() {
        0 => "No failures found".to_owned(),
        wrong => counted(wrong, "finding"),
    };
    format!("{failures}. {tests} for {methods}. {branches}")
}

fn number_of_findings(known: &Method) -> usize {
    known.tests.iter().map(|test| test.findings.len()).sum()
}

fn findings(page: &Page, out: &mut String) {
    out.push_str("<section class=part aria-labelledby=findings><h2 id=findings>Findings</h2>\n");
    let mut number = 0;
    let mut any = false;
    for known in &page.methods {
        for test in &known.tests {
            for finding in &test.findings {
                any = true;
                let _ = writeln!(
                    out,
                    "<a class=finding href=\"#t{number}\"><b class=bad>{}</b> in <b>{}</b>\
                     <p>{} · {}</p></a>",
                    escape(&finding.words),
                    escape(&known.name),
                    escape(&test.name),
                    escape(&test.input)
                );
            }
            number += 1;
        }
    }
    if !any {
        out.push_str("<p class=none>No failures found.</p>\n");
    }
    if !page.complaints.is_empty() {
        out.push_str("<ul class=complaints>");
        for complaint in &page.complaints {
            let _ = write!(out, "<li>{}", escape(complaint));
        }
        out.push_str("</ul>\n");
    }
    out.push_str("</section>\n");
}

fn keys(out: &mut String) {
    out.push_str("<dialog id=help aria-labelledby=helph><h2 id=helph>Keys</h2><dl>");
    for (key, meaning) in KEYS {
        let keys: Vec<String> = (key.split(' '))
            .map(|key| format!("<kbd>{key}</kbd>"))
            .collect();
        let _ = write!(out, "<dt>{}<dd>{meaning}", keys.join(" "));
    }
    out.push_str("</dl><button type=button>Close</button></dialog>\n");
}

/// A bar with the shares of the branches; nothing where there are none.
pub fn meter(totals: &Totals) -> String {
    if totals.all() == 0 {
        return String::new();
    }
    let mut bar = format!(
        "<span class=meter role=img aria-label=\"{} of {} branches covered, {} unreachable\">",
        totals.covered,
        totals.all(),
        totals.infeasible
    );
    let shares = [
        ("", totals.covered),
        (" class=inf", totals.infeasible),
        (" class=un", totals.uncovered),
    ];
    for (class, share) in shares.iter().filter(|(_, share)| *share > 0) {
        let _ = write!(bar, "<i{class} style=flex:{share}></i>");
    }
    bar.push_str("</span>");
    bar
}

/// `1 test`, `2 tests`.
pub fn counted(number: usize, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {noun}{plural}")
}
