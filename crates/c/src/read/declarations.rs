//! Declarations of the file's scope and of functions. Several declarations of one thing are one.

use heapwright_logic::FloatType;

use super::Reader;
use super::expressions::signature_of;
use super::names::Space;
use super::records::declared;
use super::stream::Node;
use crate::ast::{CType, Function, FunctionId, Place, Storage, Variable, VariableId};
use crate::error::CError;

impl<'t> Reader<'t> {
    /// Reads a declaration of the file's scope.
    pub(super) fn declaration(&mut self, node: &'t Node<'t>) -> Result<(), CError> {
        match node.kind.as_ref() {
            "FunctionDecl" => {
                let function = self.function(node);
                let body = node.inner.iter().find(|inner| inner.kind == "CompoundStmt");
                if body.is_some() {
                    self.bodies.insert(function, node);
                    // Bodies of headers wait until something needs them.
                    if node.at().place.file == 0 {
                        self.needed.insert(0, function);
                    }
                }
            }
            "VarDecl" => {
                self.global(node);
            }
            _ => self.type_declaration(node)?,
        }
        Ok(())
    }

    /// Reads a declaration of a block; gives the variable if it lives as long as that.
    pub(super) fn local_declaration(
        &mut self,
        node: &Node<'_>,
    ) -> Result<Option<VariableId>, CError> {
        match node.kind.as_ref() {
            "FunctionDecl" => {
                self.function(node);
            }
            "VarDecl" if node.storage == "extern" => {
                self.global(node);
            }
            "VarDecl" => {
                let is_static = node.storage == "static";
                let storage = match is_static {
                    true => Storage::StaticLocal,
                    false => Storage::Local,
                };
                let variable = self.variable(node, storage);
                if is_static {
                    self.unit.globals.push(variable);
                }
                self.initialise(node, variable);
                return Ok((!is_static).then_some(variable));
            }
            "RecordDecl" => {
                self.declare_records(node);
                self.record(node)?;
            }
            _ => self.type_declaration(node)?,
        }
        Ok(None)
    }

    fn type_declaration(&mut self, node: &Node<'_>) -> Result<(), CError> {
        match node.kind.as_ref() {
            "RecordDecl" => self.record(node)?,
            "EnumDecl" => self.enumeration(node),
            "TypedefDecl" => self.typedef(node),
            _ => {}
        }
        Ok(())
    }

    fn typedef(&mut self, node: &Node<'_>) {
        if self.is_in_function {
            self.declare_records(node);
        }
        let record = declared(node).and_then(|id| match self.records.get(&id) {
            Some(&record) => {
                let is_own = self.unit.records[record.0 as usize].name == node.name;
                if is_own {
                    self.names.is_of_unnamed.insert(node.name.to_string());
                }
                Some(CType::Record(record))
            }
            None => self.enums.get(&id).cloned(),
        });
        let ty = match node.name.as_ref() {
            "__builtin_va_list" => CType::Other("va_list".to_owned()),
            _ => record.unwrap_or_else(|| self.parse_type(&node.ty)),
        };
        if is_unaligned(node, &ty) {
            self.names.unaligned.insert(node.name.to_string());
        }
        self.names.add(Space::Typedef, &node.name, ty.clone());
        if !self.is_in_function {
            self.unit.typedefs.push((node.name.to_string(), ty));
        }
    }

    /// Reads a declaration of a function; the signature of its definition counts.
    fn function(&mut self, node: &Node<'_>) -> FunctionId {
        let ty = self.parse_type(&node.ty);
        let place = node.at().place;
        let is_definition = node.inner.iter().any(|inner| inner.kind == "CompoundStmt");
        let known = self.functions.get(node.name.as_ref()).copied();
        let function = known.unwrap_or_else(|| self.new_function(&node.name, ty.clone(), place));
        self.names.add(Space::Value, &node.name, ty.clone());
        if is_definition || known.is_none() {
            let params = node
                .inner
                .iter()
                .filter(|inner| inner.kind == "ParmVarDecl");
            self.names.enter();
            let params = params.map(|param| self.variable(param, Storage::Parameter));
            let params: Vec<VariableId> = params.collect();
            self.names.leave();
            let entry = &mut self.unit.functions[function.0 as usize];
            entry.params = params;
            entry.signature = signature_of(ty);
            entry.place = place;
        }
        self.unit.functions[function.0 as usize].is_static |= node.storage == "static";
        function
    }

