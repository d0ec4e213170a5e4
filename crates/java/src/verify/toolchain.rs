//! Where the programs are that compile and run tests, and the driver, which is compiled once.

use super::error::{ToolError, VerifyError};
use super::process;
use super::tools::{JACOCO, JUNIT, Places, Tool};
use crate::classpath::Jdk;
use heapwright_sandbox::Confinement;
use rustc_hash::FxHasher;
use std::env;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// The version whose language the driver is written in.
const OLDEST_JAVA: u16 = 17;

/// More than a slow machine needs to compile the driver.
const COMPILATION_LIMIT: Duration = Duration::from_secs(120);

/// With fewer megabytes the compiler does not start.
const SMALLEST_MEMORY: u32 = 32;

/// The driver's sources.
const SOURCES: [(&str, &str); 7] = [
    ("Coverage.java", include_str!("driver/Coverage.java")),
    ("Driver.java", include_str!("driver/Driver.java")),
    ("Guard.java", include_str!("driver/Guard.java")),
    ("Probes.java", include_str!("driver/Probes.java")),
    ("Report.java", include_str!("driver/Report.java")),
    ("Tests.java", include_str!("driver/Tests.java")),
    ("Ways.java", include_str!("driver/Ways.java")),
];

/// Where javac, java, JUnit and JaCoCo are.
#[derive(Debug, Clone)]
pub struct Toolchain {
    java: PathBuf,
    javac: PathBuf,
    tools: PathBuf,
    pub(super) junit: PathBuf,
    pub(super) jacoco: PathBuf,
    confinement: Confinement,
}

/// The compiled driver: folders of class files.
pub(super) struct Driver {
    /// The driver itself.
    pub(super) main: PathBuf,
    /// What is added to the module `java.base` when classes of the JDK are measured.
    pub(super) jdk: PathBuf,
}

impl Toolchain {
    /// The tools of a JDK, with JUnit and JaCoCo from a folder; without one from the user's cache,
    /// where `heapwright setup` puts them, or from the user's Maven repository.
    pub fn find(jdk_home: &Path, tools: Option<&Path>) -> Result<Toolchain, ToolError> {
        let version = Jdk::open(jdk_home)?.version();
        let home = absolute(jdk_home);
        if version < OLDEST_JAVA {
            return Err(ToolError::OldJdk {
                home,
                version,
                oldest: OLDEST_JAVA,
            });
        }
        let program = |name: &str| {
            let file = format!("{name}{}", env::consts::EXE_SUFFIX);
            home.join("bin").join(file)
        };
        let (java, javac) = (program("java"), program("javac"));
        if !javac.is_file() || !java.is_file() {
            return Err(ToolError::NoCompiler(home));
        }
        let places = match tools {
            Some(tools) => Places {
                cache: absolute(tools),
                repository: None,
            },
            None => Places::of_user()?,
        };
        let jar = |tool: Tool| {
            let missing = || ToolError::MissingTool(places.cache.join(tool.file));
            places.find(tool).ok_or_else(missing)
        };
        let (junit, jacoco) = (jar(JUNIT)?, jar(JACOCO)?);
        let tools = places.cache;
        Ok(Toolchain {
            junit,
            jacoco,
            java,
            javac,
            tools,
            confinement: Confinement::default(),
        })
    }

    /// The same tools, with limits for what tests do.
    pub fn confined(self, confinement: Confinement) -> Toolchain {
        Toolchain {
            confinement,
            ..self
        }
    }

    /// The jar with JUnit 5 and JUnit 4, for class paths that tests are compiled with.
    pub fn junit(&self) -> &Path {
        &self.junit
    }

    /// The command that starts a virtual machine, which may write into a folder. Where there is a
    /// sandbox, it reads the given files and folders, and those of the tools, wherever they are.
    pub(super) fn java(&self, folder: &Path, reads: Vec<PathBuf>) -> Result<Command, VerifyError> {
        let mut command = match &self.confinement.sandbox {
            None => Command::new(&self.java),
            Some(sandbox) => {
                let home = self.java.ancestors().nth(2).map(Path::to_owned);
                let tools = [self.junit.clone(), self.jacoco.clone()];
                let readable: Vec<PathBuf> = home.into_iter().chain(tools).chain(reads).collect();
                sandbox.command(&self.java, folder, &readable)?
            }
        };
        if let Some(megabytes) = self.confinement.memory {
            command.arg(format!("-Xmx{}m", megabytes.max(SMALLEST_MEMORY)));
        }
        Ok(command)
    }

