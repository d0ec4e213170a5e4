//! clang's syntax tree, with only those parts of it that are used.
//!
//! clang writes a place only as far as it differs from the place before, in the order of the text:
//! whoever reads has to remember the last file and the last line.

use serde_json::Value;

use crate::error::CError;

/// Bytes of stack for reading: trees nest as deeply as expressions do.
const STACK: usize = 512 << 20;

/// A place in a source file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Place {
    /// Index into the files of the tree.
    pub file: u32,
    /// Line from 1; 0 where there is none.
    pub line: u32,
    /// Column from 1.
    pub column: u32,
}

/// A declaration that something refers to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reference {
    /// Its number.
    pub id: u64,
    /// What it is.
    pub kind: String,
    /// Its name.
    pub name: String,
}

/// A node of the tree.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Node {
    /// Its number.
    pub id: u64,
    /// What it is; empty for a part that is not there.
    pub kind: String,
    /// Its name.
    pub name: String,
    /// Its type, without type names of the program where clang resolves them.
    pub ty: String,
    /// A literal, or the value of a constant.
    pub value: Option<String>,
    /// An operator.
    pub opcode: String,
    /// The kind of a cast.
    pub cast: String,
    /// Whether a member is reached through a pointer.
    pub is_arrow: bool,
    /// Whether an operator stands behind its operand.
    pub is_postfix: bool,
    /// Whether a struct is defined here, or an `if` has an `else`.
    pub is_complete: bool,
    /// Whether a field has a number of bits.
    pub is_bit_field: bool,
    /// `struct` or `union`.
    pub tag: String,
    /// `static`, `extern`.
    pub storage: String,
    /// The type that `sizeof` is about.
    pub argument: Option<String>,
    /// The type that a compound assignment computes with.
    pub computed: Option<String>,
    /// What it refers to.
    pub reference: Option<Reference>,
    /// The declaration of a member, of a type, or of a label.
    pub declaration: Option<u64>,
    /// Where it is.
    pub place: Place,
    /// What it consists of.
    pub inner: Vec<Node>,
}

/// A tree, and the files that its places are in.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Tree {
    /// The root.
    pub root: Node,
    /// Names of files.
    pub files: Vec<String>,
}

/// Reads a tree.
pub fn read(file: &str, text: &str) -> Result<Tree, CError> {
    let failed = |reason: String| CError::Tree {
        file: file.to_owned(),
        reason,
    };
    std::thread::scope(|scope| {
        let work = || {
            let mut reader = serde_json::Deserializer::from_str(text);
            reader.disable_recursion_limit();
            let value = reader.into_iter::<Value>().next();
            let value = value.ok_or_else(|| failed("it is empty".to_owned()))?;
            let value = value.map_err(|error| failed(error.to_string()))?;
            let mut places = Places::default();
            let root = node(&value, &mut places);
            drop(value);
            Ok(Tree {
                root,
                files: places.files,
            })
        };
        let thread = std::thread::Builder::new().stack_size(STACK);
        let thread = thread.spawn_scoped(scope, work);
        let thread = thread.map_err(|error| failed(error.to_string()))?;
        thread
            .join()
            .map_err(|_| failed("it nests too deeply".to_owned()))?
    })
}

#[derive(Default)]
struct Places {
    files: Vec<String>,
    last: Place,
}

impl Places {
    /// The place that a value means: where a macro is used, not where it is defined.
    fn read(&mut self, value: &Value) -> Option<Place> {
        if let Some(spelling) = value.get("spellingLoc") {
            self.read(spelling);
            return self.read(value.get("expansionLoc")?);
        }
        let column = number(value, "col")?;
        if let Some(file) = value.get("file").and_then(Value::as_str) {
            let known = self.files.iter().position(|known| known == file);
            self.last.file = known.unwrap_or_else(|| {
                self.files.push(file.to_owned());
                self.files.len() - 1
            }) as u32;
        }
        if let Some(line) = number(value, "line") {
            self.last.line = line as u32;
        }
        self.last.column = column as u32;
        Some(self.last.clone())
    }
}

fn number(value: &Value, key: &str) -> Option<u64> {
    value.get(key).and_then(Value::as_u64)
}

fn text(value: &Value, key: &str) -> String {
    let text = value.get(key).and_then(Value::as_str);
    text.unwrap_or_default().to_owned()
}

fn id(value: &Value, key: &str) -> Option<u64> {
    let text = value.get(key)?.as_str()?;
    u64::from_str_radix(text.strip_prefix("0x")?, 16).ok()
}

/// The type of something: without typedefs, if clang says so.
fn type_of(value: &Value, key: &str) -> Option<String> {
    let ty = value.get(key)?;
    let desugared = ty.get("desugaredQualType").or_else(|| ty.get("qualType"));
    Some(desugared?.as_str()?.to_owned())
}

fn flag(value: &Value, key: &str) -> bool {
    value.get(key).and_then(Value::as_bool).unwrap_or(false)
}

fn node(value: &Value, places: &mut Places) -> Node {
    let own = value.get("loc").and_then(|loc| places.read(loc));
    let range = value.get("range");
    let begin = range.and_then(|range| places.read(range.get("begin")?));
    range.and_then(|range| places.read(range.get("end")?));
    let constant = match value.get("value") {
        Some(Value::String(text)) => Some(text.clone()),
        Some(Value::Number(number)) => Some(number.to_string()),
        _ => None,
    };
    let reference = value.get("referencedDecl").and_then(|decl| {
        Some(Reference {
            id: id(decl, "id")?,
            kind: text(decl, "kind"),
            name: text(decl, "name"),
        })
    });
    let declaration = id(value, "referencedMemberDecl")
        .or_else(|| id(value.get("decl")?, "id"))
        .or_else(|| id(value.get("ownedTagDecl")?, "id"))
        .or_else(|| id(value, "targetLabelDeclId"))
        .or_else(|| id(value, "declId"));
    let inner = value.get("inner").and_then(Value::as_array);
    Node {
        id: id(value, "id").unwrap_or(0),
        kind: text(value, "kind"),
        name: text(value, "name"),
        ty: type_of(value, "type").unwrap_or_default(),
        value: constant,
        opcode: text(value, "opcode"),
        cast: text(value, "castKind"),
        is_arrow: flag(value, "isArrow"),
        is_postfix: flag(value, "isPostfix"),
        is_complete: flag(value, "completeDefinition") || flag(value, "hasElse"),
        is_bit_field: flag(value, "isBitfield"),
        tag: text(value, "tagUsed"),
        storage: text(value, "storageClass"),
        argument: type_of(value, "argType"),
        computed: type_of(value, "computeResultType"),
        reference,
        declaration,
        place: own.or(begin).unwrap_or_default(),
        inner: inner.map_or_else(Vec::new, |inner| {
            inner.iter().map(|child| node(child, places)).collect()
        }),
    }
}
