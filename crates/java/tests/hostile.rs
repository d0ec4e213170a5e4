//! Broken and hostile class files give errors with a place, whatever was done to them.

mod common;

use std::sync::Arc;

use common::{compile, jdk};
use heapwright_java::classfile::{Class, NEWEST_VERSION, Problem, parse};
use heapwright_java::classpath::ClassPath;
use heapwright_java::descriptor::Type;
use heapwright_java::hierarchy::DeclaredMethod;
use heapwright_java::target::TargetMethod;
use heapwright_java::world::World;

/// Real classes that have nearly everything that a class file can have.
fn originals() -> Vec<Vec<u8>> {
    let path = ClassPath::open(jdk(), [] as [&str; 0]).unwrap();
    [
        "java.util.TreeMap$Entry",
        "java.util.Optional",
        "java.util.stream.Collectors",
        "java.lang.Object",
    ]
    .map(|name| path.class_file(name).unwrap().unwrap())
    .into()
}

/// A small generator of numbers, so that every run tries the same files.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        // The constants of Knuth's MMIX generator; the high bits are the good ones.
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        ((self.0 >> 33) as usize) % bound
    }
}

#[test]
fn mutated_class_files_are_read_or_refused_with_a_place() {
    let mut random = Random(20_240_101);
    let (mut read, mut refused) = (0, 0);
    for original in originals() {
        for _ in 0..2_000 {
            let mut bytes = original.clone();
            for _ in 0..=random.below(4) {
                let place = random.below(bytes.len());
                match random.below(3) {
                    0 => bytes[place] ^= 1 << random.below(8),
                    1 => bytes[place] = random.below(256) as u8,
                    _ => bytes[place] = [0, 1, 0x7f, 0x80, 0xff][random.below(5)],
                }
            }
            match parse(&bytes) {
                Ok(class) => {
                    read += 1;
                    assert!(!class.name.is_empty());
                }
                Err(error) => {
                    refused += 1;
                    assert!(error.offset <= bytes.len(), "{error}");
                    assert!(
                        error
                            .to_string()
                            .contains(&format!("byte {}", error.offset))
                    );
                }
            }
        }
    }
    // Most changes hit a number that has a meaning, but not all.
    assert!(
        read > 500 && refused > 3_000,
        "{read} were read, {refused} refused"
    );
}

#[test]
fn truncated_class_files_are_refused_where_they_end() {
    for original in originals() {
        for length in (0..original.len()).step_by(1 + original.len() / 500) {
            let error = parse(&original[..length]).unwrap_err();
            assert!(
                matches!(error.problem, Problem::Truncated { .. }),
                "{length}: {error}"
            );
            assert!(error.offset <= length, "{length}: {error}");
        }
        let mut longer = original.clone();
        longer.push(0);
        let error = parse(&longer).unwrap_err();
        assert_eq!(
            (error.offset, error.problem),
            (original.len(), Problem::TrailingBytes)
        );
    }
}

/// A class file written by hand: a constant pool, and the rest after it.
struct Writer {
    count: u16,
    pool: Vec<u8>,
    rest: Vec<u8>,
}

impl Writer {
    /// A class `T` with Object as its superclass: entries 1 to 4.
    fn new() -> Self {
        let mut writer = Writer {
            count: 1,
            pool: vec![],
            rest: vec![],
        };
        let name = writer.text("T");
        let class = writer.entry(7, &[name]);
        let name = writer.text("java/lang/Object");
        let superclass = writer.entry(7, &[name]);
        writer.numbers(&[0x21, class, superclass, 0]);
        writer
    }

    fn text(&mut self, text: &str) -> u16 {
        self.pool.push(1);
        self.pool.extend((text.len() as u16).to_be_bytes());
        self.pool.extend(text.as_bytes());
        self.count += 1;
        self.count - 1
    }

    fn entry(&mut self, tag: u8, numbers: &[u16]) -> u16 {
        self.pool.push(tag);
        self.pool
            .extend(numbers.iter().flat_map(|number| number.to_be_bytes()));
        self.count += 1;
        self.count - 1
    }

    fn numbers(&mut self, numbers: &[u16]) {
        self.rest
            .extend(numbers.iter().flat_map(|number| number.to_be_bytes()));
    }

    fn attribute(&mut self, name: u16, contents: &[u8]) {
        self.numbers(&[name]);
        self.rest.extend((contents.len() as u32).to_be_bytes());
        self.rest.extend(contents);
    }

