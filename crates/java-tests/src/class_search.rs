//! Where a class may be that was not found, and which class is meant by the path of a file.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};

use heapwright_java::classfile::parse;
use heapwright_testgen::RequestError;

/// So many files and folders below the current one are looked at.
const MOST_LOOKED_AT: usize = 20_000;

/// What to do about a class that none of the class path's entries has.
pub fn hint(class: &str, class_path: &[PathBuf]) -> Option<String> {
    if let Some(folder) = class_path.iter().find_map(|entry| above(entry, class)) {
        let folder = folder.display();
        return Some(format!(
            "-c names the folder of its package; use the one above: -c {folder}"
        ));
    }
    let compiled = compiled(class);
    let package: PathBuf = class.split('.').collect();
    let has_class = |folder: &Path| {
        let mut files = compiled.iter().map(|file| folder.join(file));
        files.any(|file| file.is_file()) || holds_classes(&folder.join(&package))
    };
    if let Some(folder) = find(Path::new("."), &has_class) {
        let place = match folder == Path::new(".") {
            true => "this folder".to_owned(),
            false => format!("./{}", folder.display()),
        };
        return Some(format!("it is in {place}: use -c {}", folder.display()));
    }
    let source = source_of(class);
    let has_source = |folder: &Path| folder.join(&source).is_file();
    let mut entries = class_path.iter().filter(|entry| has_source(entry));
    let folder = entries.next().cloned();
    let folder = folder.or_else(|| find(Path::new("."), &has_source))?;
    let source = plain(&folder).join(&source);
    let (source, folder) = (source.display(), folder.display());
    Some(format!(
        "{folder} holds its source: compile it (javac -g -d classes --source-path {folder} \
         {source}), and use -c classes"
    ))
}

/// What to write instead of the path of a class file or of a source file.
pub fn objection_to_file(target: &str) -> Option<RequestError> {
    let (file, method) = match target.split_once('#') {
        Some((file, method)) => (file, format!("#{method}")),
        None => (target, String::new()),
    };
    let path = Path::new(file);
    let ending = path.extension()?.to_str()?;
    let (kind, class, folder) = match ending {
        "class" => {
            let class = class_in(path);
            let folder = class.as_ref().and_then(|class| root_of(path, class));
            ("a class file", class, folder)
        }
        // A class or a package can be called so as well.
        "java" if path.is_file() || file.contains(['/', '\\']) => {
            let class = class_of_source(path);
            let folder = class.as_ref().and_then(|class| {
                let files = compiled(class);
                let has_class = |folder: &Path| files.iter().any(|f| folder.join(f).is_file());
                find(Path::new("."), &has_class)
            });
            ("a source file", class, folder)
        }
        _ => return None,
    };
    let class = class.unwrap_or_else(|| "pkg.Class".to_owned());
    Some(RequestError::FileForClass {
        file: file.to_owned(),
        kind,
        class: format!("{class}{method}"),
        folder,
    })
}

/// The files that may hold a class below a folder of the class path: the last parts of its name
/// may be those of nested classes.
fn compiled(class: &str) -> Vec<PathBuf> {
    let mut path = class.replace('.', "/");
    let mut files = vec![PathBuf::from(format!("{path}.class"))];
    while let Some(last) = path.rfind('/') {
        path.replace_range(last..=last, "$");
        files.push(PathBuf::from(format!("{path}.class")));
    }
    files
}

/// The file that holds the source of a class.
fn source_of(class: &str) -> PathBuf {
    let outer = class.split('$').next().unwrap_or(class);
    PathBuf::from(format!("{}.java", outer.replace('.', "/")))
}

/// The class that a class file says that it holds.
fn class_in(file: &Path) -> Option<String> {
    let bytes = std::fs::read(file).ok()?;
    Some(parse(&bytes).ok()?.name.to_string())
}

/// The class that a source file is named after.
fn class_of_source(file: &Path) -> Option<String> {
    let text = std::fs::read_to_string(file).ok()?;
    let name = file.file_stem()?.to_str()?;
    let mut declarations = text.lines().filter_map(|line| {
        let (package, _) = line.trim().strip_prefix("package ")?.split_once(';')?;
        Some(package.trim().to_owned())
    });
    Some(match declarations.next() {
        Some(package) => format!("{package}.{name}"),
        None => name.to_owned(),
    })
}

/// The folder of the class path that a class file lies in, if its place fits its name.
fn root_of(file: &Path, class: &str) -> Option<PathBuf> {
    let below = PathBuf::from(format!("{}.class", class.replace('.', "/")));
    let root = file.ancestors().nth(below.components().count())?;
    let fits = root.join(&below) == file;
    fits.then(|| match root.as_os_str().is_empty() {
        true => PathBuf::from("."),
        false => root.to_owned(),
    })
}

/// The folder above the packages of a class, if an entry of the class path is the folder of the
/// class file itself.
fn above(entry: &Path, class: &str) -> Option<PathBuf> {
    let simple = class.rsplit('.').next()?;
    let file = entry.join(format!("{simple}.class"));
    if !class.contains('.') || class_in(&file)? != class {
        return None;
    }
    root_of(&file, class).or_else(|| root_of(&file.canonicalize().ok()?, class))
}

/// Whether there is a class file in a folder.
fn holds_classes(folder: &Path) -> bool {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths = entries.map(|entry| entry.path());
    paths.any(|path| path.extension().is_some_and(|ending| ending == "class"))
}

/// The nearest folder of some kind, from one on downwards, relative to that one. Hidden folders
/// and links are left out.
fn find(root: &Path, is_wanted: &dyn Fn(&Path) -> bool) -> Option<PathBuf> {
    let mut pending = VecDeque::from([root.to_owned()]);
    let mut seen = 0;
    while let Some(folder) = pending.pop_front() {
        if is_wanted(&folder) {
            let relative = folder.strip_prefix(root).ok()?;
            return Some(match relative.as_os_str().is_empty() {
                true => PathBuf::from("."),
                false => relative.to_owned(),
            });
        }
        let mut below = Vec::new();
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            seen += 1;
            let is_hidden = entry.file_name().to_string_lossy().starts_with('.');
            if !is_hidden && entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                below.push(entry.path());
            }
        }
        if seen > MOST_LOOKED_AT {
            return None;
        }
        below.sort();
        pending.extend(below);
    }
    None
}

/// A path without `.` in front.
fn plain(path: &Path) -> &Path {
    path.strip_prefix(".").unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nested_classes_have_files_of_their_own() {
        let files = compiled("a.B.C");
        assert_eq!(
            files[..2],
            ["a/B/C.class", "a/B$C.class"].map(PathBuf::from)
        );
        assert_eq!(source_of("a.B$C"), Path::new("a/B.java"));
    }

    #[test]
    fn the_folder_of_a_class_file_is_above_its_package() {
        let root = |file, class| root_of(Path::new(file), class);
        assert_eq!(root("x/a/B.class", "a.B"), Some(PathBuf::from("x")));
        assert_eq!(root("a/B.class", "a.B"), Some(PathBuf::from(".")));
        assert_eq!(root("B.class", "a.B"), None);
        assert_eq!(root("x/B.class", "a.B"), None);
    }

    #[test]
    fn names_of_classes_are_no_files() {
        let objection = |target| objection_to_file(target).map(|error| error.to_string());
        assert_eq!(objection("pkg.Class#m"), None);
        assert_eq!(objection("org.java"), None);
        let objection = objection("no/such/A.java#m").unwrap_or_default();
        assert!(objection.contains("pkg.Class#m -c FOLDER,"), "{objection}");
    }
}
