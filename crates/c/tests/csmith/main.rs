//! Random C programs of csmith, which print a checksum of all their variables in the end: gcc's
//! program and the concrete machine have to come to the same one.
//!
//! `CSMITH_PROGRAMS` says how many programs are compared (50 by default), and `CSMITH_SEED` which
//! seed is the first. Programs are made when the test runs; without csmith it says so and passes.

mod machine;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};

use machine::Ending;

/// Where Debian's package has the headers of the programs.
const HEADERS: &str = "/usr/include/csmith";

/// How the two runs of a program compare.
enum Compared {
    Equal,
    Different(String),
    /// gcc's program takes more than a second, or the machine more steps than it is given.
    TooLong,
}

/// What was found about all programs.
#[derive(Default)]
struct Tally {
    equal: u32,
    too_long: Vec<u32>,
    different: Vec<String>,
}

fn number(variable: &str, default: u32) -> u32 {
    let value = std::env::var(variable).ok();
    value.map_or(default, |text| text.parse().unwrap())
}

/// The output of a program, if it ends well.
fn output(command: &mut Command) -> Option<String> {
    let output = command.stdin(Stdio::null()).output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    output.status.success().then_some(text)
}

/// A folder that is removed in the end.
struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn compare(seed: u32, folder: &Path) -> Compared {
    let source = folder.join(format!("seed{seed}.c"));
    let program = folder.join(format!("seed{seed}"));
    let text = output(Command::new("csmith").args(["--seed", &seed.to_string()]));
    std::fs::write(&source, text.expect("csmith writes a program")).unwrap();
    let mut gcc = Command::new("gcc");
    gcc.args(["-w", "-O0", "-I", HEADERS, "-o"]);
    gcc.arg(&program).arg(&source);
    output(&mut gcc).expect("gcc compiles the program");
    let Some(expected) = output(Command::new("timeout").arg("1").arg(&program)) else {
        return Compared::TooLong;
    };
    let found = match machine::run(&source, HEADERS) {
        Ok(Ending::OutOfSteps) => return Compared::TooLong,
        Ok(Ending::Checksum(sum)) => format!("checksum = {sum:X}"),
        Err(reason) => reason,
    };
    std::fs::remove_file(&program).unwrap();
    std::fs::remove_file(&source).unwrap();
    match expected.trim() == found {
        true => Compared::Equal,
        false => Compared::Different(format!("seed {seed}: {found}, gcc: {}", expected.trim())),
    }
}

#[test]
fn random_programs_end_with_the_checksum_of_gcc() {
    let has_csmith = output(Command::new("csmith").arg("--version")).is_some();
    if !has_csmith || !Path::new(HEADERS).is_dir() {
        eprintln!("csmith or libcsmith-dev is not installed: no random programs are compared");
        return;
    }
    let wanted = number("CSMITH_PROGRAMS", 50);
    let next = AtomicU32::new(number("CSMITH_SEED", 1));
    let folder = std::env::temp_dir().join(format!("heapwright-csmith-{}", std::process::id()));
    std::fs::create_dir(&folder).unwrap();
    let folder = Folder(folder);
    let tally = Mutex::new(Tally::default());
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while tally.lock().unwrap().compared() < wanted {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    let compared = compare(seed, &folder.0);
                    tally.lock().unwrap().add(seed, compared);
                }
            });
        }
    });
    let tally = tally.into_inner().unwrap();
    println!(
        "{} programs agree, {} take too long: seeds {:?}",
        tally.equal,
        tally.too_long.len(),
        tally.too_long
    );
    assert!(tally.different.is_empty(), "{}", tally.different.join("\n"));
}

impl Tally {
    fn compared(&self) -> u32 {
        self.equal + self.different.len() as u32
    }

    fn add(&mut self, seed: u32, compared: Compared) {
        match compared {
            Compared::Equal => self.equal += 1,
            Compared::Different(text) => self.different.push(text),
            Compared::TooLong => self.too_long.push(seed),
        }
    }
}
