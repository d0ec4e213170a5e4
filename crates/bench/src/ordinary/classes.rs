//! The classes of the benchmark: those in `subjects/ordinary`, and those of libraries, which Maven
//! fetches when they are needed.

use std::path::{Path, PathBuf};
use std::process::Command;

use heapwright_testgen::files;

use crate::error::BenchError;

/// Small classes as applications have them.
const APPLICATION: [&str; 6] = [
    "cache.LruCache",
    "orders.OrderBook",
    "expressions.Expression",
    "graphs.Graph",
    "scheduling.Scheduler",
    "text.TextBuffer",
];

/// Classes of libraries.
const LIBRARY: [&str; 14] = [
    "org.apache.commons.collections4.list.CursorableLinkedList",
    "org.apache.commons.collections4.map.Flat3Map",
    "org.apache.commons.collections4.map.ListOrderedMap",
    "org.apache.commons.collections4.trie.PatriciaTrie",
    "org.apache.commons.collections4.queue.UnmodifiableQueue",
    "org.apache.commons.collections4.bidimap.DualTreeBidiMap",
    "com.google.common.collect.TreeMultiset",
    "com.google.common.collect.HashBiMap",
    "com.google.common.collect.EvictingQueue",
    "it.unimi.dsi.fastutil.ints.IntRBTreeSet",
    "it.unimi.dsi.fastutil.ints.IntLinkedOpenHashSet",
    "org.jheaps.tree.FibonacciHeap",
    "org.jheaps.tree.LeftistHeap",
    "org.jheaps.array.BinaryArrayHeap",
];

/// The artifacts that have them, and those that measure mutation scores.
const ARTIFACTS: [(&str, &str, &str); 6] = [
    ("org.apache.commons", "commons-collections4", "4.4"),
    ("com.google.guava", "guava", "33.2.1-jre"),
    ("it.unimi.dsi", "fastutil", "8.5.13"),
    ("org.jheaps", "jheaps", "0.14"),
    ("org.pitest", "pitest-command-line", "1.17.0"),
    ("org.pitest", "pitest-junit5-plugin", "1.2.1"),
];

/// A class to be tested.
#[derive(Clone, Debug)]
pub struct Subject {
    /// Its name.
    pub class: &'static str,
    /// Where it is, with what it needs.
    pub class_path: Vec<PathBuf>,
}

/// The classes whose names contain a text. Libraries are fetched into a folder, unless they are
/// there already.
pub fn subjects(
    application: &Path,
    libraries: &Path,
    only: Option<&str>,
) -> Result<Vec<Subject>, BenchError> {
    let is_wanted = |class: &&&str| only.is_none_or(|only| class.contains(only));
    let own = APPLICATION.iter().filter(is_wanted).map(|class| Subject {
        class,
        class_path: vec![application.to_owned()],
    });
    let mut found: Vec<Subject> = own.collect();
    let of_libraries: Vec<&&str> = LIBRARY.iter().filter(is_wanted).collect();
    if !of_libraries.is_empty() {
        fetch(libraries)?;
        let jars = jars(libraries, |name| !name.contains("pitest"))?;
        found.extend(of_libraries.into_iter().map(|class| Subject {
            class,
            class_path: jars.clone(),
        }));
    }
    Ok(found)
}

/// The jars in a folder whose names are wanted.
pub fn jars(folder: &Path, is_wanted: impl Fn(&str) -> bool) -> Result<Vec<PathBuf>, BenchError> {
    let unreadable = |source| BenchError::Read {
        path: folder.to_owned(),
        source,
    };
    let mut jars = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if name.ends_with(".jar") && is_wanted(&name) {
            jars.push(path);
        }
    }
    jars.sort();
    Ok(jars)
}

/// Fetches all artifacts with what they need.
pub fn fetch(folder: &Path) -> Result<(), BenchError> {
    let is_there = |(_, artifact, version): &(&str, &str, &str)| {
        folder.join(format!("{artifact}-{version}.jar")).is_file()
    };
    if ARTIFACTS.iter().all(is_there) {
        return Ok(());
    }
    files::create_folder(folder)?;
    let dependencies = ARTIFACTS.iter().map(|(group, artifact, version)| {
        format!(
            "<dependency><groupId>{group}</groupId><artifactId>{artifact}</artifactId>\
             <version>{version}</version></dependency>"
        )
    });
    let dependencies: String = dependencies.collect();
    let project = format!(
        "<project xmlns=\"http://maven.apache.org/POM/4.0.0\"><modelVersion>4.0.0</modelVersion>\
         <groupId>heapwright</groupId><artifactId>ordinary</artifactId><version>1</version>\
         <dependencies>{dependencies}</dependencies></project>"
    );
    let pom = folder.join("pom.xml");
    files::write(&pom, &project)?;
    let mut command = Command::new("mvn");
    command.args(["-q", "-B", "dependency:copy-dependencies", "-f"]);
    command
        .arg(&pom)
        .arg(format!("-DoutputDirectory={}", folder.display()));
    let fetched = command.output().map_err(BenchError::NoMaven)?;
    match fetched.status.success() {
        true => Ok(()),
        false => Err(BenchError::Maven(
            String::from_utf8_lossy(&fetched.stdout).into_owned(),
        )),
    }
}
