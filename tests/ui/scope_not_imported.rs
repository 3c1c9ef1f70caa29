use kernel_runtime::prelude::*;

#[kernel]
fn run() {
    work_group::barrier_in(Scope::WorkGroup, Memory::LOCAL);
}

fn main() {}
