//! Running clang, which only reads.

mod flags;
mod words;

use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

pub use flags::Flags;

use crate::error::CError;

/// `offsetof` as an ordinary expression, and a question about types as a selection: clang's own say
/// nothing of their operands in its dump.
const DEFINITIONS: [&str; 5] = [
    "-w",
    "-D__HEAPWRIGHT__",
    // The functions of ctype.h as functions.
    "-D__NO_CTYPE",
    "-D__builtin_offsetof(t,m)=((__SIZE_TYPE__)&((t*)0)->m)",
    "-D__builtin_types_compatible_p(a,b)=_Generic((const volatile __typeof__(a)*)0,const volatile __typeof__(b)*:1,default:0)",
];

/// Names of clang, in the order in which they are tried.
const NAMES: [&str; 7] = [
    "clang", "clang-19", "clang-18", "clang-17", "clang-16", "clang-15", "clang-14",
];

/// Bytes of output that are read. clang indents its dump, so that its length grows with the square
/// of the depth.
const LIMIT: u64 = 1 << 30;

/// A syntax tree.
pub struct Dump {
    /// What clang writes, in JSON.
    pub text: String,
    /// What it calls the file with the library's functions.
    pub library: String,
}

/// The syntax tree of a file.
pub fn dump(file: &Path, flags: &Flags) -> Result<Dump, CError> {
    // The file is checked as it is, so that clang's own messages are about what the user wrote;
    // both runs take as long, and neither needs the other.
    let prelude = Prelude::write().map_err(|error| tree_error(file, &error.to_string()))?;
    let included = prelude.path.display().to_string();
    let (checked, dumped) = std::thread::scope(|scope| {
        let dumped = scope.spawn(|| {
            let dump = ["-include", &included, "-Xclang", "-ast-dump=json"];
            run(file, flags, &[&DEFINITIONS[..], &dump].concat())
        });
        let checked = run(file, flags, &["-w"]);
        (checked, dumped.join())
    });
    checked?;
    let dumped = dumped.map_err(|_| tree_error(file, "clang could not be run"))??;
    let text = String::from_utf8(dumped).map_err(|error| tree_error(file, &error.to_string()))?;
    Ok(Dump {
        text,
        library: included,
    })
}

/// The library's functions in C, in a file that goes when it is not needed any more.
struct Prelude {
    path: PathBuf,
}

impl Prelude {
    fn write() -> std::io::Result<Prelude> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("heapwright-{}-{number}.h", std::process::id());
        let path = std::env::temp_dir().join(name);
        let mut file = std::fs::OpenOptions::new()
            .write(true)
            .create_new(true)
            .open(&path)?;
        let prelude = Prelude { path };
        file.write_all(include_bytes!("../lower/prelude.h"))?;
        Ok(prelude)
    }
}

impl Drop for Prelude {
    fn drop(&mut self) {
        std::fs::remove_file(&self.path).ok();
    }
}

/// What clang says of the layouts of structs in a file that is followed by more text. Errors in that
/// text are no matter: what it says besides them still holds.
pub fn layouts(file: &Path, flags: &Flags, text: &str) -> Result<String, CError> {
    let path = file.canonicalize().unwrap_or_else(|_| file.to_owned());
    let path = path.display().to_string();
    let source = format!("#include \"{path}\"\n{text}");
    let mut child = command()?
        .args(["-fsyntax-only", "-ferror-limit=0"])
        .args(flags.words())
        .args(&DEFINITIONS[..2])
        .args(["-Xclang", "-fdump-record-layouts-simple", "-x", "c", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| CError::NoClang(error.to_string()))?;
    let output = std::thread::scope(|scope| {
        if let Some(mut input) = child.stdin.take() {
            // A clang that ends early closes its input; then its output is all there is.
            scope.spawn(move || input.write_all(source.as_bytes()).ok());
        }
        child.wait_with_output()
    });
    let output = output.map_err(|error| tree_error(file, &error.to_string()))?;
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

fn tree_error(file: &Path, reason: &str) -> CError {
    CError::Tree {
        file: file.display().to_string(),
        reason: reason.to_owned(),
    }
}

fn command() -> Result<Command, CError> {
    static FOUND: OnceLock<Option<PathBuf>> = OnceLock::new();
    let found = FOUND.get_or_init(|| {
        let folders = std::env::var_os("PATH")?;
        NAMES.iter().find_map(|name| {
            let mut paths = std::env::split_paths(&folders).map(|folder| folder.join(name));
            paths.find(|path| path.is_file())
        })
    });
    match found {
        Some(path) => Ok(Command::new(path)),
        None => Err(CError::NoClang(
            "none of its names is on the PATH".to_owned(),
        )),
    }
}

fn run(file: &Path, flags: &Flags, more: &[&str]) -> Result<Vec<u8>, CError> {
    // A name that begins with `@` would be read as a file of options.
    let path = match file.is_relative() && file.to_string_lossy().starts_with('@') {
        true => Path::new(".").join(file),
        false => file.to_owned(),
    };
    let mut child = command()?
        .args(["-fsyntax-only", "-fno-color-diagnostics"])
        .args(flags.words())
        .args(more)
        .args(["-x", "c", "--"])
        .arg(path)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| CError::NoClang(error.to_string()))?;
    let (mut output, mut messages) = (Vec::new(), Vec::new());
    let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
    let read = std::thread::scope(|scope| {
        scope.spawn(|| stderr.map(|mut stderr| stderr.read_to_end(&mut messages)));
        let read = stdout.map_or(Ok(0), |stdout| stdout.take(LIMIT).read_to_end(&mut output));
        // Whoever is still writing now writes more than is read.
        if output.len() as u64 == LIMIT {
            child.kill().ok();
        }
        read
    });
    let status = child.wait();
    read.map_err(|error| tree_error(file, &error.to_string()))?;
    if output.len() as u64 == LIMIT {
        return Err(tree_error(file, "it is larger than a gigabyte"));
    }
    if !status.is_ok_and(|status| status.success()) {
        return Err(CError::Rejected {
            file: file.display().to_string(),
            messages: String::from_utf8_lossy(&messages).trim_end().to_owned(),
        });
    }
    Ok(output)
}
