//! The texts that were read, and places in them.

/// Identifies a text in a [`SourceMap`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct FileId(pub u32);

/// A range of bytes of one text.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Span {
    /// Which text.
    pub file: FileId,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// A range of bytes.
    pub fn new(file: FileId, start: usize, end: usize) -> Self {
        // Texts longer than this are rejected when they are added to the map.
        let clamp = |offset: usize| u32::try_from(offset).unwrap_or(u32::MAX);
        Span {
            file,
            start: clamp(start),
            end: clamp(end),
        }
    }

    /// From the start of this range to the end of a later one in the same text.
    pub fn to(self, end: Span) -> Span {
        Span {
            end: end.end.max(self.end),
            ..self
        }
    }

    /// The empty range just behind this one.
    pub fn after(self) -> Span {
        Span {
            start: self.end,
            ..self
        }
    }
}

#[derive(Clone, Debug)]
struct SourceFile {
    name: String,
    text: String,
    /// Byte offsets at which lines start.
    line_starts: Vec<u32>,
}

/// Owns the texts that spans refer to.
#[derive(Clone, Debug, Default)]
pub struct SourceMap {
    files: Vec<SourceFile>,
}

impl SourceMap {
    /// The longest text whose every byte a [`Span`] can name.
    pub const MAX_LENGTH: usize = u32::MAX as usize;

    /// An empty map.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a text. One that is longer than [`SourceMap::MAX_LENGTH`] is cut there.
    pub fn add(&mut self, name: impl Into<String>, mut text: String) -> FileId {
        if text.len() > Self::MAX_LENGTH {
            let mut end = Self::MAX_LENGTH;
            while !text.is_char_boundary(end) {
                end -= 1;
            }
            text.truncate(end);
        }
        let newlines = text.bytes().zip(1u32..).filter(|&(byte, _)| byte == b'\n');
        let line_starts = std::iter::once(0)
            .chain(newlines.map(|(_, next)| next))
            .collect();
        let id = FileId(self.files.len() as u32);
        self.files.push(SourceFile {
            name: name.into(),
            text,
            line_starts,
        });
        id
    }

    /// The name under which a text was added; empty for an unknown file.
    pub fn name(&self, file: FileId) -> &str {
        self.file(file).map_or("", |file| &file.name)
    }

    /// A text; empty for an unknown file.
    pub fn text(&self, file: FileId) -> &str {
        self.file(file).map_or("", |file| &file.text)
    }

    /// The text of a range; empty where the range does not fit the text.
    pub fn snippet(&self, span: Span) -> &str {
        self.text(span.file)
            .get(span.start as usize..span.end as usize)
            .unwrap_or("")
    }

    /// Line and column of the start of a range, both counted from one, columns in characters.
    pub fn line_column(&self, span: Span) -> (usize, usize) {
        let (line, start, _) = self.line(span.file, span.start);
        let text = self.text(span.file);
        let before = text.get(start..span.start as usize).unwrap_or("");
        (line, before.chars().count() + 1)
    }

    /// The line that holds a byte: its number from one, and where it starts and ends, the end
    /// being that of its last visible byte.
    pub(super) fn line(&self, file: FileId, offset: u32) -> (usize, usize, usize) {
        let Some(source) = self.file(file) else {
            return (1, 0, 0);
        };
        let line = source.line_starts.partition_point(|&start| start <= offset);
        let start = source.line_starts[line - 1] as usize;
        let end = (source.line_starts.get(line)).map_or(source.text.len(), |&next| next as usize);
        let visible = source.text[start..end].trim_end_matches(['\n', '\r']);
        (line, start, start + visible.len())
    }

    fn file(&self, file: FileId) -> Option<&SourceFile> {
        self.files.get(file.0 as usize)
    }
}
