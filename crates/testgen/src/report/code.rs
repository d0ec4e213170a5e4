//! The code of functions: where it is, and what was executed of it.

use std::collections::{BTreeMap, BTreeSet};

use super::texts::Text;
use heapwright_engine::Report;
use heapwright_ir::{BlockId, Function, FunctionId, Position, Program, print_functions};

/// Signatures and annotations are looked for this far above the first line with code.
const LONGEST_SIGNATURE: usize = 12;

/// How many of the tests that were found execute a line, by file and line.
pub fn hits(report: &Report) -> BTreeMap<(u32, u32), u64> {
    let mut hits = BTreeMap::new();
    for test in &report.tests {
        let lines = test.run.lines.iter();
        let lines: BTreeSet<(u32, u32)> = lines.map(|at| (at.file, at.line)).collect();
        for line in lines {
            *hits.entry(line).or_insert(0) += 1;
        }
    }
    hits
}

/// The file of a function.
pub fn file(function: &Function) -> u32 {
    match function.position.line {
        0 => {
            (positions(function).find(|at| at.line > 0))
                .unwrap_or(function.position)
                .file
        }
        _ => function.position.file,
    }
}

/// The lines of its own file that a function has code in.
pub fn lines(function: &Function) -> BTreeSet<u32> {
    let file = file(function);
    let positions = positions(function).filter(|at| at.file == file && at.line > 0);
    positions.map(|at| at.line).collect()
}

fn positions(function: &Function) -> impl Iterator<Item = Position> {
    function.blocks.iter().flat_map(|block| {
        let instructions = block.instructions.iter().map(|known| known.position);
        instructions.chain([block.position])
    })
}

/// The source of a function in the text of its file: the number of its first line, and its lines.
/// None where the text does not have them.
pub fn source<'t>(text: &'t Text, function: &Function, name: &str) -> Option<(u32, Vec<&'t str>)> {
    let code = lines(function);
    let begin = function.position.line;
    let known = code.iter().copied().chain([begin]).filter(|&line| line > 0);
    let (first, last) = (known.clone().min()?, known.max()?);
    let (first, last) = (first as usize - 1, last as usize - 1);
    let first = signature(text, first, name);
    let last = closing(text, first, last);
    let lines = (first..=last).map(|line| text.line(line));
    let lines = lines.collect::<Option<Vec<&str>>>()?;
    Some((first as u32 + 1, lines))
}

/// The line that declares a function, at or above the first one with code.
fn signature(text: &Text, first: usize, name: &str) -> usize {
    let above = (0..LONGEST_SIGNATURE).map_while(|up| first.checked_sub(up));
    let declared = |&line: &usize| text.line(line).is_some_and(|text| declares(text, name));
    let mut found = above.filter(declared);
    found.next().unwrap_or(first)
}

/// Whether a line declares a function, as far as that can be told without reading the language:
/// the name stands behind a type or nothing, in front of a parenthesis, and no statement ends there.
fn declares(line: &str, name: &str) -> bool {
    if name.is_empty() || line.trim_end().ends_with(';') {
        return false;
    }
    let is_type = |before: &str| {
        let word = before.split_whitespace().next_back().unwrap_or_default();
        let ends_well = before.ends_with(char::is_whitespace)
            && word.ends_with(|c: char| c.is_alphanumeric() || "_$>]".contains(c));
        before.trim().is_empty()
            || (ends_well && !["return", "new", "throw", "else"].contains(&word))
    };
    line.match_indices(name).any(|(at, _)| {
        let (before, after) = (line.get(..at), line.get(at + name.len()..));
        before.is_some_and(is_type)
            && after.is_some_and(|after| after.trim_start().starts_with('('))
    })
}

/// The line that closes what the last one with code is in: no deeper than the first line.
fn closing(text: &Text, first: usize, last: usize) -> usize {
    let indentation = |line: &str| line.len() - line.trim_start().len();
    let outer = text.line(first).map_or(0, indentation);
    let mut end = last;
    let below = (last + 1..).map_while(|number| Some((number, text.line(number)?)));
    for (number, line) in below {
        let is_closing = line.trim_start().starts_with('}') && indentation(line) >= outer;
        if !line.trim().is_empty() && !is_closing {
            break;
        }
        if is_closing {
            end = number;
        }
    }
    end
}

/// A line of the core language with the place in the source that it comes from, and the block that
/// ends with it.
pub struct CoreLine {
    /// The text.
    pub text: String,
    /// Where it comes from.
    pub position: Position,
    /// The block whose jump it is.
    pub jump: Option<BlockId>,
}

/// A function in the core language.
pub fn core(program: &Program, id: FunctionId) -> Vec<CoreLine> {
    let text = print_functions(program, &[id]).pop().unwrap_or_default();
    let Some(function) = program.functions.get(id.index()) else {
        return Vec::new();
    };
    // The printer writes a line for the heading, for every variable, and for every label, handler,
    // instruction and jump.
    let nowhere = (Position::default(), None);
    let variables = function
        .registers
        .len()
        .saturating_sub(function.params as usize);
    let mut places = vec![nowhere; 1 + variables];
    for (index, block) in (0..).zip(&function.blocks) {
        places.extend(vec![nowhere; 1 + block.handlers.len()]);
        places.extend(
            block
                .instructions
                .iter()
                .map(|known| (known.position, None)),
        );
        places.push((block.position, Some(BlockId(index))));
    }
    let places = places.into_iter().chain(std::iter::repeat(nowhere));
    let lines = text.lines().zip(places);
    let lines = lines.map(|(text, (position, jump))| CoreLine {
        text: text.to_owned(),
        position,
        jump,
    });
    lines.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use heapwright_impl::read_program;

    const TEXT: &str = "\
struct node { int value; node next }

proc first(node x)
    returns int
{
    if (x == nil) then {
        return 0
    }
    return x.value
}

proc second(node x) returns int { return first(x) }
";

    #[test]
    fn a_function_is_shown_from_its_name_to_its_end() {
        let program = read_program("p.impl", TEXT).expect("a program").program;
        let shown = |name: &str| {
            let id = program.function_named(name).expect("a function");
            let text = Text::new(TEXT.to_owned());
            let (first, lines) = source(&text, program.function(id), name).expect("a source");
            (first, lines.len())
        };
        assert_eq!(shown("first"), (3, 8));
        assert_eq!(shown("second"), (12, 1));
    }

    #[test]
    fn calls_are_no_declarations() {
        for line in [
            "int length() {",
            "  static <T> T[] length (int a,",
            "length(int x)",
            "proc length(node x)",
        ] {
            assert!(declares(line, "length"), "{line}");
        }
        for line in [
            "return length(first);",
            "if (a) { return length(",
            "x = length(first)",
            "a.length(first)",
            "length(first);",
            "int lengthen() {",
        ] {
            assert!(!declares(line, "length"), "{line}");
        }
    }

    #[test]
    fn every_jump_has_its_line_in_the_core_language() {
        let program = read_program("p.impl", TEXT).expect("a program").program;
        for (id, function) in (0..).map(FunctionId).zip(&program.functions) {
            let lines = core(&program, id);
            let jumps = lines.iter().filter(|line| line.jump.is_some()).count();
            assert_eq!(jumps, function.blocks.len());
            assert_eq!(lines.last().map(|line| line.text.as_str()), Some("}"));
            let branch = lines
                .iter()
                .find(|line| line.text.contains(" else ") || line.text.contains("branch"));
            assert!(branch.is_none_or(|line| line.jump.is_some()));
        }
    }
}
