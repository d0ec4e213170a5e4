//! The nearest known name: "did you mean `bst`?".

/// Longer names are not compared: the work grows with the square of the length.
const LONGEST_NAME: usize = 64;

/// The candidate closest to `name` by edit distance, if one is close enough to be a likely
/// misspelling. The first of several equally close ones wins.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let wanted: Vec<char> = name.chars().take(LONGEST_NAME + 1).collect();
    if wanted.len() > LONGEST_NAME {
        return None;
    }
    let limit = (wanted.len() / 3).max(1);
    (candidates.into_iter())
        .filter(|&candidate| candidate != name)
        .filter_map(|candidate| {
            let other: Vec<char> = candidate.chars().take(LONGEST_NAME + 1).collect();
            let close = other.len().abs_diff(wanted.len()) <= limit && other.len() <= LONGEST_NAME;
            close.then(|| (edit_distance(&wanted, &other), candidate))
        })
        // A name of which every character was changed is no misspelling.
        .filter(|&(distance, _)| distance <= limit && distance < wanted.len())
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, candidate)| candidate)
}

/// The advice to use the nearest candidate.
pub fn did_you_mean<'a>(
    name: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<String> {
    nearest(name, candidates).map(|candidate| format!("did you mean `{candidate}`?"))
}

/// Insertions, deletions, substitutions and swaps of neighbours (the optimal string alignment
/// distance), blind to case.
fn edit_distance(a: &[char], b: &[char]) -> usize {
    let width = b.len() + 1;
    let mut before_last = vec![0; width];
    let mut last: Vec<usize> = (0..width).collect();
    for i in 1..=a.len() {
        let mut row = vec![i; width];
        for j in 1..width {
            let differs = usize::from(!a[i - 1].eq_ignore_ascii_case(&b[j - 1]));
            row[j] = (last[j] + 1).min(row[j - 1] + 1).min(last[j - 1] + differs);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(before_last[j - 2] + 1);
            }
        }
        before_last = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn likely_misspellings_are_found_and_others_are_not() {
        let known = ["bst", "list", "sorted_list", "x"];
        assert_eq!(nearest("bts", known), Some("bst"));
        assert_eq!(nearest("BST", known), Some("bst"));
        assert_eq!(nearest("lists", known), Some("list"));
        assert_eq!(nearest("sortd_lst", known), Some("sorted_list"));
        assert_eq!(nearest("tree", known), None);
        assert_eq!(nearest("y", known), None);
        assert_eq!(nearest("", known), None);
    }
}
