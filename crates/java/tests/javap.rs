//! Instruction by instruction, what is read is what `javap` prints: a second way to the same
//! answer, for classes of the JDK and for sources that have what those lack.
//!
//! Both sides are brought to one spelling first: all ways to load a constant are `push`, `iload_1`
//! is `iload 1`, names have dots, numbers are written as their bits.

mod common;

use common::{all_jdks, compile, run};
use heapwright_java::classfile::{Class, Constant, Instruction, Method};
use heapwright_java::classpath::ClassPath;
use heapwright_java::descriptor::Type;
use std::fmt::Write;

const JDK_CLASSES: [&str; 30] = [
    "java.lang.Object",
    "java.lang.String",
    "java.lang.StringBuilder",
    "java.lang.Integer",
    "java.lang.Long",
    "java.lang.Math",
    "java.lang.StrictMath",
    "java.lang.Character",
    "java.lang.Double",
    "java.lang.Thread",
    "java.lang.Throwable",
    "java.lang.invoke.LambdaMetafactory",
    "java.util.TreeMap",
    "java.util.TreeMap$Entry",
    "java.util.LinkedList",
    "java.util.LinkedList$ListItr",
    "java.util.HashMap",
    "java.util.ArrayList",
    "java.util.ArrayDeque",
    "java.util.PriorityQueue",
    "java.util.Arrays",
    "java.util.Collections",
    "java.util.Formatter",
    "java.util.Scanner",
    "java.util.Map",
    "java.util.concurrent.ConcurrentHashMap",
    "java.util.regex.Pattern",
    "java.util.stream.Collectors",
    "java.math.BigInteger",
    "java.time.LocalDate",
];

#[test]
fn classes_of_the_jdk_are_read_as_javap_reads_them() {
    for jdk in all_jdks() {
        let mut arguments = vec!["-c", "-p", "-s", "-l"];
        arguments.extend(JDK_CLASSES);
        let printed = run(&jdk, "javap", &arguments);
        let path = ClassPath::open(jdk, [] as [&str; 0]).unwrap();
        let classes = JDK_CLASSES.map(|name| path.load(name).unwrap());
        assert_same(&printed, classes.iter().map(|class| &**class));
    }
}

