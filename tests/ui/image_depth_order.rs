use kernel_runtime::prelude::*;

#[kernel]
fn orders(src: &Image2dDepth, y: &mut [u32]) {
    y[0] = src.channel_order() as u32;
}

fn main() {}
