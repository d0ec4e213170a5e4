//! Expressions.

use heapwright_ir::{
    Arithmetic, BinaryOp, Callee, Comparison, Constant, Operand, Operation, Terminator, UnaryOp,
};
use heapwright_logic::{ClassId, IntType, Sort};

use super::builder::int;
use super::constant::{constant, displaced};
use super::function::{Body, Variable, default};
use super::synthetic::TOUCH;
use crate::error::CError;
use crate::tree::Node;
use crate::types::{CType, parse};

/// Something that has an address.
#[derive(Clone, Copy, Debug)]
enum Lvalue {
    /// A variable that nobody points to.
    Register(heapwright_ir::Reg),
    /// A field of a struct.
    Field(Operand, ClassId, u32),
    /// An element of an array, or what a pointer leads to.
    Element(Operand, Operand, Sort),
    /// A struct or an array.
    Object(Operand),
}

const NULL: Operand = Operand::Constant(Constant::Null);

impl Body<'_, '_> {
    /// Evaluates an expression for what it does.
    pub(super) fn effect(&mut self, node: &Node) -> Result<(), CError> {
        match node.kind.as_str() {
            _ if is_wrapper(node) => self.inner(node, 0).and_then(|inner| self.effect(inner)),
            "CStyleCastExpr" | "ImplicitCastExpr" if node.cast == "ToVoid" => {
                self.inner(node, 0).and_then(|inner| self.effect(inner))
            }
            "CallExpr" => self.call(node).map(drop),
            "BinaryOperator"
                if node.opcode == "=" && matches!(parse(&node.ty), CType::Record(_)) =>
            {
                match self.lvalue(self.inner(node, 0)?)? {
                    Lvalue::Object(object) => self.copy_into(node, object, self.inner(node, 1)?),
                    _ => Err(self.lowering.unsupported(node, "this copy of a struct")),
                }
            }
            "BinaryOperator" if node.opcode == "," => {
                self.effect(self.inner(node, 0)?)?;
                self.effect(self.inner(node, 1)?)
            }
            "ConditionalOperator" if parse(&node.ty) == CType::Void => {
                let blocks = [
                    self.builder.block(),
                    self.builder.block(),
                    self.builder.block(),
                ];
                self.branch(self.inner(node, 0)?, blocks[0], blocks[1])?;
                for (index, &block) in [1, 2].iter().zip(&blocks) {
                    self.builder.go_on(block);
                    self.effect(self.inner(node, *index)?)?;
                    self.builder.goto(blocks[2]);
                }
                self.builder.go_on(blocks[2]);
                Ok(())
            }
            "StmtExpr" => self.statement(self.inner(node, 0)?),
            _ if constant(self.lowering.records, node).is_some() => Ok(()),
            _ if parse(&node.ty) == CType::Void => Err(self
                .lowering
                .unsupported(node, format!("this expression ({})", node.kind))),
            _ => self.rvalue(node).map(drop),
        }
    }

    /// Copies a struct, with all that is inside of it.
    pub(super) fn copy_into(
        &mut self,
        node: &Node,
        object: Operand,
        value: &Node,
    ) -> Result<(), CError> {
        let source = match (value.kind.as_str(), value.cast.as_str()) {
            ("ParenExpr", _) => return self.copy_into(node, object, self.inner(value, 0)?),
            ("ImplicitCastExpr", "LValueToRValue") => self.lvalue(self.inner(value, 0)?)?,
            _ => return Err(self.lowering.unsupported(node, "this copy of a struct")),
        };
        let (Lvalue::Object(source), CType::Record(name)) = (source, parse(&value.ty)) else {
            return Err(self.lowering.unsupported(node, "this copy of a struct"));
        };
        let (class, _) = self.lowering.class(node, &name)?;
        let function = self.lowering.copy_function(class);
        let function = function.ok_or_else(|| {
            self.lowering
                .unsupported(node, "copying an array in a struct")
        })?;
        self.builder.position = self.lowering.position(&node.place);
        self.builder.emit(Operation::Call {
            to: None,
            callee: Callee::Static(function),
            args: vec![object, source],
        });
        Ok(())
    }

