//! C with everything that is not about C: reports, pictures, budgets, configuration, limits of the
//! processes that run tests.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use heapwright_sandbox::Sandbox;
use heapwright_testgen::temporary::Temporary;
use serde_json::Value as Json;

use crate::common::{Run, heapwright, root};

const LIST: &str = "examples/c/intrusive_list.c";

struct Folder(Temporary);

impl Folder {
    fn new(name: &str) -> Folder {
        let folder = Temporary::named(&std::env::temp_dir(), &format!("c-{name}"));
        fs::create_dir_all(folder.path()).expect("a folder");
        Folder(folder)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn text(&self, name: &str) -> String {
        self.path(name).display().to_string()
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).expect("a file")
    }

    fn write(&self, name: &str, text: &str) -> String {
        fs::write(self.path(name), text).expect("a file");
        self.text(name)
    }

    /// Everything that can be written, about a target.
    fn generate(&self, target: &str, more: &[&str]) -> Run {
        let names = [
            "report", "svg", "a.json", "a.info", "a.sarif", "a.xml", "out",
        ];
        let options = [
            "--report",
            "--svg",
            "--json",
            "--lcov",
            "--sarif",
            "--cobertura",
            "--out",
        ];
        let paths = names.map(|name| self.text(name));
        let mut words = vec!["generate", "-q", target];
        for (option, path) in options.iter().zip(&paths) {
            words.extend([option, path.as_str()]);
        }
        words.extend(more);
        heapwright(&words)
    }
}

#[test]
fn all_reports_of_a_c_file_have_the_figures_of_the_engine() {
    let folder = Folder::new("reports");
    let run = folder.generate(LIST, &[]);
    assert_eq!(run.code, 0, "{}{}", run.stdout, run.stderr);
    let json: Json = serde_json::from_str(&folder.read("a.json")).expect("JSON");
    let branches = json["procedures"].as_array().expect("procedures").iter();
    let branches: usize = branches
        .map(|known| known["branches"].as_array().map_or(0, Vec::len))
        .sum();
    assert_eq!(branches, 8);
    let lcov = folder.read("a.info");
    assert!(lcov.contains("SF:examples/c/intrusive_list.c"), "{lcov}");
    assert!(lcov.contains("\nFN:18,count_above\n"), "{lcov}");
    assert!(lcov.contains("\nBRF:8\nBRH:8\n"), "{lcov}");
    let cobertura = folder.read("a.xml");
    assert!(cobertura.contains("branches-covered=\"8\" branches-valid=\"8\""));
    let page = folder.read("report/index.html");
    for shown in [
        "6 tests for 3 functions.",
        "Search functions and tests",
        "struct item *item = container_of(p, struct item, link);",
        "struct item *item1 = calloc(1, sizeof *item1);",
    ] {
        assert!(page.contains(shown), "{shown}");
    }
    let sarif: Json = serde_json::from_str(&folder.read("a.sarif")).expect("JSON");
    assert_eq!(sarif["runs"][0]["results"], serde_json::json!([]));
}

#[test]
fn a_finding_in_c_has_its_place() {
    let folder = Folder::new("sarif");
    let run = folder.generate("examples/c/tutorial/stock.c#discard", &[]);
    assert_eq!(run.code, 4, "{}{}", run.stdout, run.stderr);
    let sarif: Json = serde_json::from_str(&folder.read("a.sarif")).expect("JSON");
    let results = sarif["runs"][0]["results"].as_array().expect("results");
    let lines = results.iter().map(|result| {
        let place = &result["locations"][0]["physicalLocation"];
        let file = place["artifactLocation"]["uri"].as_str().expect("a file");
        assert!(file.ends_with("stock.c"), "{file}");
        place["region"]["startLine"].as_u64().expect("a line")
    });
    let lines: Vec<u64> = lines.collect();
    assert!(lines.contains(&25) && lines.contains(&27), "{lines:?}");
}

#[test]
fn structs_are_drawn_and_written_inside_of_structs() {
    let folder = Folder::new("pictures");
    let run = heapwright(&["generate", LIST, "--svg", &folder.text("svg")]);
    assert_eq!(run.code, 0, "{}{}", run.stdout, run.stderr);
    assert!(!run.stdout.contains("outer"), "{}", run.stdout);
    let lines = run.stdout.lines().collect::<Vec<_>>().join(" ");
    assert!(lines.contains("head = #1:list_head(&#"), "{lines}");
    assert!(lines.contains(".link"), "{lines}");
    let pictures = fs::read_dir(folder.path("svg"))
        .expect("pictures")
        .flatten();
    let mut inside = 0;
    for picture in pictures {
        let text = fs::read_to_string(picture.path()).expect("a picture");
        assert!(!text.contains(">outer<"), "{text}");
        inside += usize::from(text.contains("link.next") && text.contains("&amp;link"));
    }
    assert!(inside >= 3, "{inside} pictures");
}

#[test]
fn the_number_of_jobs_changes_nothing_for_c() {
    let mut all = Vec::new();
    for jobs in ["1", "2", "4"] {
        let folder = Folder::new(&format!("jobs-{jobs}"));
        let words = ["--jobs", jobs, "--no-spec"];
        let target = "subjects/c/doubly_list.c";
        let run = folder.generate(target, &words);
        let names = [
            "a.json",
            "a.info",
            "a.sarif",
            "report/index.html",
            "out/doubly_list_test.c",
        ];
        let texts: Vec<String> = names.iter().map(|name| folder.read(name)).collect();
        all.push((run.code, texts));
    }
    assert!(all.iter().all(|other| *other == all[0]), "outputs differ");
}

