//! Shared by the tests of the SMT-LIB and StarFinder readers: one input file and one expected
//! file per case, and small deterministic mutations of texts.

#![allow(dead_code)]

use std::fmt::Write;
use std::path::{Path, PathBuf};

use expect_test::expect_file;
use heapwright_logic::{Definitions, Printer, display_sort};
use heapwright_spec::SpecError;

/// The files with an extension in a folder below `tests/data`, sorted.
pub fn inputs(folder: &str, extension: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data")
        .join(folder);
    let entries = std::fs::read_dir(&folder).expect("a folder of test data");
    let mut files: Vec<_> = (entries.flatten().map(|entry| entry.path()))
        .filter(|path| path.extension().is_some_and(|found| found == extension))
        .collect();
    files.sort();
    assert!(!files.is_empty(), "no cases in {}", folder.display());
    files
}

/// Compares what every input of a folder gives with the file `name.expect` beside it, or
/// rewrites that file.
pub fn check_folder(folder: &str, extension: &str, run: impl Fn(&str, &str) -> String) {
    for path in inputs(folder, extension) {
        let text = std::fs::read_to_string(&path).expect("a readable input");
        let name = path.file_name().expect("a file").to_string_lossy();
        expect_file![path.with_extension("expect")].assert_eq(&run(&name, &text));
    }
}

/// What a reader makes of a text, as far as these tests care: whether it was accepted.
pub type Accepts = dyn Fn(&str) -> Result<(), SpecError>;

/// A text is accepted, or rejected with a message that can be shown. Returns which.
pub fn survives(read: &Accepts, text: &str) -> bool {
    let result = read(text);
    if let Err(error) = &result {
        assert!(!error.diagnostics().is_empty());
        assert!(!error.render(Default::default()).is_empty());
    }
    result.is_ok()
}

/// Mutates every input of the folders `times` times; most mutations must break something.
pub fn mutations_survive(folders: [&str; 2], extension: &str, times: usize, read: &Accepts) {
    let mut random = Random(0x5eed);
    let mut rejected = 0;
    for path in folders.iter().flat_map(|folder| inputs(folder, extension)) {
        let text = std::fs::read_to_string(path).expect("a readable input");
        for _ in 0..times {
            let mutated = mutate(&text, &mut random);
            rejected += usize::from(!survives(read, &mutated));
        }
    }
    assert!(rejected > 1000, "the mutations change nothing");
}

/// Classes and predicates as text.
pub fn show_definitions(definitions: &Definitions, printer: &mut Printer<'_>) -> String {
    let mut out = String::new();
    for (_, class) in definitions.classes().skip(1) {
        let fields: Vec<_> = (class.fields.iter())
            .map(|field| format!(" {} {};", display_sort(definitions, field.sort), field.name))
            .collect();
        let _ = writeln!(out, "data {} {{{} }}", class.name, fields.concat());
    }
    for (_, predicate) in definitions.predicates() {
        let params: Vec<_> = predicate
            .params
            .iter()
            .map(|&v| printer.variable(v))
            .collect();
        let _ = writeln!(out, "pred {}({})", predicate.name, params.join(", "));
        for disjunct in &predicate.disjuncts {
            let _ = writeln!(out, "  | {}", printer.symbolic_heap(disjunct));
        }
    }
    out
}

/// A small generator of random numbers (xorshift), so that every run is the same.
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound.max(1) as u64) as usize
    }
}

/// A text with one to four random changes: bytes replaced, pieces deleted, repeated, swapped
/// or taken from elsewhere in the text.
pub fn mutate(text: &str, random: &mut Random) -> String {
    const BYTES: &[u8] = b"()<>=*&|;:,_-+ \n\"0129azAZ#\xff\xc3\x00.!";
    let mut pieces: Vec<Vec<u8>> = split(text);
    for _ in 0..=random.below(4) {
        let (at, other) = (random.below(pieces.len()), random.below(pieces.len()));
        if pieces.is_empty() {
            break;
        }
        match random.below(6) {
            0 => drop(pieces.remove(at)),
            1 => pieces.insert(at, pieces[at].clone()),
            2 => pieces.swap(at, other),
            3 => pieces.insert(other, pieces[at].clone()),
            4 => {
                let byte = random.below(pieces[at].len());
                pieces[at][byte] = BYTES[random.below(BYTES.len())];
            }
            _ => pieces.truncate(at.max(1)),
        }
    }
    String::from_utf8_lossy(&pieces.concat()).into_owned()
}

/// Words, blanks and single signs.
fn split(text: &str) -> Vec<Vec<u8>> {
    let class = |byte: u8| match byte {
        b if b.is_ascii_alphanumeric() || b == b'_' => 0,
        b if b.is_ascii_whitespace() => 1,
        _ => 2,
    };
    let mut pieces: Vec<Vec<u8>> = Vec::new();
    for byte in text.bytes() {
        match pieces.last_mut() {
            Some(piece) if class(byte) != 2 && class(piece[0]) == class(byte) => piece.push(byte),
            _ => pieces.push(vec![byte]),
        }
    }
    pieces
}
