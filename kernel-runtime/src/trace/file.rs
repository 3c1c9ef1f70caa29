//! The file that a program writes its timeline to while it runs.

use crate::trace::{Span, json};
use std::collections::HashSet;
use std::fs;
use std::io::{Result, Seek, SeekFrom, Write};
use std::path::Path;

/// What ends the file, and is written over when something is added, so that it is complete at any time.
const END: &str = "\n]\n";

/// The file. Once it cannot be written, nothing more is.
pub(super) struct File {
    file: Option<fs::File>,
    is_empty: bool,
    /// The rows that have a name.
    named: HashSet<u64>,
}

impl File {
    pub(super) fn create(path: &Path) -> Result<Self> {
        let mut file = fs::File::create(path)?;
        write!(file, "[{END}")?;
        Ok(Self { file: Some(file), is_empty: true, named: HashSet::new() })
    }

    /// Adds spans.
    pub(super) fn write(&mut self, spans: &[Span]) {
        if spans.is_empty() {
            return;
        }
        let events: Vec<String> = spans.iter().map(|span| json::events(span, &mut self.named)).collect();
        let before = if self.is_empty { "\n" } else { ",\n" };
        let text = format!("{before}{}{END}", events.join(",\n"));
        let Some(file) = &mut self.file else { return };
        let end = SeekFrom::End(-(END.len() as i64));
        match file.seek(end).and_then(|_| file.write_all(text.as_bytes())) {
            Ok(()) => self.is_empty = false,
            Err(error) => {
                eprintln!("the timeline ends here, since its file cannot be written: {error}");
                self.file = None;
            }
        }
    }
}
