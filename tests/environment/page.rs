//! Reads the rows of `docs/environment.md`.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

const PAGE: &str = include_str!("../../docs/environment.md");

/// A row of the page.
pub(crate) struct Row {
    /// The heading that it stands under.
    pub(crate) section: String,
    /// What of the guide it is about.
    pub(crate) item: String,
    /// What the guide says of it.
    pub(crate) meaning: String,
    /// How it is written.
    pub(crate) rust: String,
    /// The column of checks.
    pub(crate) checks: String,
    /// The column of tests.
    tests: String,
}

impl Row {
    /// The names of the checks: what stands in backticks.
    pub(crate) fn check_names(&self) -> Vec<&str> {
        self.checks.split('`').skip(1).step_by(2).collect()
    }

    /// The names of the tests with their files, from the root of the project.
    pub(crate) fn tests(&self) -> Vec<(&str, PathBuf)> {
        let links = self.tests.split('[').skip(1);
        let parts = links.filter_map(|link| link.split_once("](../"));
        parts
            .map(|(name, path)| (name, Path::new(path.split(')').next().unwrap_or_default()).to_owned()))
            .collect()
    }
}

/// The rows in their order.
///
/// # Panics
///
/// If a row does not have its five columns.
pub(crate) fn page() -> Vec<Row> {
    let mut rows = Vec::new();
    let mut section = "";
    for line in PAGE.lines() {
        if let Some(heading) = heading(line) {
            section = heading;
        } else if line.starts_with("| ") && !line.starts_with("| item |") {
            let columns: Vec<&str> = line.split('|').map(str::trim).collect();
            let [_, item, meaning, rust, checks, tests, _] = columns[..] else {
                panic!("not five columns: {line}");
            };
            let [item, meaning, rust, checks, tests] =
                [item, meaning, rust, checks, tests].map(str::to_owned);
            rows.push(Row { section: section.to_owned(), item, meaning, rust, checks, tests });
        }
    }
    rows
}

/// The headings.
pub(crate) fn sections() -> BTreeSet<&'static str> {
    PAGE.lines().filter_map(heading).collect()
}

fn heading(line: &str) -> Option<&str> {
    line.strip_prefix("### ").or_else(|| line.strip_prefix("## "))
}

/// The name that a text starts with.
pub(crate) fn name(text: &str) -> &str {
    let end = text.find(|letter: char| !letter.is_alphanumeric() && letter != '_');
    &text[..end.unwrap_or(text.len())]
}
