//! JUnit and JaCoCo: which versions tests are verified with, where they are found, and fetching
//! them with Maven.

use super::error::{SetupError, ToolError};
use super::process;
use super::toolchain::absolute;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

/// What Maven is given to fetch the tools. A copy of it in the cache says that they are complete.
const PROJECT: &str = include_str!("../../../../scripts/jvm-tools.xml");

/// The name of that copy.
const MARKER: &str = "jvm-tools.xml";

/// The plugin of Maven that copies what a project depends on.
const COPY: &str = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies";

/// More than a slow connection needs for five megabytes.
const FETCH_LIMIT: Duration = Duration::from_secs(300);

/// A jar that verification needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tool {
    /// What people call it.
    pub name: &'static str,
    /// The version that is fetched.
    pub version: &'static str,
    /// The folders of its group and artifact in a Maven repository.
    folders: &'static str,
    /// How its file is called there, without the ending.
    stored: &'static str,
    /// How its file is called in the folder of the tools.
    pub file: &'static str,
}

/// JUnit 5 with JUnit 4, and what runs both.
pub const JUNIT: Tool = Tool {
    name: "JUnit",
    version: "1.14.1",
    folders: "org/junit/platform/junit-platform-console-standalone",
    stored: "junit-platform-console-standalone-1.14.1",
    file: "junit-platform-console-standalone.jar",
};

/// JaCoCo with everything that it needs.
pub const JACOCO: Tool = Tool {
    name: "JaCoCo",
    version: "0.8.14",
    folders: "org/jacoco/org.jacoco.cli",
    stored: "org.jacoco.cli-0.8.14-nodeps",
    file: "org.jacoco.cli-nodeps.jar",
};

/// Where tools are looked for when no folder is named.
#[derive(Debug, Clone)]
pub struct Places {
    /// The folder in the user's cache.
    pub cache: PathBuf,
    /// The user's Maven repository.
    pub repository: Option<PathBuf>,
}

impl Tool {
    /// Where Maven Central has it.
    pub fn address(self) -> String {
        let Tool {
            folders,
            version,
            stored,
            ..
        } = self;
        format!("https://repo1.maven.org/maven2/{folders}/{version}/{stored}.jar")
    }
}

impl Places {
    /// The places of the user that the environment names.
    pub fn of_user() -> Result<Places, ToolError> {
        let set = |name: &str| env::var_os(name).filter(|value| !value.is_empty());
        let home = set("HOME").map(PathBuf::from);
        let cache = set("XDG_CACHE_HOME")
            .map(PathBuf::from)
            .or_else(|| Some(home.as_ref()?.join(".cache")))
            .ok_or(ToolError::NoCache)?;
        Ok(Places {
            cache: absolute(cache.join("heapwright").join("jvm")),
            repository: home.map(|home| absolute(home.join(".m2").join("repository"))),
        })
    }

    /// The file of a tool: the one in the cache, or that of the same version in the Maven
    /// repository. Returns `None` if there is neither.
    pub fn find(&self, tool: Tool) -> Option<PathBuf> {
        let cached = self.cache.join(tool.file);
        let stored = self.repository.as_ref().map(|repository| {
            let folder = repository.join(tool.folders).join(tool.version);
            folder.join(format!("{}.jar", tool.stored))
        });
        let candidates = std::iter::once(cached).chain(stored);
        candidates.into_iter().find(|path| path.is_file())
    }

    /// Fetches both tools into the cache with a Maven, which asks the repositories that the user
    /// has configured.
    pub fn fetch(&self, maven: &Path) -> Result<(), SetupError> {
        let work = self.cache.join(format!("fetched-{}", std::process::id()));
        let fetched = self.fetch_through(maven, &work);
        // Whatever happened, nothing is left but the tools.
        let _ = fs::remove_dir_all(&work);
        fetched
    }

