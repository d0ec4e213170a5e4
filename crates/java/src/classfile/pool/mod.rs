//! The constant pool (JVMS 4.4): read once, its entries resolved on demand.
//!
//! Entries refer to each other by index. A resolved entry is kept, so that all instructions that
//! use it share one copy. Bootstrap arguments may be dynamic constants themselves; a file in which
//! they lead back to where they came from, or nest more deeply than any compiler would, is refused.

mod entry;

use super::constant::{
    Bootstrap, Constant, DynamicCall, DynamicConstant, FieldReference, MethodHandle,
    MethodReference,
};
use super::cursor::Cursor;
use super::error::{ClassFileError, Problem};
use super::modified_utf8::{self, JavaString};
use crate::descriptor::{DescriptorError, MethodDescriptor, Name, Type};
use entry::{Entry, read_entry};
use std::cell::{Cell, OnceCell};
use std::sync::Arc;

type Result<T> = std::result::Result<T, ClassFileError>;

/// How deeply dynamic constants may nest in each other's bootstrap arguments.
const DEEPEST_NESTING: u32 = 16;

/// The constant pool of one class.
pub(super) struct Pool<'a> {
    slots: Vec<Slot<'a>>,
    /// The table of bootstrap methods, once the attribute was read.
    bootstraps: OnceCell<Vec<RawBootstrap>>,
    /// How deep the resolution of dynamic constants is at the moment.
    nesting: Cell<u32>,
}

struct Slot<'a> {
    entry: Entry<'a>,
    /// Where the entry begins in the file.
    offset: usize,
    text: OnceCell<Name>,
    ty: OnceCell<Type>,
    descriptor: OnceCell<Arc<MethodDescriptor>>,
    field: OnceCell<Arc<FieldReference>>,
    method: OnceCell<Arc<MethodReference>>,
    handle: OnceCell<Arc<MethodHandle>>,
    bootstrap: OnceCell<(Arc<Bootstrap>, u32)>,
    string: OnceCell<JavaString>,
}

struct RawBootstrap {
    method: u16,
    arguments: Vec<u16>,
}

/// Reads the constant pool.
pub(super) fn read_pool<'a>(cursor: &mut Cursor<'a>) -> Result<Pool<'a>> {
    let count = cursor.u16("the size of the constant pool")?;
    // Entry 0 does not exist, nor does the one after a long or a double.
    let mut slots = vec![Slot::new(Entry::Unusable, cursor.offset())];
    while slots.len() < usize::from(count) {
        let offset = cursor.offset();
        let entry = read_entry(cursor)?;
        slots.push(Slot::new(entry, offset));
        if matches!(entry, Entry::Long(_) | Entry::Double(_)) {
            slots.push(Slot::new(Entry::Unusable, offset));
        }
    }
    Ok(Pool {
        slots,
        bootstraps: OnceCell::new(),
        nesting: Cell::new(0),
    })
}

/// The place that refers to the pool: errors of indices are reported there, errors inside of an
/// entry at the entry.
pub(super) type ReferenceSite<'c, 'a> = (&'c Cursor<'a>, usize);

impl<'a> Pool<'a> {
    /// Reads the table of bootstrap methods, which is an attribute of the class.
    pub(super) fn read_bootstraps(&self, cursor: &mut Cursor<'a>) -> Result<()> {
        const EXPECTED: &str = "the table of bootstrap methods";
        let offset = cursor.offset();
        let mut bootstraps = Vec::new();
        for _ in 0..cursor.u16(EXPECTED)? {
            let method = cursor.u16(EXPECTED)?;
            let mut arguments = Vec::new();
            for _ in 0..cursor.u16(EXPECTED)? {
                arguments.push(cursor.u16(EXPECTED)?);
            }
            bootstraps.push(RawBootstrap { method, arguments });
        }
        (self.bootstraps.set(bootstraps))
            .map_err(|_| cursor.error_at(offset, Problem::DuplicateAttribute("BootstrapMethods")))
    }

