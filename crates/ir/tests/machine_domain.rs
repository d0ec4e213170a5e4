//! The machine over a domain that knows nothing: every decision is taken from a script, and all
//! scripts together are all paths. Concrete runs from many inputs have to take the same ones.

mod machine_support;

use std::collections::{BTreeMap, BTreeSet};

use heapwright_ir::machine::concrete::{Concrete, Value};
use heapwright_ir::machine::{
    Address, Budgets, Domain, Edge, Intrinsic, Machine, MachineError, MachineOutcome, ObjectId,
    Site, Target,
};
use heapwright_ir::{BinaryOp, BlockId, Constant, FaultKind, GlobalId, Program, UnaryOp};
use heapwright_logic::{ClassId, IntType, Sort};
use machine_support::*;

#[derive(Clone, Copy, PartialEq, Debug)]
enum Known {
    Nothing,
    Object(ObjectId),
}

/// Takes the alternative that the script names, and the first one behind its end.
struct Scripted {
    classes: Vec<ClassId>,
    script: Vec<u32>,
    /// The decisions: where, which alternative, of how many.
    taken: Vec<(Site, u32, u32)>,
    objects: u32,
    edges: Vec<Edge>,
}

impl Scripted {
    fn choose(&mut self, site: Site, alternatives: u32) -> u32 {
        let answer = self.script.get(self.taken.len()).copied().unwrap_or(0);
        self.taken.push((site, answer, alternatives));
        answer
    }
}

impl Domain for Scripted {
    type Value = Known;
    type Slot = ();
    type Stop = MachineError;

    fn constant(&mut self, _: Constant) -> Known {
        Known::Nothing
    }
    fn global(&mut self, global: GlobalId) -> Result<Known, MachineError> {
        // Numbers that no other object gets.
        Ok(Known::Object(ObjectId(u32::MAX - global.0)))
    }
    fn is_global(&self, object: ObjectId) -> bool {
        object.0 > self.objects
    }
    fn undefined(&mut self, _: Sort) -> Result<Known, MachineError> {
        Ok(Known::Nothing)
    }
    fn unary(&mut self, _: UnaryOp, _: Sort, _: &Known) -> Result<Known, MachineError> {
        Ok(Known::Nothing)
    }
    fn binary(&mut self, _: BinaryOp, _: &Known, _: &Known) -> Result<Known, MachineError> {
        Ok(Known::Nothing)
    }
    fn decide(&mut self, site: Site, _: &Known) -> Result<bool, MachineError> {
        Ok(self.choose(site, 2) == 1)
    }
    fn switch(
        &mut self,
        site: Site,
        _: &Known,
        cases: &[(i128, BlockId)],
    ) -> Result<Option<usize>, MachineError> {
        let case = self.choose(site, cases.len() as u32 + 1) as usize;
        Ok((case < cases.len()).then_some(case))
    }
    fn concretise(&mut self, _: Site, _: &Known) -> Result<i128, MachineError> {
        Ok(0)
    }
    fn resolve(&mut self, site: Site, value: &Known, _: ClassId) -> Result<Target, MachineError> {
        let object = match *value {
            Known::Object(object) => object,
            Known::Nothing if self.choose(site, 2) == 0 => return Ok(Target::Null),
            Known::Nothing => {
                self.objects += 1;
                ObjectId(self.objects)
            }
        };
        Ok(Target::Object(Address { object, offset: 0 }))
    }
    fn class_of(&mut self, site: Site, _: ObjectId) -> Result<ClassId, MachineError> {
        let class = self.choose(site, self.classes.len() as u32) as usize;
        Ok(self.classes[class])
    }
    fn instance_of(&mut self, site: Site, _: ObjectId, _: ClassId) -> Result<bool, MachineError> {
        Ok(self.choose(site, 2) == 1)
    }
    fn allocate(&mut self, _: ClassId) -> Result<Known, MachineError> {
        self.objects += 1;
        Ok(Known::Object(ObjectId(self.objects)))
    }
    fn allocate_array(&mut self, class: ClassId, _: u32) -> Result<Known, MachineError> {
        self.allocate(class)
    }
    fn free(&mut self, _: ObjectId) -> Result<(), MachineError> {
        Ok(())
    }
    fn field(
        &mut self,
        _: Site,
        _: Address,
        _: ClassId,
        _: u32,
    ) -> Result<Option<()>, MachineError> {
        Ok(Some(()))
    }
    fn element(
        &mut self,
        site: Site,
        _: Address,
        _: &Known,
        _: Sort,
    ) -> Result<Option<()>, MachineError> {
        Ok((self.choose(site, 2) == 1).then_some(()))
    }
    fn load(&mut self, _: &(), _: Sort) -> Result<Known, MachineError> {
        Ok(Known::Nothing)
    }
    fn store(&mut self, _: &(), _: Sort, _: &Known) -> Result<(), MachineError> {
        Ok(())
    }
    fn length(&mut self, _: Site, _: Address, _: IntType) -> Result<Option<Known>, MachineError> {
        Ok(Some(Known::Nothing))
    }
    fn field_address(
        &mut self,
        _: Site,
        _: Address,
        _: ClassId,
        _: u32,
    ) -> Result<Option<Known>, MachineError> {
        Ok(Some(Known::Nothing))
    }
    fn element_address(
        &mut self,
        _: Site,
        _: Address,
        _: &Known,
        _: ClassId,
    ) -> Result<Option<Known>, MachineError> {
        Ok(Some(Known::Nothing))
    }
    fn intrinsic(
        &mut self,
        _: Site,
        _: &str,
        _: &[Known],
    ) -> Result<Intrinsic<Known>, MachineError> {
        Ok(Intrinsic::Unknown)
    }
    fn on_edge(&mut self, edge: Edge) {
        self.edges.push(edge);
    }
}

