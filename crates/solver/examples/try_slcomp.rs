//! scratch
use std::time::Instant;
fn main() {
    let mut files: Vec<_> = std::env::args().skip(1).collect();
    files.sort();
    let (mut wrong, mut unknown, mut total) = (0, 0, 0.0);
    for f in files {
        let text = std::fs::read_to_string(&f).unwrap();
        let start = Instant::now();
        let mut script = match heapwright_spec::smtlib::read(&f, &text) {
            Ok(s) => s,
            Err(e) => {
                println!("{f}: {e:?}");
                continue;
            }
        };
        let parsed = start.elapsed().as_secs_f64();
        let mut solver = heapwright_solver::Solver::new(
            &mut script.terms,
            &script.definitions,
            Default::default(),
        );
        let q = script.queries.last().unwrap();
        let v = if std::env::var("MODEL").is_ok() {
            match solver.check(&mut script.terms, &q.formula) {
                heapwright_solver::Answer::Sat(m) => {
                    println!(
                        "{f} {} cells {} steps",
                        m.heap.cells.len(),
                        m.derivation.steps.len()
                    );
                    heapwright_solver::Verdict::Sat
                }
                heapwright_solver::Answer::Unsat => heapwright_solver::Verdict::Unsat,
                heapwright_solver::Answer::Unknown(r) => heapwright_solver::Verdict::Unknown(r),
            }
        } else {
            solver.verdict(&mut script.terms, &q.formula)
        };
        let t = start.elapsed().as_secs_f64();
        total += t;
        let expected = format!("{:?}", q.expected.unwrap()).to_lowercase();
        let ok = expected == v.to_string();
        if v.to_string() == "unknown" {
            unknown += 1
        } else if !ok {
            wrong += 1
        }
        if !ok || t > 0.02 {
            println!(
                "{f}: {v} {v:?} expected {expected} parse {:.1} ms total {:.1} ms",
                parsed * 1e3,
                t * 1e3
            );
        }
    }
    println!("wrong {wrong} unknown {unknown} total {total:.3} s");
}
