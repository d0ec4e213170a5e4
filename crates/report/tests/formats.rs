//! Coverage and findings as other tools read them.

use std::collections::BTreeMap;

use heapwright_report::coverage::{Counter, Coverage, Line, Method, cobertura, jacoco, lcov};
use heapwright_report::sarif::{Result as Found, Rule, sarif};
use roxmltree::{Document, Node, ParsingOptions};
use serde_json::Value as Json;

const HOSTILE: &str = "a<b>&\"'</report>\u{202e}";

fn line(number: u32, hits: u64, jumps: &[&[u64]]) -> Line {
    Line {
        number,
        hits,
        jumps: jumps.iter().map(|jump| jump.to_vec()).collect(),
    }
}

fn method(class: &str, name: &str, calls: u64, lines: Vec<Line>) -> Method {
    let outer = class.split('$').next().unwrap_or(class);
    Method {
        file: format!("{outer}.java"),
        path: format!("src/{outer}.java"),
        class: class.to_owned(),
        name: name.to_owned(),
        descriptor: "(I)V".to_owned(),
        line: lines.first().map_or(0, |line| line.number),
        calls,
        lines,
    }
}

/// Two packages, an inner class, a shared line, a switch, a method that was never called.
fn coverage() -> Coverage {
    let insert = vec![
        line(3, 5, &[]),
        line(4, 5, &[&[2, 3], &[0, 2]]),
        line(5, 2, &[]),
        line(6, 0, &[]),
    ];
    let never = vec![line(9, 0, &[&[0, 0, 0]]), line(10, 0, &[])];
    Coverage {
        name: HOSTILE.to_owned(),
        sources: vec!["src".to_owned()],
        methods: vec![
            method("trees/Tree", "insert", 5, insert),
            method("trees/Tree", HOSTILE, 0, never),
            method("trees/Tree$Node", "get", 1, vec![line(6, 1, &[&[1, 0]])]),
            method("Plain", "main", 1, vec![line(1, 1, &[])]),
        ],
    }
}

fn parse(text: &str) -> Document<'_> {
    let options = ParsingOptions {
        allow_dtd: true,
        ..ParsingOptions::default()
    };
    Document::parse_with_options(text, options).expect("well-formed XML")
}

/// Which attributes an element must have, and which children it has, in which order.
type Grammar<'g> = BTreeMap<&'g str, (Vec<&'g str>, Vec<&'g str>)>;

fn grammar<'g>(rules: &[(&'g str, &'g str, &'g str)]) -> Grammar<'g> {
    let words = |text: &'g str| text.split_whitespace().collect();
    (rules.iter())
        .map(|(name, attributes, children)| (*name, (words(attributes), words(children))))
        .collect()
}

fn check_grammar(document: &Document<'_>, grammar: &Grammar<'_>) {
    for element in document.descendants().filter(Node::is_element) {
        let name = element.tag_name().name();
        let (attributes, order) = &grammar[name];
        let found: Vec<&str> = element.attributes().map(|known| known.name()).collect();
        for attribute in attributes {
            assert!(found.contains(attribute), "{name} lacks {attribute}");
        }
        let children = element.children().filter(Node::is_element);
        let mut last = 0;
        for child in children {
            let child = child.tag_name().name();
            let place = order.iter().position(|known| *known == child);
            let place = place.unwrap_or_else(|| panic!("{child} in {name}"));
            assert!(place >= last, "{child} is too late in {name}");
            last = place;
        }
    }
}

fn number(node: Node<'_, '_>, attribute: &str) -> u64 {
    let text = node.attribute(attribute).expect(attribute);
    text.parse().expect("a number")
}

/// A counter among the children of an element.
fn counter(node: Node<'_, '_>, kind: &str) -> Counter {
    let mut counters = node
        .children()
        .filter(|child| child.attribute("type") == Some(kind));
    counters.next().map_or(Counter::default(), |known| Counter {
        covered: number(known, "covered"),
        missed: number(known, "missed"),
    })
}

