//! Methods that ask about the environment: clock, properties, processors, threads.
//!
//! What they answer is usually what stands here first; nothing is proved from that, and tests do
//! not depend on it (see `heapwright_ir::machine::environment`). What is not here and needs a
//! running virtual machine is a call of an intrinsic function that nobody knows, and ends the path.

use heapwright_ir::machine::environment::Environment;
use heapwright_ir::{
    Arithmetic, BinaryOp, BlockId, Callee, Comparison, Constant, FunctionId, Operand, Operation,
    Terminator, UnaryOp,
};
use heapwright_logic::{IntType, Sort};

use super::builder::Builder;
use super::native_bodies::call;
use super::{CLASS, World};
use crate::classfile::{FieldReference, JavaString};
use crate::descriptor::Type;
use crate::hierarchy::DeclaredMethod;

/// An answer about the environment.
#[derive(Debug, Clone, Copy)]
pub(super) enum Answer {
    /// A number: that of the environment, as far as the mask lets it through, and something more.
    Number { mask: i64, more: i64 },
    /// One of two things, usually the first.
    Either(Given, Given),
    /// The bits of a floating-point number, those of NaN with a payload.
    Bits(&'static str),
}

/// Something to answer.
#[derive(Debug, Clone, Copy)]
pub(super) enum Given {
    Null,
    Truth(bool),
    Param(u32),
    Text(&'static str),
    /// A static field of a class.
    Static(&'static str, &'static str),
    /// An array of the class of the result.
    Array(i128),
}

/// What a method asks, if it is one of these.
pub(super) fn asked(declared: &DeclaredMethod) -> Option<(Environment, Answer)> {
    use Environment as E;
    let any = |part| {
        Some((
            part,
            Answer::Number {
                mask: i64::MAX,
                more: 0,
            },
        ))
    };
    let truth = |part| {
        Some((
            part,
            Answer::Either(Given::Truth(false), Given::Truth(true)),
        ))
    };
    let either = |part, usual, other| Some((part, Answer::Either(usual, other)));
    let parameters = declared.method.descriptor.parameters.len();
    match (&*declared.class.name, &*declared.method.name) {
        ("java.lang.System", "nanoTime" | "currentTimeMillis")
        | ("jdk.internal.misc.VM", "getNanoTimeAdjustment") => any(E::Clock),
        ("java.lang.System", "getProperty") => {
            let usual = if parameters == 2 {
                Given::Param(1)
            } else {
                Given::Null
            };
            either(E::Settings, usual, Given::Text("?"))
        }
        // Those that have to be there.
        ("jdk.internal.util.StaticProperty", _) if parameters == 0 => {
            either(E::Settings, Given::Text(""), Given::Text("?"))
        }
        ("java.lang.System", "lineSeparator") => {
            either(E::Settings, Given::Text("\n"), Given::Text("\r\n"))
        }
        ("java.lang.Runtime", "availableProcessors") => {
            let answer = Answer::Number {
                mask: 0xff,
                more: 1,
            };
            Some((E::Processors, answer))
        }
        ("java.lang.Runtime", "freeMemory" | "totalMemory" | "maxMemory") => any(E::Memory),
        ("java.nio.charset.Charset", "defaultCharset") => either(
            E::Charset,
            Given::Static("sun.nio.cs.UTF_8", "INSTANCE"),
            Given::Static("sun.nio.cs.ISO_8859_1", "INSTANCE"),
        ),
        ("java.util.Locale", "initDefault") => either(
            E::Locale,
            Given::Static("java.util.Locale", "US"),
            Given::Static("java.util.Locale", "GERMANY"),
        ),
        ("java.nio.ByteOrder", "nativeOrder") => either(
            E::Platform,
            Given::Static("java.nio.ByteOrder", "LITTLE_ENDIAN"),
            Given::Static("java.nio.ByteOrder", "BIG_ENDIAN"),
        ),
        ("java.io.PrintStream", "checkError") => truth(E::Streams),
        ("java.lang.Thread", "getName") => {
            either(E::Thread, Given::Text("main"), Given::Text("Thread-0"))
        }
        ("java.lang.Thread", "getId" | "threadId") => {
            let answer = Answer::Number {
                mask: 0xffff,
                more: 1,
            };
            Some((E::Thread, answer))
        }
        ("java.lang.Thread", "interrupted" | "isInterrupted") => truth(E::Interruption),
        ("java.lang.Throwable", "getOurStackTrace") => {
            // Frames of whoever runs the tests come on top, dozens of them.
            either(E::StackTrace, Given::Array(0), Given::Array(64))
        }
        ("java.lang.Float", "floatToRawIntBits") => {
            Some((E::NotANumber, Answer::Bits("math.float_to_bits")))
        }
        ("java.lang.Double", "doubleToRawLongBits") => {
            Some((E::NotANumber, Answer::Bits("math.double_to_bits")))
        }
        _ => None,
    }
}

/// Whether a method asks what nobody answers here, and so ends its path by its name: it would
/// look at fields that a virtual machine has filled.
pub(super) fn is_out_of_reach(class: &str, method: &str) -> bool {
    match class {
        "java.lang.Thread" => matches!(
            method,
            "<init>"
                | "getStackTrace"
                | "getAllStackTraces"
                | "getThreadGroup"
                | "getPriority"
                | "getState"
                | "isAlive"
                | "isDaemon"
                | "isVirtual"
                | "getContextClassLoader"
                | "getUncaughtExceptionHandler"
                | "getDefaultUncaughtExceptionHandler"
                | "activeCount"
                | "enumerate"
                | "toString"
        ),
        "java.lang.Class" => matches!(
            method,
            "getResource"
                | "getResourceAsStream"
                | "getClassLoader"
                | "getClassLoader0"
                | "getModule"
                | "getPackage"
                | "getProtectionDomain"
        ),
        "java.lang.ClassLoader" => matches!(
            method,
            "getSystemClassLoader"
                | "getPlatformClassLoader"
                | "getSystemResource"
                | "getSystemResources"
                | "getSystemResourceAsStream"
        ),
        "java.lang.System" => matches!(
            method,
            "getProperties" | "getenv" | "console" | "inheritedChannel" | "getLogger"
        ),
        "java.lang.Runtime" => method == "version",
        "java.util.TimeZone" => matches!(method, "getDefault" | "getDefaultRef"),
        "java.nio.file.FileSystems" => method == "getDefault",
        _ => false,
    }
}

/// The part of the environment that the result of a method depends on, though its code can be run:
/// it looks at what a virtual machine changes by itself, or at what earlier calls have left.
pub(crate) fn depends_on(caller: Caller<'_>, class: &str, method: &str) -> Option<Environment> {
    match (class, method) {
        // Called where the thread has no value yet.
        ("java.lang.ThreadLocal", "setInitialValue") => Some(Environment::ThreadLocals),
        ("java.lang.ref.Reference" | "java.lang.ref.SoftReference", "get")
        | ("java.lang.ref.ReferenceQueue", "poll" | "remove") => Some(Environment::Reclaimed),
        // The JDK asks this of references whose objects others keep.
        ("java.lang.ref.Reference", "refersTo" | "isEnqueued") if caller.is_user => {
            Some(Environment::Reclaimed)
        }
        ("java.lang.System", "getSecurityManager") if caller.is_user => Some(Environment::Settings),
        _ => None,
    }
}

/// The part of the environment in which a method of an object leaves something for later calls.
pub(crate) fn is_kept_in(class: &str, method: &str) -> Option<Environment> {
    match (class, method) {
        ("java.lang.ThreadLocal", "set" | "setInitialValue" | "remove") => {
            Some(Environment::ThreadLocals)
        }
        _ => None,
    }
}

/// Code that calls a method.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Caller<'c> {
    /// Its class.
    pub(crate) class: &'c str,
    /// Whether that is one of the user.
    pub(crate) is_user: bool,
    /// Whether the code initialises the class.
    pub(crate) is_initialiser: bool,
}

/// What a call is for, where that depends on who calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// The clock is read for something else than the time.
    Begin(Environment),
    /// Whether assertions are on, which nobody knows. Initialisers ask for the compiler, and what
    /// follows from that is known.
    Assertions,
    /// Who has loaded a class of the JDK: no object.
    OwnLoader,
}

