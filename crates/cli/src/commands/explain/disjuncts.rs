//! The disjuncts of a predicate: what each says, in words, with a smallest model below it.

use std::io::Write;

use heapwright_explain::disjuncts::{self, SmallestModel};
use heapwright_explain::meaning;
use heapwright_logic::PredId;
use heapwright_spec::questions::QuestionFile;

use super::WIDTH;
use crate::failure::Failure;
use crate::frontends::LABELS;
use crate::limits::Limits;

/// Tells each disjunct, and draws a smallest model of it, the parameters being free.
pub fn describe(
    input: &mut QuestionFile,
    predicate: PredId,
    limits: &Limits,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let explained = disjuncts::explain(LABELS, input, predicate, limits.time);
    for (number, disjunct) in (1..).zip(explained) {
        writeln!(out, "  disjunct {number}")?;
        for line in meaning::wrapped(&disjunct.told, WIDTH) {
            writeln!(out, "    {line}")?;
        }
        match disjunct.model {
            SmallestModel::Drawn(picture) => {
                writeln!(out, "    smallest model:")?;
                for line in picture.lines() {
                    writeln!(out, "      {line}")?;
                }
            }
            SmallestModel::Exists => writeln!(out, "    satisfiable")?,
            SmallestModel::None(reasons) => {
                writeln!(out, "    no model")?;
                for line in reasons {
                    writeln!(out, "    {line}")?;
                }
            }
            SmallestModel::Unknown(reason) => writeln!(out, "    no model found ({reason})")?,
        }
    }
    Ok(())
}
