use kernel_runtime::prelude::*;

#[device]
struct Pair {
    first: u8,
    second: u32,
}

#[device]
fn size_of_two<T>() -> usize {
    size_of::<[T; 2]>()
}

#[kernel]
fn run(y: &mut [u32]) {
    y[0] = size_of::<Pair>() as u32;
    y[1] = align_of::<Option<u8>>() as u32;
    y[2] = size_of_two::<(u8, u16)>() as u32;
    y[3] = size_of_val("text") as u32;
}

fn main() {}
