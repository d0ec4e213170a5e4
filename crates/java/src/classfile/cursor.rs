//! A position in the bytes of a class file: every read says what it expects, so that a file that
//! ends too early gives an error with the place and the item.

use super::error::{ClassFileError, Problem};
use crate::descriptor::Name;
use std::cell::OnceCell;

/// The name of the class being read, known from some point on, for the errors of all cursors.
pub(super) type ClassLabel = OnceCell<Name>;

/// A window of the file with a position in it. Windows of attributes are cut out of the file's.
#[derive(Clone)]
pub(super) struct Cursor<'a> {
    /// The whole file up to the end of the window.
    bytes: &'a [u8],
    position: usize,
    container: &'static str,
    label: &'a ClassLabel,
}

impl<'a> Cursor<'a> {
    /// A cursor at the beginning of a file.
    pub(super) fn new(bytes: &'a [u8], label: &'a ClassLabel) -> Self {
        Cursor {
            bytes,
            position: 0,
            container: "the file",
            label,
        }
    }

    /// The offset from the beginning of the file.
    pub(super) fn offset(&self) -> usize {
        self.position
    }

    /// Whether the window is used up.
    pub(super) fn is_at_end(&self) -> bool {
        self.position >= self.bytes.len()
    }

    /// How many bytes the window has left.
    pub(super) fn remaining(&self) -> usize {
        self.bytes.len().saturating_sub(self.position)
    }

    /// An error at the current position.
    pub(super) fn error(&self, problem: Problem) -> ClassFileError {
        self.error_at(self.position, problem)
    }

    /// An error at another position of the file.
    pub(super) fn error_at(&self, offset: usize, problem: Problem) -> ClassFileError {
        ClassFileError {
            class: self.label.get().cloned(),
            offset,
            problem,
        }
    }

    /// The next bytes.
    pub(super) fn take(
        &mut self,
        length: usize,
        expected: &'static str,
    ) -> Result<&'a [u8], ClassFileError> {
        let end = self.position.checked_add(length);
        match end.and_then(|end| self.bytes.get(self.position..end)) {
            Some(taken) => {
                self.position += length;
                Ok(taken)
            }
            None => Err(self.error(Problem::Truncated {
                expected,
                container: self.container,
            })),
        }
    }

    fn array<const N: usize>(&mut self, expected: &'static str) -> Result<[u8; N], ClassFileError> {
        let taken = self.take(N, expected)?;
        let mut array = [0; N];
        array.copy_from_slice(taken);
        Ok(array)
    }

    /// An unsigned byte.
    pub(super) fn u8(&mut self, expected: &'static str) -> Result<u8, ClassFileError> {
        Ok(u8::from_be_bytes(self.array(expected)?))
    }

    /// A signed byte.
    pub(super) fn i8(&mut self, expected: &'static str) -> Result<i8, ClassFileError> {
        Ok(i8::from_be_bytes(self.array(expected)?))
    }

    /// Two bytes, unsigned.
    pub(super) fn u16(&mut self, expected: &'static str) -> Result<u16, ClassFileError> {
        Ok(u16::from_be_bytes(self.array(expected)?))
    }

    /// Two bytes, signed.
    pub(super) fn i16(&mut self, expected: &'static str) -> Result<i16, ClassFileError> {
        Ok(i16::from_be_bytes(self.array(expected)?))
    }

    /// Four bytes, unsigned.
    pub(super) fn u32(&mut self, expected: &'static str) -> Result<u32, ClassFileError> {
        Ok(u32::from_be_bytes(self.array(expected)?))
    }

    /// Four bytes, signed.
    pub(super) fn i32(&mut self, expected: &'static str) -> Result<i32, ClassFileError> {
        Ok(i32::from_be_bytes(self.array(expected)?))
    }

    /// Eight bytes, unsigned.
    pub(super) fn u64(&mut self, expected: &'static str) -> Result<u64, ClassFileError> {
        Ok(u64::from_be_bytes(self.array(expected)?))
    }

    /// A window over the next bytes, which this cursor leaves behind.
    pub(super) fn window(
        &mut self,
        length: usize,
        container: &'static str,
    ) -> Result<Cursor<'a>, ClassFileError> {
        let start = self.position;
        self.take(length, container)?;
        let bytes = self.bytes.get(..self.position).unwrap_or(self.bytes);
        Ok(Cursor {
            bytes,
            position: start,
            container,
            label: self.label,
        })
    }
}
