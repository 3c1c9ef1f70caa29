//! What `KERNEL_CPU_DUMP` writes, and the lines that faults tell.

mod driver;

use driver::{Gpu, KERNELS, set, set_group_size};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

const LINES: &[u8] = include_bytes!("modules/lines.spv");

/// The variable that tells a process which this one starts that it is the one to build something.
const CHILD: &str = "KERNEL_CPU_TEST_CHILD";

fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let all = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<_> = all.filter(|path| path.extension() == Some(OsStr::new(extension))).collect();
    files.sort();
    files
}

#[test]
fn what_is_built_is_written() {
    if std::env::var_os(CHILD).is_some() {
        let gpu = Gpu::new();
        let out = gpu.buffer(&[0_u32; 64]);
        let kernel = gpu.kernel(KERNELS[0], "collatz");
        set(kernel, 0, out.pointer).unwrap();
        set_group_size(kernel, [16, 1, 1]).unwrap();
        gpu.launch(kernel, [4, 1, 1]).unwrap();
        gpu.module(&KERNELS[0][..400]).unwrap_err();
        return;
    }
    let folder = std::env::temp_dir().join(format!("kernel-cpu-dump-{}", std::process::id()));
    let mut child = Command::new(std::env::current_exe().unwrap());
    child.args(["--exact", "what_is_built_is_written", "--nocapture"]);
    child.env(CHILD, "1").env("KERNEL_CPU_DUMP", &folder).env("KERNEL_CPU_EXECUTOR", "native");
    child.env_remove("KERNEL_CHECK");
    let output = child.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    // The module that was refused is there too.
    let modules: Vec<_> = files(&folder, "spv").iter().map(|path| std::fs::read(path).unwrap()).collect();
    assert_eq!(modules.len(), 2);
    assert!(modules.iter().any(|words| words == KERNELS[0]));
    let programs = files(&folder, "spmd");
    assert_eq!(programs.len(), 1);
    let program = std::fs::read_to_string(&programs[0]).unwrap();
    for text in ["of module-", "kernel `collatz`", "block 0:", "branch on %", "return"] {
        assert!(program.contains(text), "{text} is in\n{program}");
    }
    let name = programs[0].file_stem().unwrap().to_str().unwrap().to_owned();
    assert!(name.starts_with("collatz-"), "{name}");
    let (code, listings) = (files(&folder, "bin"), files(&folder, "lst"));
    assert_eq!((code.len(), listings.len()), (native(), native()));
    for (code, listing) in code.iter().zip(&listings) {
        assert_eq!(code.file_name().unwrap().to_str().unwrap(), format!("{name}.16x1x1.bin"));
        check(&std::fs::read(code).unwrap(), &std::fs::read_to_string(listing).unwrap());
    }
    std::fs::remove_dir_all(folder).unwrap();
}

/// How many pieces of code there are of one kernel: none where there is no native code for the processor.
fn native() -> usize {
    #[cfg(target_arch = "x86_64")]
    return usize::from(std::arch::is_x86_feature_detected!("avx2"));
    #[cfg(not(target_arch = "x86_64"))]
    0
}

/// Holds that a listing has the bytes of the code, and that each of its lines is what a disassembler finds there.
fn check(code: &[u8], listing: &str) {
    let mut lines = listing.lines();
    assert!(lines.next().unwrap().contains(&format!("{} bytes", code.len())), "{listing}");
    let (mut at, mut count) = (0, 0);
    for line in lines {
        let (offset, rest) = line.split_once("  ").unwrap();
        let (hex, text) = rest.trim_start().split_once("  ").unwrap_or(("", rest));
        assert_eq!(usize::from_str_radix(offset, 16), Ok(at), "{line}");
        let bytes: Vec<u8> = (0..hex.len() / 2)
            .map(|byte| u8::from_str_radix(&hex[2 * byte..2 * byte + 2], 16).unwrap())
            .collect();
        assert_eq!(code[at..at + bytes.len()], bytes, "{line}");
        if text.trim().starts_with("the end") {
            assert_eq!(at + bytes.len(), code.len());
            assert!(count > 20, "{listing}");
            return;
        }
        if !bytes.is_empty() {
            let mut decoder = iced_x86::Decoder::new(64, &bytes, iced_x86::DecoderOptions::NONE);
            let found = decoder.decode();
            assert!(!found.is_invalid() && found.len() == bytes.len(), "{line}");
            let mnemonic = format!("{:?}", found.mnemonic()).to_lowercase();
            if text.trim().starts_with('v') {
                let listed = text.split_whitespace().next().unwrap();
                assert_eq!(mnemonic, listed, "{line}");
            }
            count += 1;
        }
        at += bytes.len();
    }
    panic!("the listing has no end:\n{listing}");
}

#[test]
fn a_fault_tells_the_line_that_the_module_has() {
    let gpu = Gpu::new();
    for (name, line) in [("told", Some("waves.cl:12:7")), ("untold", None)] {
        let kernel = gpu.kernel(LINES, name);
        set(kernel, 0, 64_u64).unwrap();
        gpu.launch(kernel, [1, 1, 1]).unwrap_err();
        let said = gpu.last_error();
        assert!(said.starts_with(&format!("kernel `{name}`, work-item (0, 0, 0)")), "{said}");
        match line {
            Some(line) => assert!(said.contains(&format!(", {line}: the instruction")), "{said}"),
            None => assert!(!said.contains("waves.cl"), "{said}"),
        }
    }
}
