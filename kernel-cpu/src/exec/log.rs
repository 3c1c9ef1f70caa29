//! What the driver says about itself, if the environment variable `KERNEL_CPU_LOG` asks for it: `1` sends the lines to standard error, and anything
//! else is the name of a file to whose end they are written.

use std::fmt::Arguments;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::sync::LazyLock;

enum Log {
    Nowhere,
    StandardError,
    File(File),
}

static LOG: LazyLock<Log> = LazyLock::new(|| match std::env::var_os("KERNEL_CPU_LOG") {
    None => Log::Nowhere,
    Some(name) if name.is_empty() || name == "1" => Log::StandardError,
    Some(name) => match OpenOptions::new().append(true).create(true).open(&name) {
        Ok(file) => Log::File(file),
        Err(error) => {
            eprintln!("kernel-cpu: KERNEL_CPU_LOG={}: {error}", name.display());
            Log::StandardError
        }
    },
});

/// Whether anybody wants to know.
pub(super) fn is_wanted() -> bool {
    !matches!(*LOG, Log::Nowhere)
}

/// Writes a line, if anybody wants to know.
pub(super) fn line(text: Arguments<'_>) {
    match &*LOG {
        Log::Nowhere => {}
        Log::StandardError => eprintln!("kernel-cpu: {text}"),
        // As one piece, since other processes may write to the same file; what cannot be written is lost.
        Log::File(file) => drop((&*file).write_all(format!("{text}\n").as_bytes())),
    }
}