/// Locals beyond 255, jumps over more than 32,767 bytes, switches of both kinds, every kind of constant,
/// arrays of every type, handlers, lambdas, records.
fn sample() -> String {
    let mut many = String::new();
    for index in 0..300 {
        writeln!(many, "        long v{index} = {index}L * seed;").unwrap();
    }
    // A loop over more than 32,767 bytes needs jumps with four bytes.
    let mut far = String::new();
    for index in 0..4000 {
        writeln!(far, "            x = x * 31 + {};", index + 1000).unwrap();
    }
    format!(
        r#"import java.util.function.*;

public class Sample {{
    enum Colour {{ RED, GREEN, BLUE }}
    record Point(int x, double y, String name) {{ }}
    sealed interface Shape permits Circle, Square {{ }}
    record Circle(double radius) implements Shape {{ }}
    record Square(double side) implements Shape {{ }}

    static final long BIG = 0x123456789abcdefL;

    static long many(long seed) {{
        int count = 0;
{many}
        float f299 = v299; double d = f299; Object o = "x";
        for (int wide = 0; wide < 1000; wide += 777) {{ count += wide; o = (Object) o.toString(); }}
        count += 40000;
        return v0 + v299 + count + (long) d + (o == null ? 1 : 2);
    }}

    static int far(int x) {{
        while (x > 0) {{
{far}
        }}
        return x;
    }}

    static int table(int x) {{
        switch (x) {{ case -2: return 5; case -1: return 4; case 0: return 3; case 2: return 1; default: return 0; }}
    }}

    static int lookup(int x) {{
        switch (x) {{ case -2000000000: return 5; case 7: return 4; case 1000: return 3; default: return 0; }}
    }}

    static int strings(String s) {{
        return switch (s) {{ case "a" -> 1; case "b\n\t\"\\'\u0001" -> 2; case "é€\ud83d\ude00\ud800" -> 3; default -> s.length(); }};
    }}

    static int colours(Colour c) {{
        return switch (c) {{ case RED -> 1; case GREEN -> 2; case BLUE -> 3; }};
    }}

    static Object constants(int i) {{
        Object[] all = {{ 0, -1, 5, 6, 127, 128, -32768, 32768, Integer.MIN_VALUE, 0L, 1L, 2L, Long.MIN_VALUE,
            0f, 1f, 2f, 3f, -0f, 1e-45f, 3.4e38f, Float.NaN, Float.POSITIVE_INFINITY,
            0.0, 1.0, 2.0, -0.0, 4.9e-324, 1.7976931348623157e308, Double.NaN, Double.NEGATIVE_INFINITY,
            'c', null, int.class, String.class, int[].class, String[][].class, BIG, 0.1f + 0.2f, 0.1 + 0.2 }};
        return all[i];
    }}

    static Object arrays(int n) {{
        boolean[] z = new boolean[n]; z[0] = true; byte[] b = new byte[n]; b[0] = 1;
        char[] c = new char[n]; c[0] = 'x'; short[] s = new short[n]; s[0] = 2;
        int[] i = new int[n]; i[0]++; long[] j = new long[n]; j[0] += 2;
        float[] f = new float[n]; f[0] -= 1; double[] d = new double[n]; d[0] /= 2;
        String[] a = new String[n]; a[0] = "s"; int[][] ii = new int[n][n]; int[][][] iii = new int[n][n][];
        String[][] aa = new String[n][]; Object copy = i.clone(); ii[0][0] = z[0] ? b[0] : s[0] + c[0];
        return copy instanceof int[] ? (int[]) copy : new Object[] {{ z, b, c, s, i, j, f, d, a, ii, iii, aa }};
    }}

    static double numbers(int i, long j, float f, double d) {{
        i = (i << 3 >> 2 >>> 1 & 5 | 6 ^ 7) % 8 * -i / 3; j = (j << i >> i >>> i & 5L | 6L ^ 7L) % 8L * -j / 3L;
        f = -f * 2f / 3f % 4f; d = -d * 2d / 3d % 4d;
        byte b = (byte) i; char c = (char) i; short s = (short) i;
        long k = (long) f + (long) d + (long) i; int l = (int) f + (int) d + (int) j;
        float g = (float) i + (float) j + (float) d; d += (double) i + (double) j + (double) f;
        if (i < 0 && j > 1 || f >= 2 && d <= 3 || f < 1 || d > 2 || j == k || i != l) d++;
        return d + b + c + s + k + l + g;
    }}

    static int handlers(Object lock, Runnable r) {{
        synchronized (lock) {{
            try {{ r.run(); return 1; }} catch (IllegalStateException | IllegalArgumentException e) {{ return 2; }}
            catch (RuntimeException e) {{ throw e; }} finally {{ System.gc(); }}
        }}
    }}

    static Supplier<String> lambdas(int n, Function<Object, String> f) {{
        BiFunction<String, Integer, Character> g = String::charAt;
        Supplier<Point> h = () -> new Point(n, n, "p" + n + 'c' + 2.5);
        IntFunction<int[]> make = int[]::new;
        assert n > 0 : n;
        return () -> f.apply(h.get()) + g.apply("abc", 1) + make.apply(3).length;
    }}

    static void last(int n) {{ while (true) {{ try {{ last(n - 1); }} catch (StackOverflowError e) {{ }} }} }}
}}
"#
    )
}

#[test]
fn a_sample_of_everything_is_read_as_javap_reads_it() {
    for jdk in all_jdks() {
        let source = sample();
        let folder = compile(
            &jdk,
            &["-g", "-encoding", "UTF-8"],
            &[("Sample.java", &source)],
        );
        let classes = folder.path().join("classes");
        let path = ClassPath::open(jdk, [&classes]).unwrap();
        let names: Vec<String> = path
            .classes()
            .unwrap()
            .iter()
            .map(|n| n.to_string())
            .collect();
        assert!(names.len() >= 6, "{names:?}");
        let location = classes.display().to_string();
        let mut arguments = vec!["-c", "-p", "-s", "-l", "-cp", &location];
        arguments.extend(names.iter().map(String::as_str));
        let printed = run(path.jdk(), "javap", &arguments);
        let loaded: Vec<_> = names.iter().map(|name| path.load(name).unwrap()).collect();
        assert_same(&printed, loaded.iter().map(|class| &**class));
    }
}

/// Compares the output of `javap` for some classes with the classes.
fn assert_same<'c>(printed: &str, classes: impl Iterator<Item = &'c Class>) {
    let mut sections: Vec<&str> = printed.split("Compiled from ").collect();
    assert_eq!(sections.remove(0), "");
    let classes: Vec<_> = classes.collect();
    assert_eq!(sections.len(), classes.len());
    let mut instructions = 0;
    for (section, class) in sections.iter().zip(classes) {
        let expected = normalise(section, class);
        let actual: Vec<_> = class.methods.iter().filter_map(|m| describe(m)).collect();
        assert_eq!(expected.len(), actual.len(), "methods of {}", class.name);
        for (expected, actual) in expected.iter().zip(&actual) {
            let difference = expected
                .iter()
                .zip(actual)
                .find(|(expected, actual)| expected != actual);
            assert_eq!(
                difference, None,
                "javap and we, in {} {}",
                class.name, actual[0]
            );
            assert_eq!(
                expected.len(),
                actual.len(),
                "in {} {}",
                class.name,
                actual[0]
            );
            instructions += actual.len();
        }
    }
    assert!(
        instructions > 500,
        "only {instructions} lines were compared"
    );
}

