//! The Maven plugin: built, installed into a repository of its own, and used by real builds.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::common::root;

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The repository is kept between runs, since Maven's own plugins are fetched into it.
fn repository() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("maven-repository")
}

/// Runs Maven, without the network if that will do.
fn mvn(folder: &Path, home: &Path, goals: &[&str]) -> Output {
    let run = |offline: &[&str]| {
        Command::new("mvn")
            .args(["--batch-mode", "-Dstyle.color=never"])
            .arg(format!("-Dmaven.repo.local={}", repository().display()))
            .args(offline)
            .args(goals)
            .current_dir(folder)
            .env("XDG_CACHE_HOME", home)
            .output()
            .expect("this test needs mvn")
    };
    let first = run(&["--offline"]);
    let said = text(&first);
    match first.status.success()
        || !(said.contains("offline") || said.contains("not been downloaded"))
    {
        true => first,
        false => run(&[]),
    }
}

fn text(output: &Output) -> String {
    let both = [output.stdout.as_slice(), &output.stderr].concat();
    String::from_utf8_lossy(&both).into_owned()
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("a folder").flatten() {
        let (from, to) = (entry.path(), to.join(entry.file_name()));
        if from.is_file() {
            fs::copy(&from, &to).expect("a copy");
        } else if entry.file_name() != "target" {
            copy(&from, &to);
        }
    }
}

/// An archive of the program, as `make dist` makes one, under its name in the repository.
fn install_archive(work: &Path) {
    let folder = work.join(format!("heapwright-{VERSION}/bin"));
    fs::create_dir_all(&folder).expect("a folder");
    let program = folder.join("heapwright");
    let script = format!(
        "#!/bin/sh\nexec {} \"$@\"\n",
        env!("CARGO_BIN_EXE_heapwright")
    );
    fs::write(&program, script).expect("a file");
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).expect("a program");
    let to = repository().join("heapwright/heapwright").join(VERSION);
    fs::create_dir_all(&to).expect("a folder");
    let archive = to.join(format!(
        "heapwright-{VERSION}-linux-{}.tar.gz",
        std::env::consts::ARCH
    ));
    let tar = Command::new("tar")
        .args(["--format=ustar", "-C"])
        .arg(work)
        .arg("-czf")
        .args([archive, PathBuf::from(format!("heapwright-{VERSION}"))])
        .status();
    assert!(tar.expect("tar starts").success());
}

/// A pom with the plugin and one of its goals.
fn with_plugin(pom: &str, goal: &str, configuration: &str) -> String {
    let plugin = format!(
        "<plugins>\n<plugin><groupId>heapwright</groupId>\
         <artifactId>heapwright-maven-plugin</artifactId><version>{VERSION}</version>\
         <configuration>{configuration}</configuration>\
         <executions><execution><goals><goal>{goal}</goal></goals></execution></executions></plugin>"
    );
    pom.replacen("<plugins>", &plugin, 1)
}

#[test]
fn builds_generate_tests_and_fail_on_findings() {
    let work = std::env::temp_dir().join(format!("heapwright-plugin-{}", std::process::id()));
    let _ = fs::remove_dir_all(&work);
    copy(&root().join("maven-plugin"), &work.join("plugin"));
    let pom = fs::read_to_string(work.join("plugin/pom.xml")).expect("a pom");
    assert!(
        pom.contains(&format!("<version>{VERSION}</version>")),
        "the version of the plugin"
    );
    let installed = mvn(&work.join("plugin"), &work, &["--quiet", "install"]);
    assert!(installed.status.success(), "{}", text(&installed));
    install_archive(&work);

    // The example, with the plugin instead of tests.
    let project = work.join("project");
    copy(&root().join("examples/maven"), &project);
    fs::remove_dir_all(project.join("src/test/java")).expect("the tests are there");
    let pom = fs::read_to_string(project.join("pom.xml")).expect("a pom");
    fs::write(project.join("pom.xml"), with_plugin(&pom, "generate", "")).expect("a file");
    let tested = mvn(&project, &work, &["test"]);
    assert!(tested.status.success(), "{}", text(&tested));
    let report = project.join("target/surefire-reports/TEST-example.PlaylistTest.xml");
    let report = fs::read_to_string(report).unwrap_or_else(|_| panic!("{}", text(&tested)));
    assert!(
        report.contains("failures=\"0\"") && !report.contains("tests=\"0\""),
        "{report}"
    );
    assert!(
        !project.join("src/test/java").exists(),
        "generated tests are in target"
    );

    // Nothing of the example needs to be mended; of a class with a bug the build fails.
    let checked = mvn(&project, &work, &["heapwright:check"]);
    assert!(checked.status.success(), "{}", text(&checked));
    fs::remove_file(project.join("heapwright.toml")).expect("the configuration is there");
    let stack = "package example;\npublic class Stack {\n    int size;\n    int[] items = new int[2];\n\
        \n    boolean repOk() { return items != null && 0 <= size && size <= items.length; }\n\
        \n    public void push(int item) { size++; }\n}\n";
    fs::write(project.join("src/main/java/example/Stack.java"), stack).expect("a file");
    let configuration = "<targets><target>example.Stack</target></targets>\
        <arguments><argument>--mode</argument><argument>repok</argument></arguments>";
    fs::write(
        project.join("pom.xml"),
        with_plugin(&pom, "check", configuration),
    )
    .expect("a file");
    let checked = mvn(&project, &work, &["-Dmaven.test.skip", "verify"]);
    let said = text(&checked);
    assert!(!checked.status.success(), "{said}");
    assert!(said.contains("Heapwright found failures"), "{said}");
    assert!(
        said.contains("repOk() fails after the call at example/Stack.java:6"),
        "{said}"
    );
    fs::remove_dir_all(&work).expect("the folder is removed");
}