/// The structure is that of `report.dtd` 1.1.
#[test]
fn jacoco_has_its_structure_and_its_sums() {
    let coverage = coverage();
    let text = jacoco(&coverage);
    assert!(
        text.contains("<!DOCTYPE report PUBLIC \"-//JACOCO//DTD Report 1.1//EN\" \"report.dtd\">")
    );
    let document = parse(&text);
    check_grammar(
        &document,
        &grammar(&[
            ("report", "name", "sessioninfo group package counter"),
            ("package", "name", "class sourcefile counter"),
            ("class", "name sourcefilename", "method counter"),
            ("method", "name desc line", "counter"),
            ("sourcefile", "name", "line counter"),
            ("line", "nr mi ci mb cb", ""),
            ("counter", "type missed covered", ""),
        ]),
    );
    let report = document.root_element();
    assert_eq!(counter(report, "BRANCH"), coverage.branches());
    assert_eq!(
        counter(report, "BRANCH"),
        Counter {
            covered: 4,
            missed: 5
        }
    );
    assert_eq!(
        counter(report, "METHOD"),
        Counter {
            covered: 3,
            missed: 1
        }
    );
    assert_eq!(
        counter(report, "CLASS"),
        Counter {
            covered: 3,
            missed: 0
        }
    );
    assert_eq!(
        counter(report, "LINE"),
        Counter {
            covered: 5,
            missed: 3
        }
    );
    // insert: one, and two jumps of two branches of which one has both taken; the method that was
    // never called: one, and a jump of three; get: one, and one that is missed; main: one.
    assert_eq!(
        counter(report, "COMPLEXITY"),
        Counter {
            covered: 4,
            missed: 5
        }
    );
    let all: Vec<Node<'_, '_>> = document.descendants().filter(Node::is_element).collect();
    for kind in [
        "BRANCH",
        "METHOD",
        "CLASS",
        "COMPLEXITY",
        "LINE",
        "INSTRUCTION",
    ] {
        for (outer, inner) in [("report", "package"), ("package", "class")] {
            let sum = |name: &str| -> Counter {
                let nodes = all.iter().filter(|node| node.has_tag_name(name));
                nodes.map(|node| counter(*node, kind)).sum()
            };
            assert_eq!(sum(outer), sum(inner), "{kind} of {outer}");
        }
    }
    for file in all.iter().filter(|node| node.has_tag_name("sourcefile")) {
        let lines = file.children().filter(|node| node.has_tag_name("line"));
        let branches = lines.clone().map(|line| Counter {
            covered: number(line, "cb"),
            missed: number(line, "mb"),
        });
        assert_eq!(branches.sum::<Counter>(), counter(*file, "BRANCH"));
        let executed = lines.filter(|line| number(*line, "ci") > 0).count() as u64;
        assert_eq!(executed, counter(*file, "LINE").covered);
    }
    // Line 6 belongs to two methods, and one of them executed it.
    let shared = all
        .iter()
        .find(|node| node.attribute("nr") == Some("6"))
        .expect("line 6");
    assert_eq!((number(*shared, "ci"), number(*shared, "mi")), (1, 0));
    assert!(
        all.iter()
            .any(|node| node.attribute("name") == Some(&HOSTILE.replace('\u{202e}', "\u{fffd}")))
    );
}

/// The structure is that of `coverage-04.dtd`.
#[test]
fn cobertura_has_its_structure_and_its_rates() {
    let coverage = coverage();
    let text = cobertura(&coverage);
    let document = parse(&text);
    let rates = "line-rate branch-rate complexity";
    check_grammar(
        &document,
        &grammar(&[
            (
                "coverage",
                "line-rate branch-rate lines-covered lines-valid branches-covered branches-valid \
                 complexity version timestamp",
                "sources packages",
            ),
            ("sources", "", "source"),
            ("source", "", ""),
            ("packages", "", "package"),
            ("package", &format!("name {rates}"), "classes"),
            ("classes", "", "class"),
            ("class", &format!("name filename {rates}"), "methods lines"),
            ("methods", "", "method"),
            ("method", &format!("name signature {rates}"), "lines"),
            ("lines", "", "line"),
            ("line", "number hits branch", "conditions"),
            ("conditions", "", "condition"),
            ("condition", "number type coverage", ""),
        ]),
    );
    let root = document.root_element();
    assert_eq!(
        number(root, "branches-covered"),
        coverage.branches().covered
    );
    assert_eq!(number(root, "branches-valid"), coverage.branches().total());
    assert_eq!(root.attribute("branch-rate"), Some("0.4444"));
    assert_eq!(
        (number(root, "lines-covered"), number(root, "lines-valid")),
        (5, 7)
    );
    let shares: Vec<&str> = (document.descendants())
        .filter_map(|node| node.attribute("condition-coverage"))
        .collect();
    assert!(
        shares.contains(&"75% (3/4)") && shares.contains(&"0% (0/3)"),
        "{shares:?}"
    );
    let kinds: Vec<&str> = (document.descendants())
        .filter(|node| node.has_tag_name("condition"))
        .filter_map(|node| node.attribute("type"))
        .collect();
    assert!(kinds.contains(&"jump") && kinds.contains(&"switch"));
    let source = document
        .descendants()
        .find(|node| node.has_tag_name("source"));
    assert_eq!(source.and_then(|node| node.text()), Some("src"));
}

