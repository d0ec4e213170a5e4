//! `--json`: what was found as one document.

use std::io::Write;
use std::path::Path;

use serde_json::Value as Json;

use super::super::json;
use super::session::Session;
use crate::failure::{self, Failure};
use crate::json_text;

impl Session<'_> {
    /// Writes the document, if somebody wants to have it.
    pub fn write_json(&self, out: &mut dyn Write) -> Result<(), Failure> {
        let arguments = self.arguments;
        let Some(file) = &arguments.json else {
            return Ok(());
        };
        let options = arguments.options(None);
        let reach = arguments.search.reach.as_deref();
        let times = arguments.times || arguments.verbose;
        let methods: Vec<Json> = (self.methods.iter())
            .map(|method| json::procedure(&method.suite, times))
            .collect();
        let document = json::document(
            Path::new(&arguments.title()),
            self.specification.as_deref(),
            json::options(&options, arguments.keep, reach),
            methods,
        );
        let text = json_text::pretty(&document);
        match arguments.json_on_standard_output() {
            true => Ok(write!(out, "{text}")?),
            false => failure::write(file, &text),
        }
    }
}
