//! What a program asks about the world around it: the clock, settings, hash codes of objects.
//!
//! Such a question is a call of an intrinsic function.
//!
//! | function | what it gives |
//! | --- | --- |
//! | `environment.NAME()` | a `long` that is not negative, usually 0 |
//! | `environment.NAME(usual, other)` | one of two truth values or references, usually the first |
//! | `environment.NAME.decides()` | nothing; what follows depends on the environment |
//! | `environment.NAME.keeps(object)` | nothing; the environment keeps something for the object, which later calls find |
//!
//! Every domain gives the usual answer, so that symbolic and concrete runs never differ over it.
//! But it is nothing that a proof may rest on: where a symbolic run decides by it, the other way
//! stays open, and what a concrete run does is compared with what it does in another environment.

use std::fmt;

/// A part of the environment.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, serde::Serialize, serde::Deserialize,
)]
pub enum Environment {
    /// The clock.
    Clock,
    /// What random generators start from.
    Randomness,
    /// The numbers that objects keep: identity hash codes.
    Identity,
    /// Where objects lie in memory.
    Addresses,
    /// The order of collections that is chosen anew for each process.
    Order,
    /// Settings from outside, such as system properties.
    Settings,
    /// How many processors there are.
    Processors,
    /// How much memory there is.
    Memory,
    /// How text is encoded by default.
    Charset,
    /// The language and country of the user.
    Locale,
    /// The thread that runs: its name and its number.
    Thread,
    /// What earlier calls have left with the thread.
    ThreadLocals,
    /// What the garbage collector has reclaimed.
    Reclaimed,
    /// The processor and the system: the order of bytes.
    Platform,
    /// Where standard output goes, and whether it could be written.
    Streams,
    /// Whether the thread was interrupted.
    Interruption,
    /// Who called whom.
    StackTrace,
    /// Whether assertions are on.
    Assertions,
    /// The bits of numbers that are none, which the hardware chooses.
    NotANumber,
    /// Whether there is memory for another object.
    Allocation,
    /// What is in memory that nobody has given a value.
    Uninitialised,
}

/// A question about the environment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Asked {
    /// A value.
    Value(Environment),
    /// Nothing: the program has come to where the environment decided.
    Decided(Environment),
    /// Nothing: the environment keeps something for an object.
    Kept(Environment),
}

const PREFIX: &str = "environment.";
const DECIDES: &str = ".decides";
const KEEPS: &str = ".keeps";

impl Environment {
    /// All parts.
    pub const ALL: [Environment; 21] = [
        Environment::Clock,
        Environment::Randomness,
        Environment::Identity,
        Environment::Addresses,
        Environment::Order,
        Environment::Settings,
        Environment::Processors,
        Environment::Memory,
        Environment::Charset,
        Environment::Locale,
        Environment::Thread,
        Environment::ThreadLocals,
        Environment::Reclaimed,
        Environment::Platform,
        Environment::Streams,
        Environment::Interruption,
        Environment::StackTrace,
        Environment::Assertions,
        Environment::NotANumber,
        Environment::Allocation,
        Environment::Uninitialised,
    ];

    /// One word, as intrinsic functions and JSON have it.
    pub fn name(self) -> &'static str {
        match self {
            Environment::Clock => "clock",
            Environment::Randomness => "randomness",
            Environment::Identity => "identity",
            Environment::Addresses => "addresses",
            Environment::Order => "order",
            Environment::Settings => "settings",
            Environment::Processors => "processors",
            Environment::Memory => "memory",
            Environment::Charset => "charset",
            Environment::Locale => "locale",
            Environment::Thread => "thread",
            Environment::ThreadLocals => "thread_locals",
            Environment::Reclaimed => "reclaimed",
            Environment::Platform => "platform",
            Environment::Streams => "streams",
            Environment::Interruption => "interruption",
            Environment::StackTrace => "stack_trace",
            Environment::Assertions => "assertions",
            Environment::NotANumber => "not_a_number",
            Environment::Allocation => "allocation",
            Environment::Uninitialised => "uninitialised",
        }
    }

    /// Whether it is as usual wherever tests run: nobody interrupts them, assertions are on, there
    /// is memory enough, so that nothing is reclaimed in the middle of a call, standard output can
    /// be written, and tests take away what they leave with the thread.
    pub fn is_usual_in_tests(self) -> bool {
        matches!(
            self,
            Environment::Interruption
                | Environment::Assertions
                | Environment::Allocation
                | Environment::Reclaimed
                | Environment::Streams
                | Environment::ThreadLocals
        )
    }

    /// The intrinsic function that asks.
    pub fn question(self) -> String {
        format!("{PREFIX}{}", self.name())
    }

    /// The intrinsic function that says that the environment has decided.
    pub fn decides(self) -> String {
        format!("{PREFIX}{}{DECIDES}", self.name())
    }

    /// The intrinsic function that says that the environment keeps something for an object.
    pub fn keeps(self) -> String {
        format!("{PREFIX}{}{KEEPS}", self.name())
    }

    /// What an intrinsic function asks; `None` if it is another one.
    pub fn asked(function: &str) -> Option<Asked> {
        let name = function.strip_prefix(PREFIX)?;
        let named = |name: &str| {
            Environment::ALL
                .into_iter()
                .find(|part| part.name() == name)
        };
        if let Some(name) = name.strip_suffix(DECIDES) {
            return named(name).map(Asked::Decided);
        }
        match name.strip_suffix(KEEPS) {
            Some(name) => named(name).map(Asked::Kept),
            None => named(name).map(Asked::Value),
        }
    }
}

impl fmt::Display for Environment {
    /// In words, as in "depends on the clock".
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Environment::Clock => "the clock",
            Environment::Randomness => "random numbers",
            Environment::Identity => "identity hash codes",
            Environment::Addresses => "where objects lie in memory",
            Environment::Order => "the order of immutable sets and maps",
            Environment::Settings => "system properties",
            Environment::Processors => "the number of processors",
            Environment::Memory => "the free memory",
            Environment::Charset => "the default charset",
            Environment::Locale => "the default locale",
            Environment::Thread => "the current thread",
            Environment::ThreadLocals => "thread-local variables",
            Environment::Reclaimed => "what the garbage collector has reclaimed",
            Environment::Platform => "the platform",
            Environment::Streams => "the standard streams",
            Environment::Interruption => "whether the thread is interrupted",
            Environment::StackTrace => "stack traces",
            Environment::Assertions => "whether assertions are enabled",
            Environment::NotANumber => "the bits of NaN",
            Environment::Allocation => "whether memory can be allocated",
            Environment::Uninitialised => "memory that was never given a value",
        })
    }
}
