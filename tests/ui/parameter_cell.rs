use kernel_runtime::prelude::*;

#[kernel]
fn count(hits: &[core::cell::Cell<u32>]) {
    let i = global_id(0);
    if i < hits.len() {
        hits[i].set(hits[i].get() + 1);
    }
}

fn main() {}
