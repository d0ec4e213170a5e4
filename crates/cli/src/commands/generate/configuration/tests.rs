//! Configuration files and command lines, right and wrong ones.

use super::*;

/// What comes of a project's file in the folder `up`, and a command line.
fn complete(text: &str, words: &[&str]) -> Result<Arguments, String> {
    complete_with(text, "", words)
}

/// The same with a configuration of the user.
fn complete_with(text: &str, own: &str, words: &[&str]) -> Result<Arguments, String> {
    let words: Vec<OsString> = words.iter().map(OsString::from).collect();
    let file = Path::new("up/heapwright.toml");
    let read = read(file, text, Path::new("up"));
    let given = matches(&words).map_err(|error| error.to_string())?;
    let arguments = read.and_then(|configuration| {
        let configuration = guard::without_running(configuration, None).configuration;
        let own = super::read(Path::new("/own/config.toml"), own, Path::new("/own"))?;
        let project = (configuration, root_of(Path::new("up"))?);
        super::complete(Some(&project), Some(&own), &given, &words)
    });
    arguments.map_err(|failure| failure.to_string())
}

#[test]
fn what_is_run_is_said_by_the_user() {
    let text = "jdk = '/a'\ntools = '/b'\nverify = true\nsandbox = false\nverify-time = 0\n\
        verify-memory = 7\nout = 'x'\ncache = 'c'\nno-cache = true\nshard = '1/2'\n\
        results = 'r'\ncluster = 'nats://c'\ncreds = 'd'\nca = 'e'\nsend-sources = true\n";
    let arguments = complete(text, &["a.B"]).expect("a configuration");
    assert!(!arguments.java.verify);
    assert_eq!(arguments.java.class_path.jdk, None);
    assert_eq!(arguments.java.tools, None);
    assert_eq!(arguments.java.verify_memory, None);
    assert_eq!(arguments.java.verify_time, None);
    let file = Path::new("up/heapwright.toml");
    let read = read(file, text, Path::new("up")).expect("a configuration");
    let refused = guard::without_running(read, None).refused;
    assert_eq!(refused.len(), guard::RUNNING.len());
    let is_told = |line: &String| line.contains("3: `verify` is ignored here");
    assert!(refused.iter().any(is_told), "{refused:?}");
    // The user's own says it, and the command line says it.
    let own = "verify = true\nsandbox = true\njdk = 'jdk'\nverify-time = 5\nout = 'mine'\n";
    let arguments = complete_with(text, own, &["a.B", "--verify-time", "9"]).expect("both");
    assert!(arguments.java.verify && arguments.java.sandbox);
    assert_eq!(
        arguments.java.class_path.jdk,
        Some(PathBuf::from("/own/jdk"))
    );
    let time = arguments.java.verify_time.map(|time| time.as_secs());
    assert_eq!(time, Some(9));
    // The project's file wins where nothing is run.
    assert_eq!(arguments.out, Some(PathBuf::from("up/x")));
}

/// An option that names a file or a folder is an output, an input, or decides what is run.
#[test]
fn every_option_with_a_path_is_guarded() {
    let command = command();
    for argument in command.get_arguments() {
        let Some(long) = argument.get_long().filter(|long| *long != "config") else {
            continue;
        };
        let names = argument.get_value_names().unwrap_or_default();
        let is_path = (names.iter())
            .any(|name| ["DIR", "PATH"].contains(&name.as_str()) || name.starts_with("FILE"));
        let kinds = [
            guard::RUNNING.contains(&long),
            guard::OUTPUTS.contains(&long),
            guard::INPUTS.contains(&long),
        ];
        let count = kinds.iter().filter(|is_kind| **is_kind).count();
        assert!(count <= 1 && (!is_path || count == 1), "--{long}");
    }
}

#[test]
fn outputs_of_a_project_stay_in_it() {
    for long in guard::OUTPUTS {
        for path in [
            "../x",
            "/tmp/x",
            "a/../../x",
            "a/../.git/x",
            ".GIT/hooks/x",
            "b/.hg",
        ] {
            let error = complete(&format!("\n{long} = '{path}'"), &["a.B"]).expect_err(path);
            let start = format!("up/heapwright.toml:2: `{long}` leads ");
            assert!(error.starts_with(&start), "{error}");
            // What the user says may lead anywhere.
            let typed = complete(
                &format!("{long} = '{path}'"),
                &["a.B", &format!("--{long}=/x")],
            );
            assert!(typed.is_ok(), "{typed:?}");
            assert!(complete_with("", &format!("{long} = '{path}'"), &["a.B"]).is_ok());
        }
        assert!(complete(&format!("{long} = 'a/../b'"), &["a.B"]).is_ok());
    }
}

