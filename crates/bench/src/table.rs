//! Tables in plain text: columns aligned, numbers to the right.

use std::io::{self, Write};

/// Rows of cells below a header.
#[derive(Debug)]
pub struct Table {
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table that has only its header.
    pub fn new(header: &[&str]) -> Table {
        let header = header.iter().map(|&cell| cell.to_owned()).collect();
        Table { rows: vec![header] }
    }

    /// Adds a row.
    pub fn row(&mut self, cells: Vec<String>) {
        self.rows.push(cells);
    }

    /// Prints the table; the first column is aligned to the left, the others to the right.
    pub fn print(&self, out: &mut dyn Write) -> io::Result<()> {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let width = |column: usize| {
            let cells = self.rows.iter().filter_map(|row| row.get(column));
            cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..columns).map(width).collect();
        for row in &self.rows {
            let mut line = String::new();
            for (column, (cell, &width)) in row.iter().zip(&widths).enumerate() {
                if column == 0 {
                    line.push_str(&format!("{cell:<width$}"));
                } else {
                    line.push_str(&format!("  {cell:>width$}"));
                }
            }
            writeln!(out, "{}", line.trim_end())?;
        }
        Ok(())
    }
}

/// Seconds with a precision that fits their size.
pub fn seconds(value: f64) -> String {
    if value < 0.1 {
        format!("{value:.4}")
    } else {
        format!("{value:.2}")
    }
}

/// How many times faster we are: their time by ours.
pub fn ratio(theirs: f64, ours: f64) -> String {
    if ours <= 0.0 {
        return "-".to_owned();
    }
    let times = theirs / ours;
    if times < 10.0 {
        format!("{times:.1}x")
    } else {
        format!("{times:.0}x")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned() {
        let mut table = Table::new(&["name", "count"]);
        table.row(vec!["a".to_owned(), "12".to_owned()]);
        table.row(vec!["longer".to_owned(), "3".to_owned()]);
        let mut text = Vec::new();
        table.print(&mut text).expect("memory can be written");
        let text = String::from_utf8(text).expect("the table is text");
        assert_eq!(text, "name    count\na          12\nlonger      3\n");
    }
}
