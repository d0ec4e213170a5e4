use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::*;

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct ClassId(u32);

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct Position {
    file: u32,
    line: u32,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
enum Shape {
    Point,
    Number(i128),
    Pair(u8, char),
    Of { class: ClassId, at: Position },
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct All {
    shapes: Vec<Shape>,
    names: BTreeMap<(u32, u32), String>,
    known: Option<Box<All>>,
    truth: (bool, f64, u64, i64),
}

fn example() -> All {
    let class = ClassId(3);
    let inner = All {
        shapes: vec![
            Shape::Number(i128::MIN),
            Shape::Number(i128::MAX),
            Shape::Number(-1),
        ],
        names: BTreeMap::new(),
        known: None,
        truth: (false, -0.0, u64::MAX, i64::MIN),
    };
    All {
        shapes: vec![
            Shape::Point,
            Shape::Pair(255, 'é'),
            Shape::Of {
                class,
                at: Position { file: 3, line: 3 },
            },
        ],
        names: BTreeMap::from([((1, 3), "one".to_owned()), ((2, 0), String::new())]),
        known: Some(Box::new(inner)),
        truth: (true, 1.5, 0, -300),
    }
}

fn same(_: IdKind, id: u32) -> Option<u32> {
    Some(id)
}

#[test]
fn what_was_written_is_read() {
    let (bytes, _) = encode(&example()).expect("plain data");
    assert_eq!(decode(&bytes, &same), Ok(example()));
}

#[test]
fn only_ids_are_replaced() {
    let (bytes, ids) = encode(&example()).expect("plain data");
    let used: Vec<(IdKind, u32)> = ids.used.into_iter().collect();
    assert_eq!(used, [(IdKind::Class, 3), (IdKind::File, 3)]);
    let read: All = decode(&bytes, &|kind, id| match kind {
        IdKind::Class => Some(id + 10),
        _ => Some(id + 20),
    })
    .expect("known ids");
    let mut expected = example();
    expected.shapes[2] = Shape::Of {
        class: ClassId(13),
        at: Position { file: 23, line: 3 },
    };
    assert_eq!(read, expected);
    let unknown = decode::<All>(&bytes, &|_, _| None);
    assert_eq!(unknown, Err(FormatError::UnknownId(IdKind::Class)));
}

#[test]
fn damaged_bytes_are_errors() {
    let (bytes, _) = encode(&example()).expect("plain data");
    for length in 0..bytes.len() {
        assert!(decode::<All>(&bytes[..length], &same).is_err(), "{length}");
    }
    // Whatever a byte is changed to, the answer is an error or other data, and never a panic.
    let mut different = 0;
    for index in 0..bytes.len() {
        for value in [0, 1, 0x7f, 0x80, 0xff] {
            let mut changed = bytes.clone();
            changed[index] = value;
            different += u32::from(decode(&changed, &same) != Ok(example()));
        }
    }
    assert!(different > 200, "{different}");
    let huge = [0xff, 0xff, 0xff, 0xff, 0x7f];
    assert_eq!(decode::<Vec<u64>>(&huge, &same), Err(FormatError::Length));
}
