//! Folders that are gone when nobody needs them any more.
//!
//! The crates for this would bring another choice of features of the crates that the compiler is built on, so that `cargo test`
//! would build the compiler twice.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::{env, fs, io, process};

/// A new, empty folder, which is removed with all that is in it when this is dropped.
#[derive(Debug)]
pub(crate) struct TemporaryFolder(PathBuf);

impl TemporaryFolder {
    /// Makes one where the system has such folders.
    pub(crate) fn new() -> io::Result<Self> {
        Self::new_in(&env::temp_dir())
    }

    /// Makes one in another folder, which exists.
    pub(crate) fn new_in(parent: &Path) -> io::Result<Self> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        loop {
            let number = COUNT.fetch_add(1, Ordering::Relaxed);
            let path = parent.join(format!("xtask-{}-{number}", process::id()));
            match fs::create_dir(&path) {
                // An earlier process with this id was killed and left it behind.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                result => return result.map(|()| Self(path)),
            }
        }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for TemporaryFolder {
    fn drop(&mut self) {
        // What cannot be removed is left to the system, which removes such folders too.
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_new_and_goes_with_its_contents() {
        let (first, second) = (TemporaryFolder::new().unwrap(), TemporaryFolder::new().unwrap());
        assert_ne!(first.path(), second.path());
        fs::write(first.path().join("file"), "text").unwrap();
        let path = first.path().to_owned();
        drop(first);
        assert!(!path.exists() && second.path().is_dir());
    }
}
