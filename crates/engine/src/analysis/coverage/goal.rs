//! A line of the source as the goal of a search.

use std::fmt;

use heapwright_ir::{BlockId, Position, Program};
use thiserror::Error;

use super::graph::{Graph, is_call};
use crate::options::SourceLine;

/// There is no code on a line, as far as the function and its callees are concerned.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub struct NoCode {
    /// The file, as it is called in the program; none if the program has no such file.
    pub file: Option<String>,
    /// The line.
    pub line: u32,
    /// The last line before it that has code.
    pub before: Option<u32>,
    /// The first line after it that has code.
    pub after: Option<u32>,
}

impl fmt::Display for NoCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let file = self.file.as_deref().unwrap_or("the file");
        let line = self.line;
        write!(f, "line {line} of {file} has no code that is executed; ")?;
        match (self.before, self.after) {
            (Some(before), Some(after)) => {
                write!(f, "the nearest lines that have are {before} and {after}")
            }
            (Some(nearest), None) | (None, Some(nearest)) => {
                write!(f, "the nearest line that has is {nearest}")
            }
            (None, None) => write!(f, "neither has any other line of it"),
        }
    }
}

/// The nodes with code on a line: from their beginning the line is reached without entering
/// another one.
pub(super) fn nodes(
    program: &Program,
    graph: &Graph,
    place: &SourceLine,
) -> Result<Vec<u32>, NoCode> {
    let mut found = Vec::new();
    let (mut before, mut after) = (None, None);
    for &id in graph.functions() {
        let Some(function) = program.functions.get(id.index()) else {
            continue;
        };
        for (index, block) in function.blocks.iter().enumerate() {
            let Some((first, last)) = graph.block(id, BlockId(index as u32)) else {
                continue;
            };
            let mut visit = |node: u32, position: Position| {
                if position.file != place.file || position.line == 0 {
                    return;
                }
                let line = position.line;
                if line == place.line {
                    found.push(node);
                } else if line < place.line {
                    before = before.max(Some(line));
                } else {
                    after = Some(after.map_or(line, |other: u32| other.min(line)));
                }
            };
            let mut node = first;
            for instruction in &block.instructions {
                visit(node, instruction.position);
                if is_call(&instruction.operation) {
                    node += 1;
                }
            }
            visit(last, block.position);
        }
    }
    if found.is_empty() {
        let file = program.files.get(place.file as usize);
        return Err(NoCode {
            file: file.map(|file| file.name.clone()),
            line: place.line,
            before,
            after,
        });
    }
    found.dedup();
    Ok(found)
}
