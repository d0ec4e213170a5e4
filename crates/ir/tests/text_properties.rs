//! Random well-formed programs are accepted by the verifier and survive printing and parsing;
//! random texts and random programs never do harm.

mod text_support;

use heapwright_ir::{
    Arithmetic, BinaryOp, Block, BlockId, Callee, ClassInfo, ClassKind, Comparison, Constant,
    FaultKind, FieldLayout, Function, FunctionId, Global, GlobalId, Handler, Instruction, Operand,
    Operation, Position, Program, Reg, Register, SourceFile, Terminator, UnaryOp, parse, print,
    verify,
};
use heapwright_logic::{Class, ClassId, Field, FloatType, IntType, Sort};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use text_support::{assert_same, operations_and_jumps};

/// Makes a program from a list of choices, so that shorter lists are smaller programs.
struct Generator {
    choices: std::vec::IntoIter<u32>,
    program: Program,
}

const STRUCTS: u32 = 4;
const NAMES: [&str; 8] = ["x", "x", "y", "new", "a b", "", "ü", "b0"];

impl Generator {
    fn choose(&mut self, below: usize) -> usize {
        let choice = self.choices.next().unwrap_or(0) as usize;
        choice % below.max(1)
    }

    fn flip(&mut self) -> bool {
        self.choose(2) == 1
    }

    fn class(&mut self) -> ClassId {
        ClassId(self.choose(STRUCTS as usize) as u32 + 1)
    }

    fn scalar(&mut self) -> Sort {
        match self.choose(4) {
            0 => Sort::Bool,
            1 => Sort::Float([FloatType::Single, FloatType::Double][self.choose(2)]),
            _ => Sort::Machine(IntType::ALL[self.choose(9)]),
        }
    }

    fn sort(&mut self) -> Sort {
        match self.choose(3) {
            0 => self.scalar(),
            // The arrays, and the class of everything.
            1 => Sort::Ref(ClassId([0, STRUCTS + 1, STRUCTS + 2][self.choose(3)])),
            _ => Sort::Ref(self.class()),
        }
    }

    fn position(&mut self) -> Position {
        let files = self.program.files.len();
        match self.flip() && files > 0 {
            true => Position {
                file: self.choose(files) as u32,
                line: self.choose(30) as u32,
                column: self.choose(3) as u32,
            },
            false => Position::default(),
        }
    }

    /// Four structs, each below an earlier one or not, and two classes of arrays.
    fn classes(&mut self) {
        let mut infos = vec![ClassInfo::default()];
        for number in 1..=STRUCTS {
            let superclass = (self.choose(number as usize)) as u32;
            let superclass = (superclass > 0).then_some(ClassId(superclass));
            let inherited = superclass.map(|id| self.program.definitions.class(id).fields.clone());
            let mut fields = inherited.unwrap_or_default();
            for _ in 0..=self.choose(3) {
                let name = NAMES[self.choose(NAMES.len())].to_owned();
                let sort = self.sort();
                fields.push(Field { name, sort });
            }
            let layout = match self.flip() {
                true => (0u32..)
                    .zip(&fields)
                    .map(|(index, _)| FieldLayout {
                        offset: 8 * index,
                        size: 8,
                    })
                    .collect(),
                false => Vec::new(),
            };
            let size = layout.len() as u32 * 8;
            let name = format!("C{number}{}", ["", " <T>", ".Inner"][self.choose(3)]);
            self.program.definitions.add_class(Class {
                name,
                fields,
                superclass,
            });
            let mut info = ClassInfo {
                kind: ClassKind::Struct { layout, size },
                instantiable: number == 1 || self.flip(),
                ..ClassInfo::default()
            };
            if number > 1 && self.flip() {
                info.interfaces.push(ClassId(number - 1));
            }
            infos.push(info);
        }
        for number in 0..2 {
            self.program.definitions.add_class(Class {
                name: format!("Array{number}"),
                fields: Vec::new(),
                superclass: None,
            });
            infos.push(ClassInfo {
                kind: ClassKind::Array {
                    element: self.sort(),
                },
                ..ClassInfo::default()
            });
        }
        self.program.classes = infos.into();
    }

