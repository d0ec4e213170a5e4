//! The class that was meant when an unknown one was named.

use crate::classpath::{ClassPath, ClassPathError};
use heapwright_spec::diagnostic::nearest;

/// A class that may have been meant: on the class path one that is spelled nearly like it, or that
/// has the same simple name; or else one of the public packages of the JDK.
pub(super) fn suggest_class(
    path: &ClassPath,
    name: &str,
) -> Result<Option<String>, ClassPathError> {
    let own: Vec<&str> = path.classes()?.iter().map(|class| &**class).collect();
    if let Some(found) = suggest_among(name, &own) {
        return Ok(Some(found));
    }
    let jdk = path.jdk().classes()?;
    // Nobody means what is inside of the JDK and not made for others.
    let public: Vec<&str> = jdk
        .iter()
        .map(String::as_str)
        .filter(|class| class.starts_with("java"))
        .collect();
    Ok(suggest_among(name, &public))
}

fn suggest_among(name: &str, classes: &[&str]) -> Option<String> {
    let simple = |class: &str| {
        class
            .rsplit(['.', '$'])
            .next()
            .unwrap_or_default()
            .to_owned()
    };
    let wanted = simple(name);
    let same = classes.iter().filter(|class| simple(class) == wanted);
    // Of several, the shortest name is the likeliest.
    let same = same.min_by_key(|class| (class.len(), class.to_string()));
    let found = same
        .copied()
        .or_else(|| nearest(name, classes.iter().copied()));
    found.map(str::to_owned)
}
