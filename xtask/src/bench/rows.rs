//! The figures: a line for each, with tabs between its measurement, row, column and value, as `benches/rows.rs` writes them. A line that begins with `#` has the name of a
//! part and, after a tab, under what it was measured.

use std::collections::BTreeMap;
use std::fmt::{self, Display, Formatter};
use std::fs;
use std::io;
use std::path::Path;

/// The variable that tells benchmarks the file to which they write figures.
pub(super) const FILE: &str = "KERNEL_BENCH_ROWS";

/// A figure.
#[derive(Clone, Debug, PartialEq)]
struct Row {
    measurement: String,
    row: String,
    column: String,
    value: f64,
}

/// Figures in the order in which they were measured.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Rows {
    rows: Vec<Row>,
    /// Under what each part was measured, by its name.
    conditions: BTreeMap<String, String>,
}

impl Rows {
    /// Reads a file; there are none if it does not exist.
    pub(super) fn read(file: &Path) -> Result<Self, String> {
        match fs::read_to_string(file) {
            Ok(text) => Self::parse(&text),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Self::default()),
            Err(error) => Err(format!("{}: {error}", file.display())),
        }
    }

    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let row = |line: &str| {
            let [measurement, row, column, value] = line.split('\t').collect::<Vec<_>>()[..] else {
                return None;
            };
            let [measurement, row, column] = [measurement, row, column].map(str::to_owned);
            Some(Row { measurement, row, column, value: value.parse().ok()? })
        };
        let mut rows = Self::default();
        for line in text.lines() {
            let no_figure = || format!("`{line}` is no figure");
            match line.strip_prefix('#') {
                Some(line) => {
                    let (part, conditions) = line.split_once('\t').ok_or_else(no_figure)?;
                    rows.set_conditions(part, conditions.to_owned());
                }
                None => rows.rows.push(row(line).ok_or_else(no_figure)?),
            }
        }
        Ok(rows)
    }

    /// Notes under what a part was measured.
    pub(super) fn set_conditions(&mut self, part: &str, conditions: String) {
        self.conditions.insert(part.to_owned(), conditions);
    }

    /// Under what the part of a measurement was measured.
    pub(super) fn conditions(&self, measurement: &str) -> Option<&str> {
        let (_, conditions) = self.conditions.iter().find(|(part, _)| measurement.starts_with(*part))?;
        Some(conditions)
    }

    pub(super) fn add(&mut self, measurement: &str, row: &str, column: &str, value: f64) {
        let [measurement, row, column] = [measurement, row, column].map(str::to_owned);
        self.rows.push(Row { measurement, row, column, value });
    }

    /// Replaces the measurements whose names begin like this.
    pub(super) fn replace(&mut self, part: &str, by: Self) {
        self.rows.retain(|row| !row.measurement.starts_with(part));
        self.rows.extend(by.rows);
        self.conditions.remove(part);
        self.conditions.extend(by.conditions);
    }

    /// The measurements whose names begin like this.
    pub(super) fn measurements(&self, part: &str) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for row in self.rows.iter().filter(|row| row.measurement.starts_with(part)) {
            if !names.contains(&&*row.measurement) {
                names.push(&row.measurement);
            }
        }
        names
    }

    /// The rows of a measurement.
    pub(super) fn rows(&self, measurement: &str) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for row in self.rows.iter().filter(|row| row.measurement == measurement) {
            if !names.contains(&&*row.row) {
                names.push(&row.row);
            }
        }
        names
    }

    /// A figure.
    pub(super) fn get(&self, measurement: &str, row: &str, column: &str) -> Option<f64> {
        let is_it =
            |known: &&Row| (&*known.measurement, &*known.row, &*known.column) == (measurement, row, column);
        self.rows.iter().find(is_it).map(|row| row.value)
    }
}

impl Display for Rows {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.conditions.iter().try_for_each(|(part, conditions)| writeln!(f, "#{part}\t{conditions}"))?;
        self.rows.iter().try_for_each(|Row { measurement, row, column, value }| {
            writeln!(f, "{measurement}\t{row}\t{column}\t{value:.4}")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "#isa\tCompiled.\nisa, pvc\tsaxpy\tours\t3.8500\nisa, pvc\tnbody\tours\t7.0000\ncpu, 1 thread\tsaxpy\trust\t2.0000\n";

    #[test]
    fn figures_are_read_as_they_are_written() {
        let rows = Rows::parse(TEXT).unwrap();
        assert_eq!(rows.to_string(), TEXT);
        assert_eq!(rows.rows("isa, pvc"), ["saxpy", "nbody"]);
        assert_eq!(rows.get("isa, pvc", "saxpy", "ours"), Some(3.85));
        assert_eq!(rows.get("isa, pvc", "saxpy", "rust"), None);
        assert_eq!(rows.conditions("isa, pvc"), Some("Compiled."));
        assert_eq!(rows.conditions("cpu, 1 thread"), None);
        assert!(Rows::parse("isa\tsaxpy\t3").is_err());
        assert!(Rows::parse("#isa").is_err());
        assert!(Rows::parse("isa\tsaxpy\tours\tmany").is_err());
    }

    #[test]
    fn a_part_replaces_its_measurements() {
        let mut rows = Rows::parse(TEXT).unwrap();
        rows.replace("isa", Rows::parse("isa, dg2\tsaxpy\tours\t1.0\n").unwrap());
        assert_eq!(rows.measurements(""), ["cpu, 1 thread", "isa, dg2"]);
        assert_eq!(rows.conditions("isa, dg2"), None);
    }
}
