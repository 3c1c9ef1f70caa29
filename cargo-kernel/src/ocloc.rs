//! Intel's compiler for GPUs, `ocloc`: code, and what it takes.

use crate::estimate::Estimate;
use crate::failure::{Failure, Result};
use crate::listing::Kernel;
use object::{Object, ObjectSection};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{self, Command, Stdio};

/// What comes of a module for a GPU.
pub(crate) struct Compiled {
    /// The assembly of each entry point, by its name.
    pub(crate) assembly: Vec<(String, String)>,
    /// What the binary says of each of them.
    pub(crate) entries: Vec<Entry>,
}

/// What an entry point takes of the GPU.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Entry {
    pub(crate) name: String,
    /// How many work-items share an instruction.
    pub(crate) simd: u64,
    /// The registers that a thread has.
    pub(crate) registers: u64,
    /// The bytes of what did not fit into registers, for each thread.
    pub(crate) spill: u64,
    /// The bytes of memory that each thread has for that and for private arrays.
    pub(crate) scratch: u64,
    /// The bytes of local memory of a work-group.
    pub(crate) local: u64,
    pub(crate) barriers: u64,
    pub(crate) instructions: u64,
    pub(crate) estimate: Estimate,
}

/// Compiles a kernel for a GPU, in a folder, from which it finds its source. With lines, there are lines of Rust in the assembly.
pub(crate) fn compile(
    kernel: &Kernel,
    device: &str,
    folder: &Path,
    source: &Path,
    has_lines: bool,
) -> Result<Compiled> {
    let folder = own(folder, &kernel.name)?;
    let module = folder.join("module.spv");
    let member = if has_lines { "spirv_with_debug_info" } else { "spirv" };
    fs::write(&module, kernel.module(member))?;
    let mut options = Vec::new();
    options.extend(kernel.is("correctly_rounded").then_some("-ze-fp32-correctly-rounded-divide-sqrt"));
    options.extend(has_lines.then_some("-g"));
    let compiled = run(&module, &options.join(" "), device, &folder, source);
    fs::remove_dir_all(&folder)?;
    compiled?.map_err(|said| {
        let failure = Failure::new(format!("ocloc cannot compile `{}` for {device}:\n{said}", kernel.name));
        match needs_fp64(kernel) {
            true => failure.help("the kernel needs double precision, which `dg2` and `tgllp` have not; `pvc` and `skl` have it"),
            false => failure.help(DEVICES),
        }
    })
}

/// Compiles a file for a GPU, in a folder: a module of SPIR-V, or a program in OpenCL C if its name ends on `.cl`.
pub(crate) fn compile_file(file: &Path, options: &str, device: &str, folder: &Path) -> Result<Compiled> {
    let file = file.canonicalize().map_err(|error| Failure::new(format!("{}: {error}", file.display())))?;
    let folder = own(folder, "file")?;
    let compiled = run(&file, options, device, &folder, &folder);
    fs::remove_dir_all(&folder)?;
    compiled?.map_err(|said| {
        Failure::new(format!("ocloc cannot compile {} for {device}:\n{said}", file.display())).help(DEVICES)
    })
}

const DEVICES: &str =
    "`ocloc compile --help` lists the devices; `pvc`, `dg2`, `tgllp` and `skl` are the usual ones";

/// Returns a new folder that no other process has, below the one of what is built.
fn own(folder: &Path, name: &str) -> Result<PathBuf> {
    let folder = folder.join("ocloc").join(format!("{name}-{}", process::id()));
    // An earlier process with this id was ended and has left it behind.
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    fs::create_dir_all(&folder)?;
    Ok(folder)
}

/// Runs the compiler, in a folder from which it finds sources; what it says, if it makes no binary.
fn run(
    file: &Path,
    options: &str,
    device: &str,
    folder: &Path,
    source: &Path,
) -> Result<std::result::Result<Compiled, String>> {
    let dump = folder.join("dump");
    fs::create_dir(&dump)?;
    let mut command = Command::new("ocloc");
    command.current_dir(source).args(["compile", "-exclude_ir", "-device", device, "-file"]).arg(file);
    if file.extension().is_none_or(|extension| extension != "cl") {
        command.arg("-spirv_input");
    }
    command.arg("-out_dir").arg(folder);
    // For a binary that says what its kernels take.
    command.args(["-internal_options", "-cl-intel-allow-zebin"]);
    if !options.is_empty() {
        command.args(["-options", options]);
    }
    command.env("IGC_ShaderDumpEnable", "1").env("IGC_DumpToCustomDir", &dump);
    let output = command.stdin(Stdio::null()).output().map_err(|_| missing())?;
    let binary = files(folder, "bin")?.into_iter().next();
    let (Some(binary), true) = (binary, output.status.success()) else {
        let said = [output.stdout, output.stderr].concat();
        return Ok(Err(String::from_utf8_lossy(&said).trim().to_owned()));
    };
    let assembly = assemblies(&dump)?;
    let mut entries = entries(&fs::read(binary)?)?;
    for entry in &mut entries {
        let text = assembly.iter().find(|(name, _)| *name == entry.name).map_or("", |(_, text)| text);
        entry.instructions = number(text, "//.instCount ").unwrap_or(0);
        entry.spill = number(text, "//.spill size ").unwrap_or(0);
        entry.estimate = Estimate::of(text, entry.simd, device);
    }
    Ok(Ok(Compiled { assembly, entries }))
}