#[test]
fn a_configuration_file_names_c_targets() {
    let folder = Folder::new("configured");
    folder.write("f.c", "int f(int a) { if (a > 3) return 1; return 0; }\n");
    folder.write(
        "heapwright.toml",
        "targets = ['f.c']\nout = 'tests'\nlcov = 'a.info'\nquiet = true\n",
    );
    let output = Command::new(env!("CARGO_BIN_EXE_heapwright"))
        .arg("generate")
        .current_dir(folder.0.path())
        .stdin(Stdio::null())
        .output()
        .expect("the binary starts");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert!(folder.read("tests/f_test.c").contains("f(4)"));
    assert!(folder.read("a.info").contains("BRH:2"));
}

/// A function whose paths have no end.
const ENDLESS: &str = "struct node { int value; struct node *next; };\n\
    int sum(struct node *p) { int s = 0; while (p) { if (p->value % 7 == s % 5) s++; p = p->next; } \
    return s; }\n";

const UNBOUNDED: [&str; 10] = [
    "--max-paths",
    "1000000000",
    "--patience",
    "1000000000",
    "--max-objects",
    "1000",
    "--max-loops",
    "100000",
    "--keep",
    "all",
];

#[test]
fn budgets_and_interruptions_end_a_search_in_c() {
    let folder = Folder::new("budgets");
    let file = folder.write("endless.c", ENDLESS);
    let words = [&["generate", "-q", &file, "--time", "1"][..], &UNBOUNDED].concat();
    let begin = Instant::now();
    let run = heapwright(&words);
    assert!(
        [0, 3, 4].contains(&run.code),
        "{}{}",
        run.stdout,
        run.stderr
    );
    assert!(begin.elapsed() < Duration::from_secs(30));
    let words = [&["generate", "-q", &file, "--time", "0"][..], &UNBOUNDED].concat();
    let mut child = Command::new(env!("CARGO_BIN_EXE_heapwright"))
        .args(words)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    std::thread::sleep(Duration::from_secs(2));
    let pid = child.id().to_string();
    let sent = Command::new("kill").args(["-s", "INT", &pid]).status();
    assert!(sent.expect("kill starts").success());
    let begin = Instant::now();
    while child.try_wait().expect("a process").is_none() {
        if begin.elapsed() > Duration::from_secs(30) {
            let _ = child.kill();
            panic!("the search goes on after an interruption");
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    let output = child.wait_with_output().expect("an end");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("branches covered"), "{text}");
}

/// A file whose tests do something else before they begin.
fn doing(before: &str) -> String {
    format!(
        "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n\
         int f(int a) {{ if (a > 3) return 1; return 0; }}\n\
         __attribute__((constructor)) static void before(void) {{ {before} }}\n"
    )
}

fn verify(folder: &Folder, before: &str, more: &[&str]) -> Run {
    let file = folder.write("f.c", &doing(before));
    let target = format!("{file}#f");
    let out = folder.text("tests");
    heapwright(
        &[
            &["generate", "-q", &target, "--out", &out, "--verify"],
            more,
        ]
        .concat(),
    )
}

#[test]
fn processes_of_c_tests_end_in_time_and_have_no_more_memory_than_they_may() {
    let folder = Folder::new("limits");
    let run = verify(&folder, "", &[]);
    assert_eq!(run.code, 0, "{}{}", run.stdout, run.stderr);
    let begin = Instant::now();
    let run = verify(&folder, "for (;;) { }", &["--verify-time", "1"]);
    assert_ne!(run.code, 0, "{}{}", run.stdout, run.stderr);
    assert!(begin.elapsed() < Duration::from_secs(60));
    // A hundred megabytes are enough for this, and ten times as much are not.
    let take = |megabytes: &str| {
        format!(
            "size_t n = {megabytes}ul << 20; char *p = malloc(n); if (!p) abort(); memset(p, 1, n); free(p);"
        )
    };
    let run = verify(&folder, &take("50"), &["--verify-memory", "300"]);
    assert_eq!(run.code, 0, "{}{}", run.stdout, run.stderr);
    let run = verify(&folder, &take("1000"), &["--verify-memory", "300"]);
    assert_ne!(run.code, 0, "{}{}", run.stdout, run.stderr);
}

#[test]
fn c_tests_do_no_harm_in_the_sandbox() {
    if let Err(error) = Sandbox::find() {
        eprintln!("skipped, there is no sandbox here: {error}");
        return;
    }
    let folder = Folder::new("sandbox");
    let outside = root().join("target-of-a-test");
    let written = Path::new(&outside);
    let write = format!(
        "FILE *f = fopen(\"{}\", \"w\"); if (f) fclose(f); if (getenv(\"CARGO_MANIFEST_DIR\")) abort();",
        outside.display()
    );
    let run = verify(&folder, &write, &["--sandbox"]);
    let is_there = written.exists();
    let _ = fs::remove_file(written);
    assert_eq!(run.code, 0, "{}{}", run.stdout, run.stderr);
    assert!(!is_there, "a test wrote outside of the sandbox");
    assert!(
        run.stdout.contains("branch coverage by llvm-cov: 2 of 2"),
        "{}",
        run.stdout
    );
}