    fn fetch_through(&self, maven: &Path, work: &Path) -> Result<(), SetupError> {
        fs::create_dir_all(work).map_err(SetupError::file(work))?;
        let project = work.join(MARKER);
        fs::write(&project, PROJECT).map_err(SetupError::file(&project))?;
        let jars = work.join("jars");
        let mut command = Command::new(maven);
        command
            .args(["--quiet", "--batch-mode", "-Dstyle.color=never", "--file"])
            .arg(&project)
            .arg(COPY)
            .args(["-Dmdep.stripVersion=true", "-DexcludeTransitive=true"])
            .arg(format!("-DoutputDirectory={}", jars.display()))
            .current_dir(work);
        let output = work.join("output");
        let status = process::run(&mut command, &output, Instant::now() + FETCH_LIMIT);
        if !status
            .map_err(SetupError::maven)?
            .is_some_and(|status| status.success())
        {
            let said = fs::read(&output).map_err(SetupError::file(&output))?;
            return Err(SetupError::Maven(
                String::from_utf8_lossy(&said).trim().to_owned(),
            ));
        }
        for tool in [JUNIT, JACOCO] {
            let to = self.cache.join(tool.file);
            fs::rename(jars.join(tool.file), &to).map_err(SetupError::file(&to))?;
        }
        self.forget_drivers()?;
        // Last, since it says that the rest is complete.
        let marker = self.cache.join(MARKER);
        fs::rename(&project, &marker).map_err(SetupError::file(&marker))
    }

    /// Removes drivers that were compiled against other versions.
    fn forget_drivers(&self) -> Result<(), SetupError> {
        let entries = fs::read_dir(&self.cache).map_err(SetupError::file(&self.cache))?;
        for entry in entries.flatten() {
            if entry.file_name().to_string_lossy().starts_with("driver-") {
                let path = entry.path();
                fs::remove_dir_all(&path).map_err(SetupError::file(&path))?;
            }
        }
        Ok(())
    }
}

/// The command `mvn` of the `PATH`.
pub fn maven() -> Option<PathBuf> {
    let name = if cfg!(windows) { "mvn.cmd" } else { "mvn" };
    let folders = env::var_os("PATH")?;
    let mut files = env::split_paths(&folders).map(|folder| absolute(folder.join(name)));
    files.find(|file| file.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_versions_are_those_that_maven_is_asked_for() {
        for tool in [JUNIT, JACOCO] {
            let (group, artifact) = tool.folders.rsplit_once('/').unwrap();
            let group = group.replace('/', ".");
            let asked = format!(
                "<groupId>{group}</groupId>\n      <artifactId>{artifact}</artifactId>\n      \
                 <version>{}</version>",
                tool.version
            );
            assert!(PROJECT.contains(&asked), "{asked}");
            let plain = tool.stored.replacen(&format!("-{}", tool.version), "", 1);
            assert_eq!(format!("{plain}.jar"), tool.file);
        }
    }

    #[test]
    fn the_cache_comes_first_and_the_repository_has_to_have_the_version() {
        let folder = env::temp_dir().join(format!("heapwright-places-{}", std::process::id()));
        let places = Places {
            cache: folder.join("cache"),
            repository: Some(folder.join("repository")),
        };
        let stored = folder.join("repository").join(JUNIT.folders);
        let jar = |version: &str| {
            let name = JUNIT.stored.replace(JUNIT.version, version);
            stored.join(version).join(format!("{name}.jar"))
        };
        for path in [
            jar("0.1"),
            jar(JUNIT.version),
            places.cache.join(JUNIT.file),
        ] {
            let found = places.find(JUNIT);
            assert_ne!(found.as_ref(), Some(&path));
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, "").unwrap();
            let expected =
                (!path.ends_with("junit-platform-console-standalone-0.1.jar")).then_some(path);
            assert_eq!(places.find(JUNIT), expected);
        }
        assert_eq!(places.find(JACOCO), None);
        fs::remove_dir_all(&folder).unwrap();
    }
}
