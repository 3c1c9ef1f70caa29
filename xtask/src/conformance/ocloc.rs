//! Compiles modules for real GPUs with Intel's offline compiler.

use super::Module;
use super::report::{Check, Verdict};
use super::sample::{NOT_DRAWN, Sample};
use crate::workspace;
use std::fs;
use std::path::Path;
use std::process::Command;

/// A GPU that ocloc can compile for.
struct Gpu {
    /// Its name in the report.
    consumer: &'static str,
    /// Its name for ocloc.
    name: &'static str,
    /// Of how many small modules one is compiled for it.
    one_of: u64,
    /// Whether it has double precision; the compiler rejects what needs it otherwise.
    fp64: bool,
    /// The least size of its subgroups; the compiler rejects kernels that require a smaller one.
    least_subgroup: u32,
    /// The greatest size of subgroups that access blocks of memory together; the compiler rejects kernels that require a larger one for that.
    greatest_block: u32,
}

/// The capability of accesses to blocks of memory (SPV_INTEL_subgroups).
const BLOCK_ACCESS: u32 = 5569;

/// From the oldest to the newest: integrated Gen9 and Gen12, then the discrete Arc and Max series. The older ones, which rarely refuse what the newer take,
/// are drawn less often.
const GPUS: [Gpu; 4] = [
    Gpu { consumer: "ocloc skl", name: "skl", one_of: 16, fp64: true, least_subgroup: 8, greatest_block: 16 },
    Gpu {
        consumer: "ocloc tgllp",
        name: "tgllp",
        one_of: 16,
        fp64: false,
        least_subgroup: 8,
        greatest_block: 16,
    },
    Gpu { consumer: "ocloc dg2", name: "dg2", one_of: 4, fp64: false, least_subgroup: 8, greatest_block: 16 },
    Gpu { consumer: "ocloc pvc", name: "pvc", one_of: 4, fp64: true, least_subgroup: 16, greatest_block: 32 },
];

/// Kernels, by the ends of their paths, at which the compiler for a GPU ends without a message, although it takes them for all others and without optimisation: it recurses
/// until its stack is full. Their modules are valid; `vm` shrinks to a loop whose next step comes from a table in constant memory, and the others are loops over arrays whose
/// elements say which comes next. For `bvh` and `task_graph` a debugger shows one function of a pass over functions, called by itself at one place 100,000 times: it looks a value up in
/// a map of numbers, and if it is not there asks others. What happens in those for pvc but `vm`, in `grid_paths`, `priority_queues`, `task_states` and `scheduler` has not been looked at; in `register_vm` a pass over functions
/// calls `exit` itself. One that compiles after all has to be taken off.
const ERRORS_OF_THE_COMPILER: [(&str, &str); 16] = [
    ("pvc", "programs::vm::vm"),
    ("pvc", "programs::keccak::messages_digested"),
    ("pvc", "programs::chess::chess_attacks"),
    ("pvc", "programs::inflate::streams_inflated"),
    ("pvc", "programs::register_vm::register_vm"),
    ("pvc", "programs::cron::schedules_due"),
    ("pvc", "programs::cron::schedules_due::small"),
    ("dg2", "programs::bvh::bvh_traversed"),
    ("dg2", "programs::bvh::bvh_traversed::small"),
    ("dg2", "programs::dijkstra::shortest_paths"),
    ("dg2", "programs::grid_paths::grid_paths"),
    ("dg2", "programs::priority_queues::priority_queues"),
    ("dg2", "programs::task_states::task_states"),
    ("dg2", "programs::scheduler::scheduler_runs"),
    ("dg2", "programs::task_graph::task_graph"),
    ("dg2", "programs::task_graph::task_graph::small"),
];

/// Kernels, by the ends of their paths, that the compiler for a GPU had not compiled after 11 minutes of processor time, and 2 GB, although it takes larger ones in seconds.
const WITHOUT_END: [(&str, &str); 2] =
    [("pvc", "programs::versions::versions_ordered"), ("pvc", "programs::nmea::nmea_parsed")];

