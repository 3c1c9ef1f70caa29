use kernel_runtime::Memory;
use kernel_runtime::atomic::Scope;
use kernel_runtime::prelude::*;

#[kernel]
fn chosen_at_run_time(x: &[u32], y: &mut [u32]) {
    let memory = Memory::LOCAL;
    work_group::barrier_in(Scope::WorkGroup, memory);
    let scope = if x[0] > 1 { Scope::Device } else { Scope::WorkGroup };
    work_group::barrier_in(scope, Memory::GLOBAL);
    y[0] = x[0];
}

#[kernel]
fn numbers(y: &mut [u32]) {
    work_group::barrier_in(Scope::WorkGroup, 3);
    y[0] = 1;
}

#[kernel]
fn apart(x: &[u32], y: &mut [u32]) {
    let i = global_id(0);
    if x[i] > 3 {
        work_group::barrier_in(Scope::WorkGroup, Memory::LOCAL | Memory::GLOBAL);
        y[i] = 1;
    }
}

fn main() {}
