//! From a target to the methods that it means.

use super::suggest::suggest_class;
use super::{MethodTarget, Target, TargetError, TargetMethod, signature};
use crate::classfile::{Class, Method, STATIC_INITIALISER};
use crate::classpath::{ClassPath, ClassPathError};
use crate::descriptor::Type;
use crate::hierarchy::{DeclaredMethod, Hierarchy, LinkError};
use heapwright_spec::diagnostic::nearest;
use std::sync::Arc;

impl Target {
    /// The methods that the target means, at least one if a method was named. Of whole classes
    /// these are the declared methods with a body, without constructors and without what the
    /// compiler added.
    pub fn resolve(&self, path: &ClassPath) -> Result<Vec<TargetMethod>, TargetError> {
        let mut methods = Vec::new();
        for class in self.classes(path)? {
            match &self.method {
                Some(wanted) => methods.extend(resolve_methods(path, &class, wanted)?),
                None => methods.extend(own_or_inherited(path, &class)?),
            }
        }
        Ok(methods)
    }

    /// The class, or the classes of the package.
    pub fn classes(&self, path: &ClassPath) -> Result<Vec<Arc<Class>>, TargetError> {
        let load = |name: &str| path.load(name).map_err(LinkError::from);
        if !self.is_package {
            match find_class(path, &self.class) {
                Ok(Some(class)) => return Ok(vec![class]),
                Ok(None) => {}
                Err(error) => return Err(LinkError::from(error).into()),
            }
        }
        if self.method.is_none() {
            let package = path.package(&self.class).map_err(LinkError::from)?;
            if !package.is_empty() {
                let classes = package.iter().map(|name| load(name));
                return Ok(classes.collect::<Result<_, _>>()?);
            }
        }
        match path.load(&self.class) {
            Ok(class) => Ok(vec![class]),
            Err(error) => {
                let suggestion = match self.as_method(path) {
                    Some(method) => Some(method),
                    None => suggest_class(path, &self.class).map_err(LinkError::from)?,
                };
                Err(TargetError::UnknownClass { error, suggestion })
            }
        }
    }
}

impl Target {
    /// The target that is meant if the last part of the name is a method.
    fn as_method(&self, path: &ClassPath) -> Option<String> {
        let (class, method) = self.class.rsplit_once('.')?;
        let found = find_class(path, class).ok().flatten()?;
        let known = visible_methods(path, &found).ok()?;
        let mut names = known.iter().map(|one| &*one.method.name);
        names
            .any(|name| name == method)
            .then(|| format!("{class}#{method}"))
    }
}

/// The class with this name, in which dots may stand before nested classes.
fn find_class(path: &ClassPath, name: &str) -> Result<Option<Arc<Class>>, ClassPathError> {
    let mut name = name.to_owned();
    loop {
        match path.load(&name) {
            Ok(class) => return Ok(Some(class)),
            Err(ClassPathError::NotFound { .. }) => {}
            Err(error) => return Err(error),
        }
        match name.rfind('.') {
            Some(dot) => name.replace_range(dot..=dot, "$"),
            None => return Ok(None),
        }
    }
}

/// The methods of a name, of which there is at least one; the one with the parameters, if these were
/// written.
fn resolve_methods(
    path: &ClassPath,
    class: &Arc<Class>,
    wanted: &MethodTarget,
) -> Result<Vec<TargetMethod>, TargetError> {
    let known = visible_methods(path, class)?;
    let named: Vec<_> = known
        .iter()
        .filter(|one| *one.method.name == *wanted.name)
        .collect();
    let (class_name, method) = (class.name.to_string(), wanted.to_string());
    if named.is_empty() {
        let names = known.iter().map(|one| &*one.method.name);
        let suggestion = nearest(&wanted.name, names).map(str::to_owned);
        let own = known.iter().filter(|one| one.class.name == class.name);
        let own = own.filter(|one| !one.method.is_constructor());
        let mut own: Vec<String> = own.map(|one| one.method.name.to_string()).collect();
        own.sort_unstable();
        own.dedup();
        return Err(TargetError::UnknownMethod {
            class: class_name,
            method,
            suggestion,
            known: own,
        });
    }
    let fitting = named.iter().filter(|one| match &wanted.parameters {
        Some(parameters) => fits(parameters, &one.method.descriptor.parameters),
        None => true,
    });
    let mut fitting: Vec<&DeclaredMethod> = fitting.copied().collect();
    if wanted.parameters.is_none() {
        // What the class itself has hides what it inherits, and what it shows hides its private
        // methods.
        let own = |one: &DeclaredMethod| one.class.name == class.name;
        let shown = |one: &DeclaredMethod| own(one) && !one.method.access.is_private();
        narrow(&mut fitting, own);
        narrow(&mut fitting, shown);
        narrow(&mut fitting, |one| one.method.code.is_some());
    }
    match fitting.first().map(|first| (first, first.method.access)) {
        None => Err(TargetError::NoSuchOverload {
            class: class_name,
            method,
            overloads: named.iter().map(|one| signature(one)).collect(),
        }),
        Some((first, access)) if access.is_abstract() => {
            Err(TargetError::Abstract(first.to_string()))
        }
        Some((first, access)) if access.is_native_method() => {
            Err(TargetError::Native(first.to_string()))
        }
        Some(_) => Ok((fitting.into_iter())
            .map(|declared| TargetMethod {
                class: class.clone(),
                declared: declared.clone(),
            })
            .collect()),
    }
}

