//! Boxed numbers and tables of hash maps: few paths, and identities as on a virtual machine.

use crate::common::heapwright;
use crate::common::project::Project;

const BOXES: &str = r#"package boxes;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

public class Boxes {
    static final class Key {
        final int number;
        Key(int number) { this.number = number; }
        @Override public int hashCode() { return number; }
        @Override public boolean equals(Object other) {
            return other instanceof Key && ((Key) other).number == number;
        }
    }

    static boolean boxed(int v) {
        Integer box = v;
        return box > 10;
    }

    static boolean boxedLong(long v) {
        Long box = v;
        return box > 10;
    }

    static boolean listed(int a, int b) {
        List<Integer> list = new ArrayList<>();
        list.add(a);
        list.add(b);
        return list.get(1) > 10;
    }

    static int found(int a, int b) {
        Map<Key, String> map = new HashMap<>();
        map.put(new Key(a), "x");
        return map.get(new Key(b)) == null ? 0 : 1;
    }

    static int counted(int key, int value, int asked) {
        Map<Integer, Integer> map = new HashMap<>();
        map.put(key, value);
        Integer found = map.get(asked);
        if (found == null) return 0;
        return found > 10 ? 2 : 1;
    }

    static int sorted(int a, int b, int c, int asked) {
        TreeMap<Integer, Integer> map = new TreeMap<>();
        map.put(a, 1);
        map.put(b, 2);
        map.put(c, 3);
        Map.Entry<Integer, Integer> entry = map.ceilingEntry(asked);
        if (entry == null) return 0;
        if (entry.getKey() == asked) return 1;
        return entry.getValue() > 2 ? 3 : 2;
    }
}
"#;

/// `==` on boxes: the same within the cache, different outside of it, and a parameter can be either.
const IDENTITIES: &str = r#"package boxes;

public class Identities {
    static int same(int a, int b) {
        Integer x = a;
        Integer y = b;
        if (x == y) return 1;
        return x.equals(y) ? 2 : 3;
    }

    static int five(long a) {
        Long x = a;
        Long five = 5L;
        return x == five ? 1 : 0;
    }

    static int again(char a) {
        Character x = a;
        Character y = a;
        return x == y ? 1 : 0;
    }

    static int given(Integer x, int b) {
        Integer y = b;
        return x == y ? 1 : 0;
    }

    static int made(int a) {
        Integer x = a;
        @SuppressWarnings("removal")
        Integer y = new Integer(a);
        return x == y ? 1 : 0;
    }
}
"#;

/// The number of tests before some were left out: of the paths, with `--all-paths`.
fn paths(project: &Project, method: &str) -> u32 {
    let target = format!("boxes.Boxes#{method}");
    let classes = project.classes();
    // Tests for mutants belong to no path of their own.
    let run = heapwright(&[
        "generate",
        &target,
        "--any-heap",
        "-c",
        &classes,
        "--all-paths",
        "--keep",
        "coverage",
        "-q",
    ]);
    assert_eq!(run.code, 0, "{}{}", run.stdout, run.stderr);
    let line = run
        .stdout
        .lines()
        .find(|line| line.contains(" branches covered"));
    let line = line.unwrap_or_else(|| panic!("{}", run.stdout));
    let covered: Vec<&str> = line.split_whitespace().collect();
    assert_eq!(covered[0], covered[2], "{method}: {line}");
    let last = line.rsplit(' ').find_map(|word| word.parse().ok());
    last.unwrap_or_else(|| panic!("{line}"))
}

#[test]
fn boxes_and_tables_need_no_path_for_each_number() {
    let project = Project::of_texts("boxes", &[("Boxes.java", BOXES)]);
    // The number of paths without one for each number in the cache, or each place in a table.
    let most = [
        ("boxed", 2),
        ("boxedLong", 2),
        ("listed", 2),
        ("found", 8),
        ("counted", 10),
        ("sorted", 100),
    ];
    for (method, most) in most {
        let paths = paths(&project, method);
        assert!(paths <= most, "{method} has {paths} paths");
    }
}

#[test]
fn boxes_are_the_same_where_they_are_on_a_virtual_machine() {
    let texts = [("Boxes.java", BOXES), ("Identities.java", IDENTITIES)];
    let project = Project::of_texts("identities", &texts);
    let (classes, out) = (project.classes(), project.path("out"));
    for class in ["boxes.Boxes", "boxes.Identities"] {
        let run = heapwright(&[
            "generate",
            class,
            "--any-heap",
            "-c",
            &classes,
            "--out",
            &out,
            "--verify",
        ]);
        assert_eq!(run.code, 0, "{}{}", run.stdout, run.stderr);
        assert!(run.stdout.contains("verified on Java"), "{}", run.stdout);
        assert!(!run.stdout.contains("they differ"), "{}", run.stdout);
    }
    let run = heapwright(&["generate", "boxes.Identities", "--any-heap", "-c", &classes]);
    let infeasible = run.stdout.matches("unreachable").count();
    // Only a new box is never the same as another one.
    assert_eq!(infeasible, 1, "{}", run.stdout);
    for method in ["same", "five", "again"] {
        let run = heapwright(&[
            "generate",
            "-q",
            &format!("boxes.Identities#{method}"),
            "-c",
            &classes,
        ]);
        let all = ["4 of 4 branches", "2 of 2 branches"];
        let is_covered = all.iter().any(|all| run.stdout.contains(all));
        assert!(is_covered, "{method}: {}", run.stdout);
    }
}
