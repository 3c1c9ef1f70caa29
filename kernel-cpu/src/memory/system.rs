//! Pages and anonymous files of the system. Where the system has none that can be mapped in this way, there is nothing of them, and what needs them is not supported.

#[cfg(target_os = "linux")]
pub(super) use linux::*;
#[cfg(not(target_os = "linux"))]
pub(super) use none::*;

#[cfg(target_os = "linux")]
mod linux {
    use crate::memory::physical::Identity;
    use std::ffi::{c_char, c_int, c_long, c_uint, c_void};
    use std::fs::{File, Metadata, OpenOptions};
    use std::os::fd::{AsRawFd, FromRawFd, IntoRawFd};
    use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
    use std::ptr::NonNull;

    // From `linux/mman.h` and `asm-generic/mman-common.h`.
    const PROT_NONE: c_int = 0;
    const PROT_READ_WRITE: c_int = 1 | 2;
    const MAP_SHARED: c_int = 1;
    const MAP_PRIVATE: c_int = 2;
    const MAP_FIXED: c_int = 0x10;
    const MAP_ANONYMOUS: c_int = 0x20;
    const MAP_NORESERVE: c_int = 0x4000;
    // From `linux/memfd.h`.
    const MFD_CLOEXEC: c_uint = 1;
    const MFD_ALLOW_SEALING: c_uint = 2;
    // From `linux/fcntl.h`.
    const O_NOCTTY: c_int = 0o400;
    const O_NONBLOCK: c_int = 0o4000;
    const F_DUPFD_CLOEXEC: c_int = 1030;
    const F_ADD_SEALS: c_int = 1033;
    const F_GET_SEALS: c_int = 1034;
    const F_SEAL_SEAL: c_int = 1;
    const F_SEAL_SHRINK: c_int = 2;
    const F_SEAL_GROW: c_int = 4;

    unsafe extern "C" {
        fn mmap(
            at: *mut c_void,
            length: usize,
            protection: c_int,
            flags: c_int,
            file: c_int,
            offset: i64,
        ) -> *mut c_void;
        fn munmap(at: *mut c_void, length: usize) -> c_int;
        fn memfd_create(name: *const c_char, flags: c_uint) -> c_int;
        fn fcntl(file: c_int, command: c_int, ...) -> c_int;
        fn sysconf(name: c_int) -> c_long;
    }

    /// The size of a page in bytes.
    pub(in crate::memory) fn page_size() -> usize {
        /// The number of the question, which is the same for all processors and libraries.
        const PAGE_SIZE: c_int = 30;
        // SAFETY: any question may be asked.
        usize::try_from(unsafe { sysconf(PAGE_SIZE) }).unwrap_or(4096)
    }

    /// What a mapping answers, as memory if there is some.
    fn memory(start: *mut c_void) -> Option<NonNull<u8>> {
        // What is -1 is the error.
        if start.addr() == usize::MAX { None } else { NonNull::new(start.cast()) }
    }

    /// Zeroed memory of its own.
    pub(in crate::memory) fn anonymous(length: usize) -> Option<NonNull<u8>> {
        let (at, flags) = (std::ptr::null_mut(), MAP_PRIVATE | MAP_ANONYMOUS);
        // SAFETY: a new mapping of its own.
        memory(unsafe { mmap(at, length, PROT_READ_WRITE, flags, -1, 0) })
    }

    /// Whether the program may read all of its addresses from one on, and write to them if that is asked.
    pub(in crate::memory) fn is_accessible(start: usize, length: usize, is_written: bool) -> bool {
        let Ok(maps) = std::fs::read_to_string("/proc/self/maps") else { return false };
        let Some(end) = start.checked_add(length) else { return false };
        // What is mapped is listed in the order of its addresses.
        let mut reached = start;
        for line in maps.lines() {
            let Some((range, rest)) = line.split_once(' ') else { continue };
            let Some((first, last)) = range.split_once('-') else { continue };
            let [Ok(first), Ok(last)] = [first, last].map(|end| usize::from_str_radix(end, 16)) else {
                continue;
            };
            let is_allowed = rest.starts_with('r') && (!is_written || rest[1..].starts_with('w'));
            if first <= reached && reached < last && is_allowed {
                reached = last;
            }
        }
        reached >= end
    }

