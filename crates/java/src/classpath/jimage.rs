//! The image in which a JDK keeps its classes (`lib/modules`), read without the JDK's library.
//!
//! The file begins with a header, a hash table with perfect hashing, the attributes of every
//! resource, and a table of strings; these are read once. The resources follow, and each is read
//! when it is asked for. Numbers have the byte order of the machine that the JDK is for. There is
//! no specification; the layout is that of `jdk.internal.jimage` since Java 9, version 1.0.

use crate::descriptor::{Name, internal_name};
use rustc_hash::FxHashMap;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use thiserror::Error;

/// What is wrong with an image.
#[derive(Debug, Clone, Error)]
pub enum ImageProblem {
    /// The system could not read it.
    #[error("{0}")]
    Read(Arc<io::Error>),
    /// The file begins with something else.
    #[error("this is not a JDK image")]
    Magic,
    /// The layout is of another version.
    #[error("version {0}.{1} of the image format is not supported (1.0 is)")]
    Version(u16, u16),
    /// The parts of the file do not fit together.
    #[error("the image is damaged: {0}")]
    Damaged(&'static str),
    /// The image was made with `jlink --compress`.
    #[error("{0} is compressed; images made with `jlink --compress` are not supported")]
    Compressed(String),
}

type Result<T> = std::result::Result<T, ImageProblem>;

/// An open image.
#[derive(Debug)]
pub(super) struct Image {
    file: Mutex<File>,
    file_size: u64,
    is_big_endian: bool,
    /// How many entries the hash table has.
    table_length: usize,
    /// Everything from the end of the header to the first resource.
    index: Vec<u8>,
    locations_start: usize,
    strings_start: usize,
    /// Which module has a package, as far as it was asked for.
    modules: Mutex<FxHashMap<String, Option<Name>>>,
}

const MAGIC: u32 = 0xCAFE_DADA;
const HEADER_SIZE: usize = 28;
const HASH_MULTIPLIER: u32 = 0x0100_0193;
/// Indices of real JDKs have some megabytes.
const LARGEST_INDEX: u64 = 1 << 30;

/// Where a resource is and what it is called; the names are offsets into the strings.
#[derive(Debug, Default)]
struct Location {
    module: usize,
    parent: usize,
    base: usize,
    extension: usize,
    offset: u64,
    compressed_size: u64,
    size: u64,
}

impl Image {
    /// Opens an image and reads its index.
    pub(super) fn open(path: &Path) -> Result<Self> {
        let mut file = File::open(path)?;
        let file_size = file.metadata()?.len();
        let mut header = [0; HEADER_SIZE];
        file.read_exact(&mut header)?;
        let word = |index: usize| -> [u8; 4] {
            let mut bytes = [0; 4];
            bytes.copy_from_slice(header.get(index * 4..index * 4 + 4).unwrap_or(&[0; 4]));
            bytes
        };
        let is_big_endian = match (u32::from_le_bytes(word(0)), u32::from_be_bytes(word(0))) {
            (MAGIC, _) => false,
            (_, MAGIC) => true,
            _ => return Err(ImageProblem::Magic),
        };
        let number = |index: usize| match is_big_endian {
            true => u32::from_be_bytes(word(index)),
            false => u32::from_le_bytes(word(index)),
        };
        let (major, minor) = ((number(1) >> 16) as u16, number(1) as u16);
        if (major, minor) != (1, 0) {
            return Err(ImageProblem::Version(major, minor));
        }
        let (table, locations, strings) = (
            u64::from(number(4)),
            u64::from(number(5)),
            u64::from(number(6)),
        );
        let index_size = table * 8 + locations + strings;
        if index_size > LARGEST_INDEX || HEADER_SIZE as u64 + index_size > file_size {
            return Err(ImageProblem::Damaged("its index is larger than the file"));
        }
        // All of these are below the bound on the index now.
        let mut index = vec![0; index_size as usize];
        file.read_exact(&mut index)?;
        Ok(Image {
            file: Mutex::new(file),
            file_size,
            is_big_endian,
            table_length: table as usize,
            index,
            locations_start: table as usize * 8,
            strings_start: (table * 8 + locations) as usize,
            modules: Mutex::new(FxHashMap::default()),
        })
    }