    /// The entry of this index; `expected` names what it should be, for the error.
    fn slot(
        &self,
        index: u16,
        expected: &'static str,
        at: ReferenceSite<'_, 'a>,
    ) -> Result<&Slot<'a>> {
        match self.slots.get(usize::from(index)) {
            Some(slot) => Ok(slot),
            None => Err(wrong_kind(
                index,
                expected,
                "beyond the end of the pool",
                at,
            )),
        }
    }

    /// A text.
    pub(super) fn text(&self, index: u16, at: ReferenceSite<'_, 'a>) -> Result<Name> {
        let slot = self.slot(index, "a text", at)?;
        let Entry::Utf8(bytes) = slot.entry else {
            return Err(wrong_kind(index, "a text", slot.entry.kind(), at));
        };
        let decode = || modified_utf8::text(bytes).map(Name::from);
        remember(&slot.text, || {
            decode().map_err(|wrong| slot.not_text(wrong, at))
        })
    }

    /// A text that may be absent, which index 0 says.
    pub(super) fn optional_text(
        &self,
        index: u16,
        at: ReferenceSite<'_, 'a>,
    ) -> Result<Option<Name>> {
        if index == 0 {
            Ok(None)
        } else {
            self.text(index, at).map(Some)
        }
    }

    /// A class or an array type.
    pub(super) fn class_type(&self, index: u16, at: ReferenceSite<'_, 'a>) -> Result<Type> {
        let slot = self.slot(index, "a class", at)?;
        let Entry::Class(name) = slot.entry else {
            return Err(wrong_kind(index, "a class", slot.entry.kind(), at));
        };
        remember(&slot.ty, || {
            let text = self.text(name, (at.0, slot.offset))?;
            Type::from_internal_name(&text).map_err(|_| {
                at.0.error_at(slot.offset, Problem::ClassName(text.to_string()))
            })
        })
    }

    /// A class that is not an array.
    pub(super) fn class_name(&self, index: u16, at: ReferenceSite<'_, 'a>) -> Result<Name> {
        match self.class_type(index, at)? {
            Type::Class(name) => Ok(name),
            _ => Err(wrong_kind(index, "a class", "an array type", at)),
        }
    }

    /// A class that may be absent, which index 0 says.
    pub(super) fn optional_class_name(
        &self,
        index: u16,
        at: ReferenceSite<'_, 'a>,
    ) -> Result<Option<Name>> {
        if index == 0 {
            Ok(None)
        } else {
            self.class_name(index, at).map(Some)
        }
    }

    /// A text that is a field descriptor.
    pub(super) fn field_type(&self, index: u16, at: ReferenceSite<'_, 'a>) -> Result<Type> {
        let text = self.text(index, at)?;
        let slot = self.slot(index, "a field descriptor", at)?;
        remember(&slot.ty, || {
            Type::from_descriptor(&text).map_err(|error| slot.not_a_descriptor(error, at))
        })
    }

    /// A text that is a method descriptor.
    pub(super) fn method_descriptor(
        &self,
        index: u16,
        at: ReferenceSite<'_, 'a>,
    ) -> Result<Arc<MethodDescriptor>> {
        let text = self.text(index, at)?;
        let slot = self.slot(index, "a method descriptor", at)?;
        remember(&slot.descriptor, || match MethodDescriptor::parse(&text) {
            Ok(descriptor) => Ok(Arc::new(descriptor)),
            Err(error) => Err(slot.not_a_descriptor(error, at)),
        })
    }

    /// The indices of a name and a type.
    fn name_and_type(&self, index: u16, at: ReferenceSite<'_, 'a>) -> Result<(Name, u16, usize)> {
        let slot = self.slot(index, "a name with a type", at)?;
        let Entry::NameAndType(name, ty) = slot.entry else {
            return Err(wrong_kind(
                index,
                "a name with a type",
                slot.entry.kind(),
                at,
            ));
        };
        Ok((self.text(name, (at.0, slot.offset))?, ty, slot.offset))
    }

    /// A name with a method descriptor.
    pub(super) fn name_and_descriptor(
        &self,
        index: u16,
        at: ReferenceSite<'_, 'a>,
    ) -> Result<(Name, Arc<MethodDescriptor>)> {
        let (name, descriptor, offset) = self.name_and_type(index, at)?;
        Ok((name, self.method_descriptor(descriptor, (at.0, offset))?))
    }

    /// A reference to a field.
    pub(super) fn field(
        &self,
        index: u16,
        at: ReferenceSite<'_, 'a>,
    ) -> Result<Arc<FieldReference>> {
        let slot = self.slot(index, "a field", at)?;
        let Entry::Field(class, name_and_type) = slot.entry else {
            return Err(wrong_kind(index, "a field", slot.entry.kind(), at));
        };
        let inside = (at.0, slot.offset);
        remember(&slot.field, || {
            let (name, ty, offset) = self.name_and_type(name_and_type, inside)?;
            let ty = self.field_type(ty, (at.0, offset))?;
            let class = self.class_name(class, inside)?;
            Ok(Arc::new(FieldReference { class, name, ty }))
        })
    }

    /// A reference to a method of a class or of an interface.
    pub(super) fn method(
        &self,
        index: u16,
        at: ReferenceSite<'_, 'a>,
    ) -> Result<Arc<MethodReference>> {
        let slot = self.slot(index, "a method", at)?;
        let (class, name_and_type, is_interface) = match slot.entry {
            Entry::Method(class, name_and_type) => (class, name_and_type, false),
            Entry::InterfaceMethod(class, name_and_type) => (class, name_and_type, true),
            other => return Err(wrong_kind(index, "a method", other.kind(), at)),
        };
        let inside = (at.0, slot.offset);
        remember(&slot.method, || {
            let (name, descriptor) = self.name_and_descriptor(name_and_type, inside)?;
            let class = self.class_type(class, inside)?;
            Ok(Arc::new(MethodReference {
                class,
                name,
                descriptor,
                is_interface,
            }))
        })
    }

    /// A method handle.
    fn method_handle(&self, index: u16, at: ReferenceSite<'_, 'a>) -> Result<Arc<MethodHandle>> {
        let slot = self.slot(index, "a method handle", at)?;
        let Entry::MethodHandle(kind, target) = slot.entry else {
            return Err(wrong_kind(index, "a method handle", slot.entry.kind(), at));
        };
        let inside = (at.0, slot.offset);
        remember(&slot.handle, || {
            Ok(Arc::new(match kind {
                1 => MethodHandle::GetField(self.field(target, inside)?),
                2 => MethodHandle::GetStatic(self.field(target, inside)?),
                3 => MethodHandle::PutField(self.field(target, inside)?),
                4 => MethodHandle::PutStatic(self.field(target, inside)?),
                5 => MethodHandle::InvokeVirtual(self.method(target, inside)?),
                6 => MethodHandle::InvokeStatic(self.method(target, inside)?),
                7 => MethodHandle::InvokeSpecial(self.method(target, inside)?),
                8 => MethodHandle::NewInvokeSpecial(self.method(target, inside)?),
                9 => MethodHandle::InvokeInterface(self.method(target, inside)?),
                _ => {
                    let what = "kind of method handle";
                    let problem = Problem::Value {
                        what,
                        value: kind.into(),
                    };
                    return Err(at.0.error_at(slot.offset, problem));
                }
            }))
        })
    }

    /// A constant that can be loaded.
    pub(super) fn constant(&self, index: u16, at: ReferenceSite<'_, 'a>) -> Result<Constant> {
        Ok(self.constant_with_depth(index, at)?.0)
    }

    /// A constant, with how deeply dynamic constants nest in it.
    fn constant_with_depth(
        &self,
        index: u16,
        at: ReferenceSite<'_, 'a>,
    ) -> Result<(Constant, u32)> {
        let slot = self.slot(index, "a constant", at)?;
        let inside = (at.0, slot.offset);
        let constant = match slot.entry {
            Entry::Integer(value) => Constant::Int(value),
            Entry::Float(bits) => Constant::Float(bits),
            Entry::Long(value) => Constant::Long(value),
            Entry::Double(bits) => Constant::Double(bits),
            Entry::Class(_) => Constant::Class(self.class_type(index, at)?),
            Entry::String(text) => Constant::String(self.string(slot, text, inside)?),
            Entry::MethodHandle(..) => Constant::MethodHandle(self.method_handle(index, at)?),
            Entry::MethodType(ty) => Constant::MethodType(self.method_descriptor(ty, inside)?),
            Entry::Dynamic(bootstrap, name_and_type) => {
                let (name, ty, offset) = self.name_and_type(name_and_type, inside)?;
                let ty = self.field_type(ty, (at.0, offset))?;
                let (bootstrap, depth) = self.bootstrap(slot, index, bootstrap, at)?;
                return Ok((
                    Constant::Dynamic(Arc::new(DynamicConstant {
                        name,
                        ty,
                        bootstrap,
                    })),
                    depth,
                ));
            }
            other => return Err(wrong_kind(index, "a constant", other.kind(), at)),
        };
        Ok((constant, 0))
    }

    fn string(
        &self,
        slot: &Slot<'a>,
        text: u16,
        inside: ReferenceSite<'_, 'a>,
    ) -> Result<JavaString> {
        let text_slot = self.slot(text, "a text", inside)?;
        let Entry::Utf8(bytes) = text_slot.entry else {
            return Err(wrong_kind(text, "a text", text_slot.entry.kind(), inside));
        };
        remember(&slot.string, || {
            let units = modified_utf8::code_units(bytes);
            units
                .map(JavaString::new)
                .map_err(|wrong| text_slot.not_text(wrong, inside))
        })
    }

    /// The call site of an `invokedynamic` instruction.
    pub(super) fn dynamic_call(
        &self,
        index: u16,
        at: ReferenceSite<'_, 'a>,
    ) -> Result<DynamicCall> {
        let slot = self.slot(index, "a dynamic call", at)?;
        let Entry::InvokeDynamic(bootstrap, name_and_type) = slot.entry else {
            return Err(wrong_kind(index, "a dynamic call", slot.entry.kind(), at));
        };
        let inside = (at.0, slot.offset);
        let (name, descriptor) = self.name_and_descriptor(name_and_type, inside)?;
        let (bootstrap, _) = self.bootstrap(slot, index, bootstrap, at)?;
        Ok(DynamicCall {
            name,
            descriptor,
            bootstrap,
        })
    }

    /// A bootstrap method with its arguments, and how deeply dynamic constants nest in them.
    fn bootstrap(
        &self,
        slot: &Slot<'a>,
        entry: u16,
        index: u16,
        at: ReferenceSite<'_, 'a>,
    ) -> Result<(Arc<Bootstrap>, u32)> {
        let inside = (at.0, slot.offset);
        let missing = || at.0.error_at(slot.offset, Problem::BootstrapMethod(index));
        let table = self.bootstraps.get().ok_or_else(missing)?;
        let raw = table.get(usize::from(index)).ok_or_else(missing)?;
        remember(&slot.bootstrap, || {
            let too_deep = || at.0.error_at(slot.offset, Problem::ConstantNesting(entry));
            // A cycle shows as a descent that does not end; a chain that was resolved from its
            // end shows in the depth that was remembered.
            self.nesting.set(self.nesting.get() + 1);
            let resolve = || {
                if self.nesting.get() > DEEPEST_NESTING {
                    return Err(too_deep());
                }
                let method = self.method_handle(raw.method, inside)?;
                let mut deepest = 0;
                let mut arguments = Vec::with_capacity(raw.arguments.len());
                for &argument in &raw.arguments {
                    let (constant, depth) = self.constant_with_depth(argument, inside)?;
                    arguments.push(constant);
                    deepest = deepest.max(depth);
                }
                if deepest >= DEEPEST_NESTING {
                    return Err(too_deep());
                }
                Ok((Arc::new(Bootstrap { method, arguments }), deepest + 1))
            };
            let resolved = resolve();
            self.nesting.set(self.nesting.get() - 1);
            resolved
        })
    }
}