/// The classes with methods that are called for various purposes.
pub(crate) const ASKED_BY_CALLERS: [&str; 2] = [CLASS, "java.lang.System"];

/// What a method of one of these classes is called for.
pub(crate) fn purpose(caller: Caller<'_>, class: &str, method: &str) -> Option<Purpose> {
    match (class, method) {
        ("java.lang.System", "nanoTime" | "currentTimeMillis") => {
            clock_of(caller.class).map(Purpose::Begin)
        }
        (CLASS, "desiredAssertionStatus") if caller.is_user && !caller.is_initialiser => {
            Some(Purpose::Assertions)
        }
        (CLASS, "getClassLoader") if !caller.is_user => Some(Purpose::OwnLoader),
        _ => None,
    }
}

/// Who asks the clock in order to begin a sequence of random numbers, or to choose an order.
fn clock_of(caller: &str) -> Option<Environment> {
    match caller {
        "java.util.Random" | "java.util.SplittableRandom" => Some(Environment::Randomness),
        _ if caller.starts_with("java.util.concurrent.ThreadLocalRandom")
            || caller.starts_with("jdk.internal.util.random.") =>
        {
            Some(Environment::Randomness)
        }
        "java.util.ImmutableCollections" => Some(Environment::Order),
        _ => None,
    }
}