    /// The class file of a class, and the module that it is in.
    pub(super) fn find(&self, class: &str) -> Result<Option<(Vec<u8>, Name)>> {
        let package = crate::descriptor::package_of(class);
        let Some(module) = self.module_of_package(package)? else {
            return Ok(None);
        };
        let path = format!("/{module}/{}.class", internal_name(class));
        let Some(location) = self.locate(&path)? else {
            return Ok(None);
        };
        Ok(Some((self.read(&location, &path)?, module)))
    }

    /// Whether the image has a class.
    pub(super) fn contains(&self, class: &str) -> Result<bool> {
        let package = crate::descriptor::package_of(class);
        let Some(module) = self.module_of_package(package)? else {
            return Ok(false);
        };
        let path = format!("/{module}/{}.class", internal_name(class));
        Ok(self.locate(&path)?.is_some())
    }

    /// The binary names of all classes, in the order of the hash table.
    pub(super) fn classes(&self) -> Result<Vec<String>> {
        let mut classes = Vec::new();
        for entry in 0..self.table_length {
            let location = self.location(entry)?;
            if self.string(location.extension)? != "class" {
                continue;
            }
            let (parent, base) = (self.string(location.parent)?, self.string(location.base)?);
            if !parent.is_empty() && base != "package-info" {
                classes.push(format!("{}.{base}", parent.replace('/', ".")));
            }
        }
        Ok(classes)
    }

    /// The module that has classes of a package. The image lists, per package, the modules that
    /// contain it, of which at most one has more than resources in it.
    fn module_of_package(&self, package: &str) -> Result<Option<Name>> {
        let mut modules = self.modules.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(module) = modules.get(package) {
            return Ok(module.clone());
        }
        let path = format!("/packages/{package}");
        let mut module = None;
        if let Some(location) = self.locate(&path)? {
            for pair in self.read(&location, &path)?.chunks_exact(8) {
                let (is_empty, name) = (self.word(pair, 0)?, self.word(pair, 4)?);
                if is_empty == 0 {
                    module = Some(Name::from(self.string(name as usize)?));
                    break;
                }
            }
        }
        modules.insert(package.to_owned(), module.clone());
        Ok(module)
    }

    /// Looks a full path up in the hash table: the first hash gives the seed of the second, or, as
    /// a negative number, the entry itself.
    fn locate(&self, path: &str) -> Result<Option<Location>> {
        let Some(slot) = self.slot(hash(path, HASH_MULTIPLIER)) else {
            return Ok(None);
        };
        let redirect = self.word(&self.index, slot * 4)?.cast_signed();
        let entry = match redirect {
            0 => return Ok(None),
            1.. => self.slot(hash(path, redirect.cast_unsigned())),
            _ => usize::try_from(-1 - i64::from(redirect)).ok(),
        };
        let Some(entry) = entry.filter(|&entry| entry < self.table_length) else {
            return Err(ImageProblem::Damaged("its hash table leads nowhere"));
        };
        let location = self.location(entry)?;
        Ok((self.full_name(&location)? == path).then_some(location))
    }

    fn slot(&self, hash: u32) -> Option<usize> {
        (hash as usize).checked_rem(self.table_length)
    }