    /// Objects of all classes of structs, instantiable or not, and arrays.
    fn globals(&mut self) {
        for number in 0..self.choose(10) as u32 {
            let class = ClassId(self.choose(STRUCTS as usize + 3) as u32);
            let array = matches!(self.program.class(class).kind, ClassKind::Array { .. });
            let length = array.then(|| [0, 16, u32::MAX][self.choose(3)]);
            let name = format!(
                "{}{number}",
                ["g", "", "a b", "C.static.", "global."][self.choose(5)]
            );
            self.program.globals.push(Global {
                name,
                class,
                length,
            });
        }
    }

    /// A global of exactly a class.
    fn global(&mut self, class: ClassId) -> Option<Operand> {
        let fitting: Vec<GlobalId> = (0u32..)
            .zip(&self.program.globals)
            .filter(|(_, global)| global.class == class)
            .map(|(index, _)| GlobalId(index))
            .collect();
        let choice = self.choose(fitting.len());
        fitting.get(choice).copied().map(Operand::Global)
    }

    fn constant(&mut self, sort: Sort) -> Operand {
        let constant = match sort {
            Sort::Bool => Constant::Bool(self.flip()),
            Sort::Machine(ty) => {
                let values = [0, 1, 97, ty.min(), ty.max()];
                Constant::Int(ty, values[self.choose(values.len())])
            }
            Sort::Float(FloatType::Single) => {
                let bits = self.choices.next().unwrap_or(0);
                Constant::Single(bits)
            }
            Sort::Float(FloatType::Double) => {
                let high = u64::from(self.choices.next().unwrap_or(0));
                Constant::Double(high << 32 | u64::from(self.choices.next().unwrap_or(0)))
            }
            Sort::Int | Sort::Ref(_) => Constant::Null,
        };
        Operand::Constant(constant)
    }

    /// A register or global of exactly a sort, or a constant.
    fn operand(&mut self, registers: &[Register], sort: Sort) -> Operand {
        if let Sort::Ref(class) = sort
            && self.flip()
            && let Some(global) = self.global(class)
        {
            return global;
        }
        match self.register(registers, |candidate| candidate == sort) {
            Some(register) if self.flip() => Operand::Register(register),
            _ => self.constant(sort),
        }
    }

    fn register(&mut self, registers: &[Register], fits: impl Fn(Sort) -> bool) -> Option<Reg> {
        let fitting: Vec<Reg> = (0u32..)
            .zip(registers)
            .filter(|(_, register)| fits(register.sort))
            .map(|(index, _)| Reg(index))
            .collect();
        let choice = self.choose(fitting.len());
        fitting.get(choice).copied()
    }

    /// All functions without their blocks, so that they can call each other.
    fn signatures(&mut self) {
        let count = 1 + self.choose(3);
        for number in 0..count {
            let registers: Vec<Register> = (0..6)
                .map(|_| Register {
                    name: (self.flip()).then(|| NAMES[self.choose(NAMES.len())].to_owned()),
                    sort: self.sort(),
                })
                .collect();
            let function = Function {
                name: format!("f{number}{}", ["", "(int)", ".g"][self.choose(3)]),
                params: self.choose(7) as u32,
                registers,
                result: (self.flip()).then(|| self.sort()),
                blocks: Vec::new(),
                position: self.position(),
                synthetic: self.flip(),
            };
            let receiver = function.registers[0].sort;
            if let Sort::Ref(class) = receiver
                && function.params > 0
            {
                let method = format!("m{}", self.choose(3));
                let id = FunctionId(number as u32);
                self.program.classes[class.index()]
                    .methods
                    .insert(method, id);
            }
            self.program.functions.push(function);
        }
    }

