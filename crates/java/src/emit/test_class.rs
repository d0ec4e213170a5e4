//! A test class, put together.

use super::call::Throws;
use super::case::{Framework, TestClass};
use super::compilation_unit::CompilationUnit;
use super::error::EmitError;
use super::layout::{MEMBER_INDENTATION, comment};
use super::names::{Names, identifier, is_reserved};
use super::statics::saving;
use super::test_method::{TIMEOUT_SECONDS, body};
use crate::classfile::Class;
use crate::world::World;

/// A test class as a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Emitted {
    /// The text.
    pub text: String,
    /// The packages of the JDK that have to be opened for the tests (`java.base/java.util`), by
    /// options `--add-opens java.base/java.util=ALL-UNNAMED` of the virtual machine.
    pub opens: Vec<String>,
}

/// Writes a test class.
///
/// The same classes and cases always give the same text.
pub fn emit(world: &World, class: &TestClass) -> Result<Emitted, EmitError> {
    let package = package_name(&class.package);
    let name = identifier(&class.name);
    let mut unit = CompilationUnit::new(world, &package, &name, class.framework);
    let mut names = Names::of_methods();
    let mut methods = Vec::new();
    for case in &class.cases {
        let body = body(&mut unit, case)?;
        let name = names.plain(&identifier(&case.name));
        let comments: Vec<String> = (case.comments.iter())
            .flat_map(|text| comment(text, MEMBER_INDENTATION))
            .collect();
        methods.push((name, comments, body));
    }
    let saving = saving(&mut unit, &class.cases)?;

    let (public, annotations, assertions) = match class.framework {
        Framework::JUnit5 => (
            "",
            "org.junit.jupiter.api",
            "org.junit.jupiter.api.Assertions",
        ),
        Framework::JUnit4 => ("public ", "org.junit", "org.junit.Assert"),
    };
    let (before, after) = match class.framework {
        Framework::JUnit5 => ("BeforeEach", "AfterEach"),
        Framework::JUnit4 => ("Before", "After"),
    };
    let test = unit.framework_class(annotations, "Test");
    let mut members = Vec::new();
    if !saving.declarations.is_empty() {
        members.push(saving.declarations.join("\n    "));
        let steps = [
            (before, "saveStatics", &saving.save),
            (after, "restoreStatics", &saving.restore),
        ];
        for (annotation, method, lines) in steps {
            let annotation = unit.framework_class(annotations, annotation);
            members.push(format!(
                "@{annotation}\n    {public}void {method}() {{\n        {}\n    }}",
                lines.join("\n        ")
            ));
        }
    }
    for (name, comments, body) in methods {
        let mut text = String::new();
        for comment in comments {
            text.push_str(&format!("{comment}\n    "));
        }
        let throws = match body.throws {
            Throws::Nothing => "",
            Throws::Exception => " throws Exception",
            Throws::Throwable => " throws Throwable",
        };
        let timeout = match body.has_timeout {
            true => format!("(timeout = {})", TIMEOUT_SECONDS * 1_000),
            false => String::new(),
        };
        text.push_str(&format!(
            "@{test}{timeout}\n    {public}void {name}(){throws} {{\n"
        ));
        for line in body.lines {
            match line.is_empty() {
                true => text.push('\n'),
                false => text.push_str(&format!("        {line}\n")),
            }
        }
        text.push_str("    }");
        members.push(text);
    }
    members.extend(unit.checkers().map(ToOwned::to_owned));
    let helpers: Vec<&str> = unit.helpers().map(|helper| helper.text().trim()).collect();
    if !helpers.is_empty() {
        members.push("// Reflection helpers, for what this class cannot access.".to_owned());
        members.extend(helpers.into_iter().map(ToOwned::to_owned));
    }

    let mut text = String::new();
    if !package.is_empty() {
        text.push_str(&format!("package {package};\n\n"));
    }
    let imported: Vec<&str> = unit.assertions().collect();
    for assertion in &imported {
        text.push_str(&format!("import static {assertions}.{assertion};\n"));
    }
    if !imported.is_empty() {
        text.push('\n');
    }
    for import in unit.imports() {
        text.push_str(&format!("import {import};\n"));
    }
    text.push('\n');
    let mut warnings = Vec::new();
    if unit.raw {
        warnings.extend(["\"rawtypes\"", "\"unchecked\""]);
    }
    if unit.deprecated {
        warnings.extend(["\"deprecation\"", "\"removal\""]);
    }
    if !warnings.is_empty() {
        text.push_str(&format!("@SuppressWarnings({{{}}})\n", warnings.join(", ")));
    }
    text.push_str(&format!(
        "{public}class {name} {{\n    {}\n}}\n",
        members.join("\n\n    ")
    ));
    let opens = unit.opens().map(ToOwned::to_owned).collect();
    Ok(Emitted { text, opens })
}

/// Where the text of a test class belongs, below the folder of the sources.
pub fn file_path(class: &TestClass) -> String {
    let package = package_name(&class.package);
    let name = identifier(&class.name);
    match package.is_empty() {
        true => format!("{name}.java"),
        false => format!("{}/{name}.java", package.replace('.', "/")),
    }
}

/// The package for tests of a class: its own one, so that its members can be seen, unless it
/// belongs to the JDK, which lets no other classes into its packages.
pub fn test_package(world: &World, class: &Class) -> String {
    let package = class.package();
    let in_jdk = (world.class_path().jdk().contains(&class.name)).unwrap_or(false);
    match in_jdk {
        true => format!("tests.{package}"),
        false => package.to_owned(),
    }
}

/// A package as it can be written. Names that Java cannot write lead to another package.
fn package_name(package: &str) -> String {
    let parts = package.split('.').filter(|part| !part.is_empty());
    let parts: Vec<String> = parts
        .map(
            |part| match is_reserved(part) && !matches!(part, "java" | "org" | "javax" | "sun") {
                true => format!("_{part}"),
                false => match part {
                    "java" | "org" | "javax" | "sun" => part.to_owned(),
                    part => match part
                        .chars()
                        .all(|c| c == '_' || c == '$' || c.is_alphanumeric())
                    {
                        true => part.to_owned(),
                        false => identifier(part),
                    },
                },
            },
        )
        .collect();
    parts.join(".")
}
