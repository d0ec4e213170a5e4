//! clang's syntax tree, read from its JSON as a stream: only what is used is kept.
//!
//! clang writes a place only as far as it differs from the place before, in the order of the text:
//! whoever reads has to remember the last file and the last line.

use std::borrow::Cow;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::places::{Location, Places};

/// How deeply nodes may nest: every later step recurses as deeply, on ordinary stacks.
const MAX_DEPTH: usize = 1000;

/// A text of the dump.
pub(super) type Text<'t> = Cow<'t, str>;

/// A declaration that something refers to.
#[derive(Default, Debug)]
pub(super) struct Reference<'t> {
    pub(super) id: u64,
    pub(super) kind: Text<'t>,
    pub(super) name: Text<'t>,
    pub(super) ty: Text<'t>,
}

/// A node of the tree.
#[derive(Default, Debug)]
pub(super) struct Node<'t> {
    pub(super) id: u64,
    /// What it is; empty for a part that is not there.
    pub(super) kind: Text<'t>,
    pub(super) name: Text<'t>,
    /// Its type, without outer type names.
    pub(super) ty: Text<'t>,
    /// A literal, or the value of a constant.
    pub(super) value: Option<Text<'t>>,
    pub(super) opcode: Text<'t>,
    pub(super) cast: Text<'t>,
    /// `struct` or `union`.
    pub(super) tag: Text<'t>,
    /// `static`, `extern`.
    pub(super) storage: Text<'t>,
    /// The type that `sizeof` is about, that a compound assignment computes with, or that an
    /// enumeration is fixed to.
    pub(super) argument: Option<Text<'t>>,
    pub(super) is_arrow: bool,
    pub(super) is_postfix: bool,
    /// Whether a struct is defined here.
    pub(super) is_complete: bool,
    pub(super) has_else: bool,
    pub(super) is_bit_field: bool,
    /// Whether a `case` has two values.
    pub(super) is_range: bool,
    /// Whether this is the association that `_Generic` selects.
    pub(super) is_selected: bool,
    /// Whether the parts are those of an array, with what fills the rest at first.
    pub(super) has_filler: bool,
    pub(super) reference: Option<Box<Reference<'t>>>,
    /// The declaration of a member, a type, a label, or the field of a union that is initialised.
    pub(super) declaration: Option<u64>,
    /// Where a declaration has its name.
    pub(super) location: Option<Location>,
    pub(super) begin: Location,
    pub(super) end: Location,
    pub(super) inner: Vec<Node<'t>>,
}

impl<'t> Node<'t> {
    /// Where it is: a declaration where its name stands, anything else where it begins.
    pub(super) fn at(&self) -> Location {
        self.location.unwrap_or(self.begin)
    }
}

/// Reads the tree from a dump.
pub(super) fn read<'t>(text: &'t str, places: &mut Places) -> Result<Node<'t>, String> {
    let mut json = serde_json::Deserializer::from_str(text);
    json.disable_recursion_limit();
    let seed = NodeSeed { places, depth: 0 };
    let node = seed.deserialize(&mut json);
    node.map_err(|error| error.to_string())
}

struct NodeSeed<'p> {
    places: &'p mut Places,
    depth: usize,
}

impl<'t> DeserializeSeed<'t> for NodeSeed<'_> {
    type Value = Node<'t>;

    fn deserialize<D: Deserializer<'t>>(self, json: D) -> Result<Node<'t>, D::Error> {
        json.deserialize_map(self)
    }
}

