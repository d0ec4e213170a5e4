//! What can be named and seen from the test class, and what its text needs: imports, reflective
//! methods, suppressed warnings.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::case::Framework;
use super::error::EmitError;
use super::helper::Helper;
use super::literal::string;
use crate::classfile::{Access, Annotation, Class};
use crate::descriptor::{Name, Type, package_of};
use crate::hierarchy::Hierarchy;
use crate::world::World;

/// The class of class objects, which is generic.
const CLASS: &str = "java.lang.Class";

/// The view from a test class, and what its text used so far.
pub(super) struct CompilationUnit<'a> {
    pub world: &'a World,
    pub package: &'a str,
    pub framework: Framework,
    /// Top-level classes by the simple names that mean them in the text.
    simple_names: BTreeMap<String, Name>,
    imports: BTreeSet<Name>,
    assertions: BTreeSet<&'static str>,
    helpers: BTreeSet<Helper>,
    /// Packages of the JDK that reflection looks into, as `java.base/java.util`.
    opens: BTreeSet<String>,
    /// Methods that assert the fields of an object, by class: their names and texts.
    checkers: BTreeMap<Name, (String, String)>,
    /// Whether a generic class was named without its arguments.
    pub raw: bool,
    /// Whether something deprecated was used.
    pub deprecated: bool,
}

impl<'a> CompilationUnit<'a> {
    pub fn new(world: &'a World, package: &'a str, name: &str, framework: Framework) -> Self {
        let own = match package {
            "" => name.to_owned(),
            package => format!("{package}.{name}"),
        };
        CompilationUnit {
            world,
            package,
            framework,
            simple_names: BTreeMap::from([(name.to_owned(), own.as_str().into())]),
            imports: BTreeSet::new(),
            assertions: BTreeSet::new(),
            helpers: BTreeSet::new(),
            opens: BTreeSet::new(),
            checkers: BTreeMap::new(),
            raw: false,
            deprecated: false,
        }
    }

