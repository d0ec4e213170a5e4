//! Java programs as data for another machine: class path, specifications, options, and source texts if
//! they are wanted.
//!
//! The other machine opens nothing by a name that it was sent: class files come from the files that were
//! sent with the description, texts from the notes in it. Names are what messages quote, so that they
//! are the same wherever a unit was searched.

use std::path::PathBuf;
use std::sync::Arc;

use heapwright_engine::Interrupt;
use heapwright_java::classpath::{ClassPath, JdkSearch, SentEntry};
use heapwright_java::emit::Framework;
use heapwright_java::world::World;
use heapwright_store::{decode, encode};
use heapwright_testgen::elsewhere::Sent;
use heapwright_testgen::host::Host;
use heapwright_testgen::surroundings::{Received, Recorder, Surroundings};
use heapwright_testgen::{Error, Frontend, Request};
use serde::{Deserialize, Serialize};

use crate::frontend::{JavaOptions, JavaTests};
use crate::program::JavaProgram;
use crate::sources::Sources;
use crate::specifications::{Choice, Specifications};

/// What is said about a program.
#[derive(Serialize, Deserialize)]
struct Description {
    /// The folder of the JDK, as messages name it.
    jdk: String,
    entries: Vec<SentEntry>,
    /// The class path as it was given, which messages quote.
    class_path: Vec<PathBuf>,
    choice: Choice,
    /// Preconditions that were given beside.
    given: Vec<String>,
    predicate: Option<String>,
    /// The folders of sources, none if these stay where they are.
    sources: Vec<PathBuf>,
    surroundings: Surroundings,
    is_junit4: bool,
    only_specified: bool,
}

impl JavaTests {
    /// The program as it is sent. What the targets of a request need is read once more, and noted.
    pub(crate) fn parcel(&mut self, request: &Request) -> Result<Sent, Error> {
        let program = &mut self.program;
        let recorder = Arc::new(Recorder::new(Arc::clone(&program.host)));
        let mut again = JavaTests::new(
            JavaProgram {
                world: World::new(Arc::new(program.world.class_path().view()))
                    .map_err(Error::code)?,
                specifications: program.specifications.unaimed(),
                class_path: program.class_path.clone(),
                sources: Sources::new(Vec::new(), Arc::clone(&program.host)),
                host: Arc::clone(&recorder) as Arc<dyn Host>,
                predicate: program.predicate.clone(),
                is_received: false,
            },
            self.options.clone(),
        );
        for target in again.targets(request)?.tested {
            again.is_by_calls(&target, request)?;
            again.circumstances(std::slice::from_ref(&target))?;
            // What messages about a specification name is looked for.
            if let Some((_, file)) = again.program.specified_by(&target)? {
                recorder.look(&file);
            }
        }
        let folders = match program.sources.are_hidden {
            true => Vec::new(),
            false => program.sources.folders.clone(),
        };
        if !folders.is_empty() {
            note_sources(&mut again, Sources::new(folders.clone(), recorder.clone()))?;
        }
        let classes = program.world.class_path();
        let (entries, contents) = classes.sent().map_err(Error::code)?.into_iter().unzip();
        let mut surroundings = recorder.notes();
        surroundings.close(&folders);
        let description = Description {
            jdk: classes.jdk().home().display().to_string(),
            entries,
            class_path: program.class_path.clone(),
            choice: program.specifications.choice().clone(),
            given: program.specifications.given().to_vec(),
            predicate: program.predicate.clone(),
            sources: folders,
            surroundings,
            is_junit4: self.options.junit == Framework::JUnit4,
            only_specified: self.options.only_specified,
        };
        let (description, _) = encode(&description).map_err(Error::code)?;
        Ok(Sent {
            description,
            contents,
        })
    }

    /// A program that was sent, with its files in their order. The function says afterwards whether
    /// something was needed that was not sent.
    pub fn received(
        description: &[u8],
        files: &[PathBuf],
        jdk: &JdkSearch,
        interrupt: Interrupt,
    ) -> Result<(JavaTests, impl Fn() -> bool + use<>), Error> {
        let description: Description =
            decode(description, &|_, id| Some(id)).map_err(|_| damaged())?;
        if description.entries.len() != files.len() {
            return Err(damaged());
        }
        let jdk = jdk.open().map_err(Error::code)?;
        let entries = (description.entries.into_iter()).zip(files.iter().cloned());
        let path = ClassPath::received(jdk, description.jdk.into(), entries);
        let world = World::new(Arc::new(path.map_err(Error::code)?)).map_err(Error::code)?;
        let received = Arc::new(Received::new(description.surroundings, interrupt));
        let host: Arc<dyn Host> = received.clone();
        let program = JavaProgram {
            world,
            specifications: Specifications::new(description.choice, description.given),
            class_path: description.class_path,
            sources: Sources::new(description.sources, Arc::clone(&host)),
            host,
            predicate: description.predicate,
            is_received: true,
        };
        // Nothing is run where a program was received, so there is nothing to say about that.
        let options = JavaOptions {
            junit: match description.is_junit4 {
                true => Framework::JUnit4,
                false => Framework::JUnit5,
            },
            only_specified: description.only_specified,
            ..JavaOptions::default()
        };
        let has_missed = move || received.has_missed();
        Ok((JavaTests::new(program, options), has_missed))
    }
}

fn damaged() -> Error {
    Error::Elsewhere("the program that was sent is damaged".to_owned())
}

/// Takes note of the source texts of all classes.
fn note_sources(java: &mut JavaTests, mut sources: Sources) -> Result<(), Error> {
    let world = &mut java.program.world;
    let classes = Arc::clone(world.class_path());
    for name in classes.classes().map_err(Error::code)? {
        // A class that cannot be read has no source that anybody asks for.
        if let Ok(class) = classes.load(name) {
            world.source_file(&class);
        }
    }
    let mut program = world.program().clone();
    sources.fill(&mut program);
    Ok(())
}

impl Specifications {
    /// The same specifications, before anybody said what is tested.
    fn unaimed(&self) -> Specifications {
        Specifications::new(self.choice().clone(), self.given().to_vec())
    }
}