    fn bodies(&mut self) {
        for index in 0..self.program.functions.len() {
            let function = self.program.functions[index].clone();
            let count = 1 + self.choose(4);
            let mut blocks = Vec::new();
            for block in 0..count {
                let mut instructions = Vec::new();
                if block == 0 {
                    // Everything is written at the beginning.
                    for (to, register) in (0u32..).map(Reg).zip(&function.registers) {
                        let from = self.constant(register.sort);
                        instructions.push(Operation::Move { to, from });
                    }
                }
                for _ in 0..self.choose(8) {
                    instructions.extend(self.operation(&function));
                }
                // Handlers would see the entry before everything is written.
                let handlers = match block {
                    0 => Vec::new(),
                    _ => self.handlers(&function.registers, count),
                };
                let terminator = self.terminator(&function, count);
                let instructions = instructions
                    .into_iter()
                    .map(|operation| Instruction {
                        operation,
                        position: self.position(),
                    })
                    .collect();
                blocks.push(Block {
                    instructions,
                    terminator,
                    position: self.position(),
                    handlers,
                });
            }
            self.program.functions[index].blocks = blocks;
        }
    }

    fn handlers(&mut self, registers: &[Register], blocks: usize) -> Vec<Handler> {
        let mut handlers = Vec::new();
        for _ in 0..self.choose(3) {
            if let Some(exception) = self.register(registers, Sort::is_ref) {
                let Sort::Ref(class) = registers[exception.index()].sort else {
                    continue;
                };
                handlers.push(Handler {
                    class: self.flip().then_some(class),
                    exception,
                    block: BlockId(self.choose(blocks) as u32),
                });
            }
        }
        handlers
    }

    fn terminator(&mut self, function: &Function, blocks: usize) -> Terminator {
        let registers = &function.registers;
        let target = |generator: &mut Self| BlockId(generator.choose(blocks) as u32);
        match self.choose(6) {
            0 => Terminator::Return(function.result.map(|sort| self.operand(registers, sort))),
            1 => Terminator::Goto(target(self)),
            2 => Terminator::Branch {
                condition: self.operand(registers, Sort::Bool),
                then: target(self),
                otherwise: target(self),
            },
            3 => {
                let ty = IntType::ALL[self.choose(9)];
                let cases = [ty.max(), ty.min(), 5];
                let count = self.choose(4);
                Terminator::Switch {
                    value: self.operand(registers, Sort::Machine(ty)),
                    cases: (cases.into_iter().take(count))
                        .map(|case| (case, target(self)))
                        .collect(),
                    default: target(self),
                }
            }
            4 => Terminator::Throw(self.operand(registers, Sort::Ref(ClassId::ANY))),
            _ if self.choose(2) == 0 => Terminator::Absent,
            _ => Terminator::Unreachable,
        }
    }

