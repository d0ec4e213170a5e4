//! Where the parts of a class file are, so that mutations can hit numbers that mean something.
//!
//! Not the parser under test: this walk only has to find most places of most files, and goes as
//! far as the file makes sense.

/// What a number of a class file is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// How many items of a table follow; two bytes.
    Count,
    /// An entry of the constant pool; two bytes.
    Index,
    /// How many bytes follow; four bytes.
    Length,
    /// Flags, sizes of frames, positions in code; two bytes.
    Other,
}

/// A text constant: its bytes, behind two bytes of length.
pub type Text = std::ops::Range<usize>;

/// The places of a class file.
#[derive(Clone, Debug, Default)]
pub struct ClassMap {
    /// Places of numbers, with what they are for.
    pub numbers: Vec<(usize, Role)>,
    /// The tags of the constants.
    pub tags: Vec<usize>,
    /// Numeric constants: their places and widths.
    pub constants: Vec<(usize, usize)>,
    /// Text constants.
    pub texts: Vec<Text>,
    /// The opcodes of all methods.
    pub opcodes: Vec<usize>,
    /// The code of each method.
    pub codes: Vec<std::ops::Range<usize>>,
    /// How many entries the constant pool has.
    pub pool: u16,
}

/// Finds the places of a class file.
pub fn map(bytes: &[u8]) -> ClassMap {
    let mut walk = Walk {
        bytes,
        at: 8,
        map: ClassMap::default(),
        code: None,
    };
    // A file that ends in the middle has the places up to there.
    let _ = walk.class();
    walk.map
}

struct Walk<'b> {
    bytes: &'b [u8],
    at: usize,
    map: ClassMap,
    /// The index of the text `Code`.
    code: Option<u16>,
}

impl Walk<'_> {
    fn class(&mut self) -> Option<()> {
        self.pool()?;
        self.number(Role::Other)?;
        self.number(Role::Index)?;
        self.number(Role::Index)?;
        for _ in 0..self.number(Role::Count)? {
            self.number(Role::Index)?;
        }
        // Fields, then methods.
        for _ in 0..2 {
            for _ in 0..self.number(Role::Count)? {
                self.number(Role::Other)?;
                self.number(Role::Index)?;
                self.number(Role::Index)?;
                self.attributes(true)?;
            }
        }
        self.attributes(true)
    }

    fn pool(&mut self) -> Option<()> {
        let count = self.number(Role::Count)?;
        self.map.pool = count;
        let mut index = 1;
        while index < count {
            let tag = *self.bytes.get(self.at)?;
            self.map.tags.push(self.at);
            self.at += 1;
            match tag {
                1 => {
                    let length = usize::from(self.number(Role::Count)?);
                    let text = self.at..self.at + length;
                    if self.bytes.get(text.clone())? == b"Code" {
                        self.code = Some(index);
                    }
                    self.at = text.end;
                    self.map.texts.push(text);
                }
                3 | 4 => self.constant(4)?,
                5 | 6 => {
                    self.constant(8)?;
                    index += 1;
                }
                7 | 8 | 16 | 19 | 20 => drop(self.number(Role::Index)?),
                9..=12 | 17 | 18 => {
                    self.number(Role::Index)?;
                    self.number(Role::Index)?;
                }
                15 => {
                    self.at += 1;
                    self.number(Role::Index)?;
                }
                _ => return None,
            }
            index += 1;
        }
        Some(())
    }

    fn constant(&mut self, width: usize) -> Option<()> {
        self.bytes.get(self.at..self.at + width)?;
        self.map.constants.push((self.at, width));
        self.at += width;
        Some(())
    }

    fn attributes(&mut self, outer: bool) -> Option<()> {
        for _ in 0..self.number(Role::Count)? {
            let name = self.number(Role::Index)?;
            let length = self.length()?;
            let end = self.at.checked_add(length)?;
            if outer && Some(name) == self.code {
                self.code()?;
            } else {
                // Most attributes are tables of numbers of two bytes.
                while self.at + 2 <= end.min(self.at + 64) {
                    self.number(Role::Other)?;
                }
            }
            self.at = end;
        }
        Some(())
    }

    fn code(&mut self) -> Option<()> {
        self.number(Role::Other)?;
        self.number(Role::Other)?;
        let length = self.length()?;
        let code = self.at..self.at.checked_add(length)?;
        let mut at = code.start;
        while at < code.end {
            let opcode = *self.bytes.get(at)?;
            self.map.opcodes.push(at);
            at += 1 + operands(opcode);
        }
        self.at = code.end;
        self.map.codes.push(code);
        for _ in 0..self.number(Role::Count)? {
            for _ in 0..3 {
                self.number(Role::Other)?;
            }
            self.number(Role::Index)?;
        }
        self.attributes(false)
    }

    fn number(&mut self, role: Role) -> Option<u16> {
        let bytes = self.bytes.get(self.at..self.at + 2)?;
        self.map.numbers.push((self.at, role));
        self.at += 2;
        Some(u16::from_be_bytes([bytes[0], bytes[1]]))
    }

    fn length(&mut self) -> Option<usize> {
        let bytes: [u8; 4] = self.bytes.get(self.at..self.at + 4)?.try_into().ok()?;
        self.map.numbers.push((self.at, Role::Length));
        self.at += 4;
        usize::try_from(u32::from_be_bytes(bytes)).ok()
    }
}

/// How many bytes of operands an instruction has; switches are taken for their first byte only.
fn operands(opcode: u8) -> usize {
    match opcode {
        0x10 | 0x12 | 0x15..=0x19 | 0x36..=0x3a | 0xa9 | 0xbc => 1,
        0x11 | 0x13 | 0x14 | 0x84 | 0x99..=0xa8 | 0xb2..=0xb8 | 0xbb | 0xbd | 0xc0 | 0xc1 => 2,
        0xc6 | 0xc7 => 2,
        0xc5 => 3,
        0xb9 | 0xba | 0xc8 | 0xc9 => 4,
        _ => 0,
    }
}