    fn bytes(self) -> Vec<u8> {
        let mut bytes = vec![0xca, 0xfe, 0xba, 0xbe, 0, 0];
        bytes.extend(NEWEST_VERSION.to_be_bytes());
        bytes.extend(self.count.to_be_bytes());
        bytes.extend(self.pool);
        bytes.extend(self.rest);
        bytes
    }
}

/// A class with one static method `m` that has this code, one local variable and one handler.
fn with_code(code: &[u8], handler: [u16; 3]) -> Vec<u8> {
    let mut writer = Writer::new();
    let (name, descriptor) = (writer.text("m"), writer.text("()V"));
    let code_name = writer.text("Code");
    let mut contents = vec![0, 2, 0, 1];
    contents.extend((code.len() as u32).to_be_bytes());
    contents.extend(code);
    contents.extend([0, 1]);
    contents.extend(handler.iter().flat_map(|number| number.to_be_bytes()));
    contents.extend([0, 0, 0, 0]);
    writer.numbers(&[0, 1, 0x0009, name, descriptor, 1]);
    writer.attribute(code_name, &contents);
    writer.numbers(&[0]);
    writer.bytes()
}

#[test]
fn code_that_makes_no_sense_is_refused() {
    let whole = |code: &[u8]| [0, code.len() as u16, 0];
    assert!(parse(&with_code(&[0xb1], [0, 1, 0])).is_ok());
    let check = |code: &[u8], handler: [u16; 3], expected: &str| {
        let error = parse(&with_code(code, handler)).unwrap_err().to_string();
        assert!(error.starts_with("class file of T, byte "), "{error}");
        assert!(error.ends_with(expected), "{error}\nis not: {expected}");
    };
    let check_whole = |code: &[u8], expected: &str| check(code, whole(code), expected);
    check_whole(&[], "code must have 1 to 65535 bytes, not 0");
    check_whole(
        &[0x00],
        "expected another instruction, but the code ends here",
    );
    check_whole(&[0xfe], "there is no instruction with opcode 0xfe");
    check_whole(&[0xc4, 0x00, 0, 0], "opcode 0x00 cannot follow `wide`");
    check_whole(
        &[0xa7, 0, 1],
        "the target of this jump is 1, which is not the beginning of an instruction",
    );
    check_whole(
        &[0xa7, 0xff, 0xff],
        "the target of this jump is -1, which is not the beginning of an instruction",
    );
    check_whole(&[0xa7, 0], "expected an operand, but the code ends here");
    check_whole(&[0x1b, 0xb1], "1 is no valid local variable");
    check_whole(&[0x1e, 0xb1], "0 is no valid local variable");
    check_whole(
        &[0xb8, 0, 1, 0xb1],
        "expected constant-pool entry 1 to be a method, but it is a text",
    );
    check_whole(
        &[0xb2, 0, 99, 0xb1],
        "expected constant-pool entry 99 to be a field, but it is beyond the end of the pool",
    );
    check_whole(&[0xbc, 3, 0xb1], "3 is no valid type of array elements");
    let backwards = [0xaa, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0];
    check_whole(&backwards, "0 is no valid upper bound of a switch");
    // A table of four thousand million cases ends with the code, not with the memory.
    let huge = [
        0xaa, 0, 0, 0, 0, 0, 0, 0, 0x80, 0, 0, 0, 0x7f, 0xff, 0xff, 0xff,
    ];
    check_whole(&huge, "expected an operand, but the code ends here");
    check(
        &[0xb1],
        [0, 2, 0],
        "the range 0 to 2 of an exception handler is empty or leaves the code",
    );
    check(
        &[0xb1],
        [0, 0, 0],
        "the range 0 to 0 of an exception handler is empty or leaves the code",
    );
    check(
        &[0xb1],
        [0, 1, 1],
        "the beginning of an exception handler is 1, which is not the beginning of an instruction",
    );
}

#[test]
fn subroutines_are_refused_when_the_method_is_looked_at() {
    let class = parse(&with_code(&[0xa8, 0, 3, 0x4b, 0xa9, 0], [0, 3, 3])).unwrap();
    let error = class.methods[0].body().unwrap_err().to_string();
    assert!(
        error.starts_with("the instruction at 0 calls or leaves a subroutine"),
        "{error}"
    );
}

