//! The modules of the kernels, in files, for those who compile them for GPUs (`cargo xtask bench isa`).

use crate::consumer::spirv_of_clang;
use crate::contests;
use std::error::Error;
use std::fs;
use std::path::Path;

/// Writes for each kernel our module (`NAME.ours.spv`), that for small launches with checks (`NAME.small.spv`), what its compiler is told (`NAME.options`), the source in OpenCL C (`NAME.ocloc.cl`), and what clang makes of
/// that (`NAME.clang.spv`), unless it or LLVM's translator fails.
pub(crate) fn write(folder: &str) -> Result<(), Box<dyn Error>> {
    let folder = Path::new(folder);
    fs::create_dir_all(folder)?;
    for (name, maker) in contests::kernels() {
        let contest = maker();
        let kernel = contest.case.kernel;
        let file = |ending: &str| folder.join(format!("{name}.{ending}"));
        fs::write(file("ours.spv"), kernel.spirv.bytes())?;
        if let Some(small) = kernel.small {
            fs::write(file("small.spv"), small.spirv.bytes())?;
        }
        let options = if kernel.correctly_rounded { "-ze-fp32-correctly-rounded-divide-sqrt" } else { "" };
        fs::write(file("options"), options)?;
        fs::write(file("ocloc.cl"), contest.opencl)?;
        match spirv_of_clang(&contest) {
            Ok(module) => fs::write(file("clang.spv"), module)?,
            Err(said) => eprintln!("bench: clang and LLVM's translator cannot compile {name}: {said}"),
        }
    }
    Ok(())
}
