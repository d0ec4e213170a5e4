//! The place that `--reach` names.

use std::path::Path;

use heapwright_engine::SourceLine;
use heapwright_ir::Program;

use crate::error::{Error, RequestError};

/// Reads `LINE` or `FILE:LINE`. Whether there is code in the line is found out by the search.
pub fn place(program: &Program, text: &str) -> Result<SourceLine, Error> {
    let (file, line) = match text.rsplit_once(':') {
        Some((file, line)) => (file_named(program, file)?, line),
        None => (0, text),
    };
    match line.parse() {
        Ok(line) => Ok(SourceLine { file, line }),
        Err(_) => Err(Error::Request(RequestError::Place {
            text: text.to_owned(),
            needed: "a line is needed, such as 12 or list.impl:12",
        })),
    }
}

/// The file of the program with this name, or with a path that ends in it.
fn file_named(program: &Program, name: &str) -> Result<u32, Error> {
    let mut files = (0..).zip(&program.files);
    let found = files.find(|(_, file)| Path::new(&file.name).ends_with(Path::new(name)));
    found.map(|(index, _)| index).ok_or_else(|| {
        let known = program.files.iter().map(|file| file.name.clone());
        Error::Request(RequestError::PlaceInNoFile {
            name: name.to_owned(),
            known: known.collect(),
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use heapwright_impl::read_program;

    #[test]
    fn a_place_is_a_line_with_or_without_a_file() {
        let program = read_program("a/p.impl", "x := 1")
            .expect("a program")
            .program;
        let check = |text: &str, expected: Result<u32, &str>| {
            let found = place(&program, text).map(|place| place.line);
            let found = found.map_err(|error| error.to_string());
            assert_eq!(found, expected.map_err(str::to_owned), "{text}");
        };
        check("2", Ok(2));
        check("p.impl:5", Ok(5));
        check("a/p.impl:5", Ok(5));
        check(
            "q.impl:2",
            Err("--reach: the program has no file `q.impl`, only a/p.impl"),
        );
        check(
            "end",
            Err("--reach end: a line is needed, such as 12 or list.impl:12"),
        );
    }
}