/// How a run ended, without its values.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum End {
    Returned,
    Fault(FaultKind),
    Other,
}

fn end<V>(outcome: &MachineOutcome<V>) -> End {
    match outcome {
        MachineOutcome::Returned(_) => End::Returned,
        MachineOutcome::Fault { kind, .. } => End::Fault(*kind),
        _ => End::Other,
    }
}

type Path = (Vec<Edge>, End);

/// All paths, by trying the next alternative of the last decision that has one. Every path must
/// be found once.
fn all_paths(program: &Program, params: usize) -> Vec<Path> {
    let class = |name| program.definitions.class_named(name).expect("a class");
    let mut paths = vec![];
    let mut script = vec![];
    loop {
        let domain = Scripted {
            classes: vec![class("Even"), class("Odd")],
            script: script.clone(),
            taken: vec![],
            objects: 0,
            edges: vec![],
        };
        let mut machine = Machine::new(program, domain, Budgets::default());
        let main = function(program, "main");
        let outcome = machine.run(main, vec![Known::Nothing; params]).unwrap();
        let domain = machine.into_domain();
        let sites: BTreeSet<Site> = domain.taken.iter().map(|(site, ..)| *site).collect();
        assert_eq!(sites.len(), domain.taken.len(), "a question asked twice");
        paths.push((domain.edges, end(&outcome)));
        let mut taken = domain.taken;
        while taken
            .last()
            .is_some_and(|(_, answer, of)| answer + 1 == *of)
        {
            taken.pop();
        }
        let Some((_, answer, _)) = taken.last_mut() else {
            return paths;
        };
        *answer += 1;
        script = taken.into_iter().map(|(_, answer, _)| answer).collect();
    }
}

const PROGRAM: &str = "
class Number {
  value: int
}
class Even extends Number {
  value: int
  method \"half()\" = Even.half
}
class Odd extends Number {
  value: int
  method \"half()\" = Odd.half
}
function Even.half(this: Even) -> int {
  var v: int
b0:
  v := this->Even::value
  v := div.int v, 2
  return v
}
function Odd.half(this: Odd) -> int {
b0:
  return 0
}
function main(a: int, b: int, n: Number) -> int {
  var c: bool
b0:
  c := lt a, b
  if c goto b1 else b2
b1:
  a := div.int a, b
  return a
b2:
  switch a [1: b3, 2: b4] else b5
b3:
  assert c
  return a
b4:
  c := gt b, 0
  if c goto b3 else b5
b5:
  a := call virtual \"half()\"(n)
  return a
}";

#[test]
fn scripts_and_inputs_take_the_same_paths() {
    // Division by the constant 2 is still a question for a domain that knows nothing.
    let text = PROGRAM.replace("  v := div.int v, 2\n", "");
    let program = program(&text);
    let scripted = all_paths(&program, 3);
    let class = |name| program.definitions.class_named(name).expect("a class");
    let mut concrete: BTreeMap<Path, u32> = BTreeMap::new();
    for a in -1..4 {
        for b in -1..4 {
            for receiver in [None, Some("Even"), Some("Odd")] {
                let mut domain = Concrete::new(&program).traced();
                let receiver = match receiver {
                    Some(name) => Value::object(domain.new_object(class(name)).unwrap()),
                    None => Value::Null,
                };
                let mut machine = Machine::new(&program, domain, Budgets::default());
                let args = vec![int(a), int(b), receiver];
                let outcome = machine.run(function(&program, "main"), args).unwrap();
                let trace = machine.into_domain().trace.unwrap();
                let mut edges: Vec<Edge> = trace.edges.keys().copied().collect();
                edges.sort();
                *concrete.entry((edges, end(&outcome))).or_insert(0) += 1;
            }
        }
    }
    let scripted: BTreeSet<Path> = (scripted.into_iter())
        .map(|(mut edges, end)| {
            edges.sort();
            (edges, end)
        })
        .collect();
    // What no input can do: pass `assert c` right after the switch, where `c` is false, and fail
    // it where `c` was just found true.
    let impossible: Vec<&Path> = (scripted.iter())
        .filter(|path| !concrete.contains_key(path))
        .collect();
    assert_eq!(impossible.len(), 2, "{impossible:?}");
    assert!(concrete.keys().all(|path| scripted.contains(path)));
    // div: 2; switch 1: 2; switch 2: 2 and 2; both ways to b5: null, Even, Odd, but the edges
    // do not tell Even and Odd apart.
    assert_eq!(scripted.len(), 2 + 2 + 2 + 2 + 2);
}

#[test]
fn every_script_is_a_path_of_its_own() {
    // As above, but with Even and Odd told apart. The domain forgets that the receiver was not
    // null, so Even.half has three paths of its own: null, divided by zero, returned.
    let even = 1 + 2;
    let paths = all_paths(&program(PROGRAM), 3);
    assert_eq!(paths.len(), 2 + 2 + 2 + 2 * (1 + even + 1));
}