/// The bits that a static field can have which holds what its class has chosen for this process;
/// `None` if it is another field. What no virtual machine chooses would be an order of its own:
/// an iterator that begins outside of its table.
pub(crate) fn chosen_bits(class: &str, field: &str) -> Option<i64> {
    match (class, field) {
        ("java.util.ImmutableCollections", "SALT32L") => Some(0xffff_ffff),
        ("java.util.ImmutableCollections", "REVERSE") => Some(1),
        _ => None,
    }
}

impl World {
    /// The body of a method that asks; `None` if something that it needs cannot be found.
    pub(super) fn answer_body(
        &mut self,
        builder: &mut Builder,
        declared: &DeclaredMethod,
        (part, answer): (Environment, Answer),
        result: Sort,
    ) -> Option<Operand> {
        let question = || Callee::Intrinsic(part.question());
        match answer {
            Answer::Number { mask, more } => {
                let number = call(builder, question(), Vec::new(), Some(LONG))?;
                Some(number_of(builder, number, (mask, more), result))
            }
            Answer::Either(usual, other) => {
                let usual = self.given(builder, declared, usual)?;
                let other = self.given(builder, declared, other)?;
                call(builder, question(), vec![usual, other], Some(result))
            }
            Answer::Bits(function) => {
                let number = builder.param(0);
                let differs = builder.register(Sort::Bool);
                builder.emit(Operation::Binary {
                    to: differs,
                    op: BinaryOp::Compare(Comparison::Ne),
                    a: number,
                    b: number,
                });
                let block = builder.next_block();
                builder.end(Terminator::Branch {
                    condition: Operand::Register(differs),
                    then: BlockId(block.0 + 1),
                    otherwise: BlockId(block.0 + 2),
                });
                let payload = call(builder, question(), Vec::new(), Some(LONG))?;
                // A quiet NaN, and any of the bits behind it.
                let quiet = match result {
                    LONG => (0x0007_ffff_ffff_ffff, 0x7ff8_0000_0000_0000),
                    _ => (0x003f_ffff, 0x7fc0_0000),
                };
                let bits = number_of(builder, payload, quiet, result);
                builder.end(Terminator::Return(Some(bits)));
                let function = Callee::Intrinsic(function.to_owned());
                call(builder, function, vec![number], Some(result))
            }
        }
    }

    fn given(
        &mut self,
        builder: &mut Builder,
        declared: &DeclaredMethod,
        given: Given,
    ) -> Option<Operand> {
        Some(match given {
            Given::Null => Operand::Constant(Constant::Null),
            Given::Truth(value) => Operand::Constant(Constant::Bool(value)),
            Given::Param(index) => builder.param(index),
            Given::Text(text) => {
                let (global, filler) = self.literal(&JavaString::from(text)).ok()?;
                call(builder, Callee::Static(filler), Vec::new(), None);
                Operand::Global(global)
            }
            Given::Static(class, field) => {
                let loaded = self.path.load(class).ok()?;
                let found = loaded.fields.iter().find(|known| &*known.name == field)?;
                let reference = FieldReference {
                    class: loaded.name.clone(),
                    name: found.name.clone(),
                    ty: found.ty.clone(),
                };
                let place = self.static_field(&reference).ok()?;
                let guard: Option<FunctionId> = self.guard(&loaded).ok()?;
                if let Some(guard) = guard {
                    call(builder, Callee::Static(guard), Vec::new(), None);
                }
                let to = builder.register(Sort::Ref(heapwright_logic::ClassId::ANY));
                builder.emit(Operation::Load {
                    to,
                    object: Operand::Global(place.statics.global),
                    class: place.statics.class,
                    field: place.field,
                });
                Operand::Register(to)
            }
            Given::Array(length) => {
                let ty: &Type = declared.method.descriptor.result.as_ref()?;
                let class = self.complete(ty).ok()?;
                let to = builder.register(Sort::Ref(class));
                builder.emit(Operation::NewArray {
                    to,
                    class,
                    length: Operand::Constant(Constant::Int(IntType::I32, length)),
                });
                Operand::Register(to)
            }
        })
    }
}

const LONG: Sort = Sort::Machine(IntType::I64);

/// A part of a number and something more, as a number of another sort.
fn number_of(
    builder: &mut Builder,
    number: Operand,
    (mask, more): (i64, i64),
    result: Sort,
) -> Operand {
    let mut value = number;
    let steps = [
        (Arithmetic::And, mask, i64::MAX),
        (Arithmetic::Add, more, 0),
    ];
    for (op, with, neutral) in steps {
        if with == neutral {
            continue;
        }
        let to = builder.register(LONG);
        builder.emit(Operation::Binary {
            to,
            op: BinaryOp::Int(IntType::I64, op),
            a: value,
            b: Operand::Constant(Constant::Int(IntType::I64, with.into())),
        });
        value = Operand::Register(to);
    }
    if result == LONG {
        return value;
    }
    let to = builder.register(result);
    builder.emit(Operation::Unary {
        to,
        op: UnaryOp::Convert(result),
        a: value,
    });
    Operand::Register(to)
}
