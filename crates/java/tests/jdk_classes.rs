//! Every class of the JDK can be found and read.

mod common;

use common::all_jdks;
use heapwright_java::classfile::{self, NoBody};
use heapwright_java::classpath::ClassPath;
use std::time::{Duration, Instant};

#[test]
fn all_classes_of_the_core_modules_are_read() {
    for jdk in all_jdks() {
        let version = jdk.version();
        let path = ClassPath::open(jdk, [] as [&str; 0]).unwrap();
        let names = path.jdk().classes().unwrap();
        // All of java.base, and of the other modules what has these names too.
        let is_core = |name: &&String| {
            ["java.", "jdk.internal.", "sun."]
                .iter()
                .any(|prefix| name.starts_with(prefix))
        };
        let names: Vec<_> = names.iter().filter(is_core).collect();
        assert!(
            names.len() > 10_000,
            "JDK {version} lists {} classes",
            names.len()
        );
        let (mut methods, mut instructions) = (0, 0);
        let (mut finding, mut parsing) = (Duration::ZERO, Duration::ZERO);
        for name in &names {
            let started = Instant::now();
            let bytes = path.class_file(name).unwrap().unwrap();
            finding += started.elapsed();
            let started = Instant::now();
            let class = classfile::parse(&bytes).unwrap_or_else(|error| panic!("{error}"));
            parsing += started.elapsed();
            assert_eq!(*class.name, ***name);
            assert!(class.version <= version + 44);
            for method in &class.methods {
                methods += 1;
                match method.body() {
                    Ok(code) => instructions += code.instructions.len(),
                    Err(NoBody::Abstract) => assert!(method.access.is_abstract()),
                    Err(NoBody::Native) => assert!(method.access.is_native_method()),
                    Err(NoBody::Subroutine(_)) => panic!("{name} has a subroutine"),
                }
            }
        }
        println!(
            "JDK {version}: {} classes, {methods} methods, {instructions} instructions; finding \
             {finding:.2?}, parsing {parsing:.2?}, {:.0} classes/s",
            names.len(),
            names.len() as f64 / parsing.as_secs_f64()
        );
    }
}

#[test]
fn classes_of_several_modules_are_found_in_the_image() {
    for jdk in all_jdks() {
        let path = ClassPath::open(jdk, [] as [&str; 0]).unwrap();
        for name in [
            "java.lang.Object",
            "java.util.TreeMap$Entry",
            "java.util.logging.Logger",
            "java.sql.Connection",
            "java.net.http.HttpClient",
            "javax.xml.parsers.SAXParser",
            "com.sun.net.httpserver.HttpServer",
        ] {
            assert!(path.jdk().contains(name).unwrap(), "{name}");
            assert_eq!(*path.load(name).unwrap().name, *name);
        }
        for name in [
            "java.lang.Objekt",
            "Object",
            "no.such.Class",
            "",
            "java/lang/Object",
            "a..b",
        ] {
            assert!(!path.jdk().contains(name).unwrap(), "{name}");
            let error = path.load(name).unwrap_err().to_string();
            assert!(
                error.starts_with(&format!("class {name} was not found in the JDK")),
                "{error}"
            );
        }
        let package = path.package("java.util.function").unwrap();
        assert!(
            package
                .iter()
                .any(|name| **name == *"java.util.function.BiFunction")
        );
        assert!(
            package
                .iter()
                .all(|name| name.starts_with("java.util.function."))
        );
    }
}
