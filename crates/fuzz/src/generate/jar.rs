//! Jars made from scratch: some classes, perhaps a manifest, names that should not be there, too
//! many entries, or entries that become much larger than they are.

use std::io::{Cursor, Write};
use std::sync::OnceLock;

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use super::class_file;
use crate::random::Random;

/// Names of entries that lead elsewhere, or are no names of classes.
pub const NAMES: [&str; 16] = [
    "../../x.class",
    "/etc/x.class",
    "a/../../b.class",
    "..",
    "",
    "a\\..\\b.class",
    "a\nb.class",
    "a\u{0}b.class",
    "META-INF/versions/9/Fuzz.class",
    "META-INF/versions/99999/Fuzz.class",
    "META-INF/versions/../Fuzz.class",
    "con.class",
    ".class",
    "a//b.class",
    "module-info.class",
    "🌳.class",
];

/// The size of an entry that is larger than any class file, unpacked.
const BOMB: usize = 80 << 20;

/// A jar.
pub fn generate(random: &mut Random) -> Vec<u8> {
    if random.one_in(2_000) {
        return bomb().to_vec();
    }
    let mut jar = Jar::new();
    if random.one_in(3) {
        jar.add("META-INF/MANIFEST.MF", b"Multi-Release: true\n\n", random);
    }
    let count = match random.one_in(100) {
        true => random.below(2_000),
        false => random.below(5),
    };
    for number in 0..count {
        let name = match random.below(4) {
            0 => NAMES[random.below(NAMES.len())].to_owned(),
            1 => format!("p{}/C{number}.class", random.below(3)),
            2 if random.one_in(20) => "a/".repeat(random.below(20_000)) + "B.class",
            _ => "Fuzz.class".to_owned(),
        };
        let contents = class_file::generate(random);
        jar.add(&name, &contents, random);
    }
    jar.bytes()
}

/// A jar with one class under its own name.
pub fn of_class(internal_name: &str, class: &[u8]) -> Vec<u8> {
    let mut jar = Jar::new();
    jar.put(
        &format!("{internal_name}.class"),
        class,
        SimpleFileOptions::default().compression_method(CompressionMethod::Stored),
    );
    jar.bytes()
}

/// A small jar with a class of many zeros.
fn bomb() -> &'static [u8] {
    static BYTES: OnceLock<Vec<u8>> = OnceLock::new();
    BYTES.get_or_init(|| {
        let mut jar = Jar::new();
        jar.put("Fuzz.class", &vec![0; BOMB], options(true));
        jar.bytes()
    })
}

fn options(packed: bool) -> SimpleFileOptions {
    SimpleFileOptions::default().compression_method(match packed {
        true => CompressionMethod::Deflated,
        false => CompressionMethod::Stored,
    })
}

struct Jar(ZipWriter<Cursor<Vec<u8>>>);

impl Jar {
    fn new() -> Jar {
        Jar(ZipWriter::new(Cursor::new(Vec::new())))
    }

    fn add(&mut self, name: &str, contents: &[u8], random: &mut Random) {
        self.put(name, contents, options(random.one_in(2)));
    }

    /// Adds an entry; names that the writer refuses, such as one twice, are left out.
    fn put(&mut self, name: &str, contents: &[u8], options: SimpleFileOptions) {
        if self.0.start_file(name, options).is_ok() {
            let _ = self.0.write_all(contents);
        }
    }

    fn bytes(self) -> Vec<u8> {
        let written = self.0.finish();
        written.map(Cursor::into_inner).unwrap_or_default()
    }
}
