//! Changes of the code in words.

use heapwright_engine::{Change, Mutant};
use heapwright_ir::machine::{Edge, Successor};
use heapwright_ir::{Arithmetic, Block, Callee, Constant, Operand, Operation, Program};

use super::{DEEPEST, View, definitions, literal, of_edge, plain, symbol};

/// What has no name.
const UNKNOWN: &str = "...";

/// A change in a few words: `` `size++` left out ``.
pub fn of_mutant(program: &Program, mutant: &Mutant) -> String {
    let point = mutant.point;
    let function = program.functions.get(point.function.index());
    let block = function.and_then(|function| function.blocks.get(point.block.index()));
    let Some((function, block)) = function.zip(block) else {
        return "a change".to_owned();
    };
    let view = View {
        program,
        function,
        definitions: definitions(block),
    };
    let at = point.instruction as usize;
    match mutant.change {
        Change::Negated => {
            let edge = Edge {
                function: point.function,
                block: point.block,
                successor: Successor::Jump(0),
            };
            match of_edge(program, edge) {
                Some(condition) => format!("`{condition}` negated"),
                None => "a condition negated".to_owned(),
            }
        }
        Change::Returns(value) => format!("`return {}`", literal(value)),
        _ => match block.instructions.get(at) {
            Some(instruction) => {
                of_operation(&view, block, &instruction.operation, at, mutant.change)
            }
            None => "a change".to_owned(),
        },
    }
}

fn of_operation(
    view: &View<'_>,
    block: &Block,
    operation: &Operation,
    at: usize,
    change: Change,
) -> String {
    let show = |operand: Operand| {
        let text = view.operand(operand, at, DEEPEST);
        text.map_or(UNKNOWN.to_owned(), |text| without_this(&text).to_owned())
    };
    let instead = |new: String, old: String| match new == old {
        false => format!("`{new}` instead of `{old}`"),
        true => format!("another value in `{old}`"),
    };
    match (change, operation) {
        (Change::Operator { from, to }, Operation::Binary { a, b, .. }) => {
            let with = |op| format!("{} {} {}", show(*a), symbol(op), show(*b));
            instead(with(to), with(from))
        }
        (Change::SwappedOperands, Operation::Binary { a, b, op, .. }) => {
            let with = |a, b| format!("{} {} {}", show(a), symbol(*op), show(b));
            instead(with(*b, *a), with(*a, *b))
        }
        (Change::WithoutOperator, Operation::Unary { a, .. }) => {
            let whole = view.operation(operation, at, DEEPEST);
            instead(show(*a), whole.unwrap_or(UNKNOWN.to_owned()))
        }
        (Change::Constant { operand, from, to }, _) => match (operation, operand) {
            (Operation::Binary { op, b, .. }, 0) => {
                let with = |a| format!("{} {} {}", literal(a), symbol(*op), show(*b));
                instead(with(to), with(from))
            }
            (Operation::Binary { op, a, .. }, _) => {
                let with = |b| format!("{} {} {}", show(*a), symbol(*op), literal(b));
                instead(with(to), with(from))
            }
            (Operation::Store { .. } | Operation::StoreElement { .. }, _) => {
                match place(view, operation, at) {
                    Some(place) => instead(
                        format!("{place} = {}", literal(to)),
                        format!("{place} = {}", literal(from)),
                    ),
                    None => instead(literal(to), literal(from)),
                }
            }
            _ => instead(literal(to), literal(from)),
        },
        (
            Change::OtherField { field },
            Operation::Load {
                object,
                class,
                field: own,
                ..
            },
        ) => {
            let name = |field: u32| field_of(view, *object, (*class, field), at);
            instead(name(field), name(*own))
        }
        (
            Change::OtherField { field },
            Operation::Store {
                object,
                class,
                field: own,
                value,
            },
        ) => {
            let with = |field: u32| {
                let place = field_of(view, *object, (*class, field), at);
                format!("{place} = {}", plain(&show(*value)))
            };
            instead(with(field), with(*own))
        }
        (Change::SwappedArguments { first }, Operation::Call { callee, args, .. }) => {
            let mut swapped = args.clone();
            if first + 1 < swapped.len() {
                swapped.swap(first, first + 1);
            }
            instead(
                call(view, callee, &swapped, at),
                call(view, callee, args, at),
            )
        }
        (Change::LeftOut(result), Operation::Call { callee, args, .. }) => {
            let call = call(view, callee, args, at);
            match result {
                Some(value) => format!("`{}` instead of `{call}`", literal(value)),
                None => format!("`{call}` left out"),
            }
        }
        (Change::LeftOut(_), Operation::Free { object }) => {
            format!("`free({})` left out", plain(&show(*object)))
        }
        (Change::LeftOut(_), _) => match place(view, operation, at) {
            Some(place) => format!("`{}` left out", stored(view, block, operation, at, &place)),
            None => "an assignment left out".to_owned(),
        },
        _ => "a change".to_owned(),
    }
}