#[test]
fn lcov_has_a_record_for_every_file() {
    let coverage = coverage();
    let text = lcov(&coverage);
    assert_eq!(text.lines().next(), Some("TN:a_b______report__"));
    let records: Vec<&str> = text.split_inclusive("end_of_record\n").collect();
    assert_eq!(records.len(), 2);
    let mut branches = Counter::default();
    for record in records {
        let values = |tag: &str| -> Vec<Vec<&str>> {
            let lines = record.lines().filter_map(|line| line.strip_prefix(tag));
            lines.map(|rest| rest.split(',').collect()).collect()
        };
        let one = |tag: &str| -> u64 { values(tag)[0][0].parse().expect("a number") };
        let taken = |value: &Vec<&str>| !["0", "-"].contains(&value[3]);
        let branch_lines = values("BRDA:");
        assert_eq!(one("BRF:"), branch_lines.len() as u64);
        assert_eq!(
            one("BRH:"),
            branch_lines.iter().filter(|known| taken(known)).count() as u64
        );
        assert_eq!(one("LF:"), values("DA:").len() as u64);
        let hit = values("DA:").iter().filter(|line| line[1] != "0").count();
        assert_eq!(one("LH:"), hit as u64);
        assert_eq!(one("FNF:"), values("FN:").len() as u64);
        branches.covered += one("BRH:");
        branches.missed += one("BRF:") - one("BRH:");
    }
    assert_eq!(branches, coverage.branches());
    assert!(text.contains("SF:src/trees/Tree.java\n"), "{text}");
    assert!(text.contains("BRDA:4,1,0,0\nBRDA:4,1,1,2\n"), "{text}");
    assert!(text.contains("BRDA:9,0,2,-\n"), "{text}");
    assert!(text.contains("FN:3,insert(I)V\n") && text.contains("FNDA:5,insert(I)V\n"));
}

const RULES: [Rule; 2] = [
    Rule {
        id: "fault",
        name: "Fault",
        description: "It fails",
    },
    Rule {
        id: "leak",
        name: "Leak",
        description: "It leaks",
    },
];

/// What section 3 of the standard requires, and what code hosts need to show a result.
#[test]
fn sarif_has_what_the_standard_requires() {
    let found = |rule: &str, file: Option<&str>, line, column| Found {
        is_note: false,
        rule: rule.to_owned(),
        message: HOSTILE.to_owned(),
        file: file.map(str::to_owned),
        line,
        column,
        method: "Tree#insert(int x)".to_owned(),
        test: "insert_fails".to_owned(),
        input: "x = 1".to_owned(),
    };
    let results = [
        found("leak", Some("src/My Tree$Node.java"), 3, 7),
        found("fault", Some("/home/x/A.java"), 3, 0),
        found("fault", Some("A.java"), 0, 0),
        found("other", None, 0, 0),
    ];
    let log: Json = serde_json::from_str(&sarif("1.2.3", &RULES, &results)).expect("JSON");
    assert_eq!(log["version"], "2.1.0");
    assert!(log["$schema"].is_string());
    let run = &log["runs"][0];
    let driver = &run["tool"]["driver"];
    assert_eq!(
        (&driver["name"], &driver["version"]),
        (&"Heapwright".into(), &"1.2.3".into())
    );
    for rule in driver["rules"].as_array().expect("rules") {
        assert!(rule["id"].is_string() && rule["shortDescription"]["text"].is_string());
    }
    let written = run["results"].as_array().expect("results");
    assert_eq!(written.len(), results.len());
    for (result, expected) in written.iter().zip(&results) {
        assert!(
            result["message"]["text"]
                .as_str()
                .is_some_and(|text| text.contains(HOSTILE))
        );
        assert_eq!(result["level"], "error");
        assert_eq!(result["ruleId"], expected.rule.as_str());
        if let Some(index) = result["ruleIndex"].as_u64() {
            assert_eq!(driver["rules"][index as usize]["id"], result["ruleId"]);
        }
        assert!(result["partialFingerprints"].is_object());
    }
    let place = |index: usize| &written[index]["locations"][0]["physicalLocation"];
    assert_eq!(
        place(0)["artifactLocation"]["uri"],
        "src/My%20Tree$Node.java"
    );
    assert_eq!(place(0)["region"]["startLine"], 3);
    assert_eq!(place(0)["region"]["startColumn"], 7);
    assert_eq!(place(1)["artifactLocation"]["uri"], "file:///home/x/A.java");
    assert!(place(1)["region"]["startColumn"].is_null());
    assert!(place(2)["region"].is_null());
    assert!(place(3).is_null());
    assert_eq!(written[0]["ruleIndex"], 1);
    assert!(written[3]["ruleIndex"].is_null());
}

#[test]
fn a_run_without_findings_is_a_log_without_results() {
    let log: Json = serde_json::from_str(&sarif("1", &RULES, &[])).expect("JSON");
    assert_eq!(log["runs"][0]["results"], Json::Array(Vec::new()));
    let nothing = Coverage::default();
    parse(&jacoco(&nothing));
    parse(&cobertura(&nothing));
    assert_eq!(lcov(&nothing), "TN:\n");
}
