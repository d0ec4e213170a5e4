//! The texts of a run: some made from scratch, most of them mutations of those and of examples.

use std::io;
use std::path::Path;

use crate::Language;
use crate::generate::generate;
use crate::mutate::mutate;
use crate::random::Random;

/// Mutations start from examples of at most this length; what happens to longer texts happens to
/// shorter ones too, and sooner.
const LONGEST_EXAMPLE: usize = 20_000;

/// Texts that people wrote, by language.
#[derive(Debug, Default)]
pub struct Examples {
    texts: Vec<(Language, String)>,
}

impl Examples {
    /// Reads every file under the folders whose name ends as one of the languages does. The order
    /// is that of the names, so that it does not depend on the file system.
    pub fn under(folders: &[impl AsRef<Path>]) -> io::Result<Examples> {
        let mut examples = Examples::default();
        for folder in folders {
            examples.add_folder(folder.as_ref())?;
        }
        Ok(examples)
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.texts.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }

    fn add_folder(&mut self, folder: &Path) -> io::Result<()> {
        let mut paths = Vec::new();
        for entry in std::fs::read_dir(folder)? {
            let entry = entry?;
            paths.push((entry.path(), entry.file_type()?.is_dir()));
        }
        paths.sort();
        for (path, is_folder) in paths {
            let extension = path.extension().and_then(|extension| extension.to_str());
            if is_folder {
                self.add_folder(&path)?;
            } else if let Some(language) = extension.and_then(Language::of_extension)
                && let Ok(text) = String::from_utf8(std::fs::read(&path)?)
                && text.len() <= LONGEST_EXAMPLE
            {
                self.texts.push((language, text));
            }
        }
        Ok(())
    }

    fn pick(&self, language: Language, random: &mut Random) -> Option<&str> {
        let fitting: Vec<&str> = (self.texts.iter())
            .filter(|(of, _)| *of == language)
            .map(|(_, text)| text.as_str())
            .collect();
        (!fitting.is_empty()).then(|| random.pick(&fitting))
    }

    /// Text number `index` of the run with this seed.
    pub fn text(&self, seed: u64, index: u64) -> (Language, String) {
        let random = &mut Random::for_text(seed, index);
        let language = Language::ALL[random.below(Language::ALL.len())];
        let fresh = generate(language, random);
        if random.one_in(4) {
            return (language, fresh);
        }
        let base = match self.pick(language, random) {
            Some(example) if random.one_in(2) => example.to_owned(),
            _ => fresh,
        };
        // Now and then a piece of another language is spliced in.
        let other = if random.one_in(20) {
            generate(Language::ALL[random.below(Language::ALL.len())], random)
        } else {
            generate(language, random)
        };
        (language, mutate(&base, &other, random))
    }
}
