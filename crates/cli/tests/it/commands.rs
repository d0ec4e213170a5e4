//! What transcripts cannot show: output with times in it, pipes that break.

use std::io::Read;
use std::process::{Command, Stdio};

use crate::common::{heapwright, root};

#[test]
fn the_competition_benchmark_compares_with_the_status_and_with_published_figures() {
    let run = heapwright(&["bench", "slcomp", "crates/cli/tests/data/slcomp", "--json"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let report: serde_json::Value = serde_json::from_str(&run.stdout).expect("JSON");
    let division = &report["divisions"][0];
    assert_eq!(division["division"], "qf_shls_sat");
    assert_eq!(division["instances"], 2);
    assert_eq!(division["solved"], 2);
    assert_eq!(division["wrong"], 0);
    let solvers = division["published"].as_array().expect("a list");
    assert_eq!(solvers.len(), 7);
    assert_eq!(solvers[0]["solver"], "Asterix");
    let answers: Vec<_> = (division["runs"].as_array().expect("a list").iter())
        .map(|run| run["answer"].as_str().expect("a word"))
        .collect();
    assert_eq!(answers, ["sat", "unsat"]);
}

#[test]
fn a_wrong_answer_of_the_benchmark_has_its_own_exit_code() {
    let run = heapwright(&["bench", "slcomp", "crates/cli/tests/data/wrong"]);
    assert_eq!(run.code, 4, "{}{}", run.stdout, run.stderr);
    assert!(
        run.stdout.contains("wrong.smt2: sat, expected unsat"),
        "{}",
        run.stdout
    );
}

#[test]
fn a_broken_pipe_is_no_error() {
    // Output far longer than a pipe holds, of which nobody reads more than the first bytes.
    let target = "search_tree#search_tree";
    let mut child = Command::new(env!("CARGO_BIN_EXE_heapwright"))
        .args(["enumerate", target, "--size", "8"])
        .current_dir(root())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    let mut stdout = child.stdout.take().expect("a pipe");
    let mut first = [0; 4];
    stdout.read_exact(&mut first).expect("some output");
    drop(stdout);
    let output = child.wait_with_output().expect("the binary ends");
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

#[test]
fn what_enumerate_writes_check_accepts() {
    let folder = std::env::temp_dir().join(format!("heapwright-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let models = folder.join("models.json");
    let path = models.to_str().expect("a name");
    let target = "avl_tree#stored_avl_tree(x, lo, hi, h)";
    let run = heapwright(&["enumerate", target, "--size", "5", "--json", path]);
    assert_eq!(
        (run.code, run.stdout.as_str()),
        (0, "6 models\n"),
        "{}",
        run.stderr
    );
    let text = std::fs::read_to_string(&models).expect("the models");
    let written: Vec<serde_json::Value> = serde_json::from_str(&text).expect("a JSON array");
    assert_eq!(written.len(), 6);
    let heap = folder.join("heap.json");
    for model in written {
        let check = |model: &serde_json::Value| {
            std::fs::write(&heap, model.to_string()).expect("a file");
            let path = heap.to_str().expect("a name");
            let goal = ["--pred", "stored_avl_tree", "x", "lo", "hi", "h"];
            let arguments = ["check", path, "--spec", "avl_tree"];
            heapwright(&[arguments.as_slice(), &goal].concat()).code
        };
        assert_eq!(check(&model), 0, "{model}");
        // A height that is wrong by one is noticed.
        let mut wrong = model.clone();
        let height = wrong["objects"]["#1"]["height"].as_i64().expect("a number");
        wrong["objects"]["#1"]["height"] = (height + 1).into();
        assert_eq!(check(&wrong), 4, "{wrong}");
    }
    std::fs::remove_dir_all(folder).expect("the folder can be removed");
}

#[test]
fn models_are_drawn_into_files() {
    let folder = std::env::temp_dir().join(format!("heapwright-pictures-{}", std::process::id()));
    let path = folder.to_str().expect("a name");
    let questions = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/questions.sl");
    let run = heapwright(&["solve", questions, "--svg", path, "--dot", path]);
    assert_eq!(
        (run.code, run.stdout.as_str()),
        (0, "sat\nunsat\nsat\nunsat\n")
    );
    let mut files: Vec<String> = (std::fs::read_dir(&folder).expect("the folder"))
        .map(|entry| {
            entry
                .expect("a file")
                .file_name()
                .to_string_lossy()
                .into_owned()
        })
        .collect();
    files.sort();
    let expected = [
        "01-two_values.dot",
        "01-two_values.svg",
        "03-three_nodes.dot",
        "03-three_nodes.svg",
    ];
    assert_eq!(files, expected);
    let picture = std::fs::read_to_string(folder.join(&files[3])).expect("a picture");
    assert!(
        picture.starts_with("<svg") && picture.contains("RbNode"),
        "{picture}"
    );
    std::fs::remove_dir_all(folder).expect("the folder can be removed");
}

#[test]
fn the_library_is_accepted_without_a_warning() {
    for entry in std::fs::read_dir(root().join("library")).expect("the folder exists") {
        let path = entry.expect("an entry").path();
        let name = path
            .file_stem()
            .expect("a name")
            .to_string_lossy()
            .into_owned();
        let run = heapwright(&["explain", &name]);
        assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{name}");
        // Every disjunct of every predicate has a model.
        assert!(!run.stdout.contains("no model"), "{name}:\n{}", run.stdout);
        assert!(!run.stdout.contains("no heap satisfies it"), "{name}");
    }
}