    /// Addresses that nobody may access, at a place if it is free.
    pub(in crate::memory) fn reserve(at: *const c_void, length: usize) -> Option<NonNull<u8>> {
        let flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
        // SAFETY: a new mapping of its own: without `MAP_FIXED` the place is a hint.
        memory(unsafe { mmap(at.cast_mut(), length, PROT_NONE, flags, -1, 0) })
    }

    /// Memory of a file.
    pub(in crate::memory) fn of_file(file: &File, offset: usize, length: usize) -> Option<NonNull<u8>> {
        let offset = i64::try_from(offset).ok()?;
        let at = std::ptr::null_mut();
        // SAFETY: a new mapping of its own.
        memory(unsafe { mmap(at, length, PROT_READ_WRITE, MAP_SHARED, file.as_raw_fd(), offset) })
    }

    /// Puts memory of a file in the place of other pages; whether the system has done so.
    ///
    /// # Safety
    ///
    /// The pages must be the caller's, and nobody may rely on what they hold.
    pub(in crate::memory) unsafe fn replace_by_file(
        at: NonNull<u8>,
        length: usize,
        file: &File,
        offset: usize,
    ) -> bool {
        let Ok(offset) = i64::try_from(offset) else { return false };
        let flags = MAP_SHARED | MAP_FIXED;
        // SAFETY: the caller vouches for the pages.
        let start =
            unsafe { mmap(at.as_ptr().cast(), length, PROT_READ_WRITE, flags, file.as_raw_fd(), offset) };
        memory(start).is_some()
    }

    /// Makes pages addresses that nobody may access; whether the system has done so.
    ///
    /// # Safety
    ///
    /// The pages must be the caller's, and nobody may access them any more.
    pub(in crate::memory) unsafe fn clear(at: NonNull<u8>, length: usize) -> bool {
        let flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED;
        // SAFETY: the caller vouches for the pages.
        memory(unsafe { mmap(at.as_ptr().cast(), length, PROT_NONE, flags, -1, 0) }).is_some()
    }

    /// Gives pages back.
    ///
    /// # Safety
    ///
    /// The pages must be the caller's, and nobody may access them any more.
    pub(in crate::memory) unsafe fn unmap(at: NonNull<u8>, length: usize) {
        // SAFETY: the caller vouches for the pages.
        let _ = unsafe { munmap(at.as_ptr().cast(), length) };
    }

