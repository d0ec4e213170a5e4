//! Layouts of structs: what clang says of them, and what follows from the rules where it says
//! nothing.

use rustc_hash::FxHashMap;

use super::tokens::unnamed;

/// Where the fields of a struct or union are, in bits, those without names included.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Layout {
    pub(super) size: u64,
    pub(super) align: u64,
    pub(super) offsets: Vec<u64>,
}

/// Sizes of the target.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Target {
    pub(super) long: u64,
    pub(super) pointer: u64,
    /// Alignment of 8 bytes inside of a struct.
    pub(super) wide_align: u64,
    pub(super) long_double: (u64, u64),
    pub(super) is_char_unsigned: bool,
}

impl Default for Target {
    fn default() -> Target {
        Target {
            long: 8,
            pointer: 8,
            wide_align: 8,
            long_double: (16, 16),
            is_char_unsigned: false,
        }
    }
}

/// A struct whose fields are as long as what is asked: clang tells numbers by where they begin.
pub(super) const PROBE: &str = "\
    struct __heapwright_wide { char c; long long x; };\n\
    struct __heapwright_probe { char a[sizeof(long)]; char b[sizeof(void *)]; \
    char c[_Alignof(struct __heapwright_wide)]; char d[sizeof(long double)]; \
    char e[_Alignof(long double)]; char f[(char)-1 < 0 ? 1 : 2]; char end; };\n\
    enum { __heapwright_p = sizeof(struct __heapwright_probe) };\n";

/// All layouts that clang says, by what it calls the structs.
#[derive(Default, Debug)]
pub(super) struct Layouts {
    by_name: FxHashMap<String, Vec<Layout>>,
}

impl Layouts {
    /// Reads clang's output.
    pub(super) fn parse(text: &str) -> Layouts {
        let mut layouts = Layouts::default();
        for part in text.split("*** Dumping AST Record Layout").skip(1) {
            let line = |key: &str| part.lines().find_map(|line| line.trim().strip_prefix(key));
            let number = |key: &str| line(key).and_then(|number| number.parse::<u64>().ok());
            let offsets = line("FieldOffsets: [").and_then(|line| line.strip_suffix("]>"));
            let (Some(name), Some(size), Some(align), Some(offsets)) = (
                line("Type: "),
                number("Size:"),
                number("Alignment:"),
                offsets,
            ) else {
                continue;
            };
            let offsets = offsets.split(", ").filter_map(|offset| offset.parse().ok());
            let layout = Layout {
                size: size / 8,
                align: align / 8,
                offsets: offsets.collect(),
            };
            let known = layouts.by_name.entry(key(name)).or_default();
            if !known.contains(&layout) {
                known.push(layout);
            }
        }
        layouts
    }

    /// The layout of a struct with a number of fields, if clang says only one.
    pub(super) fn get(&self, name: &str, fields: usize) -> Option<&Layout> {
        let known = self.by_name.get(&key(name))?;
        let mut fitting = known.iter().filter(|layout| layout.offsets.len() == fields);
        let found = fitting.next()?;
        fitting.next().is_none().then_some(found)
    }

    /// What clang says of the target.
    pub(super) fn target(&self) -> Target {
        let Some(probe) = self.get("struct __heapwright_probe", 7) else {
            return Target::default();
        };
        let offsets = &probe.offsets;
        let length = |index: usize| (offsets[index + 1] - offsets[index]) / 8;
        Target {
            long: length(0),
            pointer: length(1),
            wide_align: length(2),
            long_double: (length(3), length(4)),
            is_char_unsigned: length(5) == 2,
        }
    }
}

/// A struct without a name is known by its place. The path of the file may be written in several
/// ways, its name and the numbers are the same.
fn key(name: &str) -> String {
    let (tag, rest) = name.split_once(' ').unwrap_or(("", name));
    match unnamed(rest) {
        Some((place, _)) => place_key(tag, place),
        None => name.to_owned(),
    }
}

fn place_key(tag: &str, place: &str) -> String {
    format!("{tag} @{}", place.rsplit('/').next().unwrap_or(place))
}

/// The key of a struct without a name.
pub(super) fn unnamed_key(tag: &str, file: &str, line: u32, column: u32) -> String {
    place_key(tag, &format!("{file}:{line}:{column}"))
}

/// What a layout is computed from.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Part {
    pub(super) size: u64,
    pub(super) align: u64,
    pub(super) bits: Option<u64>,
    pub(super) is_named: bool,
    pub(super) is_packed: bool,
    /// An alignment that is asked for.
    pub(super) at_least: u64,
}

/// The layout by the rules of the usual targets, in order of the fields.
pub(super) fn compute(parts: &[Part], is_union: bool, at_least: u64) -> Option<Layout> {
    let mut layout = Layout {
        size: 0,
        align: at_least.max(1),
        offsets: Vec::new(),
    };
    let mut end = 0u64; // In bits.
    for part in parts {
        let start = if is_union { 0 } else { end };
        let natural = if part.is_packed { 1 } else { part.align };
        let align = natural.max(part.at_least).max(1);
        let unit = align.checked_mul(8)?;
        let length = part.size.checked_mul(8)?;
        let (offset, length) = match part.bits {
            Some(0) => (
                start.checked_next_multiple_of(part.align.checked_mul(8)?)?,
                0,
            ),
            Some(bits) if part.is_packed => (start, bits),
            Some(bits) if start % unit + bits > length => {
                (start.checked_next_multiple_of(unit)?, bits)
            }
            Some(bits) => (start, bits),
            None => (start.checked_next_multiple_of(unit)?, length),
        };
        // Bit-fields without a name do not align the struct.
        if part.bits.is_none() || part.is_named {
            layout.align = layout.align.max(align);
        }
        layout.offsets.push(offset);
        end = end.max(offset.checked_add(length)?);
    }
    layout.size = end.div_ceil(8).checked_next_multiple_of(layout.align)?;
    Some(layout)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clangs_output_is_read() {
        let text = "\n*** Dumping AST Record Layout\nType: union T::(anonymous at /a/b.c:4:41)\n\n\
            Layout: <ASTRecordLayout\n  Size:16\n  DataSize:16\n  Alignment:16\n  \
            FieldOffsets: [0, 8]>\n";
        let layouts = Layouts::parse(text);
        let expected = Layout {
            size: 2,
            align: 2,
            offsets: vec![0, 8],
        };
        assert_eq!(
            layouts.get(&unnamed_key("union", "x/b.c", 4, 41), 2),
            Some(&expected)
        );
        assert_eq!(layouts.get(&unnamed_key("union", "x/b.c", 4, 41), 3), None);
        assert_eq!(layouts.target(), Target::default());
    }

    #[test]
    fn layouts_follow_from_the_rules() {
        let part = |size, bits| Part {
            size,
            align: size,
            bits,
            is_named: true,
            ..Part::default()
        };
        let parts = [
            part(1, None),
            part(4, None),
            part(4, Some(3)),
            part(4, Some(30)),
            part(2, None),
        ];
        let layout = compute(&parts, false, 1);
        let expected = Layout {
            size: 16,
            align: 4,
            offsets: vec![0, 32, 64, 96, 128],
        };
        assert_eq!(
            layout.map(|l| (l.offsets, l.align)),
            Some((expected.offsets, 4))
        );
        let packed = parts.map(|part| Part {
            is_packed: true,
            ..part
        });
        let layout = compute(&packed, false, 1);
        assert_eq!(
            layout.map(|l| (l.offsets, l.size)),
            Some((vec![0, 8, 40, 43, 80], 12))
        );
    }
}
