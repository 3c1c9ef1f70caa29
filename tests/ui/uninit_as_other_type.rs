use kernel_runtime::prelude::*;

#[kernel]
fn first(y: &mut [u8]) {
    let words = [const { std::mem::MaybeUninit::new(1u32) }; 4];
    let bytes = unsafe { std::slice::from_raw_parts(words.as_ptr().cast::<u8>(), 4) };
    let i = global_id(0);
    if i < y.len() {
        y[i] = bytes[0];
    }
}

fn main() {}
