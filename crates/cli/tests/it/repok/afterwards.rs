//! What a predicate says of the objects after a call.

use super::{Work, heapwright, report};

/// A ring on an array whose free places are zero. `poll` does not clear the place, which shows only
/// if there was something else than zero, and no branch asks for that. `step` is private, and
/// leaves the rest to its caller.
const RING: &str = "
public class Ring {
    private int[] data;
    private int head, count;
    Object tag;
    java.util.HashMap<Object, Object> notes;

    public int poll() {
        if (count == 0) throw new IllegalStateException();
        int x = data[head];
        step();
        count--;
        return x;
    }

    private void step() {
        head = (head + 1) % data.length;
    }

    public int sum() {
        int sum = 0;
        for (int i = 0; i < count; i++) sum += data[(head + i) % data.length];
        return sum;
    }

    public boolean noted() {
        return notes != null && notes.containsKey(tag);
    }

    public boolean repOk() {
        if (data == null || data.length == 0 || count < 0 || count > data.length) return false;
        if (head < 0 || head >= data.length) return false;
        for (int i = count; i < data.length; i++)
            if (data[(head + i) % data.length] != 0) return false;
        return true;
    }
}";

#[test]
fn numbers_that_break_the_predicate_afterwards_are_found() {
    let work = Work::new("afterwards");
    let source = work.write("Ring.java", RING);
    let classes = work.compile(&[source]).display().to_string();
    for mode in ["repok", "whitebox"] {
        let generate = |method: &str| {
            let target = format!("Ring#{method}");
            report(&["generate", &target, "-c", &classes, "--mode", mode])
        };
        let found = |method: &str| {
            let report = generate(method);
            let tests = report["procedures"][0]["tests"].as_array().cloned();
            let tests = tests.unwrap_or_default();
            let findings = tests.iter().map(|test| test["findings"].as_array());
            findings.flatten().map(Vec::len).sum::<usize>()
        };
        assert_eq!(found("poll"), 1, "{mode}");
        assert_eq!(found("sum"), 0, "{mode}");
        // What a private method leaves behind is for its callers to judge.
        assert_eq!(found("step"), 0, "{mode}");
        // Maps of inputs are empty, so nothing is proved about others.
        let noted = heapwright(&[
            "generate",
            "Ring#noted",
            "-c",
            &classes,
            "--mode",
            mode,
            "--scope",
            "2",
        ]);
        let nothing_else = noted.stdout.contains("no valid input");
        assert!(!nothing_else, "{}", noted.stdout);
    }
}
