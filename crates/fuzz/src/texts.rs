//! The inputs of a run: some made from scratch, most of them mutations of those and of examples.

use std::io;
use std::path::Path;

use crate::Language;
use crate::generate::generate;
use crate::mutate::mutate;
use crate::random::Random;

/// Mutations start from examples of at most this length; what happens to longer texts happens to
/// shorter ones too, and sooner.
const LONGEST_EXAMPLE: usize = 20_000;

/// Inputs that people wrote, by language.
#[derive(Debug, Default)]
pub struct Examples {
    inputs: Vec<(Language, Vec<u8>)>,
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
        self.inputs.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.inputs.is_empty()
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
                && let bytes = std::fs::read(&path)?
                && bytes.len() <= LONGEST_EXAMPLE
            {
                self.inputs.push((language, bytes));
            }
        }
        Ok(())
    }

    fn pick(&self, language: Language, random: &mut Random) -> Option<&[u8]> {
        let fitting: Vec<&[u8]> = (self.inputs.iter())
            .filter(|(of, _)| *of == language)
            .map(|(_, bytes)| bytes.as_slice())
            .collect();
        (!fitting.is_empty()).then(|| random.pick(&fitting))
    }

    /// Input number `index` of the run with this seed, in one of some languages.
    pub fn input(&self, languages: &[Language], seed: u64, index: u64) -> (Language, Vec<u8>) {
        let random = &mut Random::for_text(seed, index);
        let language = languages[random.below(languages.len())];
        let fresh = generate(language, random);
        if random.one_in(4) {
            return (language, fresh);
        }
        let base = match self.pick(language, random) {
            // Examples of class files have much more in them than what is made here.
            Some(example) if random.one_in(2) || language == Language::ClassFile => {
                example.to_owned()
            }
            _ => fresh,
        };
        // Now and then a piece of another language is spliced in.
        let other = if random.one_in(20) {
            generate(languages[random.below(languages.len())], random)
        } else {
            match self.pick(language, random) {
                Some(example) if language == Language::ClassFile => example.to_owned(),
                _ => generate(language, random),
            }
        };
        (language, mutate(language, &base, &other, random))
    }
}
