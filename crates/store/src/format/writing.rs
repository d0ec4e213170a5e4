//! Writing: numbers as varints, lengths in front of sequences, the position of a variant in front of it.

use serde::ser::{self, Serialize};

use super::{FormatError, IdKind, Ids};

/// A value as bytes, and the ids that are in it.
pub fn encode<T: Serialize + ?Sized>(value: &T) -> Result<(Vec<u8>, Ids), FormatError> {
    let mut writer = Writer::default();
    value.serialize(&mut writer)?;
    Ok((writer.bytes, writer.ids))
}

#[derive(Default)]
struct Writer {
    bytes: Vec<u8>,
    ids: Ids,
    /// What the next number is an id of.
    next: Option<IdKind>,
}

impl Writer {
    fn number(&mut self, mut value: u128) {
        while value >= 0x80 {
            self.bytes.push((value as u8 & 0x7f) | 0x80);
            value >>= 7;
        }
        self.bytes.push(value as u8);
    }

    fn signed(&mut self, value: i128) {
        self.number(((value << 1) ^ (value >> 127)) as u128);
    }

    fn length(&mut self, length: Option<usize>) -> Result<(), FormatError> {
        let length = length.ok_or(FormatError::Unsupported("a sequence of unknown length"))?;
        self.number(length as u128);
        Ok(())
    }
}

impl<'w> ser::Serializer for &'w mut Writer {
    type Ok = ();
    type Error = FormatError;
    type SerializeSeq = Parts<'w>;
    type SerializeTuple = Parts<'w>;
    type SerializeTupleStruct = Parts<'w>;
    type SerializeTupleVariant = Parts<'w>;
    type SerializeMap = Parts<'w>;
    type SerializeStruct = Parts<'w>;
    type SerializeStructVariant = Parts<'w>;

    fn is_human_readable(&self) -> bool {
        false
    }

    fn serialize_bool(self, value: bool) -> Result<(), FormatError> {
        self.bytes.push(value.into());
        Ok(())
    }

    fn serialize_i8(self, value: i8) -> Result<(), FormatError> {
        self.serialize_i128(value.into())
    }

    fn serialize_i16(self, value: i16) -> Result<(), FormatError> {
        self.serialize_i128(value.into())
    }

    fn serialize_i32(self, value: i32) -> Result<(), FormatError> {
        self.serialize_i128(value.into())
    }

    fn serialize_i64(self, value: i64) -> Result<(), FormatError> {
        self.serialize_i128(value.into())
    }

    fn serialize_i128(self, value: i128) -> Result<(), FormatError> {
        self.signed(value);
        Ok(())
    }

    fn serialize_u8(self, value: u8) -> Result<(), FormatError> {
        self.bytes.push(value);
        Ok(())
    }

    fn serialize_u16(self, value: u16) -> Result<(), FormatError> {
        self.serialize_u128(value.into())
    }

    fn serialize_u32(self, value: u32) -> Result<(), FormatError> {
        if let Some(kind) = self.next.take() {
            self.ids.used.insert((kind, value));
        }
        self.serialize_u128(value.into())
    }

    fn serialize_u64(self, value: u64) -> Result<(), FormatError> {
        self.serialize_u128(value.into())
    }

    fn serialize_u128(self, value: u128) -> Result<(), FormatError> {
        self.number(value);
        Ok(())
    }

    fn serialize_f32(self, value: f32) -> Result<(), FormatError> {
        self.bytes.extend(value.to_bits().to_le_bytes());
        Ok(())
    }

    fn serialize_f64(self, value: f64) -> Result<(), FormatError> {
        self.bytes.extend(value.to_bits().to_le_bytes());
        Ok(())
    }

    fn serialize_char(self, value: char) -> Result<(), FormatError> {
        self.serialize_u128(u32::from(value).into())
    }

    fn serialize_str(self, value: &str) -> Result<(), FormatError> {
        self.serialize_bytes(value.as_bytes())
    }

    fn serialize_bytes(self, value: &[u8]) -> Result<(), FormatError> {
        self.number(value.len() as u128);
        self.bytes.extend(value);
        Ok(())
    }

    fn serialize_none(self) -> Result<(), FormatError> {
        self.serialize_bool(false)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), FormatError> {
        self.bytes.push(1);
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<(), FormatError> {
        Ok(())
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<(), FormatError> {
        Ok(())
    }

    fn serialize_unit_variant(
        self,
        _: &'static str,
        index: u32,
        _: &'static str,
    ) -> Result<(), FormatError> {
        self.serialize_u128(index.into())
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        value: &T,
    ) -> Result<(), FormatError> {
        self.next = IdKind::of_newtype(name);
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        index: u32,
        _: &'static str,
        value: &T,
    ) -> Result<(), FormatError> {
        self.number(index.into());
        value.serialize(self)
    }

    fn serialize_seq(self, length: Option<usize>) -> Result<Parts<'w>, FormatError> {
        self.length(length)?;
        Ok(Parts { writer: self })
    }

    fn serialize_tuple(self, _: usize) -> Result<Parts<'w>, FormatError> {
        Ok(Parts { writer: self })
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Parts<'w>, FormatError> {
        Ok(Parts { writer: self })
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        index: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Parts<'w>, FormatError> {
        self.number(index.into());
        Ok(Parts { writer: self })
    }

    fn serialize_map(self, length: Option<usize>) -> Result<Parts<'w>, FormatError> {
        self.serialize_seq(length)
    }

    fn serialize_struct(self, name: &'static str, _: usize) -> Result<Parts<'w>, FormatError> {
        self.next = IdKind::of_struct(name);
        Ok(Parts { writer: self })
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        index: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Parts<'w>, FormatError> {
        self.number(index.into());
        Ok(Parts { writer: self })
    }
}

/// The parts of a value, one behind the other.
struct Parts<'w> {
    writer: &'w mut Writer,
}

macro_rules! one_behind_the_other {
    ($($trait:ident $method:ident),*) => {$(
        impl ser::$trait for Parts<'_> {
            type Ok = ();
            type Error = FormatError;

            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), FormatError> {
                value.serialize(&mut *self.writer)
            }

            fn end(self) -> Result<(), FormatError> {
                Ok(())
            }
        }
    )*};
}

one_behind_the_other!(
    SerializeSeq serialize_element,
    SerializeTuple serialize_element,
    SerializeTupleStruct serialize_field,
    SerializeTupleVariant serialize_field
);

macro_rules! fields {
    ($($trait:ident),*) => {$(
        impl ser::$trait for Parts<'_> {
            type Ok = ();
            type Error = FormatError;

            fn serialize_field<T: Serialize + ?Sized>(
                &mut self,
                _: &'static str,
                value: &T,
            ) -> Result<(), FormatError> {
                value.serialize(&mut *self.writer)
            }

            fn end(self) -> Result<(), FormatError> {
                Ok(())
            }
        }
    )*};
}

fields!(SerializeStruct, SerializeStructVariant);

impl ser::SerializeMap for Parts<'_> {
    type Ok = ();
    type Error = FormatError;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), FormatError> {
        key.serialize(&mut *self.writer)
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), FormatError> {
        value.serialize(&mut *self.writer)
    }

    fn end(self) -> Result<(), FormatError> {
        Ok(())
    }
}
