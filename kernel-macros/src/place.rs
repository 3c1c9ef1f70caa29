//! Where in its source file an item stands.

use kernel_compiler::expand::{Outline, Place};
use proc_macro::{TokenStream, TokenTree};
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

/// What the file that an item is written in says of its place.
pub(crate) fn of(item: &TokenStream) -> Place {
    let name = item.clone().into_iter().find_map(|token| match token {
        TokenTree::Ident(name) => Some(name),
        _ => None,
    });
    let place = name.and_then(|name| {
        let (span, text) = (name.span(), name.to_string());
        let file = read(&span.local_file()?)?;
        let (line, column) = (span.line(), span.column().checked_sub(1)?);
        // A token that is not what is written there comes from a macro.
        let written = file.lines.get(line.checked_sub(1)?)?.chars().skip(column);
        let is_written = written.take(text.chars().count()).eq(text.chars());
        is_written.then(|| Place::of(&file.outline, (line, column)))
    });
    place.unwrap_or_default()
}

/// A file that has been read.
struct File {
    /// Tells that it has not been changed since.
    version: (Option<SystemTime>, u64),
    lines: Vec<String>,
    outline: Arc<Outline>,
}

/// A file, which is read once for all of its items; nothing if it is not understood.
fn read(path: &Path) -> Option<Arc<File>> {
    static FILES: Mutex<Option<HashMap<PathBuf, Arc<File>>>> = Mutex::new(None);
    let metadata = fs::metadata(path).ok()?;
    let version = (metadata.modified().ok(), metadata.len());
    let mut files = FILES.lock().unwrap_or_else(PoisonError::into_inner);
    let files = files.get_or_insert_default();
    if let Some(known) = files.get(path).filter(|known| known.version == version) {
        return Some(known.clone());
    }
    let text = fs::read_to_string(path).ok()?;
    let outline = Arc::new(Outline::of(&text).unwrap_or_default());
    let lines = text.lines().map(str::to_owned).collect();
    let file = Arc::new(File { version, lines, outline });
    files.insert(path.to_owned(), file.clone());
    Some(file)
}
