//! Methods that print: what they print goes nowhere, and nothing goes wrong.

use std::path::Path;

use crate::common::{heapwright, javac};

const CLASS: &str = r#"
public class Printing {
    int level;

    @Override public String toString() {
        if (level < 0) {
            throw new IllegalStateException();
        }
        return "level " + level;
    }

    int plain(int n) {
        System.out.println("n = " + n);
        System.err.print('c');
        return n > 3 ? 1 : 2;
    }

    boolean object() {
        System.out.println(this);
        return level > 0;
    }

    static int formatted(String text) {
        System.out.printf("%s, %d%n", text, 7).append("more").flush();
        return text == null ? 1 : 2;
    }
}
"#;

#[test]
fn tests_of_methods_that_print_pass_on_the_virtual_machine() {
    let folder = std::env::temp_dir().join(format!("heapwright-printing-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let source = folder.join("Printing.java");
    std::fs::write(&source, CLASS).expect("a file");
    javac::compile(Path::new("javac"), &["-g"], &folder, &[source]);
    let path = folder.display().to_string();
    let run = heapwright(&[
        "generate",
        "Printing",
        "--any-heap",
        "-c",
        &path,
        "--verify",
    ]);
    std::fs::remove_dir_all(&folder).expect("the folder goes away");
    assert_eq!(run.code, 0, "{}{}", run.stdout, run.stderr);
    for counted in ["plain(int)", "object()", "formatted(String)"] {
        let line = run.stdout.lines().find(|line| {
            line.trim_start()
                .starts_with(&format!("Printing#{counted}"))
                && line.contains("  ")
        });
        assert!(line.is_some(), "{counted}: {}", run.stdout);
    }
    assert!(run.stdout.contains("throws IllegalStateException") || run.stdout.contains("threw"));
    assert!(
        !run.stdout.contains("NullPointerException"),
        "{}",
        run.stdout
    );
}
