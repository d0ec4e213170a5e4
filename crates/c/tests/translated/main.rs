//! What C is translated to passes the verifier of the core language: all subjects, and what such
//! files have seldom.

use std::path::{Path, PathBuf};

use heapwright_c::clang::Flags;
use heapwright_c::read_unit;

/// What is wrong with the translation of a file.
fn complaints(file: &Path) -> Vec<String> {
    let flags = Flags::default();
    let unit = read_unit(file, &flags).unwrap_or_else(|error| panic!("{file:?}: {error}"));
    let checked = heapwright_ir::verify(&unit.program);
    let errors = checked.err().into_iter().flatten();
    errors
        .map(|error| format!("{}: {error}", file.display()))
        .collect()
}

/// The C files of a folder.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap();
    let files = entries.map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> = files
        .filter(|file| file.extension().is_some_and(|extension| extension == "c"))
        .collect();
    files.sort();
    files
}

#[test]
fn the_subjects() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut files = sources(&root.join("subjects/c"));
    // Programs on headers of Debian need these.
    if Path::new("/usr/include/uthash.h").exists() {
        files.push(root.join("subjects/c/headers/uthash_ages.c"));
    }
    files.extend(sources(&root.join("examples/c")));
    assert!(files.len() >= 19);
    let wrong: Vec<String> = files.iter().flat_map(|file| complaints(file)).collect();
    assert_eq!(wrong, Vec::<String>::new());
}

/// Pieces of C, each a file of its own.
const RARE: [&str; 5] = [
    "#include <stdlib.h>\nint half(int n) { if (n % 2) exit(3); return n / 2; }\n",
    "#include <stdlib.h>\nvoid (*leave)(int) = exit;\nvoid stop(int n) { leave(n); }\n",
    "struct wide { char first[3000000000], second[3000000000]; int last; };\n\
     int last(struct wide *w) { return w->last; }\nint one(void) { return 1; }\n",
    "struct wide { char all[5000000000]; };\nstruct around { int n; struct wide *w; };\n\
     int n(struct around *a) { return a->w ? a->n : 0; }\n",
    "union wide { char all[5000000000]; int n; };\nint one(union wide *u) { return u == 0; }\n",
];

#[test]
fn what_is_rare() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("translated");
    std::fs::create_dir_all(&folder).unwrap();
    let mut wrong = Vec::new();
    for (index, code) in RARE.iter().enumerate() {
        let file = folder.join(format!("rare{index}.c"));
        std::fs::write(&file, code).unwrap();
        wrong.extend(complaints(&file));
    }
    assert_eq!(wrong, Vec::<String>::new());
}
