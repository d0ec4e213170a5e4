//! The specifications in `subjects/jdk` against the JDK that is installed: what the engine covers,
//! and that the tests that are written pass on the virtual machine.

use crate::common::{heapwright, root};
use serde_json::Value as Json;

/// The report on the methods that a target means.
fn generate(target: &str, specification: &str, options: &[&str]) -> Vec<Json> {
    let mut arguments = vec!["generate", target, "--spec", specification, "--json", "-"];
    arguments.extend(options);
    let run = heapwright(&arguments);
    assert_eq!(run.code, 0, "{target}: {}{}", run.stdout, run.stderr);
    let report: Json = serde_json::from_str(&run.stdout).expect("JSON");
    let methods = report["procedures"].as_array().expect("a list");
    assert!(!methods.is_empty(), "{target} has no methods");
    methods.clone()
}

/// The branches of a method that no test takes.
fn uncovered(method: &Json) -> Vec<&Json> {
    let branches = method["branches"].as_array().expect("a list");
    let open = branches
        .iter()
        .filter(|branch| branch["status"] != "covered");
    open.collect()
}

#[test]
fn every_branch_of_linked_list_is_covered() {
    let targets = ["java.util.LinkedList", "java.util.LinkedList$ListItr"];
    for (target, count) in targets.into_iter().zip([45, 10]) {
        let specification = "subjects/jdk/LinkedList.sl";
        let methods = generate(target, specification, &["--specified"]);
        assert_eq!(methods.len(), count, "{target}");
        for method in methods {
            let open = uncovered(&method);
            assert!(open.is_empty(), "{}: {open:?}", method["procedure"]);
        }
    }
}

#[test]
fn the_steps_of_tree_map_are_covered() {
    let specification = "subjects/jdk/TreeMap.sl";
    for name in [
        "rotateLeft",
        "rotateRight",
        "successor",
        "predecessor",
        "getCeilingEntry",
        "getLowerEntry",
        "lastKey",
    ] {
        let methods = generate(&format!("java.util.TreeMap#{name}"), specification, &[]);
        let open: Vec<&Json> = methods.iter().flat_map(uncovered).collect();
        assert!(open.is_empty(), "{name}: {open:?}");
    }
}

#[test]
fn get_of_tree_map_leaves_out_only_what_is_proved_infeasible() {
    let methods = generate("java.util.TreeMap#get", "subjects/jdk/TreeMap.sl", &[]);
    let [method] = methods.as_slice() else {
        panic!("one method is called get");
    };
    // `getEntry` calls it for maps with a comparator only.
    let [branch] = uncovered(method)[..] else {
        panic!("{:?}", uncovered(method));
    };
    assert_eq!(branch["status"], "infeasible");
    let procedure = branch["procedure"].as_str().expect("a name");
    assert!(
        procedure.contains("#getEntryUsingComparator("),
        "{procedure}"
    );
}

#[test]
fn tests_of_a_private_method_pass_on_the_virtual_machine() {
    let folder = std::env::temp_dir().join(format!("heapwright-jdk-{}", std::process::id()));
    let out = folder.to_str().expect("a name");
    let run = heapwright(&[
        "generate",
        "java.util.TreeMap#rotateLeft",
        "--spec",
        "subjects/jdk/TreeMap.sl",
        "--out",
        out,
        "--verify",
    ]);
    let file = folder.join("tests/java/util/TreeMap_rotateLeftTest.java");
    let text = std::fs::read_to_string(file).unwrap_or_default();
    let _ = std::fs::remove_dir_all(&folder);
    assert_eq!(run.code, 0, "{}{}", run.stdout, run.stderr);
    assert!(
        run.stdout.contains(": 4 of 4 tests passed"),
        "{}",
        run.stdout
    );
    assert!(!run.stdout.contains("they differ"), "{}", run.stdout);
    assert!(
        text.contains("--add-opens=java.base/java.util=ALL-UNNAMED"),
        "{text}"
    );
}

#[test]
fn the_table_names_every_specified_method() {
    let readme = std::fs::read_to_string(root().join("subjects/jdk/README.md")).expect("a file");
    for specification in ["TreeMap", "LinkedList"] {
        let file = root().join(format!("subjects/jdk/{specification}.sl"));
        let text = std::fs::read_to_string(file).expect("a file");
        let contracts = text.lines().filter_map(|line| line.strip_prefix("pre  "));
        for contract in contracts {
            let target = contract.split('(').next().unwrap_or(contract);
            let name = target.rsplit('#').next().unwrap_or(target);
            let listed =
                readme.contains(&format!("`{name}(")) || readme.contains(&format!("`{name}`"));
            assert!(listed, "{target}");
        }
    }
}

/// A specification that leaves values open does not describe the objects that tests put there so that
/// values differ; a call that leaves them alone breaks nothing.
#[test]
fn values_that_a_specification_leaves_open_are_no_findings() {
    let target = "java.util.TreeMap#put(Object,Object)";
    let options = ["--max-objects", "6"];
    let methods = generate(target, "subjects/jdk/TreeMap.sl", &options);
    let covered = |method: &Json| {
        let branches = method["branches"].as_array().expect("a list");
        branches.len() - uncovered(method).len()
    };
    assert!(
        methods.iter().map(covered).sum::<usize>() >= 50,
        "{methods:?}"
    );
}