    /// A file without a name that holds so many zeros, and whose length nobody can change.
    pub(in crate::memory) fn anonymous_file(size: usize) -> Option<File> {
        // SAFETY: the name ends with NUL.
        let file = unsafe { memfd_create(c"kernel-cpu".as_ptr(), MFD_CLOEXEC | MFD_ALLOW_SEALING) };
        if file < 0 {
            return None;
        }
        // SAFETY: the file was opened just now, and nobody else knows of it.
        let file = unsafe { File::from_raw_fd(file) };
        file.set_len(u64::try_from(size).ok()?).ok()?;
        // SAFETY: the command takes a number.
        let sealed =
            unsafe { fcntl(file.as_raw_fd(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) };
        (sealed == 0).then_some(file)
    }

    /// Sees to it that nobody can make a file shorter, since who accesses a mapping beyond the end of its file is killed; whether that is so.
    pub(in crate::memory) fn keeps_its_length(file: &File) -> bool {
        // SAFETY: the commands take a number, or nothing.
        unsafe {
            let _ = fcntl(file.as_raw_fd(), F_ADD_SEALS, F_SEAL_SHRINK);
            let seals = fcntl(file.as_raw_fd(), F_GET_SEALS);
            seals >= 0 && seals & F_SEAL_SHRINK != 0
        }
    }

    /// Another descriptor of the file of a descriptor, if there is one.
    pub(in crate::memory) fn duplicate(descriptor: c_int) -> Option<File> {
        // SAFETY: any number may be asked for.
        let file = unsafe { fcntl(descriptor, F_DUPFD_CLOEXEC, 0) };
        // SAFETY: the descriptor was made just now, and nobody else knows of it.
        (file >= 0).then(|| unsafe { File::from_raw_fd(file) })
    }

    /// The file of a descriptor of another process, if it is the one with this identity and the process may be looked into. Others are not opened.
    pub(in crate::memory) fn open_of_process(
        process: u32,
        descriptor: c_int,
        identity: Identity,
    ) -> Option<File> {
        let path = format!("/proc/{process}/fd/{descriptor}");
        let found = self::identity(&std::fs::metadata(&path).ok()?);
        if found != Some(identity) {
            return None;
        }
        // What has been put there meanwhile is a terminal or a pipe at worst, of which neither becomes ours nor is waited for.
        let mut options = OpenOptions::new();
        options.read(true).write(true).custom_flags(O_NOCTTY | O_NONBLOCK);
        options.open(path).ok()
    }

    pub(in crate::memory) fn identity(metadata: &Metadata) -> Option<Identity> {
        Some(Identity { device: metadata.dev(), number: metadata.ino() })
    }

    pub(in crate::memory) fn descriptor(file: &File) -> c_int {
        file.as_raw_fd()
    }

    pub(in crate::memory) fn give_descriptor(file: File) -> Option<c_int> {
        Some(file.into_raw_fd())
    }
}

#[cfg(not(target_os = "linux"))]
mod none {
    use crate::memory::physical::Identity;
    use std::ffi::c_void;
    use std::fs::{File, Metadata};
    use std::ptr::NonNull;

    pub(in crate::memory) fn page_size() -> usize {
        4096
    }

    pub(in crate::memory) fn anonymous(_: usize) -> Option<NonNull<u8>> {
        None
    }

    pub(in crate::memory) fn is_accessible(_: usize, _: usize, _: bool) -> bool {
        false
    }

    pub(in crate::memory) fn reserve(_: *const c_void, _: usize) -> Option<NonNull<u8>> {
        None
    }

    pub(in crate::memory) fn of_file(_: &File, _: usize, _: usize) -> Option<NonNull<u8>> {
        None
    }

    /// # Safety
    ///
    /// Nothing is done.
    pub(in crate::memory) unsafe fn replace_by_file(_: NonNull<u8>, _: usize, _: &File, _: usize) -> bool {
        false
    }

    /// # Safety
    ///
    /// Nothing is done.
    pub(in crate::memory) unsafe fn clear(_: NonNull<u8>, _: usize) -> bool {
        false
    }

    /// # Safety
    ///
    /// Nothing is done.
    pub(in crate::memory) unsafe fn unmap(_: NonNull<u8>, _: usize) {}

    pub(in crate::memory) fn anonymous_file(_: usize) -> Option<File> {
        None
    }

    pub(in crate::memory) fn keeps_its_length(_: &File) -> bool {
        false
    }

    pub(in crate::memory) fn duplicate(_: i32) -> Option<File> {
        None
    }

    pub(in crate::memory) fn open_of_process(_: u32, _: i32, _: Identity) -> Option<File> {
        None
    }

    pub(in crate::memory) fn identity(_: &Metadata) -> Option<Identity> {
        None
    }

    pub(in crate::memory) fn descriptor(_: &File) -> i32 {
        -1
    }

    pub(in crate::memory) fn give_descriptor(_: File) -> Option<i32> {
        None
    }
}
