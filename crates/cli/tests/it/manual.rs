//! Completions and manual pages know every command.

use crate::common::heapwright;

const COMMANDS: [&str; 13] = [
    "generate",
    "watch",
    "init",
    "solve",
    "check",
    "enumerate",
    "explain",
    "run",
    "bench",
    "lsp",
    "setup",
    "completions",
    "man",
];

#[test]
fn every_shell_gets_completions_for_every_command() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let run = heapwright(&["completions", shell]);
        assert_eq!((run.code, &*run.stderr), (0, ""), "{shell}");
        for command in COMMANDS {
            assert!(run.stdout.contains(command), "{shell}: {command}");
        }
        assert!(run.stdout.contains("max-solver-calls"), "{shell}");
    }
    assert_eq!(heapwright(&["completions", "bosh"]).code, 2);
}

#[test]
fn every_command_has_a_page() {
    let run = heapwright(&["man"]);
    assert_eq!((run.code, &*run.stderr), (0, ""));
    for command in COMMANDS {
        let page = heapwright(&["man", command]);
        assert_eq!((page.code, &*page.stderr), (0, ""), "{command}");
        let title = format!(".TH heapwright-{command} 1");
        assert!(page.stdout.contains(&title), "{command}: {}", page.stdout);
        let named = format!("heapwright\\-{command}(1)");
        assert!(run.stdout.contains(&named), "{command}: {}", run.stdout);
    }
    let page = heapwright(&["man", "generate"]).stdout;
    assert!(page.contains("\\-\\-junit"), "{page}");
    let run = heapwright(&["man", "generat"]);
    assert_eq!(run.code, 1);
    assert!(
        run.stderr.contains("did you mean `generate`?"),
        "{}",
        run.stderr
    );
}

#[test]
fn all_pages_are_written() {
    let folder = format!("heapwright-manual-{}", std::process::id());
    let folder = std::env::temp_dir().join(folder);
    let run = heapwright(&["man", "--out", &folder.display().to_string()]);
    assert_eq!((run.code, &*run.stderr), (0, ""));
    for command in COMMANDS {
        let page = folder.join(format!("heapwright-{command}.1"));
        assert!(page.is_file(), "{}", page.display());
    }
    assert!(folder.join("heapwright-bench-korat.1").is_file());
    std::fs::remove_dir_all(&folder).expect("the folder is removed");
}
