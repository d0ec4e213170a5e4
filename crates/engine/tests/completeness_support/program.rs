//! Random small programs in ImpL, as text.
//!
//! Every program has a procedure `target` with the parameters of its [`Signature`]. Loops are
//! bounded by counters and recursion by a depth, so every run is short; apart from that anything
//! goes that the type checker accepts. Many dereferences are unguarded on purpose: the null
//! dereference is a path like any other. Others stand behind a test for null, or nothing would
//! ever happen behind the first few statements.

mod expression;

use std::fmt::{self, Write as _};

/// A struct of the program: its name, and types and names of its fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record {
    pub name: &'static str,
    pub fields: &'static [(&'static str, &'static str)],
}

impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "struct {} {{ ", self.name)?;
        for (ty, name) in self.fields {
            write!(f, "{ty} {name}; ")?;
        }
        f.write_str("}")
    }
}

/// What a program works on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Signature {
    pub records: &'static [Record],
    /// Types and names of the parameters of `target`.
    pub params: &'static [(&'static str, &'static str)],
}

/// The text of a program. The same seed gives the same text.
pub fn program(signature: &Signature, seed: u64) -> String {
    let mut numbers = Numbers::new(seed);
    let frees = numbers.below(6) == 0;
    let mut writer = Writer {
        numbers,
        signature,
        text: String::new(),
        indent: 0,
        scope: Vec::new(),
        names: 0,
        loops: 0,
        frees,
        guarded: None,
        helper: None,
        current: Procedure::Target,
    };
    writer.structs();
    if writer.chance(35) {
        writer.helper();
    }
    writer.target();
    writer.text
}

/// A small generator of numbers, the same on every machine.
pub struct Numbers(u64);

impl Numbers {
    pub fn new(seed: u64) -> Self {
        // Neighbouring seeds differ in low bits only, which the first numbers would show.
        let mut numbers = Numbers(seed.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        numbers.below(2);
        numbers
    }

    pub fn below(&mut self, bound: u64) -> u64 {
        // Knuth's multiplier; the high bits are the good ones.
        self.0 = (self.0)
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }
}

/// A variable that is in scope.
#[derive(Clone)]
struct Variable {
    name: String,
    ty: &'static str,
    /// Counters and depths are read only, or nothing would be bounded.
    fixed: bool,
}

/// A second procedure, with a reference and an integer as parameters.
#[derive(Clone, Copy)]
struct Helper {
    ty: &'static str,
    result: &'static str,
    recursive: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Procedure {
    Target,
    Helper,
}

struct Writer<'s> {
    numbers: Numbers,
    signature: &'s Signature,
    text: String,
    indent: usize,
    scope: Vec<Variable>,
    /// How many names were made up so far.
    names: u32,
    /// How many loops surround the current place.
    loops: u32,
    frees: bool,
    /// A variable that was tested for null around the current place, with its type; it is used
    /// more often than others.
    guarded: Option<(String, &'static str)>,
    helper: Option<Helper>,
    current: Procedure,
}

impl Writer<'_> {
    fn structs(&mut self) {
        for record in self.signature.records {
            self.line(&record.to_string());
        }
    }

    fn target(&mut self) {
        self.current = Procedure::Target;
        let params: Vec<_> = (self.signature.params.iter())
            .map(|(ty, name)| format!("{ty} {name}"))
            .collect();
        self.scope = (self.signature.params.iter())
            .map(|&(ty, name)| Variable {
                name: name.to_owned(),
                ty,
                fixed: false,
            })
            .collect();
        self.open(&format!("proc target({}) returns int", params.join(", ")));
        let statements = 4 + self.numbers.below(5);
        self.statements(statements);
        let result = self.integer(1);
        self.line(&format!("return {result};"));
        self.close();
    }

    fn helper(&mut self) {
        let record = self.numbers.below(self.signature.records.len() as u64);
        let ty = self.signature.records[record as usize].name;
        let helper = Helper {
            ty,
            result: if self.chance(50) { "int" } else { ty },
            recursive: self.chance(60),
        };
        self.current = Procedure::Helper;
        self.scope = [("a", ty, false), ("depth", "int", true)]
            .map(|(name, ty, fixed)| Variable {
                name: name.to_owned(),
                ty,
                fixed,
            })
            .to_vec();
        self.open(&format!(
            "proc helper({ty} a, int depth) returns {}",
            helper.result
        ));
        if helper.recursive {
            let base = self.simple(helper.result);
            self.line(&format!("if (depth <= 0) then return {base};"));
            self.helper = Some(helper);
        }
        let statements = 1 + self.numbers.below(3);
        self.statements(statements);
        let result = match helper.recursive {
            true => self.call(helper),
            false => self.expression(helper.result),
        };
        self.line(&format!("return {result};"));
        self.close();
        self.helper = Some(helper);
    }

    fn statements(&mut self, count: u64) {
        for _ in 0..count {
            self.statement();
        }
    }

    /// A block of its own, whose variables end with it.
    fn block(&mut self, count: u64) {
        let outside = self.scope.len();
        self.statements(count);
        self.scope.truncate(outside);
    }

