//! The shape library, carried inside of programs so that an import by name always works.

use std::path::Path;

pub use heapwright_files::plain;

use crate::diagnostic::nearest;
use crate::load::{ImportRequest, Source};
use crate::syntax::ast::ImportTarget;

/// Name and text of every specification of the library.
pub const LIBRARY: [(&str, &str); 12] = [
    ("aa_tree", include_str!("../../../library/aa_tree.sl")),
    ("avl_tree", include_str!("../../../library/avl_tree.sl")),
    (
        "binary_heap",
        include_str!("../../../library/binary_heap.sl"),
    ),
    (
        "binary_tree",
        include_str!("../../../library/binary_tree.sl"),
    ),
    (
        "circular_list",
        include_str!("../../../library/circular_list.sl"),
    ),
    (
        "doubly_linked_list",
        include_str!("../../../library/doubly_linked_list.sl"),
    ),
    (
        "linked_leaves",
        include_str!("../../../library/linked_leaves.sl"),
    ),
    (
        "parent_tree",
        include_str!("../../../library/parent_tree.sl"),
    ),
    (
        "red_black_tree",
        include_str!("../../../library/red_black_tree.sl"),
    ),
    (
        "search_tree",
        include_str!("../../../library/search_tree.sl"),
    ),
    (
        "singly_linked_list",
        include_str!("../../../library/singly_linked_list.sl"),
    ),
    (
        "sorted_list",
        include_str!("../../../library/sorted_list.sl"),
    ),
];

/// Finds what an `import` asks for: a module of the library, or a file beside the importing one,
/// whose text the function gives.
pub fn import(
    request: ImportRequest<'_>,
    read: impl FnOnce(&Path) -> Result<String, String>,
) -> Result<Source, String> {
    match request.target {
        ImportTarget::Module(name) => module(name).ok_or_else(|| {
            let names = LIBRARY.iter().map(|&(name, _)| name);
            match nearest(name, names) {
                Some(known) => format!("the library has no such module; did you mean `{known}`?"),
                None => "the library has no such module".to_owned(),
            }
        }),
        ImportTarget::File(path) => {
            let folder = Path::new(request.from).parent().unwrap_or(Path::new(""));
            let path = plain(&folder.join(path));
            let text = read(&path)?;
            let name = path.display().to_string();
            Ok(Source { name, text })
        }
    }
}

/// The same where there are no files, only the library.
pub fn import_module(request: ImportRequest<'_>) -> Result<Source, String> {
    import(request, |_| Err("files cannot be imported here".to_owned()))
}

/// A module of the library by its name.
pub fn module(name: &str) -> Option<Source> {
    let (name, text) = LIBRARY.iter().find(|(known, _)| *known == name)?;
    Some(Source {
        name: format!("library/{name}.sl"),
        text: (*text).to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_library_holds_every_file_of_its_folder() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../library");
        let mut names: Vec<String> = std::fs::read_dir(folder)
            .expect("the folder exists")
            .map(|entry| entry.expect("an entry").path())
            .map(|path| {
                path.file_stem()
                    .expect("a name")
                    .to_string_lossy()
                    .into_owned()
            })
            .collect();
        names.sort();
        let embedded: Vec<&str> = LIBRARY.iter().map(|&(name, _)| name).collect();
        assert_eq!(embedded, names);
    }
}
