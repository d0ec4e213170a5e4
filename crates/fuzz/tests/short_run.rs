//! The short form of `make fuzz`: other inputs than the long run, since the seed differs.

use std::path::{Path, PathBuf};
use std::time::Duration;

use heapwright_fuzz::Language;
use heapwright_fuzz::c::Sources;
use heapwright_fuzz::java::project::Project;
use heapwright_fuzz::java::seeds;
use heapwright_fuzz::run::{Fate, Plan, Report, run};
use heapwright_fuzz::subject::subject;
use heapwright_fuzz::texts::Examples;
use heapwright_java::classpath::JdkSearch;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn plan(languages: &[Language], count: u64) -> Plan {
    Plan {
        languages: languages.to_vec(),
        seed: 2026,
        first: 0,
        count,
        jobs: 2,
        // Generous, because other tests may have the machine for themselves.
        limit: Duration::from_secs(30),
        memory: 2 << 30,
        print: false,
    }
}

#[test]
fn no_text_makes_anything_panic_or_hang() {
    let folders = ["library", "examples", "crates/spec/tests/data"].map(|name| root().join(name));
    let examples = Examples::under(&folders).expect("the examples can be read");
    assert!(examples.len() > 30, "{} examples", examples.len());
    let plan = plan(&Language::TEXTS, 20_000);
    let report = run(
        &plan,
        Box::leak(Box::new(examples)),
        &|language, index, input| subject(None, language, index, input),
    );
    assert_eq!(report.failures, []);
    // A run in which nearly everything is rejected at once would show nothing.
    let of = |fate: Fate| report.fates[fate as usize];
    assert!(of(Fate::Accepted) > plan.count / 20, "{report:?}");
    assert!(of(Fate::Decided) > plan.count / 50, "{report:?}");
    assert!(of(Fate::Rejected) > plan.count / 3, "{report:?}");
}

#[test]
fn no_class_file_no_jar_and_no_configuration_makes_anything_panic_or_hang() {
    let work = std::env::temp_dir().join(format!("heapwright-short-{}", std::process::id()));
    let (classes, inputs) = (work.join("classes"), work.join("inputs"));
    std::fs::create_dir_all(&inputs).expect("a folder");
    let jdk = JdkSearch::from_environment(None).open();
    let jdk = jdk.expect("this test needs a JDK");
    let sources = [
        "subjects/java/src",
        "subjects/korat/src",
        "crates/fuzz/seeds",
    ];
    let sources = sources.map(|name| root().join(name));
    seeds::compile(&jdk, &sources, &classes).expect("the subjects compile");
    let folders = [root().join("examples/maven"), classes.clone()];
    let examples = Examples::under(&folders).expect("the examples can be read");
    assert!(examples.len() > 30, "{} examples", examples.len());
    let project: &Project = Box::leak(Box::new(Project::new(jdk, classes, inputs)));
    let plan = plan(&Language::PROJECT, 6_000);
    let subject = Box::leak(Box::new(|language, index, input: &[u8]| {
        subject(Some(project), language, index, input)
    }));
    let report = run(&plan, Box::leak(Box::new(examples)), subject);
    let _ = std::fs::remove_dir_all(&work);
    assert_eq!(report.failures, []);
    check(&report, Language::ClassFile, plan.count / 2);
    check(&report, Language::Jar, plan.count / 10);
    let [rejected, accepted, ..] = report.by_language[Language::Configuration as usize];
    assert!(rejected > 100 && accepted > 20, "{report:?}");
}

#[test]
fn no_c_source_makes_anything_panic_or_hang() {
    let work = std::env::temp_dir().join(format!("heapwright-short-c-{}", std::process::id()));
    let folders = ["examples/c", "subjects/c"].map(|name| root().join(name));
    let examples = Examples::under(&folders).expect("the examples can be read");
    assert!(examples.len() > 15, "{} examples", examples.len());
    let sources: &Sources = Box::leak(Box::new(Sources::new(work.clone())));
    let plan = plan(&Language::C_SOURCES, 150);
    let subject = Box::leak(Box::new(|_, index, input: &[u8]| {
        sources.source(index, input)
    }));
    let report = run(&plan, Box::leak(Box::new(examples)), subject);
    let _ = std::fs::remove_dir_all(&work);
    assert_eq!(report.failures, []);
    let of = |fate: Fate| report.fates[fate as usize];
    assert!(of(Fate::Accepted) > plan.count / 5, "{report:?}");
    assert!(of(Fate::Decided) > plan.count / 20, "{report:?}");
}

/// A run in which nearly everything is rejected at once would show nothing.
fn check(report: &Report, language: Language, count: u64) {
    let fates = report.by_language[language as usize];
    let of = |fate: Fate| fates[fate as usize];
    assert!(fates.iter().sum::<u64>() > count, "{report:?}");
    assert!(of(Fate::Rejected) > count / 10, "{report:?}");
    assert!(of(Fate::Decided) > count / 10, "{report:?}");
}
