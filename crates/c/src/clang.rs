//! Running clang, which only reads.

use std::path::Path;
use std::process::{Command, Stdio};

use crate::error::CError;

/// `offsetof` as an ordinary expression: clang's own says nothing of the field in its dump.
const OFFSETOF: &str = "-D__builtin_offsetof(t,m)=((__SIZE_TYPE__)&((t*)0)->m)";

/// Flags whose next argument belongs to them.
const WITH_ARGUMENT: [&str; 8] = [
    "-I", "-isystem", "-iquote", "-D", "-U", "-include", "-target", "-x",
];

/// The flags that are passed on to clang: folders of headers, macros, the standard and the target.
/// Others are refused by name.
pub fn accepted(flags: &[String]) -> Result<Vec<String>, CError> {
    let mut kept = Vec::new();
    let mut flags = flags.iter();
    while let Some(flag) = flags.next() {
        if WITH_ARGUMENT.contains(&flag.as_str()) {
            kept.push(flag.clone());
            kept.extend(flags.next().cloned());
            continue;
        }
        let is_known = [
            "-I",
            "-isystem",
            "-iquote",
            "-D",
            "-U",
            "-std=",
            "-include",
            "--target=",
        ]
        .iter()
        .any(|prefix| flag.starts_with(prefix));
        let is_machine = flag.starts_with("-m") && flag[2..].chars().all(|c| c.is_alphanumeric());
        if !is_known && !is_machine {
            return Err(CError::Option(flag.clone()));
        }
        kept.push(flag.clone());
    }
    Ok(kept)
}

/// The syntax tree of a file, as clang writes it in JSON.
pub fn syntax_tree(file: &Path, flags: &[String]) -> Result<String, CError> {
    let flags = accepted(flags)?;
    // First the file as it is, so that clang's own messages are about what the user wrote.
    run(file, &flags, &[])?;
    run(
        file,
        &flags,
        &[
            "-w",
            "-D__HEAPWRIGHT__",
            OFFSETOF,
            "-Wno-builtin-macro-redefined",
            "-Xclang",
            "-ast-dump=json",
        ],
    )
}

fn run(file: &Path, flags: &[String], more: &[&str]) -> Result<String, CError> {
    let output = Command::new("clang")
        .args(["-fsyntax-only", "-fno-color-diagnostics"])
        .args(flags)
        .args(more)
        .arg("--")
        .arg(file)
        .stdin(Stdio::null())
        .output()
        .map_err(|error| CError::NoClang(error.to_string()))?;
    if !output.status.success() {
        return Err(CError::Rejected {
            file: file.display().to_string(),
            messages: String::from_utf8_lossy(&output.stderr)
                .trim_end()
                .to_owned(),
        });
    }
    String::from_utf8(output.stdout).map_err(|error| CError::Tree {
        file: file.display().to_string(),
        reason: error.to_string(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_harmless_options_are_passed_on() {
        let flags = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        let fine = flags("-I include -DX=1 -std=c11 -m32 --target=arm-linux-gnueabi");
        assert_eq!(accepted(&fine), Ok(fine.clone()));
        for bad in ["-Xclang", "-fplugin=x.so", "@options", "-load", "-o"] {
            assert_eq!(accepted(&flags(bad)), Err(CError::Option(bad.to_owned())));
        }
    }
}