    fn inner<'n>(&self, node: &'n Node, index: usize) -> Result<&'n Node, CError> {
        let inner = node.inner.get(index);
        inner.ok_or_else(|| {
            self.lowering
                .unsupported(node, format!("this {}", node.kind))
        })
    }

    fn sort(&mut self, node: &Node) -> Result<Sort, CError> {
        self.lowering.sort(node, &parse(&node.ty))
    }

    /// The value of an expression.
    pub(super) fn rvalue(&mut self, node: &Node) -> Result<Operand, CError> {
        self.builder.position = self.lowering.position(&node.place);
        let ty = parse(&node.ty);
        if let (Some(value), CType::Int(ty)) = (constant(self.lowering.records, node), &ty) {
            return Ok(int(*ty, value));
        }
        match node.kind.as_str() {
            _ if is_wrapper(node) => self.rvalue(self.inner(node, 0)?),
            "FloatingLiteral" => self.floating(node),
            "ImplicitCastExpr" | "CStyleCastExpr" => self.cast(node, &ty),
            "UnaryOperator" => self.unary(node, &ty),
            "BinaryOperator" | "CompoundAssignOperator" => self.binary(node, &ty),
            "ConditionalOperator" => self.conditional(node),
            "CallExpr" => {
                let value = self.call(node)?;
                value.ok_or_else(|| self.lowering.unsupported(node, "the value of this call"))
            }
            "DeclRefExpr"
                if node
                    .reference
                    .as_ref()
                    .is_some_and(|to| to.kind == "EnumConstantDecl") =>
            {
                let value = node
                    .reference
                    .as_ref()
                    .and_then(|to| self.enumerator(to.id));
                match (value, ty) {
                    (Some(value), CType::Int(ty)) => Ok(int(ty, value)),
                    _ => Err(self.lowering.unsupported(node, "this constant")),
                }
            }
            "StmtExpr" => self.statement_expression(node),
            "DeclRefExpr" | "MemberExpr" | "ArraySubscriptExpr" => {
                let place = self.lvalue(node)?;
                self.load(node, place)
            }
            "ImplicitValueInitExpr" => Ok(default(self.sort(node)?)),
            kind => Err(self
                .lowering
                .unsupported(node, format!("this expression ({kind})"))),
        }
    }

    /// The number of an enumerator.
    fn enumerator(&self, id: u64) -> Option<i128> {
        for node in &self.lowering.tree.root.inner {
            if node.kind != "EnumDecl" {
                continue;
            }
            let mut next = 0;
            for inner in node
                .inner
                .iter()
                .filter(|inner| inner.kind == "EnumConstantDecl")
            {
                if let Some(value) = inner.inner.first() {
                    next = constant(self.lowering.records, value)?;
                }
                if inner.id == id {
                    return Some(next);
                }
                next += 1;
            }
        }
        None
    }

    fn floating(&mut self, node: &Node) -> Result<Operand, CError> {
        let text = node.value.as_deref().unwrap_or_default();
        let sort = self.sort(node)?;
        let wrong = || self.lowering.unsupported(node, "this number");
        Ok(Operand::Constant(match sort {
            Sort::Float(heapwright_logic::FloatType::Single) => {
                Constant::Single(text.parse::<f32>().map_err(|_| wrong())?.to_bits())
            }
            _ => Constant::Double(text.parse::<f64>().map_err(|_| wrong())?.to_bits()),
        }))
    }

    /// `({ …; value; })`
    fn statement_expression(&mut self, node: &Node) -> Result<Operand, CError> {
        let block = self.inner(node, 0)?;
        let Some((last, before)) = block.inner.split_last() else {
            return Err(self.lowering.unsupported(node, "an empty expression"));
        };
        for statement in before {
            self.statement(statement)?;
        }
        self.rvalue(last)
    }

    /// Whether a value is not zero.
    pub(super) fn truth(&mut self, node: &Node) -> Result<Operand, CError> {
        match (node.kind.as_str(), node.opcode.as_str()) {
            ("ParenExpr", _) => return self.truth(self.inner(node, 0)?),
            ("BinaryOperator", "&&" | "||") | ("UnaryOperator", "!") => {
                return self.by_branches(node);
            }
            ("BinaryOperator", operator) => {
                if let Some(comparison) = comparison(operator) {
                    return self.compare(node, comparison);
                }
            }
            ("ImplicitCastExpr" | "CStyleCastExpr", _)
                if matches!(
                    node.cast.as_str(),
                    "IntegralToBoolean" | "PointerToBoolean" | "FloatingToBoolean"
                ) =>
            {
                return self.truth(self.inner(node, 0)?);
            }
            _ => {}
        }
        let value = self.rvalue(node)?;
        let sort = self.sort(node)?;
        self.builder.position = self.lowering.position(&node.place);
        Ok(match sort {
            Sort::Bool => value,
            other => self.compared(Comparison::Ne, value, default(other)),
        })
    }

    fn compared(&mut self, comparison: Comparison, a: Operand, b: Operand) -> Operand {
        let op = BinaryOp::Compare(comparison);
        self.builder
            .value(Sort::Bool, |to| Operation::Binary { to, op, a, b })
    }

    fn compare(&mut self, node: &Node, comparison: Comparison) -> Result<Operand, CError> {
        let (left, right) = (self.inner(node, 0)?, self.inner(node, 1)?);
        let is_pointer = matches!(parse(&left.ty), CType::Pointer(_));
        if is_pointer && !matches!(comparison, Comparison::Eq | Comparison::Ne) {
            return Err(self.lowering.unsupported(node, "the order of pointers"));
        }
        let (a, b) = (self.rvalue(left)?, self.rvalue(right)?);
        self.builder.position = self.lowering.position(&node.place);
        Ok(self.compared(comparison, a, b))
    }

    /// A truth value as C has it.
    fn of_truth(&mut self, node: &Node, truth: Operand, ty: &CType) -> Result<Operand, CError> {
        match ty {
            CType::Bool => Ok(truth),
            CType::Int(ty) => Ok(self.convert(truth, Sort::Machine(*ty))),
            _ => Err(self.lowering.unsupported(node, "this condition")),
        }
    }

    fn convert(&mut self, a: Operand, sort: Sort) -> Operand {
        let op = UnaryOp::Convert(sort);
        self.builder
            .value(sort, |to| Operation::Unary { to, op, a })
    }

    fn cast(&mut self, node: &Node, ty: &CType) -> Result<Operand, CError> {
        let inner = self.inner(node, 0)?;
        match node.cast.as_str() {
            "LValueToRValue" => {
                let place = self.lvalue(inner)?;
                self.load(node, place)
            }
            "NoOp" => self.rvalue(inner),
            "ArrayToPointerDecay" => match self.lvalue(inner)? {
                Lvalue::Object(object) => Ok(object),
                _ => Err(self.lowering.unsupported(node, "this array")),
            },
            "NullToPointer" => Ok(NULL),
            "IntegralToPointer" if constant(self.lowering.records, inner) == Some(0) => Ok(NULL),
            "IntegralToBoolean" | "PointerToBoolean" | "FloatingToBoolean" => self.truth(inner),
            "IntegralCast"
            | "IntegralToFloating"
            | "FloatingToIntegral"
            | "FloatingCast"
            | "BooleanToSignedIntegral" => {
                let from = self.sort(inner)?;
                let to = self.lowering.sort(node, ty)?;
                let value = self.rvalue(inner)?;
                Ok(if from == to {
                    value
                } else {
                    self.convert(value, to)
                })
            }
            "BitCast" => self.pointer_cast(node, inner, ty),
            kind => Err(self
                .lowering
                .unsupported(node, format!("this cast ({kind})"))),
        }
    }

    /// A pointer as one to something else.
    fn pointer_cast(&mut self, node: &Node, inner: &Node, ty: &CType) -> Result<Operand, CError> {
        if let Some(made) = self.allocation(inner, ty)? {
            return Ok(made);
        }
        if let Some(CType::Record(name)) = ty.pointee()
            && self.lowering.records.named(name).is_some()
            && let Some((base, distance)) = displaced(self.lowering.records, inner)
            && let Some(CType::Record(from)) = parse(&base.ty).pointee()
        {
            return self.displaced_cast(node, (base, from), name, distance);
        }
        let sort = self.lowering.sort(node, ty)?;
        let from = self.sort(inner)?;
        let value = self.rvalue(inner)?;
        let any = Sort::Ref(ClassId::ANY);
        match from == sort || sort == any || from == any {
            true => Ok(self
                .builder
                .value(sort, |to| Operation::Move { to, from: value })),
            false => Err(self.lowering.unsupported(
                node,
                format!("a pointer of type {} as one of type {}", inner.ty, node.ty),
            )),
        }
    }

    /// A pointer to a struct, some bytes away from one to another struct.
    fn displaced_cast(
        &mut self,
        node: &Node,
        (base, from): (&Node, &str),
        to: &str,
        distance: i128,
    ) -> Result<Operand, CError> {
        let (inner, _) = self.lowering.class(node, from)?;
        let (outer, _) = self.lowering.class(node, to)?;
        let value = self.rvalue(base)?;
        if inner == outer && distance == 0 {
            return Ok(value);
        }
        let begins = |this: &Self, class: ClassId, field: u32| {
            let info = &this.lowering.classes.infos[class.index()].kind;
            match info {
                heapwright_ir::ClassKind::Struct { layout, .. } => layout
                    .get(field as usize)
                    .map(|field| i128::from(field.offset)),
                heapwright_ir::ClassKind::Array { .. } => None,
            }
        };
        // Out of the struct around.
        for (field, _) in self.lowering.parts_of_class(outer, inner) {
            if begins(self, outer, field) == Some(-distance)
                && let Some(method) = self.lowering.container_method(inner, outer, field)
            {
                return Ok(self.builder.value(Sort::Ref(outer), |to| Operation::Call {
                    to: Some(to),
                    callee: Callee::Virtual(method),
                    args: vec![value],
                }));
            }
        }
        // Into one of its parts.
        for (field, part) in self.lowering.parts_of_class(inner, outer) {
            if begins(self, inner, field) == Some(distance) {
                return Ok(self.builder.value(Sort::Ref(part), |to| Operation::Load {
                    to,
                    object: value,
                    class: inner,
                    field,
                }));
            }
        }
        let from = &base.ty;
        let what =
            format!("a pointer of type {from}, displaced by {distance} bytes, as one to {to}");
        Err(self.lowering.unsupported(node, what))
    }

    /// `malloc` and `calloc`, for the type that the result is cast to.
    fn allocation(&mut self, node: &Node, ty: &CType) -> Result<Option<Operand>, CError> {
        if matches!(node.kind.as_str(), "ParenExpr") {
            return self.allocation(self.inner(node, 0)?, ty);
        }
        let is_called = |name: &str| callee(node) == Some(name);
        let arguments = match () {
            () if is_called("malloc") => 1,
            () if is_called("calloc") => 2,
            () => return Ok(None),
        };
        let Some(pointee) = ty.pointee().cloned() else {
            return Ok(None);
        };
        let size = self
            .lowering
            .records
            .layout(&pointee)
            .map(|(size, _)| i128::from(size));
        let Some(size) = size.filter(|&size| size > 0) else {
            return Err(self.lowering.unsupported(node, "memory without a type"));
        };
        let arguments: Vec<&Node> = node.inner.iter().skip(1).take(arguments).collect();
        let known: Option<Vec<i128>> = (arguments.iter())
            .map(|argument| constant(self.lowering.records, argument))
            .collect();
        let known = known.map(|known| known.iter().product::<i128>());
        if let CType::Record(name) = &pointee {
            let (class, _) = self.lowering.class(node, name)?;
            return match known {
                Some(bytes) if bytes == size => Ok(Some(self.new_object(class))),
                _ => Err(self.lowering.unsupported(node, "an array of structs")),
            };
        }
        let element = self.lowering.sort(node, &pointee)?;
        let class = self.lowering.classes.array(element);
        let length = match known {
            Some(bytes) => int(IntType::U64, bytes / size),
            None => {
                let mut bytes = int(IntType::U64, 1);
                for argument in arguments {
                    let value = self.rvalue(argument)?;
                    bytes = self.arithmetic(IntType::U64, Arithmetic::Mul, bytes, value);
                }
                self.arithmetic(
                    IntType::U64,
                    Arithmetic::Div,
                    bytes,
                    int(IntType::U64, size),
                )
            }
        };
        Ok(Some(self.builder.value(Sort::Ref(class), |to| {
            Operation::NewArray { to, class, length }
        })))
    }

    fn arithmetic(&mut self, ty: IntType, op: Arithmetic, a: Operand, b: Operand) -> Operand {
        let op = BinaryOp::Int(ty, op);
        self.builder
            .value(Sort::Machine(ty), |to| Operation::Binary { to, op, a, b })
    }

    /// Arithmetic of C: signed numbers must not overflow.
    fn checked(&mut self, ty: IntType, op: Arithmetic, a: Operand, b: Operand) -> Operand {
        let may_overflow = matches!(op, Arithmetic::Add | Arithmetic::Sub | Arithmetic::Mul);
        if ty != IntType::I32 || !may_overflow {
            return self.arithmetic(ty, op, a, b);
        }
        let wide = Sort::Machine(IntType::I64);
        let (a, b) = (self.convert(a, wide), self.convert(b, wide));
        let exact = self.arithmetic(IntType::I64, op, a, b);
        let least = int(IntType::I64, i128::from(i32::MIN));
        let most = int(IntType::I64, i128::from(i32::MAX));
        let above = self.compared(Comparison::Le, least, exact);
        let below = self.compared(Comparison::Le, exact, most);
        let condition = self.builder.value(Sort::Bool, |to| Operation::Binary {
            to,
            op: BinaryOp::Bool(Arithmetic::And),
            a: above,
            b: below,
        });
        self.builder.emit(Operation::Assert {
            condition,
            message: "signed integer overflow".to_owned(),
        });
        self.convert(exact, Sort::Machine(ty))
    }

    fn unary(&mut self, node: &Node, ty: &CType) -> Result<Operand, CError> {
        let inner = self.inner(node, 0)?;
        match node.opcode.as_str() {
            "&" => {
                let place = self.lvalue(inner)?;
                self.address(node, place)
            }
            "*" => {
                let place = self.lvalue(node)?;
                self.load(node, place)
            }
            "!" => {
                let truth = self.by_branches(node)?;
                self.of_truth(node, truth, ty)
            }
            "+" => self.rvalue(inner),
            "-" => match ty {
                CType::Int(ty) => {
                    let value = self.rvalue(inner)?;
                    Ok(self.checked(*ty, Arithmetic::Sub, int(*ty, 0), value))
                }
                _ => self.plain_unary(node, UnaryOp::Neg),
            },
            "~" => self.plain_unary(node, UnaryOp::Complement),
            "++" | "--" => {
                let place = self.lvalue(inner)?;
                let before = self.load(inner, place)?;
                let after = match ty {
                    CType::Int(ty) if ty.bits() < 32 => {
                        let value = self.convert(before, Sort::Machine(IntType::I32));
                        let op = if node.opcode == "++" {
                            Arithmetic::Add
                        } else {
                            Arithmetic::Sub
                        };
                        let value = self.arithmetic(IntType::I32, op, value, int(IntType::I32, 1));
                        self.convert(value, Sort::Machine(*ty))
                    }
                    CType::Int(ty) => {
                        let op = if node.opcode == "++" {
                            Arithmetic::Add
                        } else {
                            Arithmetic::Sub
                        };
                        self.checked(*ty, op, before, int(*ty, 1))
                    }
                    CType::Pointer(_) => {
                        let step = if node.opcode == "++" { 1 } else { -1 };
                        self.displace(node, before, int(IntType::I64, step))?
                    }
                    _ => return Err(self.lowering.unsupported(node, "this operator")),
                };
                self.store(node, place, after)?;
                Ok(if node.is_postfix { before } else { after })
            }
            operator => Err(self
                .lowering
                .unsupported(node, format!("the operator {operator}"))),
        }
    }

    fn plain_unary(&mut self, node: &Node, op: UnaryOp) -> Result<Operand, CError> {
        let a = self.rvalue(self.inner(node, 0)?)?;
        let sort = self.sort(node)?;
        Ok(self
            .builder
            .value(sort, |to| Operation::Unary { to, op, a }))
    }

    /// A pointer, some elements further on.
    fn displace(
        &mut self,
        node: &Node,
        pointer: Operand,
        index: Operand,
    ) -> Result<Operand, CError> {
        let ty = parse(&node.ty);
        if let Some(CType::Record(_) | CType::Void | CType::Function(_)) | None = ty.pointee() {
            return Err(self
                .lowering
                .unsupported(node, format!("arithmetic on {}", node.ty)));
        }
        let sort = self.lowering.sort(node, &ty)?;
        Ok(self.builder.value(sort, |to| Operation::ElementAddress {
            to,
            array: pointer,
            index,
        }))
    }

    fn binary(&mut self, node: &Node, ty: &CType) -> Result<Operand, CError> {
        let (left, right) = (self.inner(node, 0)?, self.inner(node, 1)?);
        let operator = node.opcode.as_str();
        match operator {
            "=" => {
                if let CType::Record(_) = ty {
                    return Err(self.lowering.unsupported(node, "a struct as a value"));
                }
                // The right side first: either order is right in C.
                let value = self.rvalue(right)?;
                let place = self.lvalue(left)?;
                self.builder.position = self.lowering.position(&node.place);
                self.store(node, place, value)?;
                return Ok(value);
            }
            "," => {
                self.effect(left)?;
                return self.rvalue(right);
            }
            "&&" | "||" => {
                let truth = self.by_branches(node)?;
                return self.of_truth(node, truth, ty);
            }
            _ => {}
        }
        if let Some(comparison) = comparison(operator) {
            let truth = self.compare(node, comparison)?;
            return self.of_truth(node, truth, ty);
        }
        if let (Some(plain), Some(computed)) = (operator.strip_suffix('='), &node.computed) {
            let value = self.rvalue(right)?;
            let place = self.lvalue(left)?;
            let before = self.load(left, place)?;
            let after = match (ty, parse(computed)) {
                (CType::Pointer(_), _) => self.moved(node, plain, before, value, right)?,
                (_, computed) => {
                    let wide = self.lowering.sort(node, &computed)?;
                    let own = self.sort(left)?;
                    let before = if own == wide {
                        before
                    } else {
                        self.convert(before, wide)
                    };
                    let after = self.computed(node, plain, &computed, before, value)?;
                    if own == wide {
                        after
                    } else {
                        self.convert(after, own)
                    }
                }
            };
            self.store(node, place, after)?;
            return Ok(after);
        }
        let (a, b) = (self.rvalue(left)?, self.rvalue(right)?);
        self.builder.position = self.lowering.position(&node.place);
        match (ty, parse(&left.ty)) {
            (CType::Pointer(_), CType::Pointer(_)) => self.moved(node, operator, a, b, right),
            (CType::Pointer(_), _) => self.moved(node, operator, b, a, left),
            (_, CType::Pointer(_)) => Err(self
                .lowering
                .unsupported(node, "the difference of pointers")),
            _ => self.computed(node, operator, ty, a, b),
        }
    }

    /// A pointer plus or minus a number.
    fn moved(
        &mut self,
        node: &Node,
        operator: &str,
        pointer: Operand,
        number: Operand,
        of: &Node,
    ) -> Result<Operand, CError> {
        let wide = Sort::Machine(IntType::I64);
        let number = match self.sort(of)? == wide {
            true => number,
            false => self.convert(number, wide),
        };
        let number = match operator {
            "+" => number,
            _ => self.arithmetic(IntType::I64, Arithmetic::Sub, int(IntType::I64, 0), number),
        };
        self.displace(node, pointer, number)
    }

    fn computed(
        &mut self,
        node: &Node,
        operator: &str,
        ty: &CType,
        a: Operand,
        b: Operand,
    ) -> Result<Operand, CError> {
        let op = match operator {
            "+" => Arithmetic::Add,
            "-" => Arithmetic::Sub,
            "*" => Arithmetic::Mul,
            "/" => Arithmetic::Div,
            "%" => Arithmetic::Rem,
            "&" => Arithmetic::And,
            "|" => Arithmetic::Or,
            "^" => Arithmetic::Xor,
            "<<" => Arithmetic::Shl,
            ">>" => Arithmetic::Shr,
            _ => {
                return Err(self
                    .lowering
                    .unsupported(node, format!("the operator {operator}")));
            }
        };
        match ty {
            CType::Int(ty) => Ok(self.checked(*ty, op, a, b)),
            CType::Float(ty) => {
                let op = BinaryOp::Float(*ty, op);
                Ok(self
                    .builder
                    .value(Sort::Float(*ty), |to| Operation::Binary { to, op, a, b }))
            }
            _ => Err(self
                .lowering
                .unsupported(node, format!("the operator {operator}"))),
        }
    }

    fn conditional(&mut self, node: &Node) -> Result<Operand, CError> {
        let sort = self.sort(node)?;
        let to = self.builder.register(None, sort);
        let blocks = [
            self.builder.block(),
            self.builder.block(),
            self.builder.block(),
        ];
        self.branch(self.inner(node, 0)?, blocks[0], blocks[1])?;
        for (index, &block) in [1, 2].iter().zip(&blocks) {
            self.builder.go_on(block);
            let from = self.rvalue(self.inner(node, *index)?)?;
            self.builder.emit(Operation::Move { to, from });
            self.builder.goto(blocks[2]);
        }
        self.builder.go_on(blocks[2]);
        Ok(Operand::Register(to))
    }

    fn call(&mut self, node: &Node) -> Result<Option<Operand>, CError> {
        let Some(name) = callee(node) else {
            return Err(self.lowering.unsupported(node, "a call through a pointer"));
        };
        let arguments = &node.inner[1..];
        match (name, arguments) {
            ("free", [argument]) => {
                let pointer = without_casts(argument);
                let sort = self.sort(pointer)?;
                let object = self.rvalue(pointer)?;
                let Sort::Ref(class) = sort else {
                    return Err(self.lowering.unsupported(node, "this free"));
                };
                if class == ClassId::ANY {
                    return Err(self
                        .lowering
                        .unsupported(node, "free of a pointer without a type"));
                }
                let function = self.lowering.free_function(class);
                self.builder.position = self.lowering.position(&node.place);
                self.builder.emit(Operation::Call {
                    to: None,
                    callee: Callee::Static(function),
                    args: vec![object],
                });
                return Ok(None);
            }
            ("__assert_fail" | "abort", _) => {
                self.builder.position = self.lowering.position(&node.place);
                self.builder.emit(Operation::Assert {
                    condition: Operand::Constant(Constant::Bool(false)),
                    message: if name == "abort" {
                        "abort"
                    } else {
                        "assertion"
                    }
                    .to_owned(),
                });
                self.builder.end(Terminator::Unreachable);
                return Ok(None);
            }
            ("hw_assume", [argument]) => {
                self.assume(argument)?;
                return Ok(None);
            }
            _ => {}
        }
        let id = self.lowering.ids.get(name).copied();
        let mut args = Vec::new();
        for argument in arguments {
            args.push(self.rvalue(argument)?);
        }
        self.builder.position = self.lowering.position(&node.place);
        let (callee, result) = match id {
            Some(id) => (
                Callee::Static(id),
                self.lowering.results[id.index()].clone(),
            ),
            None => (Callee::Intrinsic(name.to_owned()), parse(&node.ty)),
        };
        let to = match result {
            CType::Void => None,
            ty => {
                let sort = self.lowering.sort(node, &ty)?;
                Some(self.builder.register(None, sort))
            }
        };
        self.builder.emit(Operation::Call { to, callee, args });
        Ok(to.map(Operand::Register))
    }

    /// Leaves out inputs for which a condition does not hold. Parts that all have to hold are no
    /// branches.
    fn assume(&mut self, node: &Node) -> Result<(), CError> {
        match (node.kind.as_str(), node.opcode.as_str(), &node.inner[..]) {
            ("BinaryOperator", "&&", [left, right]) => {
                self.assume(left)?;
                self.assume(right)
            }
            (_, _, [inner]) if is_wrapper(node) => self.assume(inner),
            _ => {
                let condition = self.truth(node)?;
                self.builder.emit(Operation::Assume { condition });
                Ok(())
            }
        }
    }

    fn lvalue(&mut self, node: &Node) -> Result<Lvalue, CError> {
        match node.kind.as_str() {
            "ParenExpr" => self.lvalue(self.inner(node, 0)?),
            "DeclRefExpr" => {
                let reference = node.reference.as_ref();
                let variable = reference.and_then(|to| self.variables.get(&to.id)).copied();
                match variable {
                    Some(Variable::Register(register)) => Ok(Lvalue::Register(register)),
                    Some(Variable::Boxed(array, sort)) => {
                        Ok(Lvalue::Element(array, int(IntType::I64, 0), sort))
                    }
                    Some(Variable::Object(object)) => Ok(Lvalue::Object(object)),
                    None => {
                        let name = reference.map_or("", |to| to.name.as_str());
                        Err(self
                            .lowering
                            .unsupported(node, format!("the global variable {name}")))
                    }
                }
            }
            "UnaryOperator" if node.opcode == "*" => {
                let pointer = self.rvalue(self.inner(node, 0)?)?;
                self.pointed(node, pointer, int(IntType::I64, 0))
            }
            "ArraySubscriptExpr" => {
                let (base, index) = (self.inner(node, 0)?, self.inner(node, 1)?);
                let array = self.rvalue(base)?;
                let wide = Sort::Machine(IntType::I64);
                let value = self.rvalue(index)?;
                let value = match self.sort(index)? == wide {
                    true => value,
                    false => self.convert(value, wide),
                };
                if let CType::Record(_) = parse(&node.ty)
                    && constant(self.lowering.records, index) != Some(0)
                {
                    return Err(self.lowering.unsupported(node, "an array of structs"));
                }
                self.pointed(node, array, value)
            }
            "MemberExpr" => self.member(node),
            kind => Err(self
                .lowering
                .unsupported(node, format!("the address of {kind}"))),
        }
    }

    /// What a pointer leads to.
    fn pointed(&mut self, node: &Node, pointer: Operand, index: Operand) -> Result<Lvalue, CError> {
        match parse(&node.ty) {
            CType::Record(_) => Ok(Lvalue::Object(pointer)),
            CType::Array(..) | CType::Function(_) | CType::Void => Err(self
                .lowering
                .unsupported(node, format!("a value of type {}", node.ty))),
            _ => Ok(Lvalue::Element(pointer, index, self.sort(node)?)),
        }
    }

    fn member(&mut self, node: &Node) -> Result<Lvalue, CError> {
        let base = self.inner(node, 0)?;
        let (object, ty) = match node.is_arrow {
            true => (self.rvalue(base)?, parse(&base.ty).pointee().cloned()),
            false => match self.lvalue(base)? {
                Lvalue::Object(object) => (object, Some(parse(&base.ty))),
                _ => return Err(self.lowering.unsupported(node, "this member")),
            },
        };
        let Some(CType::Record(name)) = ty else {
            return Err(self.lowering.unsupported(node, "this member"));
        };
        self.builder.position = self.lowering.position(&node.place);
        let (class, record) = self.lowering.class(node, &name)?;
        let field = record
            .fields
            .iter()
            .position(|field| field.name == node.name);
        let Some(field) = field else {
            return Err(self
                .lowering
                .unsupported(node, format!("the member {}", node.name)));
        };
        let is_inside = matches!(record.fields[field].ty, CType::Record(_) | CType::Array(..));
        let field = field as u32;
        if is_inside {
            let sort = self.lowering.classes.definitions.class(class).fields[field as usize].sort;
            let inside = self.builder.value(sort, |to| Operation::Load {
                to,
                object,
                class,
                field,
            });
            return Ok(Lvalue::Object(inside));
        }
        if self.lowering.may_be_wild(class) {
            self.builder.emit(Operation::Call {
                to: None,
                callee: Callee::Virtual(TOUCH.to_owned()),
                args: vec![object],
            });
        }
        Ok(Lvalue::Field(object, class, field))
    }

    fn load(&mut self, node: &Node, place: Lvalue) -> Result<Operand, CError> {
        match place {
            Lvalue::Register(register) => {
                // A copy: the variable may change before the value is used.
                let sort = self.builder.registers[register.index()].sort;
                let from = Operand::Register(register);
                Ok(self.builder.value(sort, |to| Operation::Move { to, from }))
            }
            Lvalue::Field(object, class, field) => {
                let sort = self.sort(node)?;
                Ok(self.builder.value(sort, |to| Operation::Load {
                    to,
                    object,
                    class,
                    field,
                }))
            }
            Lvalue::Element(array, index, sort) => Ok(self
                .builder
                .value(sort, |to| Operation::LoadElement { to, array, index })),
            Lvalue::Object(_) => Err(self.lowering.unsupported(node, "a struct as a value")),
        }
    }

    fn store(&mut self, node: &Node, place: Lvalue, value: Operand) -> Result<(), CError> {
        self.builder.emit(match place {
            Lvalue::Register(to) => Operation::Move { to, from: value },
            Lvalue::Field(object, class, field) => Operation::Store {
                object,
                class,
                field,
                value,
            },
            Lvalue::Element(array, index, _) => Operation::StoreElement {
                array,
                index,
                value,
            },
            Lvalue::Object(_) => return Err(self.lowering.unsupported(node, "copying a struct")),
        });
        Ok(())
    }

    fn address(&mut self, node: &Node, place: Lvalue) -> Result<Operand, CError> {
        let sort = self.sort(node)?;
        match place {
            Lvalue::Object(object) => Ok(object),
            Lvalue::Field(object, class, field) => {
                Ok(self.builder.value(sort, |to| Operation::FieldAddress {
                    to,
                    object,
                    class,
                    field,
                }))
            }
            Lvalue::Element(array, index, _) => Ok(self
                .builder
                .value(sort, |to| Operation::ElementAddress { to, array, index })),
            Lvalue::Register(_) => Err(self.lowering.unsupported(node, "this address")),
        }
    }
}

