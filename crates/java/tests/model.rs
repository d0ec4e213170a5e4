//! What is kept of a class beyond its instructions.

mod common;

use common::{all_jdks, class_path, compile, jdk};
use heapwright_java::classfile::{
    Constant, DynamicCall, ElementValue, Instruction, Local, Method, MethodHandle, Pc,
};
use heapwright_java::classpath::ClassPath;
use heapwright_java::descriptor::{MethodDescriptor, Type};
use std::sync::Arc;

#[test]
fn annotations_are_kept_with_their_values() {
    let sources = [
        (
            "Pre.java",
            "@interface Pre { String value(); int size() default 1; Class<?> of() default int.class; Kind kind() default Kind.A; Part[] parts() default {}; }",
        ),
        (
            "Part.java",
            "@interface Part { double[] numbers(); boolean on(); }",
        ),
        ("Kind.java", "enum Kind { A, B }"),
        (
            "Tree.java",
            r#"@Pre(value = "bst(this)", size = 3, of = String[].class, kind = Kind.B, parts = { @Part(numbers = { 0.5 }, on = true), @Part(numbers = {}, on = false) })
            class Tree { @Deprecated int size; @Pre("x > 0") void put(int x) { } }"#,
        ),
    ];
    let folder = compile(&jdk(), &[], &sources);
    let path = class_path(&folder);
    let tree = path.load("Tree").unwrap();
    let [pre] = &tree.annotations[..] else {
        panic!("{:?}", tree.annotations)
    };
    assert_eq!(pre.ty, Type::class("Pre"));
    assert_eq!(
        pre.element("value"),
        Some(&ElementValue::String("bst(this)".into()))
    );
    assert_eq!(
        pre.element("size"),
        Some(&ElementValue::Primitive('I', Constant::Int(3)))
    );
    assert_eq!(
        pre.element("of"),
        Some(&ElementValue::Class("[Ljava/lang/String;".into()))
    );
    assert_eq!(
        pre.element("kind"),
        Some(&ElementValue::Enum(Type::class("Kind"), "B".into()))
    );
    let Some(ElementValue::Array(parts)) = pre.element("parts") else {
        panic!("{pre:?}")
    };
    let ElementValue::Annotation(part) = &parts[0] else {
        panic!("{parts:?}")
    };
    let half = ElementValue::Primitive('D', Constant::Double(0.5f64.to_bits()));
    assert_eq!(
        part.element("numbers"),
        Some(&ElementValue::Array(vec![half]))
    );
    assert_eq!(
        part.element("on"),
        Some(&ElementValue::Primitive('Z', Constant::Int(1)))
    );
    assert_eq!(
        tree.fields[0].annotations[0].ty,
        Type::class("java.lang.Deprecated")
    );
    let put = tree
        .methods
        .iter()
        .find(|method| *method.name == *"put")
        .unwrap();
    assert_eq!(
        put.annotations[0].element("value"),
        Some(&ElementValue::String("x > 0".into()))
    );
}