/// Our side: descriptor, instructions, handlers, lines and variables.
fn describe(method: &Method) -> Option<Vec<String>> {
    let code = method.code.as_ref()?;
    let mut lines = vec![method.descriptor.descriptor()];
    for (pc, instruction) in &code.instructions {
        let text = match instruction {
            Instruction::Constant(constant) => format!("push {}", describe_constant(constant)),
            other => other.to_string(),
        };
        lines.push(format!("{pc}: {text}"));
    }
    for handler in &code.handlers {
        let class = handler.class.as_deref().unwrap_or("any");
        lines.push(format!(
            "handler {} {} {} {class}",
            handler.start, handler.end, handler.target
        ));
    }
    let mut table: Vec<_> = code
        .lines
        .iter()
        .map(|(pc, line)| format!("line {line}: {pc}"))
        .collect();
    for variable in &code.variables {
        table.push(format!(
            "variable {} {} {} {} {}",
            variable.start,
            variable.end.0 - variable.start.0,
            variable.local,
            variable.name,
            variable.ty.descriptor()
        ));
    }
    // The order of the tables is the compiler's; ours is sorted.
    table.sort();
    lines.extend(table);
    Some(lines)
}

fn describe_constant(constant: &Constant) -> String {
    match constant {
        Constant::Float(bits) => format!("float {bits:#x}"),
        Constant::Double(bits) => format!("double {bits:#x}"),
        Constant::String(text) => {
            let characters = char::decode_utf16(text.units().iter().copied());
            let escaped = characters.map(|c| escape(c.unwrap_or('?')));
            format!("String {}", escaped.collect::<String>().trim())
        }
        other => other.to_string(),
    }
}

/// Characters as `javap` writes them; what the terminal's encoding may lose is `?` on both sides.
fn escape(c: char) -> String {
    match c {
        '\t' => "\\t".into(),
        '\n' => "\\n".into(),
        '\r' => "\\r".into(),
        '\u{8}' => "\\b".into(),
        '\u{c}' => "\\f".into(),
        '"' | '\'' | '\\' => format!("\\{c}"),
        c if c.is_control() => format!("\\u{:04x}", u32::from(c)),
        c if !c.is_ascii() => "?".into(),
        c => c.to_string(),
    }
}

/// `javap`'s side, in our spelling.
fn normalise(section: &str, class: &Class) -> Vec<Vec<String>> {
    let mut methods: Vec<Vec<String>> = Vec::new();
    let mut tables: Vec<String> = Vec::new();
    let mut descriptor = String::new();
    let mut part = "";
    let mut switch: Option<String> = None;
    for line in section.lines().map(str::trim) {
        if let Some(text) = line.strip_prefix("descriptor: ") {
            finish(&mut methods, &mut tables);
            descriptor = text.to_owned();
            part = "";
        } else if [
            "Code:",
            "Exception table:",
            "LineNumberTable:",
            "LocalVariableTable:",
        ]
        .contains(&line)
        {
            part = line;
            if line == "Code:" {
                methods.push(vec![descriptor.clone()]);
            }
        } else if line.is_empty() || (line == "}" && switch.is_none()) {
            finish(&mut methods, &mut tables);
            part = "";
        } else if let Some(method) = methods.last_mut() {
            match (part, &mut switch) {
                ("Code:", Some(open)) if line == "}" => {
                    method.push(format!("{open} }}"));
                    switch = None;
                }
                ("Code:", Some(open)) => write!(open, " {line}").unwrap(),
                ("Code:", None) => {
                    let (pc, rest) = line.split_once(": ").unwrap_or_else(|| panic!("{line}"));
                    let rest = rest.trim();
                    if rest.starts_with("tableswitch") || rest.starts_with("lookupswitch") {
                        let mnemonic = rest.split([' ', '{']).next().unwrap();
                        switch = Some(format!("{pc}: {mnemonic} {{"));
                    } else {
                        method.push(format!("{pc}: {}", normalise_instruction(rest, class)));
                    }
                }
                ("Exception table:", _) if !line.starts_with("from") => {
                    let words: Vec<_> = line.split_whitespace().collect();
                    let caught = words.last().unwrap().replace('/', ".").replace('"', "");
                    method.push(format!(
                        "handler {} {} {} {caught}",
                        words[0], words[1], words[2]
                    ));
                }
                ("LineNumberTable:", _) => tables.push(line.to_owned()),
                ("LocalVariableTable:", _) if !line.starts_with("Start") => {
                    let words: Vec<_> = line.split_whitespace().collect();
                    tables.push(format!("variable {}", words.join(" ")));
                }
                _ => {}
            }
        }
    }
    finish(&mut methods, &mut tables);
    methods
}

