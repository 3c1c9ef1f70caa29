//! A kernel in an example.

use kernel_runtime::prelude::*;

#[kernel]
fn fill(x: &mut [u32], value: u32) {
    let i = global_id(0);
    if i < x.len() {
        x[i] = value;
    }
}

fn main() -> Result<()> {
    let queue = Device::best()?.queue()?;
    let mut x = queue.zeros::<u32>(8)?;
    fill(&mut x, 7).launch(&queue, x.len())?;
    println!("{:?}", queue.download(&x)?);
    Ok(())
}
