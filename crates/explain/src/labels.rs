//! How a language shows its objects.

use std::collections::BTreeMap;

use heapwright_logic::{Definitions, Heap, Loc, Value};

/// A text is cut here, so that it fits into a line.
const LONGEST: usize = 60;

/// What a language shows as a text instead of as an object with fields: strings, boxed numbers,
/// constants of enums.
pub trait Labels: Sync {
    /// The texts of all objects of a heap that have one.
    fn texts(&self, definitions: &Definitions, heap: &Heap) -> BTreeMap<Loc, String>;

    /// The objects of a heap that are shown as what they hold, instead of with their fields.
    fn collections(&self, definitions: &Definitions, heap: &Heap) -> BTreeMap<Loc, Collection> {
        let _ = (definitions, heap);
        BTreeMap::new()
    }
}

/// What a collection holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Collection {
    /// Elements in their order: `[1, 2]`.
    Elements(Vec<Value>),
    /// Keys with their values: `{a=1}`.
    Entries(Vec<(Value, Value)>),
}

impl Collection {
    /// Everything that it holds.
    pub fn values(&self) -> Vec<Value> {
        match self {
            Collection::Elements(elements) => elements.clone(),
            Collection::Entries(entries) => {
                let both = entries.iter().flat_map(|&(key, value)| [key, value]);
                both.collect()
            }
        }
    }

    /// `[1, 2]` or `{a=1}`, from the words for what it holds.
    fn told<'a>(&self, word: impl Fn(Value) -> Option<&'a str>) -> Option<String> {
        let (open, words, close) = match self {
            Collection::Elements(elements) => {
                let words = elements
                    .iter()
                    .map(|&element| Some(word(element)?.to_owned()));
                ("[", words.collect::<Option<Vec<String>>>()?, "]")
            }
            Collection::Entries(entries) => {
                let entry = |&(key, value): &(Value, Value)| {
                    Some(format!("{}={}", word(key)?, word(value)?))
                };
                let words = entries.iter().map(entry);
                ("{", words.collect::<Option<Vec<String>>>()?, "}")
            }
        };
        Some(format!("{open}{}{close}", words.join(", ")))
    }
}

/// A text without the class of a boxed value: inside of a collection it is clear.
pub fn bare(text: &str) -> &str {
    match text.split_once(' ') {
        Some((class, value)) if class.chars().all(char::is_alphabetic) && !value.is_empty() => {
            value
        }
        _ => text,
    }
}

/// The texts of objects, those of collections included that hold nothing but what has a text: for
/// pictures, which have no other way to show what a collection holds.
pub fn texts_of_values(
    labels: &dyn Labels,
    definitions: &Definitions,
    heap: &Heap,
) -> BTreeMap<Loc, String> {
    let mut texts = labels.texts(definitions, heap);
    let mut left = labels.collections(definitions, heap);
    // Collections of collections have a text once those have one.
    loop {
        let word = |value: Value| match value {
            Value::Null => Some("null"),
            Value::Ref(loc) => texts.get(&loc).map(|text| bare(text)),
            _ => None,
        };
        let told = left
            .iter()
            .map(|(&loc, collection)| (loc, collection.told(word)));
        let told: Vec<(Loc, String)> = told.filter_map(|(loc, text)| Some((loc, text?))).collect();
        if told.is_empty() {
            return texts;
        }
        for (loc, text) in told {
            left.remove(&loc);
            texts.insert(loc, text);
        }
    }
}

/// Every object is shown with its fields.
#[derive(Clone, Copy, Debug)]
pub struct PlainLabels;

impl Labels for PlainLabels {
    fn texts(&self, _: &Definitions, _: &Heap) -> BTreeMap<Loc, String> {
        BTreeMap::new()
    }
}

/// The texts of objects, each made fit for a line.
pub fn short_texts(
    labels: &dyn Labels,
    definitions: &Definitions,
    heap: &Heap,
) -> BTreeMap<Loc, String> {
    let fit = |text: String| {
        let is_cut = text.chars().count() > LONGEST;
        let mut short: String = text.chars().take(LONGEST).collect();
        if is_cut {
            short.push('…');
        }
        short
    };
    let texts = labels.texts(definitions, heap).into_iter();
    texts.map(|(loc, text)| (loc, fit(text))).collect()
}

/// Java's labels, for tests: strings and boxed numbers are what most heaps have.
#[cfg(test)]
pub mod java {
    use super::*;

    /// As the front end for Java has it.
    pub struct JavaTexts;

    impl Labels for JavaTexts {
        fn texts(&self, definitions: &Definitions, heap: &Heap) -> BTreeMap<Loc, String> {
            heapwright_java::display::labels(definitions, heap)
        }

        fn collections(&self, definitions: &Definitions, heap: &Heap) -> BTreeMap<Loc, Collection> {
            use heapwright_java::display::{Contents, contents};
            let cells = heap.cells.iter();
            let found = cells.filter_map(|(&loc, cell)| {
                let shown = match contents(definitions, heap, cell)? {
                    Contents::Elements(elements) => Collection::Elements(elements),
                    Contents::Entries(entries) => Collection::Entries(entries),
                };
                Some((loc, shown))
            });
            found.collect()
        }
    }
}
