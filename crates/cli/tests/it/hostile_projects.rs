//! Repositories of other people: their configuration runs nothing, and writes nothing outside; what
//! lies outside is named before it is read, and never quoted.

#![cfg(unix)]

use crate::common::javac;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::PathBuf;
use std::process::{Command, Output};
use std::time::{Duration, Instant};

use heapwright_java::classpath::JdkSearch;
use heapwright_sandbox::Sandbox;

/// A program that can be tested, and the beginning of every configuration.
const PROGRAM: &str = "proc f(int n) returns int { if (n > 0) { return 1 } else { return 0 } }";
const TARGETS: &str = "targets = 'a.impl'\n";

/// What must never be shown.
const SECRET: &str = "hunter2:x:0:0";

/// A project, with a folder outside of it that is not its business, and a home.
struct Setting(PathBuf);

impl Setting {
    fn new(name: &str, configuration: &str) -> Setting {
        let folder = format!("heapwright-hostile-project-{name}-{}", std::process::id());
        let setting = Setting(std::env::temp_dir().join(folder));
        for folder in ["project/.git", "project/sub", "outside", "home"] {
            fs::create_dir_all(setting.0.join(folder)).expect("a folder");
        }
        setting.put("project/a.impl", PROGRAM);
        setting.put("project/heapwright.toml", configuration);
        setting.put("outside/secret", &format!("{SECRET}\n"));
        setting
    }

    fn put(&self, file: &str, text: &str) {
        fs::write(self.0.join(file), text).expect("a file");
    }

    fn link(&self, from: &str, to: &str) {
        symlink(self.0.join(to), self.0.join(from)).expect("a link");
    }

    fn run(&self, folder: &str, words: &[&str]) -> Output {
        let begun = Instant::now();
        let output = Command::new(env!("CARGO_BIN_EXE_heapwright"))
            .args(words)
            .current_dir(self.0.join(folder))
            .env("HOME", self.0.join("home"))
            .env_remove("XDG_CONFIG_HOME")
            .env("XDG_CACHE_HOME", cache())
            .output()
            .expect("the binary starts");
        let said = said(&output);
        assert!(!said.contains("hunter2"), "a secret is quoted: {said}");
        assert!(begun.elapsed() < Duration::from_secs(60), "{said}");
        output
    }

    fn generate(&self, words: &[&str]) -> Output {
        let words: Vec<&str> = ["generate"].iter().chain(words).copied().collect();
        self.run("project", &words)
    }

    /// The run fails with these words, and writes nothing outside.
    fn refuses(&self, words: &[&str], reason: &str) {
        let output = self.generate(words);
        let said = said(&output);
        assert_eq!(output.status.code(), Some(1), "{said}");
        assert!(said.contains(reason), "{said}");
        self.assert_untouched();
    }

    fn assert_untouched(&self) {
        let entries = |folder: &str| {
            let entries = fs::read_dir(self.0.join(folder)).expect("a folder");
            let names = entries.map(|entry| entry.expect("an entry").file_name());
            let mut names: Vec<_> = names.collect();
            names.sort();
            names
        };
        assert_eq!(entries("outside"), ["secret"]);
        assert_eq!(entries(""), ["home", "outside", "project"]);
        assert!(entries("project/.git").is_empty());
        let secret = fs::read_to_string(self.0.join("outside/secret")).expect("a file");
        assert_eq!(secret, format!("{SECRET}\n"));
    }
}