fn needs_fp64(kernel: &Kernel) -> bool {
    kernel.document["requirements"]["fp64"] == true
}

fn missing() -> Failure {
    Failure::new("`ocloc`, Intel's compiler for GPUs, cannot be run")
        .help("install it (Debian and Ubuntu: `intel-opencl-icd`, elsewhere `intel-ocloc`); no GPU is needed for it")
}

/// Returns whether it can be run.
pub(crate) fn is_there() -> bool {
    Command::new("ocloc").arg("--help").stdin(Stdio::null()).output().is_ok()
}

/// The files of a folder with an extension, the oldest first.
fn files(folder: &Path, extension: &str) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for file in fs::read_dir(folder)? {
        let file = file?;
        let path = file.path();
        if path.extension().is_some_and(|known| known == extension) {
            files.push((file.metadata()?.modified()?, path));
        }
    }
    files.sort();
    Ok(files.into_iter().map(|(_, path)| path).collect())
}

/// The assembly that the compiler has left in a folder.
fn assemblies(folder: &Path) -> Result<Vec<(String, String)>> {
    let mut found: Vec<(String, String)> = Vec::new();
    for file in files(folder, "asm")? {
        let text = String::from_utf8_lossy(&fs::read(file)?).into_owned();
        let name = text.lines().find_map(|line| line.strip_prefix("//.kernel ")).unwrap_or_default();
        let name = name.trim().trim_matches('"').to_owned();
        // Where registers were short the compiler tries again, and the last attempt counts.
        found.retain(|(known, _)| *known != name);
        found.push((name, text));
    }
    Ok(found)
}

/// The number that follows a text at the start of a line.
fn number(assembly: &str, start: &str) -> Option<u64> {
    assembly.lines().find_map(|line| line.strip_prefix(start))?.trim().parse().ok()
}

/// What a binary says of its kernels.
fn entries(binary: &[u8]) -> Result<Vec<Entry>> {
    let file = object::File::parse(binary)?;
    let section = file.section_by_name(".ze_info");
    let Some(section) = section else {
        return Err(Failure::new("this `ocloc` writes binaries that say nothing of their kernels")
            .help("a newer one does"));
    };
    Ok(read(&String::from_utf8_lossy(section.data()?)))
}

/// Reads the part of the section's YAML that is asked for, which is written with one member in each line.
fn read(text: &str) -> Vec<Entry> {
    let mut entries: Vec<Entry> = Vec::new();
    let (mut is_kernels, mut is_memory, mut bytes) = (false, false, 0);
    for line in text.lines() {
        let indentation = line.len() - line.trim_start().len();
        let Some((member, value)) = line.trim().trim_start_matches("- ").split_once(':') else { continue };
        let value = value.trim();
        let number: u64 = value.parse().unwrap_or(0);
        match indentation {
            0 => is_kernels = member == "kernels",
            2 if is_kernels && member == "name" => {
                entries.push(Entry { name: value.trim_matches('\'').to_owned(), ..Entry::default() });
            }
            4 => is_memory = member == "per_thread_memory_buffers",
            _ => {}
        }
        let Some(entry) = entries.last_mut().filter(|_| is_kernels) else { continue };
        match member {
            "simd_size" => entry.simd = number,
            "grf_count" => entry.registers = number,
            "slm_size" => entry.local = number,
            "barrier_count" => entry.barriers = number,
            "size" if is_memory => {
                bytes = number;
                entry.scratch += bytes;
            }
            // It was the size for one work-item.
            "is_simt_thread" if is_memory && value == "true" => {
                entry.scratch += bytes * entry.simd.saturating_sub(1);
            }
            _ => {}
        }
    }
    entries
}

#[cfg(test)]
mod tests {
    use super::*;

    const INFO: &str = "---
version:         '1.20'
kernels:
  - name:            sum
    execution_env:
      barrier_count:   1
      grf_count:       128
      simd_size:       16
      slm_size:        2400
    payload_arguments:
      - arg_type:        global_id_offset
        offset:          0
        size:            12
    per_thread_memory_buffers:
      - type:            global
        usage:           private_space
        size:            24
        is_simt_thread:  true
      - type:            scratch
        usage:           single_space
        size:            1024
  - name:            sum.hoisted
    execution_env:
      grf_count:       256
      simd_size:       32
    per_thread_payload_arguments:
      - arg_type:        local_id
        size:            192
kernels_misc_info:
  - name:            sum
    args_info:
      - index:           0
        name:            y
...
";

    #[test]
    fn what_kernels_take_is_read() {
        let sum = Entry {
            name: "sum".to_owned(),
            simd: 16,
            registers: 128,
            scratch: 16 * 24 + 1024,
            local: 2400,
            barriers: 1,
            ..Entry::default()
        };
        let hoisted = Entry { name: "sum.hoisted".to_owned(), simd: 32, registers: 256, ..Entry::default() };
        assert_eq!(read(INFO), [sum, hoisted]);
        assert_eq!(read(""), []);
    }

    #[test]
    fn numbers_are_read_from_comments() {
        let text = "//.kernel sum\n//.spill size 26944\n//.instCount 115\n//.spill GRF est. ref count 12\n";
        assert_eq!(number(text, "//.spill size "), Some(26944));
        assert_eq!(number(text, "//.instCount "), Some(115));
        assert_eq!(number("", "//.instCount "), None);
    }
}