impl<'t> Visitor<'t> for NodeSeed<'_> {
    type Value = Node<'t>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a node of a syntax tree")
    }

    fn visit_map<M: MapAccess<'t>>(self, mut map: M) -> Result<Node<'t>, M::Error> {
        if self.depth > MAX_DEPTH {
            return Err(M::Error::custom("it nests too deeply"));
        }
        let mut node = Node::default();
        while let Some(key) = map.next_key_seed(TextSeed)? {
            match key.as_ref() {
                "id" => node.id = id(&map.next_value_seed(TextSeed)?),
                "kind" => node.kind = map.next_value_seed(TextSeed)?,
                "name" => node.name = map.next_value_seed(TextSeed)?,
                "opcode" => node.opcode = map.next_value_seed(TextSeed)?,
                "castKind" => node.cast = map.next_value_seed(TextSeed)?,
                "tagUsed" => node.tag = map.next_value_seed(TextSeed)?,
                "storageClass" => node.storage = map.next_value_seed(TextSeed)?,
                "value" => node.value = Some(map.next_value_seed(TextSeed)?),
                "type" => node.ty = map.next_value_seed(PartSeed)?.ty,
                "argType" | "computeLHSType" | "fixedUnderlyingType" => {
                    node.argument = Some(map.next_value_seed(PartSeed)?.ty);
                }
                "isArrow" => node.is_arrow = map.next_value()?,
                "isPostfix" => node.is_postfix = map.next_value()?,
                "completeDefinition" => node.is_complete = map.next_value()?,
                "hasElse" => node.has_else = map.next_value()?,
                "isBitfield" => node.is_bit_field = map.next_value()?,
                "isGNURange" => node.is_range = map.next_value()?,
                "selected" => node.is_selected = map.next_value()?,
                "referencedDecl" => node.reference = Some(Box::new(map.next_value_seed(PartSeed)?)),
                "decl" | "ownedTagDecl" | "field" => {
                    node.declaration = Some(map.next_value_seed(PartSeed)?.id);
                }
                "referencedMemberDecl" | "targetLabelDeclId" | "declId" => {
                    node.declaration = Some(id(&map.next_value_seed(TextSeed)?));
                }
                "loc" => node.location = map.next_value_seed(&mut *self.places)?,
                "range" => {
                    let range = map.next_value_seed(super::places::RangeSeed(&mut *self.places))?;
                    (node.begin, node.end) = range;
                }
                "inner" | "array_filler" => {
                    node.has_filler = key == "array_filler";
                    node.inner = map.next_value_seed(ListSeed(NodeSeed {
                        places: &mut *self.places,
                        depth: self.depth + 1,
                    }))?;
                }
                _ => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(node)
    }
}

struct ListSeed<'p>(NodeSeed<'p>);

impl<'t> DeserializeSeed<'t> for ListSeed<'_> {
    type Value = Vec<Node<'t>>;

    fn deserialize<D: Deserializer<'t>>(self, json: D) -> Result<Self::Value, D::Error> {
        json.deserialize_seq(self)
    }
}

impl<'t> Visitor<'t> for ListSeed<'_> {
    type Value = Vec<Node<'t>>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("nodes")
    }

    fn visit_seq<S: SeqAccess<'t>>(self, mut list: S) -> Result<Self::Value, S::Error> {
        let mut nodes = Vec::new();
        let (places, depth) = (self.0.places, self.0.depth);
        while let Some(node) = list.next_element_seed(NodeSeed {
            places: &mut *places,
            depth,
        })? {
            nodes.push(node);
        }
        Ok(nodes)
    }
}

/// A declaration that is mentioned only, or a type: both are small objects.
struct PartSeed;

impl<'t> DeserializeSeed<'t> for PartSeed {
    type Value = Reference<'t>;

    fn deserialize<D: Deserializer<'t>>(self, json: D) -> Result<Self::Value, D::Error> {
        json.deserialize_map(self)
    }
}

impl<'t> Visitor<'t> for PartSeed {
    type Value = Reference<'t>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a declaration or a type")
    }

    fn visit_map<M: MapAccess<'t>>(self, mut map: M) -> Result<Self::Value, M::Error> {
        let mut part = Reference::default();
        let mut is_desugared = false;
        while let Some(key) = map.next_key_seed(TextSeed)? {
            match key.as_ref() {
                "id" => part.id = id(&map.next_value_seed(TextSeed)?),
                "kind" => part.kind = map.next_value_seed(TextSeed)?,
                "name" => part.name = map.next_value_seed(TextSeed)?,
                "type" => part.ty = map.next_value_seed(PartSeed)?.ty,
                "desugaredQualType" => {
                    is_desugared = true;
                    part.ty = map.next_value_seed(TextSeed)?;
                }
                "qualType" if !is_desugared => part.ty = map.next_value_seed(TextSeed)?,
                _ => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(part)
    }
}

/// A text; a number is taken as the text for it, since clang writes values as either.
pub(super) struct TextSeed;

impl<'t> DeserializeSeed<'t> for TextSeed {
    type Value = Text<'t>;

    fn deserialize<D: Deserializer<'t>>(self, json: D) -> Result<Self::Value, D::Error> {
        json.deserialize_any(self)
    }
}

impl<'t> Visitor<'t> for TextSeed {
    type Value = Text<'t>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text or a number")
    }

    fn visit_borrowed_str<E>(self, text: &'t str) -> Result<Self::Value, E> {
        Ok(Cow::Borrowed(text))
    }

    fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
        Ok(Cow::Owned(text.to_owned()))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Self::Value, E> {
        Ok(Cow::Owned(number.to_string()))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Self::Value, E> {
        Ok(Cow::Owned(number.to_string()))
    }

    fn visit_f64<E>(self, number: f64) -> Result<Self::Value, E> {
        Ok(Cow::Owned(number.to_string()))
    }

    fn visit_bool<E>(self, truth: bool) -> Result<Self::Value, E> {
        Ok(Cow::Owned(u8::from(truth).to_string()))
    }
}

fn id(text: &str) -> u64 {
    let digits = text.strip_prefix("0x").unwrap_or(text);
    u64::from_str_radix(digits, 16).unwrap_or(0)
}
