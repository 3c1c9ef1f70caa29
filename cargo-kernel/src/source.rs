//! Lines of Rust between those of another language.

use crate::listing::Place;
use crate::style::{ASIDE, SOURCE};
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The files that kernels are written in.
pub(crate) struct Sources {
    root: PathBuf,
    files: HashMap<String, Option<Vec<String>>>,
    /// The last line that was shown.
    last: Option<(String, usize)>,
}

impl Sources {
    /// Those of a workspace.
    pub(crate) fn new(root: &Path) -> Self {
        Self { root: root.to_owned(), files: HashMap::new(), last: None }
    }

    /// What is shown for a place: nothing if the line before it in the same text was the same.
    pub(crate) fn shown(&mut self, indentation: &str, mark: &str, place: &Place) -> Option<String> {
        let at = (place.file.clone(), place.line);
        if self.last.replace(at.clone()).is_some_and(|last| last == at) {
            return None;
        }
        let Place { file, line, .. } = place;
        let code = self.line(file, *line);
        Some(format!("{indentation}{ASIDE}{mark} {file}:{line}{ASIDE:#}  {SOURCE}{code}{SOURCE:#}"))
    }

    /// Forgets what was shown, before another text.
    pub(crate) fn start(&mut self) {
        self.last = None;
    }

    /// A line of a file; empty if it cannot be read.
    fn line(&mut self, file: &str, line: usize) -> &str {
        let lines = self.files.entry(file.to_owned()).or_insert_with(|| {
            let text = fs::read_to_string(self.root.join(file)).ok()?;
            Some(text.lines().map(|line| line.trim().to_owned()).collect())
        });
        let line = lines.as_ref().and_then(|lines| lines.get(line.checked_sub(1)?));
        line.map_or("", String::as_str)
    }
}
