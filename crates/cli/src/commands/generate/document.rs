//! The results of a run as JSON.

use std::io::Write;
use std::path::Path;

use heapwright_testgen::{Frontend, Session, json};
use serde_json::Value as Json;

use super::Arguments;
use crate::failure::{self, Failure};
use heapwright_report::json_text;

/// Writes the document, if somebody wants to have it.
pub fn write<F: Frontend>(
    session: &Session<F>,
    arguments: &Arguments,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let Some(file) = &arguments.json else {
        return Ok(());
    };
    let times = arguments.times || arguments.verbose > 1;
    let procedures: Vec<Json> = (session.suites())
        .map(|suite| json::procedure(suite, times))
        .collect();
    let request = &session.request;
    let document = json::document(
        Path::new(&session.frontend.program_name(request)),
        session.specification.as_deref(),
        json::options(&request.options, request.keep, request.reach.as_deref()),
        procedures,
    );
    let text = json_text::pretty(&document);
    match arguments.json_on_standard_output() {
        true => Ok(write!(out, "{text}")?),
        false => failure::write(file, &text),
    }
}