    /// The compiled driver. It is kept beside the tools, or, if nothing can be written there, made
    /// anew in the folder of the job.
    pub(super) fn driver(&self, work: &Path) -> Result<Driver, VerifyError> {
        let mut hasher = FxHasher::default();
        SOURCES.hash(&mut hasher);
        let name = format!("driver-{:016x}", hasher.finish());
        let kept = self.tools.join(&name);
        if kept.is_dir() {
            return Ok(Driver::at(&kept));
        }
        // Several processes and threads may come here at once: each makes its own, and the first
        // to rename it wins.
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let own = format!("{name}-{}-{number}", std::process::id());
        // The folder is missing where the tools are in a Maven repository.
        let fresh = match fs::create_dir_all(self.tools.join(&own)) {
            Ok(()) => self.tools.join(own),
            Err(_) => work.join("driver"),
        };
        let compiled = self.compile_driver(&fresh);
        if compiled.is_ok() && !fresh.starts_with(&self.tools) {
            return Ok(Driver::at(&fresh));
        }
        if compiled.is_err() || fs::rename(&fresh, &kept).is_err() {
            let _ = fs::remove_dir_all(&fresh);
        }
        compiled.map(|()| Driver::at(&kept))
    }

    fn compile_driver(&self, folder: &Path) -> Result<(), VerifyError> {
        let sources = folder.join("sources");
        let patch = folder.join("java.base");
        let probes = patch.join("java").join("util");
        for folder in [&sources, &probes] {
            fs::create_dir_all(folder).map_err(VerifyError::file(folder))?;
        }
        let mut files = Vec::new();
        for (name, text) in SOURCES {
            let path = sources.join(name);
            fs::write(&path, text).map_err(VerifyError::file(&path))?;
            files.push(path);
            if name == "Probes.java" {
                let path = probes.join(name);
                let text = text.replacen("package heapwright.verify;", "package java.util;", 1);
                fs::write(&path, text).map_err(VerifyError::file(&path))?;
            }
        }
        let driver = Driver::at(folder);
        let class_path = env::join_paths([&self.junit, &self.jacoco])?;
        let mut options: Vec<OsString> = ["--release", "17", "-d"].map(OsString::from).into();
        options.extend([driver.main.into(), "-cp".into(), class_path]);
        options.extend(files.into_iter().map(OsString::from));
        self.compile(folder, &options)?;

        let mut in_base = OsString::from("java.base=");
        in_base.push(&patch);
        let options = ["-source", "17", "-target", "17", "-Xlint:-options", "-d"];
        let mut options: Vec<OsString> = options.map(OsString::from).into();
        options.extend([driver.jdk.into(), "--patch-module".into(), in_base]);
        options.push(probes.join("Probes.java").into());
        self.compile(folder, &options)
    }

    fn compile(&self, folder: &Path, options: &[OsString]) -> Result<(), VerifyError> {
        let output = folder.join("output");
        let mut command = Command::new(&self.javac);
        command.args(options).current_dir(folder);
        let deadline = Instant::now() + COMPILATION_LIMIT;
        let status = process::run(&mut command, &output, deadline)?;
        if status.is_some_and(|status| status.success()) {
            return Ok(());
        }
        let text = fs::read(&output).map_err(VerifyError::file(&output))?;
        Err(VerifyError::Driver {
            tools: self.tools.clone(),
            output: String::from_utf8_lossy(&text).into_owned(),
        })
    }
}

impl Driver {
    fn at(folder: &Path) -> Self {
        Driver {
            main: folder.join("main"),
            jdk: folder.join("jdk"),
        }
    }
}

/// Processes have other working directories than we have. A path that cannot be made absolute (the
/// empty one) stays as it is, and is not found later.
pub(super) fn absolute(path: impl AsRef<OsStr>) -> PathBuf {
    let path = Path::new(path.as_ref());
    std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf())
}
