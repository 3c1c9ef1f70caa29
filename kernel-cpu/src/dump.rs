//! What is built, for people: `KERNEL_CPU_DUMP` names a directory, in which there are then
//!
//! * for each module its SPIR-V, `MODULE.spv`, where the name is made of the words, so that a module which is built twice is there once;
//! * for each kernel its SPMD program as text, `KERNEL-PROGRAM.spmd`, which says of which module it is;
//! * for each kernel and each size of work-groups for which there is native code, the code and the constants behind it, `KERNEL-PROGRAM.XxYxZ.bin`, and a listing
//!   of it, `.lst`: the offset, the bytes and the instruction.

use crate::program::Program;
use std::fmt::Write;
use std::path::PathBuf;
use std::sync::{LazyLock, Once};

/// The environment variable that names the directory.
const VARIABLE: &str = "KERNEL_CPU_DUMP";

static DIRECTORY: LazyLock<Option<PathBuf>> = LazyLock::new(|| {
    let path = std::env::var_os(VARIABLE).filter(|path| !path.is_empty())?;
    let path = PathBuf::from(path);
    if let Err(error) = std::fs::create_dir_all(&path) {
        complain(&path, &error);
    }
    Some(path)
});

/// Whether anything is written.
pub(crate) fn is_wanted() -> bool {
    DIRECTORY.is_some()
}

/// Says once why something cannot be written.
fn complain(path: &std::path::Path, error: &std::io::Error) {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| eprintln!("kernel-cpu: {VARIABLE}: {}: {error}", path.display()));
}

fn write(name: &str, bytes: &[u8]) {
    let Some(directory) = &*DIRECTORY else { return };
    let path = directory.join(name);
    if let Err(error) = std::fs::write(&path, bytes) {
        complain(&path, &error);
    }
}

/// Writes a module.
pub(crate) fn module(words: &[u32]) {
    if is_wanted() {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        write(&format!("{}.spv", module_name(words)), &bytes);
    }
}

/// Writes the program of a kernel of a module.
pub(crate) fn program(program: &Program, words: &[u32]) {
    if is_wanted() {
        let text = format!("of {}.spv\n{program}", module_name(words));
        write(&format!("{}.spmd", program_name(program)), text.as_bytes());
    }
}

/// An instruction in code, by its offset.
#[derive(Clone, Debug)]
pub(crate) struct Listed {
    pub(crate) offset: usize,
    pub(crate) text: String,
}

/// Writes the code of a program for work-groups of a size, of which the instructions end at the last of those that are listed.
pub(crate) fn code(program: &Program, group_size: [u32; 3], bytes: &[u8], listed: &[Listed]) {
    if is_wanted() {
        let [x, y, z] = group_size;
        let name = format!("{}.{x}x{y}x{z}", program_name(program));
        write(&format!("{name}.bin"), bytes);
        write(&format!("{name}.lst"), listing(program, bytes, listed).as_bytes());
    }
}

/// A line for each instruction.
fn listing(program: &Program, bytes: &[u8], listed: &[Listed]) -> String {
    let mut text =
        format!("kernel `{}`, {} bytes with the constants behind the code\n", program.name, bytes.len());
    for (index, Listed { offset, text: instruction }) in listed.iter().enumerate() {
        let end = listed.get(index + 1).map_or(bytes.len(), |next| next.offset);
        let hex = bytes.get(*offset..end).unwrap_or_default().iter().fold(String::new(), |mut hex, byte| {
            // Writing to a string does not fail.
            let _ = write!(hex, "{byte:02x}");
            hex
        });
        let _ = writeln!(text, "{offset:06x}  {hex:24}  {instruction}");
    }
    text
}

fn module_name(words: &[u32]) -> String {
    format!("module-{:016x}", hash(words.iter().flat_map(|word| word.to_le_bytes())))
}

/// The name of a kernel, as far as it can be one of a file, and a number made of the program.
fn program_name(program: &Program) -> String {
    const LONGEST: usize = 80;
    let plain = |letter: char| if letter.is_ascii_alphanumeric() { letter } else { '_' };
    let name: String = program.name.chars().take(LONGEST).map(plain).collect();
    format!("{name}-{:016x}", hash(program.to_string().bytes()))
}

/// The hash of Fowler, Noll and Vo (FNV-1a).
fn hash(bytes: impl Iterator<Item = u8>) -> u64 {
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}
