//! The pages of the documentation as a whole, and the gallery of the site.

use std::process::Command;

use toml::de::DeTable;

use crate::common::javac;
use crate::common::{heapwright, root};
use heapwright_testgen::temporary::Temporary;

#[test]
fn links_lead_somewhere_and_the_table_of_contents_has_every_page() {
    let ended = Command::new("python3")
        .arg(root().join("scripts/docs.py"))
        .arg("--check")
        .output()
        .expect("python3 runs");
    let said = String::from_utf8_lossy(&ended.stdout);
    assert!(ended.status.success(), "{said}");
}

/// One structure of the gallery, as `scripts/docs.py` reads it.
struct Structure {
    folder: String,
    class: Option<String>,
    file: Option<String>,
    options: Vec<String>,
}

fn structures() -> Vec<Structure> {
    let file = root().join("examples/gallery/gallery.toml");
    let text = std::fs::read_to_string(file).expect("a list");
    let table = DeTable::parse(&text).expect("a list");
    let listed = table.get_ref().get("structure").expect("structures");
    let listed = listed.get_ref().as_array().expect("an array");
    let read = listed.iter().map(|structure| {
        let structure = structure.get_ref();
        let text = |key: &str| Some(structure.get(key)?.get_ref().as_str()?.to_owned());
        let options = structure.get("options");
        let options = options.and_then(|options| options.get_ref().as_array());
        let options = options.into_iter().flatten();
        Structure {
            folder: text("folder").expect("a folder"),
            class: text("class"),
            file: text("file"),
            options: (options.filter_map(|word| word.get_ref().as_str()))
                .map(str::to_owned)
                .collect(),
        }
    });
    read.collect()
}

/// Every structure gets tests that pass and take every branch that can be taken, and nothing is
/// found to be wrong: the postconditions hold.
#[test]
fn the_gallery_has_ten_structures_with_verified_tests() {
    let structures = structures();
    assert_eq!(structures.len(), 10);
    for structure in structures {
        let folder = root().join("examples/gallery").join(&structure.folder);
        let name = format!("gallery-{}", structure.folder);
        let work = Temporary::named(&std::env::temp_dir(), &name);
        let classes = work.path().join("classes");
        let mut words = vec!["generate".to_owned()];
        let source = match (&structure.class, &structure.file) {
            (Some(class), _) => {
                let source = folder.join(format!("{class}.java"));
                std::fs::create_dir_all(&classes).expect("a folder");
                javac::compile(&javac::usual(), &["-g"], &classes, &[&source]);
                words.extend([
                    class.clone(),
                    "-c".to_owned(),
                    classes.display().to_string(),
                ]);
                source
            }
            (None, Some(file)) => {
                words.push(folder.join(file).display().to_string());
                folder.join(file)
            }
            (None, None) => panic!("{}: neither class nor file", structure.folder),
        };
        let specification = source.with_extension("sl");
        if specification.exists() {
            words.extend(["--spec".to_owned(), specification.display().to_string()]);
        }
        words.extend(structure.options);
        let json = work.path().join("report.json");
        std::fs::create_dir_all(work.path()).expect("a folder");
        words.push("--verify".to_owned());
        words.extend(["--json".to_owned(), json.display().to_string()]);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let run = heapwright(&words);
        let shown = format!("{}\n{}{}", structure.folder, run.stdout, run.stderr);
        assert_eq!(run.code, 0, "{shown}");
        assert_eq!(open_branches(&json), Vec::<String>::new(), "{shown}");
    }
}

/// The branches that tests of no method take, and that are not ruled out for any.
fn open_branches(report: &std::path::Path) -> Vec<String> {
    let text = std::fs::read_to_string(report).expect("a report");
    let document: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let mut decided = std::collections::BTreeMap::new();
    let procedures = document["procedures"].as_array().into_iter().flatten();
    for branch in procedures.flat_map(|one| one["branches"].as_array().into_iter().flatten()) {
        let key = format!("{}:{} {}", branch["file"], branch["line"], branch["words"]);
        let is_decided = branch["status"] == "covered" || branch["status"] == "infeasible";
        *decided.entry(key).or_insert(false) |= is_decided;
    }
    let open = decided.into_iter().filter(|(_, is_decided)| !is_decided);
    open.map(|(key, _)| key).collect()
}