    /// A new function of the unit, which has no body yet.
    pub(super) fn new_function(&mut self, name: &str, ty: CType, place: Place) -> FunctionId {
        let id = FunctionId(self.unit.functions.len() as u32);
        self.unit.functions.push(Function {
            name: name.to_owned(),
            signature: signature_of(ty),
            params: Vec::new(),
            body: None,
            is_static: false,
            place,
        });
        self.functions.insert(name.to_owned(), id);
        id
    }

    /// Reads the body of a function, if that was not done before.
    pub(super) fn body(&mut self, function: FunctionId) -> Result<(), CError> {
        let Some(node) = self.bodies.remove(&function) else {
            return Ok(());
        };
        let Some(body) = node.inner.iter().find(|inner| inner.kind == "CompoundStmt") else {
            return Ok(());
        };
        self.is_in_function = true;
        self.names.enter();
        for &param in &self.unit.functions[function.0 as usize].params {
            let variable = &self.unit.variables[param.0 as usize];
            let (name, ty) = (variable.name.clone(), variable.ty.clone());
            self.names.add(Space::Value, &name, ty);
        }
        let body = self.statement(body);
        self.names.leave();
        self.is_in_function = false;
        self.unit.functions[function.0 as usize].body = Some(body);
        Ok(())
    }

    /// Reads a declaration of a variable with linkage.
    fn global(&mut self, node: &Node<'_>) {
        let storage = match node.storage.as_ref() {
            "static" => Storage::Static,
            "extern" if node.inner.iter().all(|inner| inner.kind.ends_with("Attr")) => {
                Storage::Extern
            }
            _ => Storage::Global,
        };
        let Some(&variable) = self.globals.get(node.name.as_ref()) else {
            let variable = self.variable(node, storage);
            self.globals.insert(node.name.to_string(), variable);
            self.unit.globals.push(variable);
            self.initialise(node, variable);
            return;
        };
        self.variables.insert(node.id, variable);
        let ty = self.parse_type(&node.ty);
        let known = &mut self.unit.variables[variable.0 as usize];
        // A declaration may leave the length of an array open.
        if !matches!(ty, CType::Array(_, None)) {
            known.ty = ty;
        }
        if known.storage == Storage::Extern {
            known.storage = storage;
            known.place = node.at().place;
        }
        let ty = known.ty.clone();
        self.names.add(Space::Value, &node.name, ty);
        self.initialise(node, variable);
    }

    fn variable(&mut self, node: &Node<'_>, storage: Storage) -> VariableId {
        let ty = self.parse_type(&node.ty);
        self.names.add(Space::Value, &node.name, ty.clone());
        let variable = self.new_variable(Variable {
            name: node.name.to_string(),
            ty,
            storage,
            init: None,
            place: node.at().place,
            is_const: is_const(&node.ty),
        });
        self.variables.insert(node.id, variable);
        variable
    }

    /// The initialiser is read when the variable is known: it may refer to it.
    fn initialise(&mut self, node: &Node<'_>, variable: VariableId) {
        let init = node
            .inner
            .iter()
            .find(|inner| !inner.kind.ends_with("Attr"));
        if let Some(init) = init {
            let init = self.init(init);
            self.unit.variables[variable.0 as usize].init = Some(init);
        }
    }
}

/// Whether a declared thing itself is constant, not only what it leads to.
fn is_const(ty: &str) -> bool {
    match ty.rfind('*') {
        Some(star) => ty[star..].contains("const"),
        None => ty.split(' ').any(|word| word == "const"),
    }
}

/// Whether a type name asks for less alignment than its type has.
fn is_unaligned(node: &Node<'_>, ty: &CType) -> bool {
    let natural = match ty {
        CType::Int(ty) => i128::from(ty.bits() / 8),
        CType::Float(FloatType::Single) => 4,
        CType::Float(FloatType::Double) | CType::Pointer(_) => 8,
        _ => return false,
    };
    let asked = node
        .inner
        .iter()
        .filter(|inner| inner.kind == "AlignedAttr");
    let mut asked = asked.filter_map(|attribute| {
        let value = attribute.inner.first()?.value.as_ref()?;
        value.parse::<i128>().ok()
    });
    asked.any(|asked| asked < natural)
}