/// Whether an expression is what is inside of it: parentheses, and `__extension__`.
pub(super) fn is_wrapper(node: &Node) -> bool {
    match node.kind.as_str() {
        "ParenExpr" | "ConstantExpr" => true,
        "UnaryOperator" => node.opcode == "__extension__",
        _ => false,
    }
}

/// The name of the function that is called.
fn callee(node: &Node) -> Option<&str> {
    if node.kind != "CallExpr" {
        return None;
    }
    let reference = without_casts(node.inner.first()?).reference.as_ref()?;
    (reference.kind == "FunctionDecl").then_some(&reference.name)
}

/// An expression without the casts and parentheses around it, except for those that read a variable.
fn without_casts(node: &Node) -> &Node {
    match (node.kind.as_str(), node.inner.first()) {
        ("ImplicitCastExpr" | "CStyleCastExpr", Some(inner)) if node.cast != "LValueToRValue" => {
            without_casts(inner)
        }
        ("ParenExpr", Some(inner)) => without_casts(inner),
        _ => node,
    }
}

fn comparison(operator: &str) -> Option<Comparison> {
    Some(match operator {
        "==" => Comparison::Eq,
        "!=" => Comparison::Ne,
        "<" => Comparison::Lt,
        "<=" => Comparison::Le,
        ">" => Comparison::Gt,
        ">=" => Comparison::Ge,
        _ => return None,
    })
}