/// What people leave out where they speak of fields of their own.
fn without_this(text: &str) -> &str {
    text.strip_prefix("this.").unwrap_or(text)
}

/// Where an operation stores something.
fn place(view: &View<'_>, operation: &Operation, at: usize) -> Option<String> {
    let show = |operand: Operand| {
        let text = view.operand(operand, at, DEEPEST);
        text.map_or(UNKNOWN.to_owned(), |text| without_this(&text).to_owned())
    };
    Some(match operation {
        Operation::Store {
            object,
            class,
            field,
            ..
        } => field_of(view, *object, (*class, *field), at),
        Operation::StoreElement { array, index, .. } => {
            format!("{}[{}]", show(*array), plain(&show(*index)))
        }
        _ => return None,
    })
}

fn field_of(
    view: &View<'_>,
    object: Operand,
    (class, field): (heapwright_logic::ClassId, u32),
    at: usize,
) -> String {
    let fields = &view.program.definitions.class(class).fields;
    let name = fields
        .get(field as usize)
        .map_or(UNKNOWN, |field| &field.name);
    match (object, view.operand(object, at, DEEPEST)) {
        // The static fields of a class are those of a global.
        (Operand::Global(_), _) => name.to_owned(),
        (_, Some(object)) if object == "this" => name.to_owned(),
        (_, Some(object)) => format!("{}.{name}", without_this(&object)),
        (_, None) => format!("{UNKNOWN}.{name}"),
    }
}

/// An assignment; `size++` where it adds one to what is there.
fn stored(view: &View<'_>, block: &Block, operation: &Operation, at: usize, place: &str) -> String {
    let (Operation::Store { value, .. } | Operation::StoreElement { value, .. }) = operation else {
        return place.to_owned();
    };
    if let Operand::Register(register) = value {
        let written = view.definitions.get(register).into_iter().flatten();
        let last = written.rev().find(|(index, _)| *index < at);
        if let Some((index, Operation::Binary { op, a, b, .. })) = last
            && matches!(b, Operand::Constant(Constant::Int(_, 1)))
            && *index < block.instructions.len()
        {
            let added = view.operand(*a, *index, DEEPEST);
            let is_same = added.is_some_and(|added| without_this(&added) == place);
            match op {
                heapwright_ir::BinaryOp::Int(_, Arithmetic::Add) if is_same => {
                    return format!("{place}++");
                }
                heapwright_ir::BinaryOp::Int(_, Arithmetic::Sub) if is_same => {
                    return format!("{place}--");
                }
                _ => {}
            }
        }
    }
    let text = view.operand(*value, at, DEEPEST);
    let text = text.map_or(UNKNOWN.to_owned(), |text| {
        without_this(plain(&text)).to_owned()
    });
    match text == place {
        // A field and a variable of the same name.
        true => format!("this.{place} = {text}"),
        false => format!("{place} = {text}"),
    }
}

fn call(view: &View<'_>, callee: &Callee, args: &[Operand], at: usize) -> String {
    let text = view.call(callee, args, at, DEEPEST);
    let text = text.unwrap_or_else(|| {
        let name = match callee {
            Callee::Static(id) => {
                let function = view.program.functions.get(id.index());
                function.map_or(UNKNOWN, |function| &function.name)
            }
            Callee::Virtual(name) | Callee::Intrinsic(name) => name,
        };
        let name = name.split('(').next().unwrap_or(name);
        let name = name.rsplit(['.', '#']).next().unwrap_or(name);
        format!("{name}({UNKNOWN})")
    });
    without_this(&text).to_owned()
}