/// A class with static fields whose constants are dynamic; the bootstrap method of each has one
/// argument, the dynamic constant of the given number, or an int where there is none.
fn with_dynamic_constants(arguments: &[Option<u16>]) -> Vec<u8> {
    let mut writer = Writer::new();
    let (m, i) = (writer.text("m"), writer.text("I"));
    let name_and_type = writer.entry(12, &[m, i]);
    let method_type = writer.text("()I");
    let method_name = writer.entry(12, &[m, method_type]);
    let method = writer.entry(10, &[2, method_name]);
    writer.pool.extend([15, 6]);
    writer.pool.extend(method.to_be_bytes());
    let handle = writer.count;
    writer.count += 1;
    let int = writer.entry(3, &[0, 7]);
    let constant_value = writer.text("ConstantValue");
    let bootstrap_methods = writer.text("BootstrapMethods");
    let count = arguments.len() as u16;
    let first = writer.count;
    for number in 0..count {
        writer.entry(17, &[number, name_and_type]);
    }
    let names: Vec<_> = (0..count)
        .map(|number| writer.text(&format!("f{number}")))
        .collect();
    writer.numbers(&[count]);
    for (dynamic, name) in (first..).zip(names) {
        writer.numbers(&[0x0008, name, i, 1]);
        writer.attribute(constant_value, &dynamic.to_be_bytes());
    }
    writer.numbers(&[0, 1]);
    let mut table = vec![count];
    for argument in arguments {
        table.extend([handle, 1, argument.map_or(int, |number| first + number)]);
    }
    let table: Vec<u8> = table
        .iter()
        .flat_map(|number| number.to_be_bytes())
        .collect();
    writer.attribute(bootstrap_methods, &table);
    writer.bytes()
}

#[test]
fn values_of_fields_are_of_their_types() {
    let with_value = |descriptor: &str| {
        let mut writer = Writer::new();
        let (name, descriptor) = (writer.text("f"), writer.text(descriptor));
        let int = writer.entry(3, &[0, 7]);
        let constant_value = writer.text("ConstantValue");
        writer.numbers(&[1, 0x0008, name, descriptor, 1]);
        writer.attribute(constant_value, &int.to_be_bytes());
        writer.numbers(&[0, 0]);
        parse(&writer.bytes())
    };
    for fitting in ["I", "Z", "B", "C", "S"] {
        assert!(with_value(fitting).is_ok(), "{fitting}");
    }
    for other in [
        "J",
        "F",
        "D",
        "Ljava/lang/String;",
        "Ljava/lang/Integer;",
        "[I",
    ] {
        let error = with_value(other).unwrap_err().to_string();
        assert!(
            error.contains("the value of field f is not of its type"),
            "{error}"
        );
    }
}

#[test]
fn constructors_are_not_static() {
    let with_constructor = |access: u16| {
        let mut writer = Writer::new();
        let (name, descriptor) = (writer.text("<init>"), writer.text("()V"));
        // Abstract, so that it needs no code.
        writer.numbers(&[0, 1, access, name, descriptor, 0, 0]);
        parse(&writer.bytes())
    };
    assert!(with_constructor(0x0400).is_ok());
    let error = with_constructor(0x0408).unwrap_err().to_string();
    assert!(error.contains("a constructor is static"), "{error}");
}

#[test]
fn dynamic_constants_that_depend_on_themselves_are_refused() {
    assert!(parse(&with_dynamic_constants(&[None])).is_ok());
    for circle in [
        &[Some(0)][..],
        &[Some(1), Some(0)],
        &[Some(1), Some(2), Some(0)],
    ] {
        let error = parse(&with_dynamic_constants(circle)).unwrap_err();
        assert!(
            matches!(error.problem, Problem::ConstantNesting(_)),
            "{error}"
        );
    }
}

/// Constants are resolved in the order of the fields: from the end of the chain, of which each
/// step is short by itself, or from its beginning.
#[test]
fn dynamic_constants_that_nest_deeply_are_refused() {
    let from_end = |length: u16| {
        (0..length)
            .map(|number| number.checked_sub(1))
            .collect::<Vec<_>>()
    };
    let from_beginning = |length: u16| {
        let next = (1..length).map(Some);
        next.chain([None]).collect::<Vec<_>>()
    };
    for length in [15, 16, 17, 2000] {
        for chain in [from_end(length), from_beginning(length)] {
            let result = parse(&with_dynamic_constants(&chain));
            assert_eq!(result.is_ok(), length <= 16, "{length}");
        }
    }
}