/// Keeps those of some methods that are wanted, unless none is.
fn narrow(methods: &mut Vec<&DeclaredMethod>, is_wanted: impl Fn(&DeclaredMethod) -> bool) {
    if methods.iter().any(|one| is_wanted(one)) {
        methods.retain(|one| is_wanted(one));
    }
}

/// The methods that a user may mean: those of the class, of its superclasses, and the default
/// methods of its interfaces, without overridden ones and without what the compiler added.
pub(super) fn visible_methods(
    path: &ClassPath,
    class: &Arc<Class>,
) -> Result<Vec<DeclaredMethod>, LinkError> {
    let hierarchy = Hierarchy::new(path);
    let mut found: Vec<DeclaredMethod> = Vec::new();
    let superclasses = hierarchy.superclasses(class)?;
    let interfaces = hierarchy.interfaces(class)?;
    for ancestor in superclasses.iter().chain(&interfaces) {
        let is_inherited = ancestor.name != class.name;
        for method in &ancestor.methods {
            // Constructors and initialisers are not inherited, nor are the static methods of
            // interfaces.
            let stays_there = method.name.starts_with('<')
                || ancestor.access.is_interface() && method.access.is_static();
            let counts = !(is_inherited && stays_there);
            // What a class below has with the same parameters overrides it, be it a bridge that
            // the compiler made; that is taken off afterwards.
            let is_overridden = found.iter().any(|known| {
                known.class.name != ancestor.name
                    && known.method.name == method.name
                    && known.method.descriptor.parameters == method.descriptor.parameters
            });
            if counts && !is_overridden {
                found.push(DeclaredMethod {
                    class: ancestor.clone(),
                    method: method.clone(),
                });
            }
        }
    }
    let is_written =
        |method: &Method| !method.access.is_synthetic() && *method.name != *STATIC_INITIALISER;
    found.retain(|one| is_written(&one.method));
    Ok(found)
}

/// The methods of a class that are tested when the whole class is; if it has none of its own, those
/// that it inherits from classes of the user.
fn own_or_inherited(
    path: &ClassPath,
    class: &Arc<Class>,
) -> Result<Vec<TargetMethod>, TargetError> {
    let own = all_methods(class);
    let has_objects = !class.access.is_abstract() && !class.access.is_interface();
    if !own.is_empty() || !has_objects {
        return Ok(own);
    }
    let mut inherited = Vec::new();
    for declared in visible_methods(path, class)? {
        let is_of_user = !path
            .jdk()
            .contains(&declared.class.name)
            .map_err(LinkError::from)?;
        let method = &declared.method;
        if is_of_user && method.code.is_some() && !method.name.starts_with('<') {
            inherited.push(TargetMethod {
                class: class.clone(),
                declared,
            });
        }
    }
    Ok(inherited)
}

/// The methods of a class that are tested when the whole class is.
fn all_methods(class: &Arc<Class>) -> Vec<TargetMethod> {
    let methods = class.methods.iter().filter(|method| {
        method.code.is_some() && !method.access.is_synthetic() && !method.name.starts_with('<')
    });
    let target = |method: &Arc<_>| {
        let declared = DeclaredMethod {
            class: class.clone(),
            method: Arc::clone(method),
        };
        TargetMethod {
            class: class.clone(),
            declared,
        }
    };
    methods.map(target).collect()
}

/// Whether types as written are those of a method.
fn fits(written: &[Type], actual: &[Type]) -> bool {
    written.len() == actual.len() && written.iter().zip(actual).all(|(w, a)| type_fits(w, a))
}

/// A class may be written without its package and enclosing classes, or with dots before nested
/// classes.
fn type_fits(written: &Type, actual: &Type) -> bool {
    match (written, actual) {
        (Type::Class(written), Type::Class(actual)) => {
            let (written, actual) = (written.replace('$', "."), actual.replace('$', "."));
            actual == written
                || actual
                    .strip_suffix(&written)
                    .is_some_and(|rest| rest.ends_with('.'))
        }
        (Type::Array(written), Type::Array(actual)) => type_fits(written, actual),
        _ => written == actual,
    }
}
