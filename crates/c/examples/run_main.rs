//! Runs `main` of a C file on the concrete machine, and prints how it ended and, for programs of
//! csmith, their checksum: `run_main FILE.c [FLAGS]`.

use heapwright_c::clang::Flags;
use heapwright_c::read_unit;
use heapwright_ir::machine::concrete::{Concrete, Value};
use heapwright_ir::machine::{Budgets, Machine, Outcome};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut words = std::env::args().skip(1);
    let file = words.next().ok_or("which file?")?;
    let flags = Flags::from_words(&words.collect::<Vec<_>>())?;
    let unit = read_unit(file.as_ref(), &flags)?;
    for (id, error) in &unit.functions {
        if let Some(error) = error {
            println!("{}: {error}", unit.program.function(*id).name);
        }
    }
    let problems = heapwright_ir::verify(&unit.program);
    if let Err(problems) = problems {
        for problem in problems.iter().take(5) {
            println!("verify: {problem}");
        }
    }
    let main = unit.program.function_named("main").ok_or("no main")?;
    let budgets = Budgets {
        steps: 2_000_000_000,
        objects: 50_000_000,
        ..Budgets::default()
    };
    let mut machine = Machine::new(&unit.program, Concrete::new(&unit.program), budgets);
    let params = unit.program.function(main).params;
    let arguments = [Value::Int(1), Value::Null];
    let outcome = machine.run(main, arguments[..params as usize].to_vec());
    println!("steps {}", machine.used().steps);
    match outcome {
        Ok(Outcome::Returned(value)) => println!("returned {value:?}"),
        Ok(Outcome::Fault { kind, position, .. }) => {
            println!("fault: {} at line {}", kind.name(), position.line);
        }
        Ok(other) => println!("{other:?}"),
        Err(error) => println!("error: {error}"),
    }
    let context = unit.program.global_named("crc32_context");
    let object = context.and_then(|global| machine.domain.memory.global(global));
    if let Some(object) = object
        && let Some(Value::Int(crc)) = machine.domain.memory.object(object)?.contents.first()
    {
        println!("checksum = {:X}", (*crc as u32) ^ 0xFFFF_FFFF);
    }
    Ok(())
}