fn finish(methods: &mut [Vec<String>], tables: &mut Vec<String>) {
    tables.sort();
    if let Some(last) = methods.last_mut() {
        last.append(tables);
    }
}

fn normalise_instruction(text: &str, class: &Class) -> String {
    let (code, comment) = match text.split_once("//") {
        Some((code, comment)) => (code.trim(), comment.strip_prefix(' ').unwrap_or(comment)),
        None => (text, ""),
    };
    let (mnemonic, operands) = code.split_once(' ').unwrap_or((code, ""));
    let (mnemonic, operands) = (
        mnemonic.strip_suffix("_w").unwrap_or(mnemonic),
        operands.trim(),
    );
    if let Some((stem, number)) = mnemonic.split_once('_') {
        let number = number.replace("m1", "-1");
        match stem {
            "iconst" => return format!("push int {number}"),
            "lconst" => return format!("push long {number}"),
            "fconst" => return format!("push {}", float(&number)),
            "dconst" => return format!("push {}", double(&number)),
            "aconst" => return "push null".into(),
            _ if stem.ends_with("load") || stem.ends_with("store") => {
                return format!("{stem} {number}");
            }
            _ => {}
        }
    }
    match mnemonic {
        "bipush" | "sipush" => format!("push int {operands}"),
        "ldc" | "ldc2" => format!("push {}", normalise_constant(comment)),
        "new" | "checkcast" | "instanceof" => format!("{mnemonic} {}", class_name(comment)),
        "anewarray" => format!("newarray {}", class_name(comment)),
        "multianewarray" => {
            let dimensions = operands.split_once(',').unwrap().1.trim();
            format!("multianewarray {}, {dimensions}", class_name(comment))
        }
        "invokedynamic" => format!("invokedynamic {}", dynamic(comment)),
        _ if !comment.is_empty() => format!("{mnemonic} {}", member(comment, class)),
        _ if operands.is_empty() => mnemonic.to_owned(),
        _ => format!("{mnemonic} {operands}"),
    }
}

fn normalise_constant(comment: &str) -> String {
    let (kind, value) = comment.split_once(' ').unwrap_or((comment, ""));
    match kind {
        "float" => float(value.trim_end_matches('f')),
        "double" => double(value.trim_end_matches('d')),
        "long" => format!("long {}", value.trim_end_matches('l')),
        "class" => format!("class {}", class_name(comment)),
        "Dynamic" => format!("Dynamic {}", dynamic(comment)),
        "String" => {
            let ascii = value.chars().map(|c| if c.is_ascii() { c } else { '?' });
            format!("String {}", ascii.collect::<String>().trim())
        }
        _ => comment.to_owned(),
    }
}

fn float(text: &str) -> String {
    format!("float {:#x}", text.parse::<f32>().unwrap().to_bits())
}

fn double(text: &str) -> String {
    format!("double {:#x}", text.parse::<f64>().unwrap().to_bits())
}

/// `class java/lang/String`, `class "[I"`.
fn class_name(comment: &str) -> String {
    let name = comment.strip_prefix("class ").unwrap().replace('"', "");
    Type::from_internal_name(&name).unwrap().to_string()
}

/// `InvokeDynamic #0:get:()Ljava/lang/Object;` without the number of the bootstrap method.
fn dynamic(comment: &str) -> &str {
    comment.split_once(':').unwrap().1
}

/// `Method a/b/C."<init>":()V`, or without the class if it is the current one.
fn member(comment: &str, class: &Class) -> String {
    let (_, reference) = comment.split_once(' ').unwrap();
    let (path, descriptor) = reference.split_once(':').unwrap();
    let path = path.replace('"', "");
    let (owner, name) = match path.rsplit_once('.') {
        Some((owner, name)) => (Type::from_internal_name(owner).unwrap(), name.to_owned()),
        None => (class.ty(), path),
    };
    format!("{owner}.{name}:{descriptor}")
}
