//! Expressions.

use std::rc::Rc;

use super::Reader;
use super::operators::{pointee, sum};
use super::stream::{Node, Reference};
use crate::ast::{CType, Expr, ExprKind, FunctionId, Init, Place, Storage, Variable, VariableId};
use crate::lower::{ALLOCATION_FAILS, ALLOCATORS, PRELUDE, reader};

impl Reader<'_> {
    /// An expression of the tree, with where it comes from.
    pub(super) fn made(&self, node: &Node<'_>, kind: ExprKind, ty: CType, place: Place) -> Expr {
        Expr {
            kind,
            ty,
            place,
            in_system_macro: node.begin.in_system_macro && node.end.in_system_macro,
        }
    }

    fn refused(&self, node: &Node<'_>, what: &str) -> Expr {
        let kind = ExprKind::Unsupported(what.to_owned());
        self.made(node, kind, self.parse_type(&node.ty), node.begin.place)
    }

    /// Reads an expression. What is not supported becomes a node that says so.
    pub(super) fn expr(&mut self, node: &Node<'_>) -> Expr {
        match (node.kind.as_ref(), &node.inner[..]) {
            ("ParenExpr" | "PredefinedExpr" | "OpaqueValueExpr", [inner]) => self.expr(inner),
            ("ConstantExpr", [inner]) => self.constant_expr(node, inner),
            ("IntegerLiteral" | "CharacterLiteral" | "FloatingLiteral" | "StringLiteral", _) => {
                self.literal(node)
            }
            ("ImplicitCastExpr" | "CStyleCastExpr", [inner]) => self.cast(node, inner),
            ("DeclRefExpr", _) => self.reference(node),
            ("UnaryOperator", [inner]) => self.unary_operator(node, inner),
            ("BinaryOperator", [a, b]) => self.binary_operator(node, a, b),
            ("CompoundAssignOperator", [a, b]) => self.compound_assignment(node, a, b),
            ("ConditionalOperator", [c, a, b]) => self.conditional(node, c, Some(a), b),
            ("BinaryConditionalOperator", [c, _, _, b]) => self.conditional(node, c, None, b),
            ("ArraySubscriptExpr", [a, b]) => self.subscript(node, a, b),
            ("MemberExpr", [inner]) => self.member(node, inner),
            ("CallExpr", [callee, arguments @ ..]) => self.call(node, callee, arguments),
            ("UnaryExprOrTypeTraitExpr", _) => self.size(node),
            ("StmtExpr", [block]) => {
                self.names.enter();
                let statements = self.statements(&block.inner);
                self.names.leave();
                let ty = self.parse_type(&node.ty);
                let ty = match statements.last().map(|last| &last.kind) {
                    Some(crate::ast::StmtKind::Expr(last)) => last.ty.clone(),
                    _ => ty,
                };
                self.made(node, ExprKind::Statements(statements), ty, node.begin.place)
            }
            ("CompoundLiteralExpr", [init]) => self.compound_literal(node, init),
            ("ImplicitValueInitExpr", _) => {
                let ty = self.parse_type(&node.ty);
                self.made(node, ExprKind::Zero, ty, node.begin.place)
            }
            ("InitListExpr", [inner]) if !node.has_filler => self.expr(inner),
            ("VAArgExpr", [list]) => self.va_arg(node, list),
            ("ChooseExpr", [condition, yes, no]) => match self.constant(condition) {
                Some(0) => self.expr(no),
                Some(_) => self.expr(yes),
                None => self.refused(node, "__builtin_choose_expr"),
            },
            ("GenericSelectionExpr", inner) => {
                let selected = inner.iter().find(|inner| inner.is_selected);
                match selected.and_then(|selected| selected.inner.last()) {
                    Some(selected) => self.expr(selected),
                    None => self.refused(node, "_Generic"),
                }
            }
            ("AddrLabelExpr", _) => self.refused(node, "the address of a label"),
            ("AtomicExpr", _) => self.refused(node, "an atomic operation"),
            ("ImaginaryLiteral", _) => self.refused(node, "a complex number"),
            ("SourceLocExpr" | "TypeTraitExpr" | "OffsetOfExpr", _) => {
                self.refused(node, "a builtin of clang")
            }
            ("ShuffleVectorExpr" | "ConvertVectorExpr" | "ExtVectorElementExpr", _) => {
                self.refused(node, "a vector")
            }
            (kind, _) => self.refused(node, &format!("this expression ({kind})")),
        }
    }

    /// A constant that clang has evaluated, unless it is of a kind that has no number.
    fn constant_expr(&mut self, node: &Node<'_>, inner: &Node<'_>) -> Expr {
        let value = node.value.as_ref().and_then(|value| value.parse().ok());
        match (value, self.parse_type(&node.ty)) {
            (Some(value), ty @ (CType::Int(_) | CType::Bool)) => {
                self.made(node, ExprKind::Int(value), ty, node.begin.place)
            }
            _ => self.expr(inner),
        }
    }

    fn reference(&mut self, node: &Node<'_>) -> Expr {
        let place = node.begin.place;
        let Some(reference) = &node.reference else {
            return self.refused(node, "a name that is not declared");
        };
        match reference.kind.as_ref() {
            "EnumConstantDecl" => match self.enumerators.get(&reference.id) {
                Some(&value) => {
                    let ty = self.parse_type(&node.ty);
                    self.made(node, ExprKind::Int(value), ty, place)
                }
                None => self.refused(node, "an unknown enumerator"),
            },
            "FunctionDecl" => {
                let function = self.function_for(reference, place);
                let signature = self.unit.functions[function.0 as usize].signature.clone();
                let ty = CType::Function(signature);
                self.made(node, ExprKind::Function(function), ty, place)
            }
            _ => {
                let variable = self.variable_for(reference, place);
                let ty = self.unit.variables[variable.0 as usize].ty.clone();
                self.made(node, ExprKind::Variable(variable), ty, place)
            }
        }
    }

    /// The variable that is referred to: one that the dump does not declare is of another unit.
    fn variable_for(&mut self, reference: &Reference<'_>, place: Place) -> VariableId {
        if let Some(&variable) = self.variables.get(&reference.id) {
            return variable;
        }
        let known = self.globals.get(reference.name.as_ref()).copied();
        let variable = known.unwrap_or_else(|| {
            let ty = self.parse_type(&reference.ty);
            let variable = self.new_variable(Variable {
                name: reference.name.to_string(),
                ty,
                storage: Storage::Extern,
                init: None,
                place,
                is_const: false,
            });
            self.globals.insert(reference.name.to_string(), variable);
            self.unit.globals.push(variable);
            variable
        });
        self.variables.insert(reference.id, variable);
        variable
    }

    /// The function that is referred to, whose body is needed from now on.
    fn function_for(&mut self, reference: &Reference<'_>, place: Place) -> FunctionId {
        let known = self.functions.get(reference.name.as_ref()).copied();
        let function = known.unwrap_or_else(|| {
            let ty = self.parse_type(&reference.ty);
            self.new_function(&reference.name, ty, place)
        });
        let plain = reference.name.strip_prefix("__builtin_");
        let plain = plain.unwrap_or(&reference.name);
        // What has no body here may have one in the library that is written in C.
        let library = format!("{PRELUDE}{plain}");
        let library = self.functions.get(&library).copied();
        let fails = (ALLOCATORS.contains(&plain))
            .then(|| self.functions.get(ALLOCATION_FAILS).copied())
            .flatten();
        let reader = reader(plain).map(|reader| format!("{PRELUDE}{reader}"));
        let reader = reader.and_then(|reader| self.functions.get(&reader).copied());
        let needed = [Some(function), library, fails, reader];
        for function in needed.into_iter().flatten() {
            if self.bodies.contains_key(&function) {
                self.needed.push(function);
            }
        }
        function
    }

    fn conditional(
        &mut self,
        node: &Node<'_>,
        condition: &Node<'_>,
        yes: Option<&Node<'_>>,
        no: &Node<'_>,
    ) -> Expr {
        let place = self.place_between(node, condition, yes.unwrap_or(no));
        let condition = Box::new(self.expr(condition));
        let yes = yes.map(|yes| Box::new(self.expr(yes)));
        let no = Box::new(self.expr(no));
        let ty = match yes.as_ref() {
            Some(yes) if yes.ty == no.ty => no.ty.clone(),
            _ => self.parse_type(&node.ty),
        };
        self.made(node, ExprKind::Conditional(condition, yes, no), ty, place)
    }

    /// `a[i]`, also written `i[a]`.
    fn subscript(&mut self, node: &Node<'_>, first: &Node<'_>, second: &Node<'_>) -> Expr {
        let place = node.begin.place;
        let kind = sum(self.expr(first), self.expr(second));
        let crate::ast::ExprKind::Binary(_, pointer, _) = &kind else {
            return self.refused(node, "an index");
        };
        let pointer_ty = pointer.ty.clone();
        let Some(ty) = pointee(&pointer_ty) else {
            return self.refused(node, "a vector");
        };
        let sum = self.made(node, kind, pointer_ty, place);
        self.made(node, ExprKind::Deref(Box::new(sum)), ty, place)
    }

    fn member(&mut self, node: &Node<'_>, inner: &Node<'_>) -> Expr {
        let place = node.begin.place;
        let mut of = self.expr(inner);
        if node.is_arrow {
            let ty = pointee(&of.ty).unwrap_or(CType::Void);
            // `(&x)->f` is `x.f`.
            of = match of.kind {
                ExprKind::Address(designated) => *designated,
                _ => self.made(node, ExprKind::Deref(Box::new(of)), ty, place),
            };
        }
        let field = node
            .declaration
            .and_then(|id| self.fields.get(&id).copied());
        let Some((record, index)) = field else {
            return self.refused(node, "a member of an unknown struct");
        };
        let ty = self.unit.records[record.0 as usize].fields[index as usize]
            .ty
            .clone();
        let kind = ExprKind::Member(Box::new(of), record, index);
        self.made(node, kind, ty, place)
    }

    fn call(&mut self, node: &Node<'_>, callee: &Node<'_>, arguments: &[Node<'_>]) -> Expr {
        let place = node.begin.place;
        match (called(callee), arguments) {
            ("__builtin_expect" | "__builtin_expect_with_probability", [value, ..]) => {
                return self.expr(value);
            }
            ("__builtin_constant_p", _) => {
                let ty = self.parse_type(&node.ty);
                return self.made(node, ExprKind::Int(0), ty, place);
            }
            _ => {}
        }
        let callee = Box::new(self.expr(callee));
        let arguments = arguments
            .iter()
            .map(|argument| self.expr(argument))
            .collect();
        let ty = match &callee.ty {
            CType::Pointer(to) => match &**to {
                CType::Function(signature) => signature.result.clone(),
                _ => self.parse_type(&node.ty),
            },
            _ => self.parse_type(&node.ty),
        };
        self.made(node, ExprKind::Call(callee, arguments), ty, place)
    }

    fn size(&mut self, node: &Node<'_>) -> Expr {
        let ty = self.parse_type(&node.ty);
        let mut value = self.size_of(node);
        if value.is_none()
            && let Some(operand) = node.inner.first()
        {
            let operand = self.expr(operand);
            value = self.size_align(&operand.ty).map(|it| i128::from(it.0));
        }
        match value {
            Some(value) => self.made(node, ExprKind::Int(value), ty, node.begin.place),
            None => self.refused(node, "the size of a variable-length array"),
        }
    }

    fn compound_literal(&mut self, node: &Node<'_>, init: &Node<'_>) -> Expr {
        let ty = self.parse_type(&node.ty);
        let place = node.begin.place;
        let storage = match self.is_in_function {
            true => Storage::Local,
            false => Storage::Static,
        };
        let init = self.init(init);
        let variable = self.new_variable(Variable {
            name: String::new(),
            ty: ty.clone(),
            storage,
            init: Some(init),
            place,
            is_const: false,
        });
        if storage == Storage::Static {
            self.unit.globals.push(variable);
        }
        self.made(node, ExprKind::CompoundLiteral(variable), ty, place)
    }

    fn va_arg(&mut self, node: &Node<'_>, list: &Node<'_>) -> Expr {
        let ty = self.parse_type(&node.ty);
        let place = node.begin.place;
        let list = self.expr(list);
        let designator = match (list.kind, &list.ty) {
            (ExprKind::Decay(designator), _) => *designator,
            (kind, CType::Pointer(to)) => {
                let to = (**to).clone();
                let pointer = self.made(node, kind, list.ty.clone(), place);
                self.made(node, ExprKind::Deref(Box::new(pointer)), to, place)
            }
            (kind, _) => self.made(node, kind, list.ty.clone(), place),
        };
        self.made(node, ExprKind::VaArg(Box::new(designator)), ty, place)
    }

    /// A new variable of the unit.
    pub(super) fn new_variable(&mut self, variable: Variable) -> VariableId {
        let id = VariableId(self.unit.variables.len() as u32);
        self.unit.variables.push(variable);
        id
    }

    /// An expression as what something begins with.
    pub(super) fn init_value(&mut self, node: &Node<'_>) -> Init {
        Init::Value(self.expr(node))
    }
}

/// The name of the function that is called, if it is called by name.
fn called<'n>(node: &'n Node<'_>) -> &'n str {
    let mut node = node;
    while let ("ImplicitCastExpr" | "ParenExpr", [inner]) = (node.kind.as_ref(), &node.inner[..]) {
        node = inner;
    }
    node.reference
        .as_ref()
        .map_or("", |reference| &*reference.name)
}

/// A signature for what is no function, which does not happen in a tree that clang accepts.
pub(super) fn signature_of(ty: CType) -> Rc<crate::ast::Signature> {
    match ty {
        CType::Function(signature) => signature,
        other => Rc::new(crate::ast::Signature {
            result: other,
            params: Vec::new(),
            variadic: true,
        }),
    }
}