    /// An operation of a random kind, if there is a register for its result.
    fn operation(&mut self, function: &Function) -> Option<Operation> {
        let registers = &function.registers;
        let to = Reg(self.choose(registers.len()) as u32);
        let sort = registers[to.index()].sort;
        let any = Sort::Ref(ClassId::ANY);
        let int = Sort::Machine(IntType::I32);
        Some(match self.choose(23) {
            0 => Operation::Move {
                to,
                from: self.operand(registers, sort),
            },
            1 => {
                let (op, a) = match (sort, self.choose(3)) {
                    (Sort::Ref(_), _) => return None,
                    (_, 0) => (UnaryOp::Convert(sort), self.scalar()),
                    (Sort::Bool, _) => (UnaryOp::Not, sort),
                    (Sort::Machine(_), 1) => (UnaryOp::Complement, sort),
                    _ => (UnaryOp::Neg, sort),
                };
                let a = self.operand(registers, a);
                Operation::Unary { to, op, a }
            }
            2 => self.binary(registers, to, sort)?,
            3 => {
                let Sort::Ref(class) = sort else { return None };
                let info = self.program.class(class);
                match info.kind {
                    ClassKind::Array { .. } => Operation::NewArray {
                        to,
                        class,
                        length: self.operand(registers, int),
                    },
                    ClassKind::Struct { .. } if info.instantiable => Operation::New { to, class },
                    ClassKind::Struct { .. } => return None,
                }
            }
            4 => Operation::Free {
                object: self.operand(registers, any),
            },
            kind @ 5..=7 => {
                let class = self.class();
                let fields = self.program.definitions.class(class).fields.clone();
                let field = self.choose(fields.len());
                let object = self.operand(registers, Sort::Ref(class));
                let content = fields[field].sort;
                let field = field as u32;
                match kind {
                    5 => Operation::Load {
                        to: self.register(registers, |sort| sort == content)?,
                        object,
                        class,
                        field,
                    },
                    6 => Operation::Store {
                        object,
                        class,
                        field,
                        value: self.operand(registers, content),
                    },
                    _ => Operation::FieldAddress {
                        to: self.register(registers, Sort::is_ref)?,
                        object,
                        class,
                        field,
                    },
                }
            }
            kind @ 8..=11 => {
                let class = ClassId(STRUCTS + 1 + self.choose(2) as u32);
                let ClassKind::Array { element } = self.program.class(class).kind else {
                    return None;
                };
                let array = self.operand(registers, Sort::Ref(class));
                let index = self.operand(registers, int);
                match kind {
                    8 => Operation::LoadElement {
                        to: self.register(registers, |sort| sort == element)?,
                        array,
                        index,
                    },
                    9 => Operation::StoreElement {
                        array,
                        index,
                        value: self.operand(registers, element),
                    },
                    10 => Operation::ElementAddress {
                        to: self.register(registers, Sort::is_ref)?,
                        array,
                        index,
                    },
                    _ => Operation::Length {
                        to: self.register(registers, |sort| matches!(sort, Sort::Machine(_)))?,
                        array,
                    },
                }
            }
            12 => Operation::InstanceOf {
                to: self.register(registers, |sort| sort == Sort::Bool)?,
                object: self.operand(registers, any),
                class: self.class(),
            },
            13 => Operation::CheckCast {
                object: self.operand(registers, any),
                class: self.class(),
            },
            14 => self.call(registers, to),
            15 => Operation::Assert {
                condition: self.operand(registers, Sort::Bool),
                message: ["", "a \"message\"", "\u{1}\\\r\n"][self.choose(3)].to_owned(),
            },
            16 => Operation::Check {
                condition: self.operand(registers, Sort::Bool),
                fault: [FaultKind::Overflow, FaultKind::WildPointer][self.choose(2)],
            },
            17 => Operation::Undefine { to },
            18 => Operation::Cast {
                to: self.register(registers, Sort::is_ref)?,
                from: self.operand(registers, any),
            },
            19 => Operation::Extent {
                to: self.register(registers, |sort| matches!(sort, Sort::Machine(_)))?,
                object: self.operand(registers, any),
            },
            20 => Operation::CopyBytes {
                to: self.operand(registers, any),
                from: self.operand(registers, any),
                count: self.operand(registers, int),
                may_overlap: self.choose(2) == 0,
            },
            21 => Operation::FillBytes {
                to: self.operand(registers, any),
                value: match self.choose(2) {
                    0 => None,
                    _ => Some(self.operand(registers, int)),
                },
                count: self.operand(registers, int),
            },
            _ => Operation::Assume {
                condition: self.operand(registers, Sort::Bool),
            },
        })
    }

