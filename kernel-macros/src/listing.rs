//! Writes what tools show of each kernel to files, where `cargo kernel` asks for it.
//!
//! `KERNEL_LISTING` names a folder. In it each crate that is compiled has one of its own, named by what cargo calls the crate's files (`saxpy-0123456789abcdef`), which is emptied when
//! the first kernel of the crate has been compiled. A file in it, `run`, has the value of `KERNEL_LISTING_RUN`, so that who runs cargo knows which folders are of this run.

use kernel_compiler::listing::Listing;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::{env, fs, io};

const FOLDER: &str = "KERNEL_LISTING";
const RUN: &str = "KERNEL_LISTING_RUN";

/// Returns whether anybody asks for it.
pub(crate) fn is_wanted() -> bool {
    env::var_os(FOLDER).is_some_and(|folder| !folder.is_empty())
}

/// Writes a kernel's file. One of the same name at the same place takes its place.
pub(crate) fn write(listing: &Listing) {
    static CRATE: OnceLock<PathBuf> = OnceLock::new();
    let folder = CRATE.get_or_init(|| {
        let folder = of_crate();
        start(&folder).unwrap_or_else(|error| cannot_be_written(&folder, &error));
        folder
    });
    let mut hasher = DefaultHasher::new();
    let place = &listing.place;
    (&place.file, place.line, place.column).hash(&mut hasher);
    let file = folder.join(format!("{}-{:016x}.json", listing.name, hasher.finish()));
    fs::write(&file, &listing.document).unwrap_or_else(|error| cannot_be_written(&file, &error));
}

fn cannot_be_written(path: &Path, error: &io::Error) -> ! {
    panic!("{}, which {FOLDER} asks for, cannot be written: {error}", path.display())
}

/// The folder of the crate that is being compiled.
fn of_crate() -> PathBuf {
    let arguments: Vec<String> =
        env::args_os().map(|argument| argument.to_string_lossy().into_owned()).collect();
    let pairs = || arguments.iter().zip(arguments.iter().skip(1));
    let name = pairs().find_map(|(option, value)| (option == "--crate-name").then_some(value.as_str()));
    let extra = pairs().find_map(
        |(option, value)| {
            if option == "-C" { value.strip_prefix("extra-filename=") } else { None }
        },
    );
    let unit = format!("{}{}", name.unwrap_or("crate"), extra.unwrap_or_default());
    PathBuf::from(env::var_os(FOLDER).unwrap_or_default()).join(unit)
}

/// Empties a folder.
fn start(folder: &Path) -> io::Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => fs::create_dir_all(folder)?,
    }
    fs::write(folder.join("run"), env::var(RUN).unwrap_or_default())
}