/// The checks of one module, one for each GPU.
pub(super) fn checks(module: &Module, sample: &Sample) -> Vec<Check> {
    let descriptor = module.kernel.descriptor;
    let check = |gpu: &Gpu| Check {
        consumer: gpu.consumer,
        subject: module.kernel.path.to_owned(),
        verdict: if !sample.draws(gpu.consumer, gpu.one_of, module.kernel) {
            Verdict::NotApplicable(NOT_DRAWN)
        } else if descriptor.requirements.fp64 && !gpu.fp64 {
            Verdict::NotApplicable("need fp64, which it lacks")
        } else if descriptor.subgroup_size.is_some_and(|size| size < gpu.least_subgroup) {
            Verdict::NotApplicable("need smaller subgroups than it has")
        } else if descriptor.subgroup_size.is_some_and(|size| size > gpu.greatest_block)
            && has_capability(descriptor.spirv.words(), BLOCK_ACCESS)
        {
            Verdict::NotApplicable("need blocks for more work-items than it has")
        } else if is_among(&WITHOUT_END, module, gpu) {
            Verdict::NotApplicable("are compiled for more than ten minutes")
        } else if is_among(&ERRORS_OF_THE_COMPILER, module, gpu) {
            match compile(module, gpu) {
                Err(_) => Verdict::NotApplicable("are known to be an error of the compiler"),
                Ok(()) => Err("compiles: it is an error of the compiler no longer".to_owned()).into(),
            }
        } else {
            compile(module, gpu).into()
        },
    };
    GPUS.iter().map(check).collect()
}

fn is_among(kernels: &[(&str, &str)], module: &Module, gpu: &Gpu) -> bool {
    kernels.iter().any(|(name, kernel)| *name == gpu.name && module.kernel.path.ends_with(kernel))
}

/// Returns whether a module declares a capability.
fn has_capability(words: &[u32], capability: u32) -> bool {
    /// The first word of `OpCapability`.
    const DECLARATION: u32 = 2 << 16 | 17;
    // Capabilities come first, after the five words of the header.
    let declarations = words.get(5..).unwrap_or_default().chunks_exact(2);
    let mut declarations = declarations.take_while(|words| words[0] == DECLARATION);
    declarations.any(|words| words[1] == capability)
}

fn compile(module: &Module, gpu: &Gpu) -> Result<(), String> {
    let folder = module.file.with_extension(gpu.name);
    let mut command = Command::new("ocloc");
    // Without the SPIR-V in its output the kernel's name is only where its code is.
    let is_linked = module.file.extension().is_some_and(|extension| extension == "bc");
    let input = if is_linked { "-llvm_input" } else { "-spirv_input" };
    command.args(["compile", input, "-exclude_ir", "-device", gpu.name, "-file"]).arg(&module.file);
    command.arg("-out_dir").arg(&folder);
    if module.kernel.descriptor.correctly_rounded {
        // As the runtime has the driver build it.
        command.args(["-options", "-ze-fp32-correctly-rounded-divide-sqrt"]);
    }
    let output = workspace::capture(&mut command)?;
    let descriptor = module.kernel.descriptor;
    let hoisted = descriptor.hoisted.map(|hoisted| hoisted.entry_point);
    let mut names = [descriptor.name].into_iter().chain(hoisted);
    match names.find(|name| !contains_kernel(&folder, name)) {
        None => Ok(()),
        Some(name) => Err(format!("ocloc wrote no code for {name}\n{}", workspace::printed(&output))),
    }
}

/// Returns whether a binary in the folder has a kernel of this name; ocloc can succeed without having compiled it.
fn contains_kernel(folder: &Path, name: &str) -> bool {
    let binaries =
        fs::read_dir(folder).into_iter().flatten().filter_map(|entry| fs::read(entry.ok()?.path()).ok());
    let terminated = [name.as_bytes(), b"\0"].concat();
    binaries.into_iter().any(|binary| binary.windows(terminated.len()).any(|window| window == terminated))
}
