//! Bugs that are planted into copies of the subjects.

use std::path::Path;

use heapwright_testgen::files::{create_folder, read};

use crate::error::BenchError;

/// What is planted: see the head of the file.
const BUGS: &str = include_str!("../../data/planted.txt");

/// Writes a copy of the red-black tree with a bug in its fix-up, and returns the target to test.
pub fn fix_up(folder: &Path, work: &Path) -> Result<String, BenchError> {
    let missing = || BenchError::NoSubject("red_black".to_owned());
    let mut records = BUGS.split("\n\n");
    let record = records
        .find(|record| record.starts_with("red_black#") && record.contains(": wrong fix-up"));
    let (head, change) = record
        .and_then(|record| record.split_once('\n'))
        .ok_or_else(missing)?;
    let target = head.split(": ").next().unwrap_or(head);
    let change = change.strip_prefix("< ").ok_or_else(missing)?;
    let (before, after) = change.split_once("\n> ").ok_or_else(missing)?;
    create_folder(work)?;
    let source = read(&folder.join("red_black.c"))?;
    write(&work.join("red_black.c"), &source.replace(before, after))?;
    write(
        &work.join("red_black.sl"),
        &read(&folder.join("red_black.sl"))?,
    )?;
    let function = target.rsplit('#').next().unwrap_or(target);
    Ok(format!("{}#{function}", work.join("red_black.c").display()))
}

fn write(path: &Path, text: &str) -> Result<(), BenchError> {
    std::fs::write(path, text).map_err(BenchError::Output)
}
