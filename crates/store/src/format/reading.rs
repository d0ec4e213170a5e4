//! Reading what was written.

use serde::de::{self, DeserializeSeed, IntoDeserializer, Visitor};

use super::{FormatError, IdKind};

/// How deeply values may nest.
const DEEPEST: usize = 200;

/// The value that bytes stand for; `id` says which id of the program at hand stands for one that was
/// written.
pub fn decode<T: de::DeserializeOwned>(
    bytes: &[u8],
    id: &dyn Fn(IdKind, u32) -> Option<u32>,
) -> Result<T, FormatError> {
    let mut reader = Reader {
        left: bytes,
        id,
        next: None,
        depth: 0,
    };
    let value = T::deserialize(&mut reader)?;
    match reader.left.is_empty() {
        true => Ok(value),
        false => Err(FormatError::Length),
    }
}

struct Reader<'b> {
    left: &'b [u8],
    id: &'b dyn Fn(IdKind, u32) -> Option<u32>,
    /// What the next number is an id of.
    next: Option<IdKind>,
    depth: usize,
}

impl<'b> Reader<'b> {
    fn byte(&mut self) -> Result<u8, FormatError> {
        let (&byte, left) = self.left.split_first().ok_or(FormatError::Length)?;
        self.left = left;
        Ok(byte)
    }

    fn number(&mut self) -> Result<u128, FormatError> {
        let (mut value, mut shift) = (0_u128, 0);
        loop {
            let byte = self.byte()?;
            let part = u128::from(byte & 0x7f);
            if shift > 126 || (part << shift) >> shift != part {
                return Err(FormatError::Value);
            }
            value |= part << shift;
            if byte < 0x80 {
                return Ok(value);
            }
            shift += 7;
        }
    }

    fn small<N: TryFrom<u128>>(&mut self) -> Result<N, FormatError> {
        N::try_from(self.number()?).map_err(|_| FormatError::Value)
    }

    fn signed<N: TryFrom<i128>>(&mut self) -> Result<N, FormatError> {
        let number = self.number()?;
        let value = (number >> 1) as i128 ^ -((number & 1) as i128);
        N::try_from(value).map_err(|_| FormatError::Value)
    }

    fn bytes(&mut self, length: usize) -> Result<&'b [u8], FormatError> {
        let (bytes, left) = (self.left)
            .split_at_checked(length)
            .ok_or(FormatError::Length)?;
        self.left = left;
        Ok(bytes)
    }

    fn string(&mut self) -> Result<&'b str, FormatError> {
        let length = self.small()?;
        std::str::from_utf8(self.bytes(length)?).map_err(|_| FormatError::Value)
    }

    /// Reads a part of a value, if parts do not nest too deeply.
    fn inside<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<T, FormatError>,
    ) -> Result<T, FormatError> {
        if self.depth >= DEEPEST {
            return Err(FormatError::Unsupported("values that nest so deeply"));
        }
        self.depth += 1;
        let value = read(self);
        self.depth -= 1;
        value
    }
}

macro_rules! numbers {
    ($($method:ident $visit:ident $how:ident),*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, FormatError> {
            visitor.$visit(self.$how()?)
        }
    )*};
}