impl Drop for Setting {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Where JUnit and JaCoCo are, whatever the home is.
fn cache() -> PathBuf {
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    let home = || PathBuf::from(set("HOME").unwrap_or_default()).join(".cache");
    set("XDG_CACHE_HOME").map_or_else(home, PathBuf::from)
}

fn said(output: &Output) -> String {
    let mut said = String::from_utf8_lossy(&output.stdout).into_owned();
    said.push_str(&String::from_utf8_lossy(&output.stderr));
    said
}

fn errors(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn keys_that_run_something_are_ignored_with_a_line_each() {
    // A JDK whose programs leave a mark when they are run.
    let configuration = format!(
        "{TARGETS}verify = true\njdk = 'jdk'\ntools = 'tools'\nsandbox = false\nverify-time = 0\n"
    );
    let setting = Setting::new("running", &configuration);
    let output = setting.generate(&[]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    let errors = errors(&output);
    for (line, key) in [
        (2, "verify"),
        (3, "jdk"),
        (4, "tools"),
        (5, "sandbox"),
        (6, "verify-time"),
    ] {
        let expected = format!("heapwright.toml:{line}: `{key}` is ignored here");
        assert!(errors.contains(&expected), "{errors}");
    }
    assert_eq!(errors.lines().count(), 5, "{errors}");
    let own = setting.0.join("home/.config/heapwright/config.toml");
    assert!(errors.contains(&own.display().to_string()), "{errors}");
}

#[test]
fn outputs_do_not_leave_the_project() {
    let setting = Setting::new("outputs", "");
    setting.link("project/away", "outside");
    setting.link("project/file", "outside/secret");
    setting.link("project/dangling", "outside/new");
    for key in [
        "out",
        "json",
        "svg",
        "dot",
        "report",
        "jacoco",
        "cobertura",
        "lcov",
        "sarif",
    ] {
        let absolute = setting.0.join("outside/x").display().to_string();
        for path in [
            "../outside/x",
            &absolute,
            "away/x",
            "away",
            "file",
            "dangling",
            "sub/../../outside/x",
            ".git/hooks",
        ] {
            setting.put(
                "project/heapwright.toml",
                &format!("{TARGETS}{key} = '{path}'\n"),
            );
            setting.refuses(&[], "heapwright.toml:2: ");
        }
    }
    // What the user types may lead anywhere.
    setting.put(
        "project/heapwright.toml",
        &format!("{TARGETS}json = '../outside/x'\n"),
    );
    let typed = setting.0.join("typed.json");
    let output = setting.generate(&["--json", &typed.display().to_string()]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    assert!(typed.is_file());
}

/// Links that lie in the folders for outputs, where files get their names from the code.
#[test]
fn links_below_an_output_are_not_followed() {
    let configuration = format!("{TARGETS}out = 'made'\nsvg = 'drawn'\nreport = 'page'\n");
    let setting = Setting::new("below", &configuration);
    let output = setting.generate(&["--json", "names.json"]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    let made = |folder: &str| -> Vec<PathBuf> {
        let entries = fs::read_dir(setting.0.join("project").join(folder)).expect("a folder");
        entries
            .map(|entry| entry.expect("an entry").path())
            .collect()
    };
    for folder in ["made", "drawn", "page"] {
        for file in made(folder) {
            fs::remove_file(&file).expect("a file");
            symlink(setting.0.join("outside/secret"), &file).expect("a link");
        }
        setting.refuses(&[], "");
        for words in [["--out", "made"], ["--svg", "drawn"], ["--report", "page"]] {
            if words[1] == folder {
                setting.refuses(&["a.impl", words[0], words[1]], "");
            }
        }
        fs::remove_dir_all(setting.0.join("project").join(folder)).expect("a folder");
    }
}

#[test]
fn inputs_outside_are_named_and_not_quoted() {
    let setting = Setting::new("inputs", "");
    let rule = "outside of the project";
    setting.put("outside/good.sl", "pre f(n) := n > 0;\n");
    setting.put("outside/bad.sl", &format!("{SECRET}\n"));
    setting.put(
        "project/heapwright.toml",
        &format!("{TARGETS}spec = '../outside/good.sl'\n"),
    );
    let output = setting.generate(&[]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    let named = "heapwright.toml:2: ../outside/good.sl is read, which is outside of the project";
    assert!(errors(&output).contains(named), "{}", said(&output));
    setting.put(
        "project/heapwright.toml",
        &format!("{TARGETS}spec = '../outside/bad.sl'\n"),
    );
    let output = setting.generate(&[]);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        errors(&output).contains("nothing of it is shown"),
        "{}",
        said(&output)
    );
    // The same by an import, with a configuration and without.
    setting.put(
        "project/heapwright.toml",
        &format!("{TARGETS}spec = 'b.sl'\n"),
    );
    for path in [
        "../outside/secret",
        &setting.0.join("outside/secret").display().to_string(),
    ] {
        setting.put("project/b.sl", &format!("import \"{path}\";\n"));
        for words in [
            &["generate"][..],
            &["check", "b.sl"],
            &["generate", "a.impl", "--spec", "b.sl"],
        ] {
            let output = setting.run("project", words);
            assert_ne!(output.status.code(), Some(0), "{}", said(&output));
            assert!(
                errors(&output).contains(rule),
                "{words:?}: {}",
                said(&output)
            );
        }
    }
    // Links: the program itself, its specification, and the one that is found beside.
    setting.link("project/link.impl", "outside/secret");
    setting.link("project/link.sl", "outside/secret");
    for (key, value) in [("targets", "link.impl"), ("spec", "link.sl")] {
        let targets = if key == "spec" { TARGETS } else { "" };
        setting.put(
            "project/heapwright.toml",
            &format!("{targets}{key} = '{value}'\n"),
        );
        let output = setting.generate(&[]);
        assert_eq!(output.status.code(), Some(1), "{}", said(&output));
        assert!(
            errors(&output).contains("a link that leads out"),
            "{}",
            said(&output)
        );
    }
    for words in [
        &["generate", "link.impl"][..],
        &["run", "link.impl"],
        &["check", "link.sl"],
    ] {
        let output = setting.run("project", words);
        assert_ne!(output.status.code(), Some(0), "{}", said(&output));
    }
    fs::rename(
        setting.0.join("project/link.sl"),
        setting.0.join("project/a.sl"),
    )
    .expect("a file");
    let output = setting.generate(&["a.impl"]);
    assert!(
        errors(&output).contains("leads out of the project"),
        "{}",
        said(&output)
    );
}

#[test]
fn pipes_devices_and_large_files_are_not_read() {
    let setting = Setting::new("pipes", "");
    let pipe = setting.0.join("project/pipe.sl");
    let made = Command::new("mkfifo").arg(&pipe).status();
    assert!(made.expect("mkfifo starts").success());
    let large = fs::File::create(setting.0.join("project/large.sl")).expect("a file");
    large.set_len(1 << 40).expect("a size");
    for path in ["/dev/zero", "pipe.sl", "large.sl"] {
        setting.put("project/b.sl", &format!("import \"{path}\";\n"));
        setting.refuses(&["a.impl", "--spec", "b.sl"], "cannot import");
        for key in ["spec", "specs", "classpath", "sources"] {
            if path == "large.sl" && key != "spec" {
                continue;
            }
            setting.put(
                "project/heapwright.toml",
                &format!("targets = 'p.C'\n{key} = '{path}'\n"),
            );
            let output = setting.generate(&[]);
            assert_eq!(
                output.status.code(),
                Some(1),
                "{key} {path}: {}",
                said(&output)
            );
        }
    }
    for program in ["/dev/zero.impl", "/proc/self/mem.impl"] {
        setting.put(
            "project/heapwright.toml",
            &format!("targets = '{program}'\n"),
        );
        setting.refuses(&[], "cannot read");
    }
}

#[test]
fn a_configuration_above_is_named_and_a_linked_one_refused() {
    let setting = Setting::new("above", TARGETS);
    let output = setting.run("project/sub", &["generate"]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    assert!(
        errors(&output).contains("../heapwright.toml is used, from a folder above"),
        "{}",
        said(&output)
    );
    fs::remove_file(setting.0.join("project/heapwright.toml")).expect("a file");
    setting.link("project/heapwright.toml", "outside/secret");
    setting.refuses(
        &[],
        "heapwright.toml is a link that leads out of its folder",
    );
}

/// What the project's file may not say, the user's own may.
#[test]
fn the_users_own_configuration_counts_last() {
    let setting = Setting::new(
        "own",
        &format!("{TARGETS}json = 'made.json'\n[budgets]\nmax-paths = 7\n"),
    );
    fs::create_dir_all(setting.0.join("home/.config/heapwright")).expect("a folder");
    let own = "home/.config/heapwright/config.toml";
    setting.put(own, "max-paths = 3\nmax-loops = 5\nverify = true\n");
    let output = setting.generate(&["--max-loops", "6"]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    let json = fs::read_to_string(setting.0.join("project/made.json")).expect("a report");
    assert!(
        json.contains("\"max_paths\": 7") && json.contains("\"max_loops\": 6"),
        "{json}"
    );
    // It counts also where a target is named.
    let output = setting.generate(&["a.impl", "--json", "other.json"]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    let json = fs::read_to_string(setting.0.join("project/other.json")).expect("a report");
    assert!(
        json.contains("\"max_paths\": 3") && json.contains("\"max_loops\": 5"),
        "{json}"
    );
    setting.put(own, "targets = 'a.impl'\n");
    setting.refuses(
        &[],
        "config.toml:1: `targets` belongs into a project's heapwright.toml",
    );
    setting.put(own, "\nbugdets = 1\n");
    setting.refuses(&[], "config.toml:2: there is no key `bugdets`");
}

const CLASS: &str = "package p; public class C {
    public int f(int n) {
        if (n > 0) {
            return 1;
        }
        return 0;
    }
}";

/// What the sandbox keeps tests from is shown by the tests of the Java crate.
#[test]
fn tests_are_verified_in_the_sandbox() {
    if let Err(error) = Sandbox::find() {
        eprintln!("skipped, there is no sandbox here: {error}");
        return;
    }
    let setting = Setting::new("sandbox", "");
    setting.put("project/C.java", CLASS);
    let jdk = JdkSearch::from_environment(None).open();
    let jdk = jdk.expect("this test needs a JDK");
    let compiler = jdk.home().join("bin/javac");
    let classes = setting.0.join("project/classes");
    let source = setting.0.join("project/C.java");
    javac::compile(&compiler, &["-g", "--release", "17"], &classes, &[source]);
    let words = ["p.C#f", "-c", "classes", "--verify", "--sandbox"];
    for more in [
        &[][..],
        &["--out", "made"],
        &["--verify-memory", "128", "--verify-time", "99"],
    ] {
        let output = setting.generate(&[&words[..], more].concat());
        let said = said(&output);
        assert_eq!(output.status.code(), Some(0), "{said}");
        assert!(said.contains("2 of 2 tests passed"), "{said}");
    }
}

#[test]
fn a_missing_sandbox_is_an_error_that_says_what_to_install() {
    let setting = Setting::new("missing", "");
    fs::create_dir_all(setting.0.join("project/src/p")).expect("a folder");
    let jdk = JdkSearch::from_environment(None).open();
    let jdk = jdk.expect("this test needs a JDK");
    let output = Command::new(env!("CARGO_BIN_EXE_heapwright"))
        .args([
            "generate",
            "java.util.LinkedList#size",
            "--verify",
            "--sandbox",
            "--jdk",
        ])
        .arg(jdk.home())
        .current_dir(setting.0.join("project"))
        .env("PATH", "")
        .output()
        .expect("the binary starts");
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    assert!(errors(&output).contains("install it"), "{}", said(&output));
}
