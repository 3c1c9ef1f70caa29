//! The kernels of the benchmark: which checks remain in them.
//!
//! With `ANALYSIS_SPIRV` set to a directory, the test writes each kernel as SPIR-V there, with the checks that remain and without any, so
//! that the machine code of both can be compared.

use crate::source::{discharged, lowered};
use kernel_compiler::analysis::Analysis;
use kernel_compiler::emit::emit_analysed;
use kernel_compiler::ir::{Arena, Block, Check, Module, Op, Place, Statement};

/// A kernel, the work-group size that it requires, and how many places in it can still fault.
struct Case {
    name: &'static str,
    source: &'static str,
    group_size: Option<[u32; 3]>,
    sites: usize,
}

macro_rules! cases {
    ($($name:literal $group_size:expr => $sites:literal,)*) => {
        &[$(Case {
            name: $name,
            source: include_str!(concat!("kernels/", $name, ".rs")),
            group_size: $group_size,
            sites: $sites,
        }),*]
    };
}

const TILE: Option<[u32; 3]> = Some([16, 16, 1]);

const CASES: &[Case] = cases! {
    "saxpy" None => 0,
    "saxpy_half_guarded" None => 1,
    "saxpy_unguarded" None => 2,
    "transpose" TILE => 0,
    "stencil2d" None => 0,
    "nbody" Some([128, 1, 1]) => 0,
    "matmul" TILE => 3,
    "matmul_naive" None => 0,
    "mandelbrot" None => 0,
    "spmv" None => 5,
};

#[test]
fn checks_that_remain_in_the_benchmark() {
    let mut wrong = Vec::new();
    for case in CASES {
        let module = discharged(case.source, case.group_size);
        if module.sites.len() != case.sites {
            wrong.push(format!("{}: {} sites remain\n{module}", case.name, module.sites.len()));
        }
        if let Ok(directory) = std::env::var("ANALYSIS_SPIRV") {
            write(&module, &format!("{directory}/{}.spv", case.name));
            write(&unchecked(case), &format!("{directory}/{}.unchecked.spv", case.name));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The kernel as if every check were known not to fail.
fn unchecked(case: &Case) -> Module {
    let mut module = lowered(case.source, case.group_size);
    module.values.iter_mut().for_each(|value| match &mut value.op {
        Op::Load(place) | Op::SliceOf(place) => trust(place),
        Op::Binary { nonzero, overflow, .. } => [*nonzero, *overflow] = [Check::Proved; 2],
        _ => {}
    });
    trust_stores(&mut module.body);
    module.sites = Arena::default();
    module
}

fn trust(place: &mut Place) {
    place.indices_mut().for_each(|step| step.check = Check::Proved);
}

fn trust_stores(block: &mut Block) {
    for statement in &mut block.statements {
        match statement {
            Statement::Store { place, .. } => trust(place),
            Statement::If { accept: one, reject: other, .. }
            | Statement::Loop { body: one, continuing: other, .. } => {
                trust_stores(one);
                trust_stores(other);
            }
            Statement::Evaluate(_)
            | Statement::ImageWrite(_)
            | Statement::Barrier(..)
            | Statement::Order(..)
            | Statement::AssertUniform(..)
            | Statement::Wait(..)
            | Statement::Print { .. } => {}
        }
    }
}

fn write(module: &Module, path: &str) {
    let bytes: Vec<u8> = emit_analysed(module, &Analysis::of(module))
        .words
        .iter()
        .flat_map(|word| word.to_le_bytes())
        .collect();
    std::fs::write(path, bytes).unwrap_or_else(|error| panic!("{path}: {error}"));
}