#[test]
fn nesting_records_and_sealed_classes_are_known() {
    let source = "package p;
        public class Outer<T> {
            private static class Nested { }
            sealed interface Shape permits Circle, Dot { }
            record Circle(double radius, java.util.List<String> names) implements Shape { }
            record Dot() implements Shape { }
            Object local() throws java.io.IOException, IllegalStateException { class Inside { } return new Inside() { }; }
        }";
    let folder = compile(&jdk(), &["-parameters"], &[("p/Outer.java", source)]);
    let path = class_path(&folder);
    let outer = path.load("p.Outer").unwrap();
    assert_eq!(outer.package(), "p");
    assert_eq!(outer.source_file.as_deref(), Some("Outer.java"));
    assert_eq!(
        outer.signature.as_deref(),
        Some("<T:Ljava/lang/Object;>Ljava/lang/Object;")
    );
    let local = outer
        .methods
        .iter()
        .find(|method| *method.name == *"local")
        .unwrap();
    let exceptions: Vec<_> = local.exceptions.iter().map(|name| &**name).collect();
    assert_eq!(
        exceptions,
        ["java.io.IOException", "java.lang.IllegalStateException"]
    );

    let nested = path.load("p.Outer$Nested").unwrap();
    let inner = nested.as_inner_class().unwrap();
    assert!(inner.access.is_private() && inner.access.is_static());
    assert_eq!(inner.outer.as_deref(), Some("p.Outer"));
    assert_eq!(
        (nested.simple_name(), outer.simple_name()),
        ("Nested", "Outer")
    );
    assert_eq!(nested.nest_host.as_deref(), Some("p.Outer"));

    let inside = path.load("p.Outer$1Inside").unwrap();
    assert_eq!(inside.simple_name(), "Inside");
    let enclosing = inside.enclosing_method.as_ref().unwrap();
    let descriptor = Arc::new(MethodDescriptor::parse("()Ljava/lang/Object;").unwrap());
    assert_eq!(*enclosing.class, *"p.Outer");
    assert_eq!(enclosing.method, Some(("local".into(), descriptor)));
    assert_eq!(path.load("p.Outer$1").unwrap().simple_name(), "");

    let shape = path.load("p.Outer$Shape").unwrap();
    let permitted = shape.permitted_subclasses.clone().unwrap();
    assert_eq!(permitted, ["p.Outer$Circle".into(), "p.Outer$Dot".into()]);
    assert!(shape.access.is_interface() && shape.record.is_none());
    let circle = path.load("p.Outer$Circle").unwrap();
    let components = circle.record.as_ref().unwrap();
    let components: Vec<_> = components
        .iter()
        .map(|one| format!("{} {}", one.ty, one.name))
        .collect();
    assert_eq!(components, ["double radius", "java.util.List names"]);
    let constructor = circle
        .methods
        .iter()
        .find(|method| method.is_constructor())
        .unwrap();
    assert_eq!(
        constructor.parameter_names,
        [Some("radius".into()), Some("names".into())]
    );
    assert_eq!(path.load("p.Outer$Dot").unwrap().record, Some(vec![]));
}

#[test]
fn constants_lines_and_variables_are_kept() {
    let source = "class Lines {
        static final long BIG = 1L << 40;
        final int instance = 7;
        static String text = null;
        static int sum(int limit) {
            int total = 0;
            for (int i = 0; i < limit; i++)
                total += i;
            return total;
        }
    }";
    let folder = compile(&jdk(), &["-g"], &[("Lines.java", source)]);
    let path = class_path(&folder);
    let class = path.load("Lines").unwrap();
    let constants: Vec<_> = class
        .fields
        .iter()
        .map(|field| field.constant.clone())
        .collect();
    // Fields of objects get their values in the constructor, constant or not.
    assert_eq!(constants, [Some(Constant::Long(1 << 40)), None, None]);
    let sum = class
        .methods
        .iter()
        .find(|method| *method.name == *"sum")
        .unwrap();
    let code = sum.body().unwrap();
    let (last, _) = code.instructions.last().unwrap();
    assert_eq!((code.line(Pc(0)), code.line(*last)), (Some(6), Some(9)));
    let name = |local, pc| {
        code.variable(Local(local), pc)
            .map(|variable| &*variable.name)
    };
    assert_eq!(name(0, Pc(0)), Some("limit"));
    assert_eq!(name(1, Pc(0)), None);
    assert_eq!(name(1, *last), Some("total"));
    assert_eq!(name(2, Pc(4)), Some("i"));
    assert_eq!(name(2, *last), None);
    assert_eq!(code.index_of(*last), Some(code.instructions.len() - 1));
    assert!(class.static_initialiser().is_some());
}

fn dynamic_calls(method: &Method) -> Vec<Arc<DynamicCall>> {
    let instructions = &method.body().unwrap().instructions;
    let calls = instructions
        .iter()
        .filter_map(|(_, instruction)| match instruction {
            Instruction::InvokeDynamic(call) => Some(call.clone()),
            _ => None,
        });
    calls.collect()
}

