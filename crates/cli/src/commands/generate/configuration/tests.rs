//! Configuration files and command lines, right and wrong ones.

use super::*;

fn complete(text: &str, words: &[&str]) -> Result<Arguments, String> {
    let words: Vec<OsString> = words.iter().map(OsString::from).collect();
    let file = Path::new("up/heapwright.toml");
    let read = Configuration::read(file, text, Path::new("up"));
    let given = matches(&words).map_err(|error| error.to_string())?;
    let arguments = read.and_then(|configuration| configuration.complete(&given, &words));
    arguments.map_err(|failure| failure.to_string())
}

#[test]
fn a_file_gives_options_and_the_command_line_wins() {
    let text = "targets = ['a.B', 'a.C#m']\nclasspath = ['x', 'y.jar']\nout = 'tests'\n\
        junit = 4\nverify = true\nquiet = false\nmode = 'symbolic'\ndomain = ['k=0..1', 'l=0..2']\n\
        [budgets]\ntime = 1.5\nmax-paths = 7\n";
    let arguments = complete(text, &[]).expect("a configuration");
    assert_eq!(arguments.targets, ["a.B", "a.C#m"]);
    let paths = [PathBuf::from("up/x"), PathBuf::from("up/y.jar")];
    assert_eq!(arguments.java.class_path.class_path(), paths);
    assert_eq!(arguments.out, Some(PathBuf::from("up/tests")));
    assert!(arguments.java.verify && !arguments.quiet);
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
    assert!(arguments.specification.no_spec && arguments.verbose && !arguments.quiet);
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
