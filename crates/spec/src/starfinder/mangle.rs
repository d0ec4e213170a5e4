//! Class names: `_` stands between packages and class, `__` before an inner class.

/// The Java name that a mangled one most likely stands for.
///
/// Names of packages begin in lower case and names of classes do not, which tells the
/// underscores of `My_List` from those of `my_List`.
pub(super) fn demangle(name: &str) -> String {
    let mut nested = name.split("__");
    let outer = nested.next().unwrap_or(name);
    let mut result = String::with_capacity(name.len());
    let mut rest = outer;
    while let Some((package, inner)) = rest.split_once('_')
        && package.starts_with(|c: char| c.is_ascii_lowercase())
        && !inner.is_empty()
    {
        result.push_str(package);
        result.push('.');
        rest = inner;
    }
    result.push_str(rest);
    for inner in nested {
        // Trailing or leading underscores are part of a name, not separators.
        result.push_str(if inner.is_empty() { "__" } else { "$" });
        result.push_str(inner);
    }
    result
}

/// How the notation writes a Java class name.
pub(super) fn mangle(name: &str) -> String {
    name.replace('.', "_").replace('$', "__")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_and_inner_classes_are_recognised() {
        for (mangled, java) in [
            ("Node", "Node"),
            ("pkg_Node", "pkg.Node"),
            ("java_util_TreeMap__Entry", "java.util.TreeMap$Entry"),
            ("My_Node", "My_Node"),
            ("pkg_My_Node", "pkg.My_Node"),
            ("_", "_"),
            ("a_", "a_"),
        ] {
            assert_eq!(demangle(mangled), java);
        }
        for java in ["Node", "java.util.TreeMap$Entry", "a.b.C$D$E"] {
            assert_eq!(demangle(&mangle(java)), java);
        }
    }
}
