//! The published figures that `bench` prints beside our own.

/// One solver in one division of the separation-logic competition of 2018.
#[derive(Clone, PartialEq, Debug)]
pub struct CompetitionRow {
    /// Name of the division.
    pub division: &'static str,
    /// Instances that the division had.
    pub instances: usize,
    /// Name of the solver.
    pub solver: &'static str,
    /// Instances answered correctly.
    pub solved: usize,
    /// Seconds for those.
    pub seconds: f64,
    /// Instances answered wrongly.
    pub wrong: usize,
}

/// One enumeration that Korat's authors published.
#[derive(Clone, PartialEq, Debug)]
pub struct KoratRow {
    /// The structure, by the name of its Java class.
    pub structure: &'static str,
    /// Number of nodes.
    pub size: usize,
    /// Structures found.
    pub found: usize,
    /// Seconds, measured on the machine described with the figures.
    pub seconds: f64,
}

/// A subject of the papers on CSF and JSF, as it is written here.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PaperSubject {
    /// What the papers call it.
    pub program: &'static str,
    /// Its classes, the main one first, separated by spaces.
    pub classes: &'static str,
    /// The file of its specification.
    pub specification: &'static str,
}

/// What a paper reports for a subject.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PaperRow {
    /// The subject.
    pub program: &'static str,
    /// The number of tests.
    pub tests: u32,
    /// Branch coverage in percent.
    pub coverage: u32,
    /// Questions to the solver.
    pub calls: u32,
    /// Seconds.
    pub seconds: f64,
}

/// What the JPF paper reports for red-black trees.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct JpfRow {
    /// The largest number of entries.
    pub size: u32,
    /// Structures with exactly this many.
    pub structures: u32,
    /// Candidates, or tests generated.
    pub candidates: u32,
    /// Seconds.
    pub seconds: f64,
    /// Tests.
    pub tests: u32,
    /// Branch coverage of deleteEntry, fixAfterDeletion and fixAfterInsertion in percent.
    pub coverage: [u32; 3],
}

/// The subjects of the papers.
pub fn paper_subjects() -> Vec<PaperSubject> {
    rows(include_str!("../data/paper-subjects.csv"))
        .filter_map(|row| {
            Some(PaperSubject {
                program: row.first()?,
                classes: row.get(1)?,
                specification: row.get(2)?,
            })
        })
        .collect()
}

/// Table 1 of the paper on CSF, which counts questions for the specification and for paths apart.
pub fn csf() -> Vec<PaperRow> {
    paper_rows(include_str!("../data/csf-table1.csv"), &[3, 4], 5)
}

/// Table 1 of the paper on JSF.
pub fn jsf() -> Vec<PaperRow> {
    paper_rows(include_str!("../data/jsf-table1.csv"), &[3], 4)
}

/// Tests and coverage, then the columns with questions and the one with seconds.
fn paper_rows(table: &'static str, calls: &[usize], seconds: usize) -> Vec<PaperRow> {
    rows(table)
        .filter_map(|row| {
            let number = |column: usize| row.get(column)?.parse::<u32>().ok();
            Some(PaperRow {
                program: row.first()?,
                tests: number(1)?,
                coverage: number(2)?,
                calls: (calls.iter().map(|&column| number(column))).sum::<Option<u32>>()?,
                seconds: row.get(seconds)?.parse().ok()?,
            })
        })
        .collect()
}

/// All rows of the competition, in the order of their publication.
pub fn competition() -> Vec<CompetitionRow> {
    rows(include_str!("../data/slcomp18-sat.csv"))
        .filter_map(|row| {
            Some(CompetitionRow {
                division: row.first()?,
                instances: row.get(1)?.parse().ok()?,
                solver: row.get(2)?,
                solved: row.get(3)?.parse().ok()?,
                seconds: row.get(4)?.parse().ok()?,
                wrong: row.get(5)?.parse().ok()?,
            })
        })
        .collect()
}

/// All of Korat's rows.
pub fn korat() -> Vec<KoratRow> {
    rows(include_str!("../data/korat-enumeration.csv"))
        .filter_map(|row| {
            Some(KoratRow {
                structure: row.first()?,
                size: row.get(1)?.parse().ok()?,
                found: row.get(2)?.parse().ok()?,
                seconds: row.get(4)?.parse().ok()?,
            })
        })
        .collect()
}

/// The table of the JPF paper on model checking: states and seconds by the number of keys; nothing
/// where it ran out of memory.
pub fn jpf_model_checking() -> Vec<(u32, Option<(u32, f64)>)> {
    rows(include_str!("../data/jpf-table1-model-checking.csv"))
        .filter_map(|row| {
            let figures = || Some((row.get(3)?.parse().ok()?, row.get(1)?.parse().ok()?));
            Some((row.first()?.parse().ok()?, figures()))
        })
        .collect()
}

/// The table of the JPF paper on black-box generation.
pub fn jpf_black_box() -> Vec<JpfRow> {
    rows(include_str!("../data/jpf-table2-black-box.csv"))
        .filter_map(|row| {
            let number = |column: usize| row.get(column)?.parse::<u32>().ok();
            Some(JpfRow {
                size: number(0)?,
                structures: number(2)?,
                candidates: number(3)?,
                seconds: row.get(4)?.parse().ok()?,
                tests: number(5)?,
                coverage: [number(6)?, number(7)?, number(8)?],
            })
        })
        .collect()
}

/// The one row of the JPF paper on white-box generation.
pub fn jpf_white_box() -> Option<JpfRow> {
    let row = rows(include_str!("../data/jpf-table3-white-box.csv")).next()?;
    let number = |column: usize| row.get(column)?.parse::<u32>().ok();
    Some(JpfRow {
        size: 0,
        structures: 0,
        candidates: number(3)?,
        seconds: row.first()?.parse().ok()?,
        tests: number(2)?,
        coverage: [number(4)?, number(5)?, number(6)?],
    })
}

/// The cells of a table without quotes, its header left out.
fn rows(table: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
    table.lines().skip(1).map(|line| line.split(',').collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_row_is_lost_in_reading() {
        let lines = |table: &str| table.lines().count() - 1;
        let competition_lines = lines(include_str!("../data/slcomp18-sat.csv"));
        let korat_lines = lines(include_str!("../data/korat-enumeration.csv"));
        assert_eq!(competition().len(), competition_lines);
        assert_eq!(korat().len(), korat_lines);
    }
}