impl<'de, 'b: 'de> de::Deserializer<'de> for &mut Reader<'b> {
    type Error = FormatError;

    numbers!(
        deserialize_i8 visit_i8 signed,
        deserialize_i16 visit_i16 signed,
        deserialize_i32 visit_i32 signed,
        deserialize_i64 visit_i64 signed,
        deserialize_i128 visit_i128 signed,
        deserialize_u8 visit_u8 byte,
        deserialize_u16 visit_u16 small,
        deserialize_u64 visit_u64 small,
        deserialize_u128 visit_u128 small
    );

    fn is_human_readable(&self) -> bool {
        false
    }

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, FormatError> {
        Err(FormatError::Unsupported("a value of any type"))
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, FormatError> {
        match self.byte()? {
            0 => visitor.visit_bool(false),
            1 => visitor.visit_bool(true),
            _ => Err(FormatError::Value),
        }
    }

    fn deserialize_u32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, FormatError> {
        let written = self.small()?;
        visitor.visit_u32(match self.next.take() {
            Some(kind) => (self.id)(kind, written).ok_or(FormatError::UnknownId(kind))?,
            None => written,
        })
    }

    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, FormatError> {
        let bytes = self.bytes(4)?.try_into().map_err(|_| FormatError::Length)?;
        visitor.visit_f32(f32::from_bits(u32::from_le_bytes(bytes)))
    }

    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, FormatError> {
        let bytes = self.bytes(8)?.try_into().map_err(|_| FormatError::Length)?;
        visitor.visit_f64(f64::from_bits(u64::from_le_bytes(bytes)))
    }

    fn deserialize_char<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, FormatError> {
        let known = char::from_u32(self.small()?);
        visitor.visit_char(known.ok_or(FormatError::Value)?)
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, FormatError> {
        visitor.visit_borrowed_str(self.string()?)
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, FormatError> {
        self.deserialize_str(visitor)
    }

    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, FormatError> {
        let length = self.small()?;
        visitor.visit_borrowed_bytes(self.bytes(length)?)
    }

    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, FormatError> {
        self.deserialize_bytes(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, FormatError> {
        match self.byte()? {
            0 => visitor.visit_none(),
            1 => self.inside(|reader| visitor.visit_some(reader)),
            _ => Err(FormatError::Value),
        }
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, FormatError> {
        visitor.visit_unit()
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, FormatError> {
        visitor.visit_unit()
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, FormatError> {
        self.next = IdKind::of_newtype(name);
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, FormatError> {
        let length: usize = self.small()?;
        // Whatever an element is, it takes a byte at least, units apart, of which nobody has lists.
        if length > self.left.len() {
            return Err(FormatError::Length);
        }
        self.inside(|reader| visitor.visit_seq(Parts { reader, length }))
    }

    fn deserialize_tuple<V: Visitor<'de>>(
        self,
        length: usize,
        visitor: V,
    ) -> Result<V::Value, FormatError> {
        self.inside(|reader| visitor.visit_seq(Parts { reader, length }))
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        length: usize,
        visitor: V,
    ) -> Result<V::Value, FormatError> {
        self.deserialize_tuple(length, visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, FormatError> {
        let length: usize = self.small()?;
        if length > self.left.len() {
            return Err(FormatError::Length);
        }
        self.inside(|reader| visitor.visit_map(Parts { reader, length }))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, FormatError> {
        self.next = IdKind::of_struct(name);
        self.deserialize_tuple(fields.len(), visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, FormatError> {
        self.inside(|reader| visitor.visit_enum(reader))
    }

    fn deserialize_identifier<V: Visitor<'de>>(self, _: V) -> Result<V::Value, FormatError> {
        Err(FormatError::Unsupported("names of fields"))
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, FormatError> {
        Err(FormatError::Unsupported("values that are skipped"))
    }
}

/// The parts of a value that are left.
struct Parts<'r, 'b> {
    reader: &'r mut Reader<'b>,
    length: usize,
}

impl<'de, 'b: 'de> de::SeqAccess<'de> for Parts<'_, 'b> {
    type Error = FormatError;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, FormatError> {
        let Some(left) = self.length.checked_sub(1) else {
            return Ok(None);
        };
        self.length = left;
        seed.deserialize(&mut *self.reader).map(Some)
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.length)
    }
}

impl<'de, 'b: 'de> de::MapAccess<'de> for Parts<'_, 'b> {
    type Error = FormatError;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, FormatError> {
        de::SeqAccess::next_element_seed(self, seed)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(
        &mut self,
        seed: V,
    ) -> Result<V::Value, FormatError> {
        seed.deserialize(&mut *self.reader)
    }
}

impl<'de, 'b: 'de> de::EnumAccess<'de> for &mut Reader<'b> {
    type Error = FormatError;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'de>>(
        self,
        seed: V,
    ) -> Result<(V::Value, Self), FormatError> {
        let index: u32 = self.small()?;
        let value = seed.deserialize(IntoDeserializer::<FormatError>::into_deserializer(index))?;
        Ok((value, self))
    }
}

impl<'de, 'b: 'de> de::VariantAccess<'de> for &mut Reader<'b> {
    type Error = FormatError;

    fn unit_variant(self) -> Result<(), FormatError> {
        Ok(())
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(
        self,
        seed: T,
    ) -> Result<T::Value, FormatError> {
        seed.deserialize(self)
    }

    fn tuple_variant<V: Visitor<'de>>(
        self,
        length: usize,
        visitor: V,
    ) -> Result<V::Value, FormatError> {
        de::Deserializer::deserialize_tuple(self, length, visitor)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, FormatError> {
        de::Deserializer::deserialize_tuple(self, fields.len(), visitor)
    }
}