    /// The attributes of an entry: a byte with kind and length, then the value, most significant
    /// byte first, until the kind is zero.
    fn location(&self, entry: usize) -> Result<Location> {
        let damaged = || ImageProblem::Damaged("the attributes of a resource have no end");
        let start = self.word(&self.index, (self.table_length + entry) * 4)? as usize;
        let attributes = self.index.get(self.locations_start..self.strings_start);
        let mut rest = attributes
            .and_then(|bytes| bytes.get(start..))
            .ok_or_else(damaged)?;
        let mut location = Location::default();
        loop {
            let (&tag, after) = rest.split_first().ok_or_else(damaged)?;
            let length = usize::from(tag & 7) + 1;
            if tag >> 3 == 0 {
                return Ok(location);
            }
            let bytes = after.get(..length).ok_or_else(damaged)?;
            let value = bytes
                .iter()
                .fold(0, |value, &byte| value << 8 | u64::from(byte));
            match tag >> 3 {
                1 => location.module = value as usize,
                2 => location.parent = value as usize,
                3 => location.base = value as usize,
                4 => location.extension = value as usize,
                5 => location.offset = value,
                6 => location.compressed_size = value,
                7 => location.size = value,
                _ => return Err(ImageProblem::Damaged("a resource has an unknown attribute")),
            }
            rest = after.get(length..).ok_or_else(damaged)?;
        }
    }

    fn full_name(&self, location: &Location) -> Result<String> {
        let mut name = String::new();
        let module = self.string(location.module)?;
        if !module.is_empty() {
            name.extend(["/", module, "/"]);
        }
        let parent = self.string(location.parent)?;
        if !parent.is_empty() {
            name.extend([parent, "/"]);
        }
        name.push_str(self.string(location.base)?);
        let extension = self.string(location.extension)?;
        if !extension.is_empty() {
            name.extend([".", extension]);
        }
        Ok(name)
    }

    /// A string, which ends with a zero byte.
    fn string(&self, offset: usize) -> Result<&str> {
        let damaged = || ImageProblem::Damaged("a name is outside of its strings");
        let start = self.strings_start.checked_add(offset).ok_or_else(damaged)?;
        let bytes = self.index.get(start..).ok_or_else(damaged)?;
        let length = bytes
            .iter()
            .position(|&byte| byte == 0)
            .ok_or_else(damaged)?;
        let bytes = bytes.get(..length).ok_or_else(damaged)?;
        std::str::from_utf8(bytes).map_err(|_| ImageProblem::Damaged("a name is not UTF-8"))
    }

    fn word(&self, bytes: &[u8], offset: usize) -> Result<u32> {
        let damaged = || ImageProblem::Damaged("a number is outside of its tables");
        let end = offset.checked_add(4).ok_or_else(damaged)?;
        let mut word = [0; 4];
        word.copy_from_slice(bytes.get(offset..end).ok_or_else(damaged)?);
        Ok(match self.is_big_endian {
            true => u32::from_be_bytes(word),
            false => u32::from_le_bytes(word),
        })
    }

    fn read(&self, location: &Location, path: &str) -> Result<Vec<u8>> {
        if location.compressed_size != 0 {
            return Err(ImageProblem::Compressed(path.to_owned()));
        }
        let damaged = || ImageProblem::Damaged("a resource is outside of the file");
        let begin = (HEADER_SIZE as u64 + self.index.len() as u64)
            .checked_add(location.offset)
            .ok_or_else(damaged)?;
        let end = begin.checked_add(location.size).ok_or_else(damaged)?;
        if end > self.file_size {
            return Err(damaged());
        }
        let size = usize::try_from(location.size).map_err(|_| damaged())?;
        let mut bytes = vec![0; size];
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.seek(SeekFrom::Start(begin))?;
        file.read_exact(&mut bytes)?;
        Ok(bytes)
    }
}

impl From<io::Error> for ImageProblem {
    fn from(error: io::Error) -> Self {
        ImageProblem::Read(Arc::new(error))
    }
}

/// The hash of a path with a seed, never negative when seen as a signed number.
fn hash(path: &str, seed: u32) -> u32 {
    let mix = |seed: u32, byte: u8| seed.wrapping_mul(HASH_MULTIPLIER) ^ u32::from(byte);
    path.bytes().fold(seed, mix) & 0x7fff_ffff
}