    fn binary(&mut self, registers: &[Register], to: Reg, sort: Sort) -> Option<Operation> {
        use Arithmetic::*;
        let all = [Add, Sub, Mul, Div, Rem, And, Or, Xor, Shl, Shr, UShr];
        let (op, a, b) = match sort {
            Sort::Machine(ty) => {
                let arithmetic = all[self.choose(11)];
                let b = match arithmetic {
                    Shl | Shr | UShr => Sort::Machine(IntType::ALL[self.choose(9)]),
                    _ => sort,
                };
                (BinaryOp::Int(ty, arithmetic), sort, b)
            }
            Sort::Float(ty) => (BinaryOp::Float(ty, all[self.choose(5)]), sort, sort),
            Sort::Bool if self.flip() => (BinaryOp::Bool(all[5 + self.choose(3)]), sort, sort),
            Sort::Bool => {
                use Comparison::*;
                let (a, b) = match self.flip() {
                    true => (self.scalar(), None),
                    false => (Sort::Ref(self.class()), Some(Sort::Ref(self.class()))),
                };
                let order = matches!(a, Sort::Machine(_) | Sort::Float(_));
                let comparisons = [Eq, Ne, Lt, Le, Gt, Ge];
                let comparison = comparisons[self.choose(if order { 6 } else { 2 })];
                (BinaryOp::Compare(comparison), a, b.unwrap_or(a))
            }
            Sort::Int | Sort::Ref(_) => return None,
        };
        let (a, b) = (self.operand(registers, a), self.operand(registers, b));
        Some(Operation::Binary { to, op, a, b })
    }

    fn call(&mut self, registers: &[Register], to: Reg) -> Operation {
        if self.flip() {
            let name = format!("m{}", self.choose(3));
            // Classes do not promise anything about what is called on `any`.
            let receiver = self.constant(Sort::Ref(ClassId::ANY));
            let callee = match self.flip() {
                true => Callee::Virtual(name),
                false => Callee::Intrinsic(name),
            };
            return Operation::Call {
                to: self.flip().then_some(to),
                callee,
                args: vec![receiver],
            };
        }
        let index = self.choose(self.program.functions.len());
        let callee = &self.program.functions[index];
        let params: Vec<Sort> = (callee.registers.iter().take(callee.params as usize))
            .map(|register| register.sort)
            .collect();
        let result = callee.result;
        let args = (params.into_iter())
            .map(|sort| self.operand(registers, sort))
            .collect();
        let to = result.and_then(|result| self.register(registers, |sort| sort == result));
        Operation::Call {
            to,
            callee: Callee::Static(FunctionId(index as u32)),
            args,
        }
    }

    fn program(mut self) -> Program {
        self.program.manual_memory = self.flip();
        for number in 0..self.choose(3) {
            let text = ["", "a\n\n b |\n", "\n", "x\r\ny"][self.choose(4)].to_owned();
            let name = format!("file {number}");
            self.program.files.push(SourceFile { name, text });
        }
        self.classes();
        if self.flip() {
            let class = ClassId(1);
            self.program.exceptions.insert(FaultKind::BadCast, class);
            let fault = FaultKind::NullDereference;
            self.program.exceptions.insert(fault, class);
        }
        self.globals();
        self.signatures();
        self.bodies();
        self.program
    }
}

fn programs() -> impl Strategy<Value = Program> {
    let choices = proptest::collection::vec(any::<u32>(), 0..600);
    choices.prop_map(|choices| {
        Generator {
            choices: choices.into_iter(),
            program: Program::default(),
        }
        .program()
    })
}

/// The properties below say little if the programs say little.
#[test]
fn random_programs_have_every_operation_and_jump() {
    let mut runner = TestRunner::deterministic();
    let mut program = || programs().new_tree(&mut runner).unwrap().current();
    let programs: Vec<Program> = (0..200).map(|_| program()).collect();
    let found = operations_and_jumps(&programs);
    assert_eq!(found.iter().collect::<Vec<_>>(), text_support::ALL);
    assert!(programs.iter().any(|program| {
        let mut blocks = program.functions.iter().flat_map(|f| &f.blocks);
        blocks.any(|block| !block.handlers.is_empty())
    }));
}

