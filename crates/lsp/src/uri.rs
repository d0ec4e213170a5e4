//! `file:` addresses and paths.

use std::path::{Path, PathBuf};

/// The path of a `file:` address. Returns `None` for other addresses.
pub fn to_path(uri: &str) -> Option<PathBuf> {
    let rest = uri.strip_prefix("file://")?;
    // A host may stand in front of the path; only this machine's files are meant.
    let path = &rest[rest.find('/')?..];
    let mut bytes = Vec::new();
    let mut rest = path.as_bytes();
    while let [first, behind @ ..] = rest {
        let code = behind
            .get(..2)
            .and_then(|code| std::str::from_utf8(code).ok());
        match code.and_then(|code| u8::from_str_radix(code, 16).ok()) {
            Some(byte) if *first == b'%' => {
                bytes.push(byte);
                rest = &behind[2..];
            }
            _ => {
                bytes.push(*first);
                rest = behind;
            }
        }
    }
    Some(PathBuf::from(String::from_utf8(bytes).ok()?))
}

/// The address of an absolute path. Returns `None` if the path is no text.
pub fn of_path(path: &Path) -> Option<String> {
    let mut uri = "file://".to_owned();
    for byte in path.to_str()?.bytes() {
        match byte {
            b'/' | b'-' | b'_' | b'.' | b'~' => uri.push(char::from(byte)),
            _ if byte.is_ascii_alphanumeric() => uri.push(char::from(byte)),
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    Some(uri)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_and_paths_are_the_same_places() {
        let path = Path::new("/home/a b/ä$%.sl");
        let uri = of_path(path).unwrap();
        assert_eq!(uri, "file:///home/a%20b/%C3%A4%24%25.sl");
        assert_eq!(to_path(&uri).as_deref(), Some(path));
        assert_eq!(
            to_path("file://host/x%2").as_deref(),
            Some(Path::new("/x%2"))
        );
        for other in ["untitled:Untitled-1", "file://", "", "file:///%ff"] {
            assert_eq!(to_path(other), None, "{other}");
        }
    }
}