impl<'a> Slot<'a> {
    fn new(entry: Entry<'a>, offset: usize) -> Self {
        Slot {
            entry,
            offset,
            text: OnceCell::new(),
            ty: OnceCell::new(),
            descriptor: OnceCell::new(),
            field: OnceCell::new(),
            method: OnceCell::new(),
            handle: OnceCell::new(),
            bootstrap: OnceCell::new(),
            string: OnceCell::new(),
        }
    }

    /// The bytes of a text begin after the tag and the length.
    fn not_text(&self, wrong: usize, at: ReferenceSite<'_, 'a>) -> ClassFileError {
        at.0.error_at(self.offset + 3 + wrong, Problem::ModifiedUtf8)
    }

    fn not_a_descriptor(
        &self,
        error: DescriptorError,
        at: ReferenceSite<'_, 'a>,
    ) -> ClassFileError {
        at.0.error_at(self.offset, Problem::Descriptor(error.text, error.expected))
    }
}

fn wrong_kind(
    index: u16,
    expected: &'static str,
    found: &'static str,
    at: ReferenceSite<'_, '_>,
) -> ClassFileError {
    at.0.error_at(
        at.1,
        Problem::ConstantKind {
            index,
            expected,
            found,
        },
    )
}

/// The value of a cell, computed the first time. Computing may have filled the cell meanwhile (a
/// cycle), in which case the earlier value stays.
fn remember<T: Clone>(cell: &OnceCell<T>, compute: impl FnOnce() -> Result<T>) -> Result<T> {
    if let Some(value) = cell.get() {
        return Ok(value.clone());
    }
    let value = compute()?;
    Ok(cell.get_or_init(|| value).clone())
}