    fn statement(&mut self) {
        let nested = self.indent >= 3;
        match self.numbers.below(100) {
            0..10 => self.declare(),
            10..20 => self.assign(),
            20..34 => self.store(),
            34..54 if !nested => self.conditional(),
            54..64 if !nested => self.guard(),
            64..80 if !nested && self.loops == 0 => self.repeat(),
            80..83 => {
                let condition = self.condition();
                self.line(&format!("assert {condition};"));
            }
            83..84 => {
                let condition = self.condition();
                self.line(&format!("assume {condition};"));
            }
            84..90 if self.frees => {
                let (path, _) = self.object(1);
                self.line(&format!("free {path};"));
            }
            90..95 => self.bail_out(),
            _ => match self.helper {
                // A recursive procedure calls itself once, at its end.
                Some(helper) if self.current == Procedure::Target => {
                    let call = self.call(helper);
                    self.assign_to_new(helper.result, &call);
                }
                _ => self.store(),
            },
        }
    }

    /// A block in which a variable is not null.
    fn guard(&mut self) {
        let (name, ty) = self.object(0);
        self.open(&format!("if ({name} /= nil) then"));
        let count = 1 + self.numbers.below(3);
        self.guarded_block((name, ty), count);
        self.close();
    }

    fn guarded_block(&mut self, variable: (String, &'static str), count: u64) {
        let outside = self.guarded.replace(variable);
        self.block(count);
        self.guarded = outside;
    }

    /// Behind this statement a variable is not null.
    fn bail_out(&mut self) {
        let (name, _) = self.object(0);
        let result = match (self.current, self.helper) {
            (Procedure::Helper, Some(helper)) => self.simple(helper.result),
            (Procedure::Helper, None) => return self.store(),
            (Procedure::Target, _) => self.constant(),
        };
        self.line(&format!("if ({name} == nil) then return {result};"));
    }

    fn declare(&mut self) {
        let ty = match self.numbers.below(5) {
            0 => "int",
            _ => self.object(0).1,
        };
        let value = self.expression(ty);
        self.assign_to_new(ty, &value);
    }

    fn assign_to_new(&mut self, ty: &'static str, value: &str) {
        let name = self.fresh(if ty == "int" { "m" } else { "r" });
        self.line(&format!("{ty} {name} := {value};"));
        self.scope.push(Variable {
            name,
            ty,
            fixed: false,
        });
    }

    fn assign(&mut self) {
        let free: Vec<_> = self.scope.iter().filter(|v| !v.fixed).cloned().collect();
        let variable = self.pick(&free);
        // Going on from the variable itself is what walking along a structure looks like.
        let steps = self.steps(&variable.name, variable.ty, variable.ty);
        let value = match steps.is_empty() || self.chance(50) {
            true => self.expression(variable.ty),
            false => self.pick(&steps),
        };
        self.line(&format!("{} := {value};", variable.name));
    }

    fn store(&mut self) {
        let (object, record) = self.object(1);
        let fields = self.record(record).fields;
        let (ty, field) = self.pick(fields);
        let value = self.expression(ty);
        self.line(&format!("{object}.{field} := {value};"));
    }

    fn conditional(&mut self) {
        let condition = self.condition();
        self.open(&format!("if ({condition}) then"));
        let count = 1 + self.numbers.below(2);
        self.block(count);
        if self.current == Procedure::Target && self.loops == 0 && self.chance(15) {
            let result = self.integer(1);
            self.line(&format!("return {result};"));
        }
        if self.chance(35) {
            self.indent -= 1;
            self.open("} else");
            self.block(1);
        }
        self.close();
    }

    /// A loop with a counter, often along a chain of references.
    fn repeat(&mut self) {
        let counter = self.fresh("k");
        self.line(&format!("int {counter} := 0;"));
        let rounds = 1 + self.numbers.below(3);
        let (walker, ty) = self.object(0);
        let steps = self.steps(&walker, ty, ty);
        let walks = !steps.is_empty() && self.chance(60);
        let also = match walks {
            true => format!(" && {walker} /= nil"),
            false if self.chance(60) => format!(" && {}", self.condition()),
            false => String::new(),
        };
        self.scope.push(Variable {
            name: counter.clone(),
            ty: "int",
            fixed: true,
        });
        self.open(&format!("while ({counter} < {rounds}{also})"));
        self.loops += 1;
        let count = 1 + self.numbers.below(2);
        match walks {
            true => {
                self.guarded_block((walker.clone(), ty), count);
                let step = self.pick(&steps);
                self.line(&format!("{walker} := {step};"));
            }
            false => self.block(count),
        }
        self.loops -= 1;
        self.line(&format!("{counter} := {counter} + 1;"));
        self.close();
    }

    fn call(&mut self, helper: Helper) -> String {
        let object = self.reference(helper.ty, 1);
        let depth = match (self.current, helper.recursive) {
            (Procedure::Helper, _) => "depth - 1".to_owned(),
            (Procedure::Target, true) => (1 + self.numbers.below(2)).to_string(),
            (Procedure::Target, false) => self.integer(1),
        };
        format!("helper({object}, {depth})")
    }
}

/// Text and chance.
impl Writer<'_> {
    fn line(&mut self, text: &str) {
        writeln!(self.text, "{:width$}{text}", "", width = 4 * self.indent).unwrap();
    }

    fn open(&mut self, head: &str) {
        self.line(&format!("{head} {{"));
        self.indent += 1;
    }

    fn close(&mut self) {
        self.indent -= 1;
        self.line("}");
    }

    fn fresh(&mut self, stem: &str) -> String {
        self.names += 1;
        format!("{stem}{}", self.names)
    }

    fn chance(&mut self, percent: u64) -> bool {
        self.numbers.below(100) < percent
    }

    fn pick<T: Clone>(&mut self, from: &[T]) -> T {
        from[self.numbers.below(from.len() as u64) as usize].clone()
    }
}
