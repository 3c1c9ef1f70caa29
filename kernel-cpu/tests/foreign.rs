//! Kernels that other compilers made, by native code and by the interpreter: those of `tests/modules`, or of a folder that the environment variable
//! `FOREIGN_MODULES` names.

mod driver;

use driver::{Gpu, api, create_kernel, set, set_group_size, set_local, words};
use level_zero_sys::*;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Set in the process in which both executors run.
const CHILD: &str = "FOREIGN_CHILD";

#[test]
fn kernels_of_other_compilers_run_alike() {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/modules");
    let folder = std::env::var_os("FOREIGN_MODULES").map_or(own, PathBuf::from);
    if std::env::var_os(CHILD).is_some() {
        return run_all(&folder);
    }
    let mut process = Command::new(std::env::current_exe().unwrap());
    process.args(["--nocapture", "kernels_of_other_compilers_run_alike"]).env(CHILD, "1");
    // With what the kernels get for their arguments, some take very long.
    process.env("KERNEL_CPU_EXECUTOR", "both").env("KERNEL_CPU_TIMEOUT", "300");
    let output = process.output().unwrap();
    let text = [&output.stdout[..], &output.stderr[..]].concat();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&text));
}

fn run_all(folder: &Path) {
    let gpu = Gpu::new();
    let (mut launches, mut faults) = (0, 0);
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    for file in files.into_iter().filter(|file| file.extension().is_some_and(|extension| extension == "spv"))
    {
        let spirv = std::fs::read(&file).unwrap();
        let module = match gpu.module(&spirv) {
            Ok(module) => module,
            Err(reason) => {
                println!("{} is not run: {reason}", file.display());
                continue;
            }
        };
        for name in kernels(&spirv) {
            // Those of some modules are to be linked first.
            let Ok(kernel) = create_kernel(module, &name) else {
                println!("{name} of {} is not run", file.display());
                continue;
            };
            for (number, size) in SIZES.into_iter().enumerate() {
                let what = format!("{} {name} {size:?}", file.display());
                let Some(result) = run(&gpu, kernel, size, number) else { continue };
                launches += 1;
                faults += usize::from(result.is_err());
                let is_different =
                    result.is_err() && gpu.last_error().contains("which is an error of the driver");
                assert!(!is_different, "{what}: {}", gpu.last_error());
            }
        }
        // SAFETY: the handle is live, and its kernels are not used any more.
        unsafe { api().zeModuleDestroy(module).into_result().unwrap() };
    }
    println!("{launches} launches, {faults} of them with a fault");
    // Some are tests of faults.
    assert!(launches - faults > 100, "{launches} launches, {faults} of them with a fault");
}

const SIZES: [[u32; 3]; 5] = [[32, 1, 1], [40, 1, 1], [8, 8, 1], [5, 3, 2], [1, 7, 1]];

/// Launches a kernel with arguments of the kinds that it takes; none if it takes others.
fn run(
    gpu: &Gpu,
    kernel: ze_kernel_handle_t,
    size: [u32; 3],
    number: usize,
) -> Option<Result<(), ze_result_t>> {
    set_group_size(kernel, size).ok()?;
    // Numbers that are small, or floats.
    let word = |index: u32| {
        if number.is_multiple_of(2) { index * 7 % 29 } else { (index as f32 * 0.37 - 5.0).to_bits() }
    };
    let content: Vec<u32> = (0..1 << 14).map(word).collect();
    let buffers: Vec<_> = (0..4).map(|_| gpu.buffer(&content)).collect();
    let mut properties = ze_kernel_properties_t::default();
    // SAFETY: the handle is live, and the pointer is to a live variable.
    unsafe { api().zeKernelGetProperties(kernel, &mut properties).into_result().unwrap() };
    for index in 0..properties.numKernelArgs {
        let pointer = buffers[index as usize % buffers.len()].pointer;
        let is_set = set(kernel, index, pointer).is_ok()
            || set(kernel, index, if number.is_multiple_of(2) { 24 } else { 2.5_f32.to_bits() }).is_ok()
            || set_local(kernel, index, 4096).is_ok();
        if !is_set {
            return None;
        }
    }
    Some(gpu.launch(kernel, [2, 2, 1]))
}

/// The names of the kernels of a module.
fn kernels(spirv: &[u8]) -> Vec<String> {
    let words = words(spirv);
    let (mut names, mut at) = (Vec::new(), 5);
    while let Some(&first) = words.get(at) {
        // OpEntryPoint has a model, a function and a name.
        if first & 0xffff == 15 {
            let bytes =
                words[at + 3..].iter().flat_map(|word| word.to_le_bytes()).take_while(|&byte| byte != 0);
            names.push(String::from_utf8(bytes.collect()).unwrap());
        }
        at += (first >> 16).max(1) as usize;
    }
    names
}
