//! The red-black trees of the JDK, by sequences of calls.

use std::collections::BTreeSet;

use heapwright_engine::StopReason;
use heapwright_engine::sequences::{Exploration, SequenceBounds};

use super::{Domains, Roles};
use heapwright_java::classpath::JdkSearch;
use heapwright_testgen::host::QuietHost;
use std::sync::Arc;

use crate::{Choice, JavaProgram, Specifications};

/// All sequences of `put` and `remove` with so many keys and one value, and the branches that they
/// take in a method.
fn tree_maps(keys: u32) -> (Exploration, impl Fn(&str) -> (usize, usize)) {
    let specifications = Specifications::new(Choice::None, Vec::new());
    let jdk = JdkSearch::from_environment(None);
    let host = Arc::new(QuietHost::default());
    let mut program = JavaProgram::open(&jdk, &[], None, specifications, host).expect("a JDK");
    let mut target = |text: &str| program.targets(text).expect("a method").remove(0);
    let methods = ["put(Object,Object)", "remove(Object)"];
    let methods = methods.map(|method| target(&format!("java.util.TreeMap#{method}")));
    let roles = Roles {
        builders: Some(&methods),
        tested: &[],
        ignored: BTreeSet::from(["modCount".to_owned()]),
    };
    let domains = Domains {
        is_lenient: false,
        size: keys,
        given: vec!["put.2=0".parse().expect("a domain")],
        found: None,
    };
    let class = methods[0].class.clone();
    let java_type = program.data_type(&class, &roles, &domains).expect("a type");
    let bounds = SequenceBounds::default();
    let found = program.explore_sequences(&java_type, &bounds, &mut |_| {});
    assert_eq!(found.missing, BTreeSet::new());
    let counts = program.branches_taken("java.util.TreeMap", &found);
    let counts = counts.expect("a class");
    let branches = move |method: &str| {
        let mut named = counts.iter();
        let found = named.find(|(name, _)| name.starts_with(&format!("{method}(")));
        found.map_or((0, 0), |(_, count)| *count)
    };
    (found, branches)
}

#[test]
fn red_black_trees_are_counted_by_their_keys_and_shapes() {
    // The red-black trees with up to four nodes, times the choices of their keys. From five nodes
    // on there are trees that no calls lead to.
    let expected = [2, 5, 11, 29, 72, 197];
    for (keys, expected) in (1..).zip(expected) {
        let (found, branches) = tree_maps(keys);
        assert_eq!(found.states, expected, "{keys} keys");
        // Every key is put and removed in every state.
        assert_eq!(found.transitions, 2 * u64::from(keys) * expected + 1);
        assert_eq!(found.matched, found.transitions - found.states);
        assert_eq!(found.stop, StopReason::Exhausted);
        let (taken, all) = branches("fixAfterDeletion");
        assert_eq!(taken == all, keys == 6, "{keys} keys: {taken} of {all}");
    }
}
