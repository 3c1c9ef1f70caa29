//! Files that memory is made of: physical memory, and memory that other processes have too.

use super::system;
use std::fs::File;
use std::io::{Seek, SeekFrom};

/// A file whose length does not change, and whose bytes are memory wherever it is mapped.
#[derive(Debug)]
pub(crate) struct SharedFile {
    file: File,
    size: usize,
}

/// What tells one file from all others of the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Identity {
    pub(crate) device: u64,
    pub(crate) number: u64,
}

impl SharedFile {
    /// One of so many bytes, all zero; none if the system has none.
    pub(crate) fn new(size: usize) -> Option<Self> {
        Some(Self { file: system::anonymous_file(size)?, size })
    }

    /// That of a descriptor of this process, which stays open. None if there is no such file, or if somebody could make it shorter.
    pub(crate) fn of_descriptor(descriptor: i32) -> Option<Self> {
        Self::of_file(system::duplicate(descriptor)?)
    }

    /// That of a descriptor of this process or another one, if it is the file with this identity.
    pub(crate) fn find(process: u32, descriptor: i32, identity: Identity) -> Option<Self> {
        let is_it = |file: &Self| file.identity() == Some(identity);
        // Programs that have sent the descriptor to another process by a socket have another number for it there.
        Self::of_descriptor(descriptor).filter(is_it).or_else(|| {
            let file = system::open_of_process(process, descriptor, identity)?;
            Self::of_file(file).filter(is_it)
        })
    }

    fn of_file(mut file: File) -> Option<Self> {
        if !system::keeps_its_length(&file) {
            return None;
        }
        let size = usize::try_from(file.seek(SeekFrom::End(0)).ok()?).ok()?;
        Some(Self { file, size })
    }

    /// How large it is in bytes.
    pub(crate) fn size(&self) -> usize {
        self.size
    }

    /// What tells it from others.
    pub(crate) fn identity(&self) -> Option<Identity> {
        system::identity(&self.file.metadata().ok()?)
    }

    /// Its descriptor, which is open as long as this is there.
    pub(crate) fn descriptor(&self) -> i32 {
        system::descriptor(&self.file)
    }

    /// Another descriptor of it, which is the caller's to close.
    pub(crate) fn give_descriptor(&self) -> Option<i32> {
        system::give_descriptor(self.file.try_clone().ok()?)
    }

    pub(super) fn file(&self) -> &File {
        &self.file
    }
}