#[test]
fn a_file_gives_options_and_the_command_line_wins() {
    let text = "targets = ['a.B', 'a.C#m']\nclasspath = ['x', 'y.jar']\nout = 'tests'\n\
        junit = 4\nquiet = false\nmode = 'symbolic'\ndomain = ['k=0..1', 'l=0..2']\n\
        [budgets]\ntime = 1.5\nmax-paths = 7\n";
    let arguments = complete(text, &[]).expect("a configuration");
    assert_eq!(arguments.targets, ["a.B", "a.C#m"]);
    let paths = [PathBuf::from("up/x"), PathBuf::from("up/y.jar")];
    assert_eq!(arguments.java.class_path.classes().path, paths);
    assert_eq!(arguments.out, Some(PathBuf::from("up/tests")));
    assert!(!arguments.quiet);
    let options = arguments.options(None);
    assert_eq!(options.bounds.paths, 7);
    assert_eq!(options.bounds.time.map(|time| time.as_millis()), Some(1500));
    assert_eq!(options.structures.domains.len(), 2);
    let words = ["a.D", "--out", "here", "--max-paths=9", "-v"];
    let arguments = complete(text, &words).expect("a configuration");
    assert_eq!(arguments.targets, ["a.D"]);
    assert_eq!(arguments.out, Some(PathBuf::from("here")));
    assert_eq!(arguments.options(None).bounds.paths, 9);
}

#[test]
fn options_that_exclude_each_other_are_the_command_lines() {
    let arguments = complete("spec = 'a.sl'\nquiet = true", &["--no-spec", "-v", "a.B"]);
    let arguments = arguments.expect("a configuration");
    assert!(arguments.specification.no_spec && arguments.verbose == 1 && !arguments.quiet);
    assert_eq!(arguments.specification.spec, None);
}

#[test]
fn a_file_with_typing_errors_is_read_or_the_line_is_named() {
    let text = "targets = ['a.B']\nout = 'tests'\n[budgets]\ntime = 1.5\n";
    for position in 0..text.len() {
        for put in ["", "=", "'", "\n", "[", "é"] {
            let mutant = format!("{}{put}{}", &text[..position], &text[position + 1..]);
            if let Err(error) = complete(&mutant, &[]) {
                let line = error
                    .strip_prefix("up/heapwright.toml:")
                    .unwrap_or_default();
                let line = line
                    .split(':')
                    .next()
                    .and_then(|line| line.parse::<usize>().ok());
                let last = mutant.matches('\n').count() + 1;
                assert!(line.is_some_and(|line| line <= last), "{mutant}\n{error}");
            }
        }
    }
}

#[test]
fn mistakes_are_told_with_their_lines() {
    let check = |text: &str, expected: &str| {
        let error = complete(text, &[]).expect_err(text);
        assert_eq!(error, format!("up/heapwright.toml:{expected}"));
    };
    let there = "there is no key";
    check(
        "out = 'a'\n\nclaspath = 'b'",
        &format!("3: {there} `claspath`; did you mean `classpath`?"),
    );
    check(
        "target = 'b'",
        &format!("1: {there} `target`; did you mean `targets`?"),
    );
    check(
        "\n[budgets]\nmaxpaths = 1",
        &format!("3: {there} `maxpaths`; did you mean `max-paths`?"),
    );
    check("verify = 1", "1: `verify` is either true or false");
    check("out = ['a', 'b']", "1: `out` has one value");
    check(
        "out = 'a'\nmax-objects = 'ten'",
        "2: `max-objects` is a whole number, 0 or more; `ten` is not",
    );
    check("budgets = 3", "1: `budgets` is a table: write [budgets]");
    let error = complete("\nmode = 'magic'", &[]).expect_err("no mode");
    assert!(
        error.starts_with("up/heapwright.toml:2: invalid value 'magic'"),
        "{error}"
    );
    let error = complete("\nmode = ", &[]).expect_err("no value");
    assert!(error.starts_with("up/heapwright.toml:2: "), "{error}");
}