#[test]
fn bootstrap_methods_come_with_their_arguments() {
    let source = r#"import java.util.function.*;
        class Calls {
            static Function<Integer, String> lambda(int n) { return (Integer i) -> "a" + n + "b" + i; }
        }"#;
    let folder = compile(&jdk(), &[], &[("Calls.java", source)]);
    let path = class_path(&folder);
    let class = path.load("Calls").unwrap();
    let method = |name: &str| {
        class
            .methods
            .iter()
            .find(|one| one.name.starts_with(name))
            .unwrap()
    };
    let [lambda] = &dynamic_calls(method("lambda"))[..] else {
        panic!()
    };
    assert_eq!(*lambda.name, *"apply");
    assert_eq!(
        lambda.descriptor.descriptor(),
        "(I)Ljava/util/function/Function;"
    );
    let MethodHandle::InvokeStatic(factory) = &*lambda.bootstrap.method else {
        panic!()
    };
    assert_eq!(
        (factory.class.to_string(), &*factory.name),
        ("java.lang.invoke.LambdaMetafactory".into(), "metafactory")
    );
    let arguments: Vec<_> = lambda
        .bootstrap
        .arguments
        .iter()
        .map(Constant::to_string)
        .collect();
    assert_eq!(
        arguments,
        [
            "MethodType (Ljava/lang/Object;)Ljava/lang/Object;",
            "MethodHandle REF_invokeStatic Calls.lambda$lambda$0:(ILjava/lang/Integer;)Ljava/lang/String;",
            "MethodType (Ljava/lang/Integer;)Ljava/lang/String;",
        ]
    );
    let [concatenation] = &dynamic_calls(method("lambda$"))[..] else {
        panic!()
    };
    assert_eq!(
        concatenation.bootstrap.arguments,
        [Constant::String("a\u{1}b\u{1}".into())]
    );
}

/// Labels of enums in a switch over an interface are dynamic constants inside of bootstrap
/// arguments, which not every reader knows.
#[test]
fn bootstrap_arguments_may_be_dynamic_constants() {
    let source = "class Patterns {
            sealed interface S permits E, R { }
            enum E implements S { A, B }
            record R(int x) implements S { }
            static int m(S s) { return switch (s) { case E.A -> 1; case E.B -> 2; case R(int x) when x > 0 -> x; case R r -> 0; }; }
        }";
    let Some(jdk) = all_jdks().into_iter().find(|jdk| jdk.version() >= 21) else {
        eprintln!("skipped: there is no JDK of version 21 or newer beside the default one");
        return;
    };
    let folder = compile(&jdk, &[], &[("Patterns.java", source)]);
    let path = ClassPath::open(jdk, [folder.path().join("classes")]).unwrap();
    let class = path.load("Patterns").unwrap();
    let method = class
        .methods
        .iter()
        .find(|method| *method.name == *"m")
        .unwrap();
    let [switch] = &dynamic_calls(method)[..] else {
        panic!()
    };
    assert_eq!(*switch.name, *"typeSwitch");
    let labels: Vec<_> = switch
        .bootstrap
        .arguments
        .iter()
        .map(Constant::to_string)
        .collect();
    assert_eq!(labels.len(), 4, "{labels:?}");
    assert_eq!(labels[2..], ["class Patterns$R", "class Patterns$R"]);
    let Constant::Dynamic(label) = &switch.bootstrap.arguments[0] else {
        panic!("{labels:?}")
    };
    assert_eq!(label.ty, Type::class("java.lang.Enum$EnumDesc"));
    let [Constant::Dynamic(_), Constant::String(name)] = &label.bootstrap.arguments[1..] else {
        panic!("{:?}", label.bootstrap.arguments)
    };
    assert_eq!(name.to_string(), "A");
}
