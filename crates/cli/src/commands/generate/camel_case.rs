//! Names as Java writes them.

/// Longer names are cut behind a word.
const LONGEST: usize = 60;

/// Words that are joined by `_`, behind a prefix: `remove` and `t_left_is_null` become
/// `remove_tLeftIsNull`.
pub fn camel_case(prefix: &str, words: &str) -> String {
    let mut name = prefix.to_owned();
    let separator = if prefix.is_empty() { "" } else { "_" };
    for (index, word) in words.split('_').filter(|word| !word.is_empty()).enumerate() {
        let (first, rest) = word.split_at_checked(1).unwrap_or((word, ""));
        let word = match index {
            0 => format!("{separator}{}{rest}", first.to_ascii_lowercase()),
            _ => format!("{}{rest}", first.to_ascii_uppercase()),
        };
        if index > 0 && name.len() + word.len() > LONGEST {
            break;
        }
        name.push_str(&word);
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_joined_by_capitals() {
        let check = |words, expected| assert_eq!(camel_case("remove", words), expected);
        check("t_left_is_null", "remove_tLeftIsNull");
        check("throws_NoSuchElement", "remove_throwsNoSuchElement");
        check("leftHeight_above_2", "remove_leftHeightAbove2");
        check("", "remove");
    }

    #[test]
    fn long_names_are_cut_behind_a_word() {
        let name = camel_case("remove", &"element_".repeat(20));
        assert_eq!(name.len(), 6 + 1 + 7 * 7);
    }
}
