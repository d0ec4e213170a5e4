//! The type parameters of generic classes, as far as arguments for them have to be chosen.

/// What a type parameter has to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Bound {
    /// Any object.
    Object,
    /// Something that can be compared with its like.
    Comparable,
    /// Something else.
    Other,
}

/// The bounds of the type parameters in the signature of a class (JVMS 4.7.9.1); nothing if it has
/// none.
pub(super) fn type_parameters(signature: &str) -> Option<Vec<Bound>> {
    let mut rest = signature.strip_prefix('<')?;
    let mut bounds = Vec::new();
    while !rest.starts_with('>') {
        let (_, behind) = rest.split_once(':')?;
        let mut found = Vec::new();
        rest = behind;
        loop {
            let (bound, behind) = match rest.starts_with([':', '>']) {
                // No superclass, only interfaces.
                true => ("", rest),
                false => rest.split_at(length_of_type(rest)?),
            };
            found.push(bound);
            match behind.strip_prefix(':') {
                Some(behind) => rest = behind,
                None => {
                    rest = behind;
                    break;
                }
            }
        }
        let found = found.iter().filter(|bound| !bound.is_empty());
        let named: Vec<Bound> = found
            .map(|bound| match *bound {
                "Ljava/lang/Object;" => Bound::Object,
                bound if bound.starts_with("Ljava/lang/Comparable") => Bound::Comparable,
                _ => Bound::Other,
            })
            .collect();
        bounds.push(match named[..] {
            [bound] => bound,
            _ => Bound::Other,
        });
    }
    Some(bounds)
}

/// Where the reference type at the beginning of a signature ends.
fn length_of_type(signature: &str) -> Option<usize> {
    let mut depth = 0_usize;
    for (index, c) in signature.char_indices() {
        match c {
            '<' => depth += 1,
            '>' => depth = depth.checked_sub(1)?,
            ';' if depth == 0 => return Some(index + 1),
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_of_type_parameters() {
        let bounds = |signature: &str| type_parameters(signature);
        assert_eq!(bounds("Ljava/lang/Object;"), None);
        assert_eq!(
            bounds("<K:Ljava/lang/Object;V:Ljava/lang/Object;>Ljava/util/AbstractMap<TK;TV;>;"),
            Some(vec![Bound::Object, Bound::Object])
        );
        assert_eq!(
            bounds("<T::Ljava/lang/Comparable<-TT;>;>Ljava/lang/Object;"),
            Some(vec![Bound::Comparable])
        );
        assert_eq!(
            bounds("<T:Ljava/lang/Number;:Ljava/lang/Comparable<TT;>;>Ljava/lang/Object;"),
            Some(vec![Bound::Other])
        );
        assert_eq!(bounds("<T:"), None);
    }
}