    pub fn hierarchy(&self) -> Hierarchy<'a> {
        Hierarchy::new(self.world.class_path())
    }

    pub fn load(&self, name: &str) -> Result<Arc<Class>, EmitError> {
        Ok(self.hierarchy().load(name)?)
    }

    /// An assertion of the framework.
    pub fn assertion(&mut self, name: &'static str) -> &'static str {
        self.assertions.insert(name);
        name
    }

    /// Notes that a reflective method is needed.
    pub fn need(&mut self, helper: Helper) {
        let mut next = Some(helper);
        while let Some(helper) = next {
            self.helpers.insert(helper);
            if helper == Helper::Distinct {
                self.assertions.insert("assertNotSame");
            }
            next = helper.needs();
        }
    }

    /// Notes that members of a class are used by reflection, which the JDK forbids for its own
    /// ones unless it is told otherwise.
    pub fn look_into(&mut self, class: &Class) {
        let module = self.world.class_path().jdk().module_of(&class.name);
        if let Ok(Some(module)) = module {
            self.opens.insert(format!("{module}/{}", class.package()));
        }
    }

    /// The method that asserts the fields of objects of a class.
    pub fn checker_of(&self, class: &Name) -> Option<String> {
        self.checkers.get(class).map(|(name, _)| name.clone())
    }

    /// Adds a method that asserts the fields of objects of a class, under a name that is free.
    pub fn add_checker(
        &mut self,
        class: &Name,
        word: &str,
        text: impl Fn(&str) -> String,
    ) -> String {
        let is_taken = |name: &String| self.checkers.values().any(|(known, _)| known == name);
        let numbered = (2..).map(|number: usize| format!("{word}{number}"));
        let mut names = std::iter::once(word.to_owned()).chain(numbered);
        let name = names.find(|name| !is_taken(name)).unwrap_or_default();
        let entry = (name.clone(), text(&name));
        self.checkers.insert(class.clone(), entry);
        name
    }

    /// The texts of the methods that assert the fields of objects.
    pub fn checkers(&self) -> impl Iterator<Item = &str> + '_ {
        self.checkers.values().map(|(_, text)| text.as_str())
    }

    /// The packages that have to be opened, sorted.
    pub fn opens(&self) -> impl Iterator<Item = &str> + '_ {
        self.opens.iter().map(String::as_str)
    }

    /// The reflective methods that are needed, in their order.
    pub fn helpers(&self) -> impl Iterator<Item = Helper> + '_ {
        (Helper::ALL.into_iter()).filter(|helper| self.helpers.contains(helper))
    }

    /// The assertions that were used, sorted.
    pub fn assertions(&self) -> impl Iterator<Item = &'static str> + '_ {
        self.assertions.iter().copied()
    }

    /// The classes to be imported, sorted.
    pub fn imports(&self) -> impl Iterator<Item = &Name> + '_ {
        self.imports.iter()
    }

    /// A type as it is written in declarations and casts; nothing if it cannot be named.
    pub fn type_name(&mut self, ty: &Type) -> Result<Option<String>, EmitError> {
        Ok(match ty {
            Type::Primitive(primitive) => Some(primitive.name().to_owned()),
            Type::Array(element) => self.type_name(element)?.map(|name| name + "[]"),
            Type::Class(name) if **name == *CLASS => {
                self.class_name(name)?.map(|name| name + "<?>")
            }
            Type::Class(name) => self.class_name(name)?,
        })
    }

    /// A class as it is written without arguments; nothing if it cannot be named.
    pub fn class_name(&mut self, name: &Name) -> Result<Option<String>, EmitError> {
        let Some(chain) = self.nameable(name)? else {
            return Ok(None);
        };
        let Some(outermost) = chain.first() else {
            return Ok(None);
        };
        let is_raw = |class: &Arc<Class>| {
            let signature = class.signature.as_deref();
            *class.name != *CLASS && signature.is_some_and(|signature| signature.starts_with('<'))
        };
        self.raw |= chain.iter().any(is_raw);
        self.deprecated |= chain.iter().any(|class| is_deprecated(&class.annotations));
        let mut text = self.top_level(&outermost.name);
        for inner in chain.iter().skip(1) {
            text.push('.');
            text.push_str(inner.simple_name());
        }
        Ok(Some(text))
    }

    /// Whether a type can be written.
    pub fn is_nameable(&self, ty: &Type) -> Result<bool, EmitError> {
        let mut ty = ty;
        while let Type::Array(element) = ty {
            ty = element;
        }
        match ty {
            Type::Class(name) => Ok(self.nameable(name)?.is_some()),
            _ => Ok(true),
        }
    }

    /// The class object of a type.
    pub fn class_literal(&mut self, ty: &Type) -> Result<String, EmitError> {
        let bare = match ty {
            Type::Class(name) => self.class_name(name)?,
            // Only unbounded wildcards have arrays, and those not in class literals.
            _ => self.type_name(ty)?.map(|name| name.replace("<?>", "")),
        };
        if let Some(name) = bare {
            return Ok(format!("{name}.class"));
        }
        self.need(Helper::Type);
        let name = match ty {
            Type::Array(_) => ty.descriptor().replace('/', "."),
            _ => ty.to_string(),
        };
        let units: Vec<u16> = name.encode_utf16().collect();
        Ok(format!("type({})", string(&units)))
    }

    /// Whether a member of a class can be used, given that its class can be named.
    pub fn sees(&self, access: Access, declaring: &Class) -> bool {
        let same_package = declaring.package() == self.package;
        access.is_public() || (same_package && !access.is_private())
    }

    /// The class with those around it, outermost first, if all of them can be named.
    fn nameable(&self, name: &Name) -> Result<Option<Vec<Arc<Class>>>, EmitError> {
        let mut chain = Vec::new();
        let mut seen = BTreeSet::new();
        let mut next = Some(name.clone());
        while let Some(name) = next {
            let class = self.load(&name)?;
            let inner = class.as_inner_class();
            let access = inner.map_or(class.access, |inner| inner.access);
            let named = inner.is_none_or(|inner| inner.simple_name.is_some());
            let member = inner.is_none_or(|inner| inner.outer.is_some());
            if !seen.insert(name) || !named || !member || !self.sees(access, &class) {
                return Ok(None);
            }
            next = inner.and_then(|inner| inner.outer.clone());
            chain.push(class);
        }
        chain.reverse();
        let exported = chain.first().is_some_and(|class| self.is_exported(class));
        Ok(exported.then_some(chain))
    }

    /// The JDK hides its inner packages from compilers; the unnamed package has no name to
    /// import from.
    fn is_exported(&self, class: &Class) -> bool {
        let package = class.package();
        if package == self.package {
            return true;
        }
        let jdk = self.world.class_path().jdk();
        let in_jdk = jdk.contains(&class.name).unwrap_or(false);
        let open = ["java.", "javax."]
            .iter()
            .any(|root| package.starts_with(root));
        !package.is_empty() && (!in_jdk || open)
    }

    /// The name of a top-level class: simple if nothing else has it.
    fn top_level(&mut self, name: &Name) -> String {
        let package = package_of(name);
        let simple = name.rsplit('.').next().unwrap_or(name).to_owned();
        let known = self.simple_names.get(&simple);
        if let Some(known) = known {
            return if known == name {
                simple
            } else {
                name.to_string()
            };
        }
        if package == self.package {
            self.simple_names.insert(simple.clone(), name.clone());
            return simple;
        }
        let shadow = match self.package {
            "" => simple.clone(),
            package => format!("{package}.{simple}"),
        };
        let in_package = self.world.class_path().load(&shadow).is_ok();
        let in_java_lang = package != "java.lang"
            && (self.world.class_path().load(&format!("java.lang.{simple}"))).is_ok();
        if in_package || in_java_lang {
            return name.to_string();
        }
        self.simple_names.insert(simple.clone(), name.clone());
        if package != "java.lang" {
            self.imports.insert(name.clone());
        }
        simple
    }

    /// A class of the framework, imported unless its simple name is taken.
    pub fn framework_class(&mut self, package: &str, simple: &str) -> String {
        let name: Name = format!("{package}.{simple}").into();
        let shadow = match self.package {
            "" => simple.to_owned(),
            package => format!("{package}.{simple}"),
        };
        let known = self.simple_names.get(simple);
        if known.is_some_and(|known| *known != name)
            || self.world.class_path().load(&shadow).is_ok()
        {
            return name.to_string();
        }
        self.simple_names.insert(simple.to_owned(), name.clone());
        self.imports.insert(name);
        simple.to_owned()
    }
}

/// Whether using something gives a warning.
pub(super) fn is_deprecated(annotations: &[Annotation]) -> bool {
    let deprecated = Type::class("java.lang.Deprecated");
    (annotations.iter()).any(|annotation| annotation.ty == deprecated)
}
