//! What is around the server.

use std::path::Path;

use heapwright_explain::Labels;
use heapwright_spec::questions::QuestionFile;
use heapwright_spec::{ImportRequest, Source, SpecError};

/// Files and classes, as the command line has them.
pub trait World {
    /// The text of an imported file or module. The error says why there is none.
    fn import(&self, request: ImportRequest<'_>) -> Result<Source, String>;

    /// Reads the text of a specification, with the classes of the code that it is about where
    /// those are known.
    fn read(&self, path: &Path, text: &str) -> Result<QuestionFile, SpecError>;

    /// How objects are shown in pictures.
    fn labels(&self) -> &dyn Labels;
}