#[test]
fn what_is_no_class_file_is_said_to_be_none() {
    let check = |bytes: &[u8], expected: &str| {
        assert_eq!(parse(bytes).unwrap_err().to_string(), expected);
    };
    check(
        b"PK\x03\x04",
        "class file of an unnamed class, byte 0: expected the magic number 0xCAFEBABE, found \
         0x504B0304: this is no class file",
    );
    check(
        &[0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 99],
        "class file of an unnamed class, byte 6: class file version 99 is not supported \
         (45 to 69, Java 1.1 to 25)",
    );
    check(
        &[],
        "class file of an unnamed class, byte 0: expected the magic number of a class file, but \
         the file ends here",
    );
}

#[test]
fn a_broken_file_on_the_class_path_is_named() {
    let folder = compile(
        &jdk(),
        &[],
        &[
            ("Tree.java", "class Tree { }"),
            ("Other.java", "class Other { }"),
        ],
    );
    let classes = folder.path().join("classes");
    folder.write("classes/Broken.class", [0xca, 0xfe, 0xba, 0xbe]);
    std::fs::copy(classes.join("Tree.class"), classes.join("Moved.class")).unwrap();
    let path = ClassPath::open(jdk(), [&classes]).unwrap();
    let error = path.load("Broken").unwrap_err().to_string();
    assert!(
        error.contains("Broken.class: class file of an unnamed class, byte 4"),
        "{error}"
    );
    let error = path.load("Moved").unwrap_err().to_string();
    assert!(
        error.ends_with("should hold the class Moved, but holds Tree"),
        "{error}"
    );
}

/// A class file with other texts in its constant pool.
fn renamed(bytes: &[u8], changes: &[(&str, &str)]) -> Vec<u8> {
    let constant = |text: &str| {
        let mut constant = vec![1];
        constant.extend((text.len() as u16).to_be_bytes());
        constant.extend(text.as_bytes());
        constant
    };
    let mut bytes = bytes.to_vec();
    for (old, new) in changes {
        let (old, new) = (constant(old), constant(new));
        let at = bytes.windows(old.len()).position(|window| window == old);
        let at = at.expect("the class has the constant");
        bytes.splice(at..at + old.len(), new);
    }
    bytes
}

/// A world with the compiled classes, one of which is replaced by another class file.
fn world_with(folder: &common::Folder, class: &[u8]) -> (World, Arc<Class>) {
    let path = common::class_path(folder);
    let class = Arc::new(parse(class).unwrap());
    path.define(class.clone());
    (World::new(Arc::new(path)).unwrap(), class)
}

/// Translates all methods; what is wrong with those that cannot be. The rest has to be in order.
fn translate_all(world: &mut World, class: &Arc<Class>) -> Vec<String> {
    let mut errors = Vec::new();
    for method in class.methods.iter().filter(|method| method.code.is_some()) {
        let declared = DeclaredMethod {
            class: class.clone(),
            method: method.clone(),
        };
        let target = TargetMethod {
            class: class.clone(),
            declared,
        };
        errors.extend(world.entry(&target).err().map(|error| error.to_string()));
    }
    assert_eq!(heapwright_ir::verify(world.program()), Ok(()));
    errors
}

#[test]
fn a_class_that_is_its_own_superclass_is_refused() {
    let source = "class Self extends Else { int m() { return 1; } } class Else { }";
    let folder = compile(&jdk(), &[], &[("Self.java", source)]);
    let bytes = std::fs::read(folder.path().join("classes/Self.class")).unwrap();
    let (mut world, class) = world_with(&folder, &renamed(&bytes, &[("Else", "Self")]));
    let errors = translate_all(&mut world, &class);
    assert!(
        errors
            .iter()
            .all(|error| error.contains("its own supertype"))
            && !errors.is_empty(),
        "{errors:?}"
    );
}

#[test]
fn classes_with_far_too_many_superclasses_are_refused() {
    let chain = (1..320).map(|n| format!("class C{n} extends C{} {{ }}\n", n - 1));
    let source = "class C0 { int m() { return 1; } }\n".to_owned() + &chain.collect::<String>();
    let folder = compile(&jdk(), &["-proc:none"], &[("C0.java", &source)]);
    let path = Arc::new(common::class_path(&folder));
    let mut world = World::new(path).unwrap();
    assert!(world.complete(&Type::class("C200")).is_ok());
    let error = world.complete(&Type::class("C319")).unwrap_err();
    assert!(error.to_string().contains("C319 has more than"), "{error}");
}

