//! `setup`, with a Maven that writes what it is told to; `make test-dist` and people use a real one.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use heapwright_java::verify::{JACOCO, JUNIT};

struct Home(PathBuf);

impl Home {
    fn new(name: &str) -> Home {
        let folder = format!("heapwright-setup-{name}-{}", std::process::id());
        let folder = std::env::temp_dir().join(folder);
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(folder.join("bin")).expect("a folder");
        Home(folder)
    }

    /// A program `mvn` that notes its arguments.
    fn with_maven(self, script: &str) -> Home {
        let file = self.0.join("bin/mvn");
        let script = format!(
            "#!/bin/sh\necho \"$@\" >>\"{}/asked\"\n{script}",
            self.0.display()
        );
        fs::write(&file, script).expect("a file");
        fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).expect("a program");
        self
    }

    /// Java is where it is; Maven only where the test has put it.
    fn setup(&self, options: &[&str]) -> Output {
        let jdk = heapwright_java::classpath::JdkSearch::from_environment(None).open();
        let jdk = jdk.expect("this test needs a JDK").home().to_owned();
        Command::new(env!("CARGO_BIN_EXE_heapwright"))
            .arg("setup")
            .args(options)
            .env_clear()
            .env("HOME", &self.0)
            .env("JAVA_HOME", jdk)
            .env("PATH", self.0.join("bin"))
            .output()
            .expect("the binary starts")
    }

    fn tools(&self) -> PathBuf {
        self.0.join(".cache/heapwright/jvm")
    }
}

impl Drop for Home {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn text(output: &Output) -> (i32, String) {
    let both = [output.stdout.as_slice(), &output.stderr].concat();
    (
        output.status.code().unwrap_or(-1),
        String::from_utf8(both).expect("text"),
    )
}

fn touch(path: &Path) {
    fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
    fs::write(path, "").expect("a file");
}

#[test]
fn what_is_missing_is_fetched_once() {
    let fetch = format!(
        "for word; do case $word in -DoutputDirectory=*) to=${{word#*=}};; esac; done\n\
         /bin/mkdir -p \"$to\"; : >\"$to/{}\"; : >\"$to/{}\"\n",
        JUNIT.file, JACOCO.file
    );
    let home = Home::new("fetch").with_maven(&fetch);
    let (code, said) = text(&home.setup(&["--check"]));
    assert_eq!(code, 3, "{said}");
    assert!(
        said.contains("missing: `heapwright setup` fetches it"),
        "{said}"
    );
    assert!(!home.0.join("asked").exists(), "nobody asked for it");
    let (code, said) = text(&home.setup(&[]));
    assert_eq!(code, 0, "{said}");
    assert!(said.contains("Ready for"), "{said}");
    let (code, _) = text(&home.setup(&[]));
    assert_eq!(code, 0);
    let asked = fs::read_to_string(home.0.join("asked")).expect("Maven was asked");
    assert_eq!(asked.lines().count(), 1, "{asked}");
    let mut left: Vec<String> = (fs::read_dir(home.tools()).expect("the tools"))
        .map(|entry| {
            entry
                .expect("an entry")
                .file_name()
                .to_string_lossy()
                .into_owned()
        })
        .collect();
    left.sort();
    assert_eq!(left, [JUNIT.file, "jvm-tools.xml", JACOCO.file]);
    touch(&home.tools().join("driver-old/main/Driver.class"));
    assert_eq!(text(&home.setup(&["--fetch"])).0, 0);
    assert!(
        !home.tools().join("driver-old").exists(),
        "it was made for other versions"
    );
}

#[test]
fn a_maven_that_fails_is_quoted_and_none_is_told_about() {
    let home = Home::new("fail").with_maven("echo no network; exit 1\n");
    let (code, said) = text(&home.setup(&[]));
    assert_eq!(code, 1, "{said}");
    assert!(said.contains("mvn could not fetch JUnit and JaCoCo") && said.contains("no network"));
    assert_eq!(
        fs::read_dir(home.tools()).expect("the folder").count(),
        0,
        "nothing is left"
    );
    let (code, said) = text(&Home::new("none").setup(&[]));
    assert_eq!(code, 1, "{said}");
    assert!(said.contains("mvn was not found. Install Maven"), "{said}");
    assert!(
        said.contains("https://repo1.maven.org/maven2/org/junit/platform/"),
        "{said}"
    );
}

#[test]
fn a_maven_repository_will_do() {
    let home = Home::new("repository");
    for (tool, folder) in [
        (
            JUNIT,
            "org/junit/platform/junit-platform-console-standalone",
        ),
        (JACOCO, "org/jacoco/org.jacoco.cli"),
    ] {
        let stem = tool
            .file
            .trim_end_matches(".jar")
            .trim_end_matches("-nodeps");
        let ending = if tool == JACOCO {
            "-nodeps.jar"
        } else {
            ".jar"
        };
        let name = format!("{folder}/{v}/{stem}-{v}{ending}", v = tool.version);
        touch(&home.0.join(".m2/repository").join(name));
    }
    let (code, said) = text(&home.setup(&[]));
    assert_eq!(code, 0, "{said}");
    assert_eq!(said.matches(".m2/repository").count(), 2, "{said}");
}