/// A result that is a global looks much like a position.
#[test]
fn random_programs_have_globals() {
    let mut runner = TestRunner::deterministic();
    let mut program = || programs().new_tree(&mut runner).unwrap().current();
    let programs: Vec<Program> = (0..400).map(|_| program()).collect();
    let functions = || programs.iter().flat_map(|program| &program.functions);
    let blocks = || functions().flat_map(|function| &function.blocks);
    let nowhere = Position::default();
    for placed in [false, true] {
        assert!(blocks().any(|block| {
            let result = &block.terminator;
            let global = matches!(result, Terminator::Return(Some(Operand::Global(_))));
            global && (block.position != nowhere) == placed
        }));
        assert!(functions().any(|function| function.synthetic == placed));
        let mut globals = programs.iter().flat_map(|program| &program.globals);
        assert!(globals.any(|global| global.length.is_some() == placed));
    }
    let operations = || blocks().flat_map(|block| &block.instructions);
    assert!(operations().any(|instruction| matches!(
        instruction.operation,
        Operation::Store {
            object: Operand::Global(_),
            value: Operand::Global(_),
            ..
        }
    )));
}

/// Words and signs that occur in programs.
fn token() -> impl Strategy<Value = String> {
    let words = "manual_memory file fault throws class abstract array of extends implements size \
                 global synthetic @x method function var b0: b0 b1 catch into goto if else switch \
                 return throw new new_array free call virtual intrinsic convert as not neg \
                 add.int and.bool lt instance_of check_cast length assert assume null true 5 -1_long \
                 1.5 0x7f_float -> :: := : = ( ) { } [ ] , & @ / %0 %99 #0 #99 x A int bool any \
                 NullDereference \"a\" \" | // % # - -- 1_ é \\";
    let words: Vec<String> = words.split_whitespace().map(str::to_owned).collect();
    prop_oneof![
        6 => proptest::sample::select(words),
        3 => Just("\n".to_owned()),
        1 => any::<String>(),
    ]
}

/// Whatever a text is: if it is a program, verifying and printing it work, and what is printed
/// is the same program.
fn survive(text: &str) {
    if let Ok(program) = parse(text) {
        let verdict = verify(&program);
        let printed = print(&program);
        let again = parse(&printed).unwrap_or_else(|error| panic!("{error} in:\n{printed}"));
        assert_eq!(print(&again), printed);
        if verdict.is_ok() {
            assert_same(&program, &again);
        }
    }
}

proptest! {
    #[test]
    fn well_formed_programs_survive(program in programs()) {
        prop_assert_eq!(verify(&program), Ok(()));
        let printed = print(&program);
        let again = parse(&printed).map_err(|error| {
            TestCaseError::fail(format!("{error} in:\n{printed}"))
        })?;
        assert_same(&program, &again);
        prop_assert_eq!(print(&again), printed);
    }

    #[test]
    fn random_text_does_no_harm(text in any::<String>()) {
        survive(&text);
    }

    #[test]
    fn random_words_do_no_harm(words in proptest::collection::vec(token(), 0..40)) {
        survive(&words.join(" "));
    }

    /// Texts that are almost programs get further than random ones.
    #[test]
    fn changed_programs_do_no_harm(
        program in programs(),
        changes in proptest::collection::vec((any::<prop::sample::Index>(), token()), 1..4),
    ) {
        let printed = print(&program);
        let mut words: Vec<&str> = printed.split_inclusive([' ', '\n', ',', '(', ')']).collect();
        for (index, word) in &changes {
            if !words.is_empty() {
                let place = index.index(words.len());
                words[place] = word;
            }
        }
        survive(&words.concat());
        words.retain(|word| !changes.iter().any(|(_, changed)| word == changed));
        survive(&words.concat());
    }
}