#[test]
fn only_a_static_method_without_parameters_initialises_a_class() {
    let source = "class Init { static int x = 3; static int other(int n) { return x + n; } }";
    let folder = compile(&jdk(), &[], &[("Init.java", source)]);
    let bytes = std::fs::read(folder.path().join("classes/Init.class")).unwrap();
    let changes = [("<clinit>", "initial"), ("other", "<clinit>")];
    let (mut world, class) = world_with(&folder, &renamed(&bytes, &changes));
    assert!(class.static_initialiser().is_none());
    translate_all(&mut world, &class);
}

/// Compilers never write it, and virtual machines refuse to load it.
#[test]
fn code_that_takes_one_class_for_another_is_refused() {
    let source = "class Mixed { static int n(String s) { return 1; } \
                  static int m() { return n(\"text\"); } }";
    let folder = compile(&jdk(), &[], &[("Mixed.java", source)]);
    let bytes = std::fs::read(folder.path().join("classes/Mixed.class")).unwrap();
    // The text is still given, but a `Mixed` expected.
    let changes = [("(Ljava/lang/String;)I", "(LMixed;)I")];
    let (mut world, class) = world_with(&folder, &renamed(&bytes, &changes));
    let errors = translate_all(&mut world, &class);
    let [error] = &errors[..] else {
        panic!("{errors:?}");
    };
    assert!(
        error.contains("Mixed#m") && error.contains("not one that a virtual machine accepts"),
        "{error}"
    );
}

#[test]
fn records_whose_components_are_not_their_fields_have_no_validator() {
    let source = "record Pair(int first, String second) { \
                  Pair { if (first < 0) throw new IllegalArgumentException(); } \
                  static int m(Pair p) { return p.first; } }";
    let folder = compile(&jdk(), &[], &[("Pair.java", source)]);
    let class = parse(&std::fs::read(folder.path().join("classes/Pair.class")).unwrap()).unwrap();
    let mut class = class;
    class.fields.retain(|field| &*field.name != "second");
    let path = common::class_path(&folder);
    let class = Arc::new(class);
    path.define(class.clone());
    let mut world = World::new(Arc::new(path)).unwrap();
    translate_all(&mut world, &class);
    assert!(world.input_rules().validators.is_empty());
}

/// A jar with entries, as they are.
fn jar(folder: &common::Folder, entries: &[(&str, &[u8])]) -> std::path::PathBuf {
    let path = folder.path().join("hostile.jar");
    let mut writer = zip::ZipWriter::new(std::fs::File::create(&path).unwrap());
    for (name, bytes) in entries {
        let options = zip::write::SimpleFileOptions::default()
            .compression_method(zip::CompressionMethod::Deflated);
        writer.start_file(*name, options).unwrap();
        std::io::Write::write_all(&mut writer, bytes).unwrap();
    }
    writer.finish().unwrap();
    path
}

#[test]
fn a_class_that_unpacks_to_far_too_much_is_refused() {
    let folder = common::Folder::new();
    let jar = jar(&folder, &[("Bomb.class", &vec![0; 100 << 20])]);
    assert!(std::fs::metadata(&jar).unwrap().len() < 1 << 20);
    let path = ClassPath::open(jdk(), [jar]).unwrap();
    let error = path.load("Bomb").unwrap_err().to_string();
    assert!(error.contains("Bomb.class has more than"), "{error}");
}

#[test]
fn entries_that_lead_out_of_a_jar_are_no_classes() {
    let folder = common::Folder::new();
    let names = [
        "../../x.class",
        "/etc/x.class",
        "a/../../b.class",
        "a\\b.class",
        "..class",
        "a//b.class",
        "fine/Class.class",
    ];
    let entries = names.map(|name| (name, &b"no class file"[..]));
    let path = ClassPath::open(jdk(), [jar(&folder, &entries)]).unwrap();
    let classes: Vec<String> = path
        .classes()
        .unwrap()
        .iter()
        .map(|c| c.to_string())
        .collect();
    assert_eq!(classes, ["fine.Class"]);
}
