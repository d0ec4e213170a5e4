//! The web page as a text; what it does in a browser is tested with the command line.

#[allow(dead_code)]
mod scenes;

use heapwright_report::page::{
    Alternative, Branch, FindingText, Line, Listing, Method, Page, Path, Picture, Status, Step,
    Test, Totals, html,
};

/// A text that would be markup in every place that it could end up in.
const HOSTILE: &str = "</title></style></script></svg></pre></details>\"'><img src=x onerror=alert(1)>\
                       <script>alert(2)</script> `<b>` &lt;i&gt; --> ]]> javascript:alert(3)";

fn test(text: &str) -> Test {
    let example = scenes::all().into_iter().next().expect("a scene");
    let picture = Picture::of(&example.scene().titled(text));
    Test {
        name: text.to_owned(),
        findings: vec![FindingText {
            kind: text.to_owned(),
            words: text.to_owned(),
        }],
        outcome: text.to_owned(),
        input: text.to_owned(),
        result: text.to_owned(),
        steps: vec![Step {
            words: text.to_owned(),
            line: Some(3),
            forced: false,
            which: 0,
        }],
        lines: vec![3, 4],
        source: Some(text.to_owned()),
        before: picture.clone(),
        after: Some(picture),
    }
}

/// A page that has one text everywhere.
fn page(text: &str) -> Page {
    let branch = |status| Branch {
        words: text.to_owned(),
        place: text.to_owned(),
        status,
        verdict: text.to_owned(),
        tests: vec![0],
    };
    let listing = |shown_by: Option<(usize, String)>, core| Listing {
        title: text.to_owned(),
        origin: text.to_owned(),
        lines: vec![
            Line {
                number: 3,
                text: text.to_owned(),
                executed: Some(true),
                branches: vec![0, 1, 2],
            },
            Line {
                number: 7,
                text: text.to_owned(),
                executed: None,
                branches: Vec::new(),
            },
        ],
        branches: vec![0, 1, 2],
        shown_by,
        core,
    };
    let path = Path {
        steps: test(text).steps,
        end: text.to_owned(),
        test: Some(0),
    };
    let method = Method {
        name: text.to_owned(),
        title: text.to_owned(),
        group: text.to_owned(),
        notes: vec![text.to_owned()],
        stop: text.to_owned(),
        statistics: text.to_owned(),
        found: 3,
        branches: [Status::Covered, Status::Infeasible, Status::Uncovered]
            .map(branch)
            .to_vec(),
        listings: vec![
            listing(None, false),
            listing(None, true),
            listing(Some((0, text.to_owned())), false),
        ],
        tests: vec![test(text), test(text)],
        paths: vec![path.clone(), path],
        alternatives: vec![
            Alternative {
                steps: test(text).steps.into_iter().take(1).collect(),
                infeasible: true,
                reason: text.to_owned(),
            };
            2
        ],
        alternative_counts: (2, 1),
    };
    Page {
        title: text.to_owned(),
        tool: text.to_owned(),
        facts: vec![(text.to_owned(), text.to_owned())],
        complaints: vec![text.to_owned()],
        totals: Totals {
            covered: 1,
            infeasible: 1,
            uncovered: 1,
        },
        noun: "method".to_owned(),
        methods: vec![method],
    }
}

#[test]
fn no_text_of_the_program_is_markup() {
    let plain = html(&page("plain"));
    let hostile = html(&page(HOSTILE));
    for tag in [
        "<script",
        "<img",
        "<b>",
        "<i>",
        "</style",
        "</svg",
        "</pre",
        "</details",
        "</title",
        "<svg",
    ] {
        // Backticks make code of what is between them, and of nothing else.
        assert_eq!(
            hostile.matches(tag).count(),
            plain.matches(tag).count(),
            "{tag}"
        );
    }
    assert!(!hostile.contains("onerror=alert(1)>"));
    assert!(hostile.contains("&lt;script&gt;alert(2)&lt;/script&gt;"));
    assert!(hostile.contains("&amp;lt;i&amp;gt;"));
}

#[test]
fn a_page_needs_nothing_from_outside() {
    let text = html(&page("plain"));
    for outside in ["http://", "https://", "src=", "@import", "url("] {
        let known = text.matches(outside).count();
        // The name space in the icon is a name, not an address.
        let allowed = usize::from(outside == "http://");
        assert_eq!(known, allowed, "{outside}");
    }
    assert!(text.contains("default-src 'none'"));
}

#[test]
fn every_verdict_is_said_where_its_branch_is() {
    let text = html(&page("why not"));
    for (status, class) in [
        ("infeasible", "<li class=inf>"),
        ("uncovered", "<li class=un>"),
    ] {
        assert!(text.contains(class), "{status}");
    }
    assert!(text.contains("<li class=\"x p\" value="), "{text}");
    // Every line has its number.
    assert!(text.contains("<li value=7>"));
}

#[test]
fn the_same_data_give_the_same_page() {
    assert_eq!(html(&page("a")), html(&page("a")));
}

#[test]
fn what_pictures_share_is_written_once() {
    let text = html(&page("a"));
    let objects = text.matches("<use href=#p").count();
    assert!(objects > 0);
    let (mut ids, mut uses): (Vec<&str>, Vec<&str>) = (Vec::new(), Vec::new());
    for piece in text.split("<g id=").skip(1) {
        ids.extend(piece.split_whitespace().next());
    }
    for piece in text.split("<use href=#").skip(1) {
        uses.extend(piece.split_whitespace().next());
    }
    uses.sort_unstable();
    uses.dedup();
    ids.sort_unstable();
    assert_eq!(uses, ids);
}

/// Pictures that would make the page too large are left out, and the page says so.
#[test]
fn a_page_of_large_pictures_is_bounded() {
    let mut page = page("a");
    let many: Vec<Test> = (0..3000).map(|_| test("a")).collect();
    page.methods[0].tests = many;
    let text = html(&page);
    assert!(text.contains("No pictures here, since the page"));
    assert!(text.matches("<svg class=hp").count() > 100);
}
