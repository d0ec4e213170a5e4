//! `heapwright.toml`: `heapwright generate` alone does what it says.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Where examples are.
const EXAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples");

/// A project in a folder that is removed at the end.
struct Project(PathBuf);

impl Project {
    fn new(name: &str, configuration: &str) -> Project {
        let folder = format!("heapwright-project-{name}-{}", std::process::id());
        let folder = std::env::temp_dir().join(folder);
        fs::create_dir_all(folder.join("deep/er")).expect("a temporary folder");
        for file in ["list.impl", "list.sl"] {
            let example = Path::new(EXAMPLES).join("impl").join(file);
            fs::copy(example, folder.join(file)).expect("an example");
        }
        fs::write(folder.join("heapwright.toml"), configuration).expect("a configuration");
        Project(folder)
    }

    /// Runs `generate` in a folder of the project.
    fn generate(&self, folder: &str, words: &[&str]) -> Output {
        Command::new(env!("CARGO_BIN_EXE_heapwright"))
            .arg("generate")
            .args(words)
            .current_dir(self.0.join(folder))
            .env("XDG_CONFIG_HOME", self.0.join("own"))
            .output()
            .expect("the binary starts")
    }

    fn has(&self, file: &str) -> bool {
        self.0.join(file).exists()
    }
}

impl Drop for Project {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn the_file_is_found_here_and_above() {
    let configuration = "targets = 'list.impl#append'\nout = 'made'\njson = 'made.json'\n\
                         [budgets]\nmax-paths = 3\n";
    for folder in ["", "deep/er"] {
        let project = Project::new(&folder.replace('/', "-"), configuration);
        let output = project.generate(folder, &[]);
        assert!(output.status.success(), "{}", text(&output.stderr));
        assert!(project.has("made") && project.has("made.json"), "{folder}");
        let json = fs::read_to_string(project.0.join("made.json")).expect("a report");
        assert!(json.contains("\"max_paths\": 3"), "{json}");
    }
}

#[test]
fn the_command_line_wins() {
    let project = Project::new(
        "wins",
        "targets = 'list.impl'\nout = 'made'\nverbose = true\n",
    );
    let output = project.generate("", &["--out", "mine", "-q"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(project.has("mine") && !project.has("made"));
}

#[test]
fn mistakes_are_shown_with_their_lines() {
    let project = Project::new("mistakes", "targets = 'list.impl'\n\nbugdets = 3\n");
    let output = project.generate("deep", &[]);
    assert_eq!(output.status.code(), Some(1));
    let expected = "../heapwright.toml is used, from a folder above\n\
                    ../heapwright.toml:3: there is no key `bugdets`; did you mean `budgets`?\n";
    assert_eq!(text(&output.stderr), expected);
}

#[test]
fn without_a_file_a_target_is_asked_for() {
    let project = Project::new("none", "");
    fs::remove_file(project.0.join("heapwright.toml")).expect("the file is there");
    let output = project.generate("", &[]);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        text(&output.stderr).contains("no target given"),
        "{}",
        text(&output.stderr)
    );
}
