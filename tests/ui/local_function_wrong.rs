use kernel_runtime::prelude::*;

#[device]
fn counted(x: u32) -> u32 {
    fn inner(x: u32) -> u32 {
        let mut list = Vec::new();
        list.push(x);
        x
    }
    inner(x)
}

#[kernel]
fn run(x: &[u32], y: &mut [u32]) {
    y[0] = counted(x[1]);
}

fn main() {}
