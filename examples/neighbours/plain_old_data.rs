//! A type of one's own that kernels know, and that `bytemuck` makes of bytes, as they come from a file or the network.

use bytemuck::{Pod, Zeroable};
use kernel_runtime::prelude::*;

#[device]
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
struct Body {
    position: [f32; 3],
    mass: f32,
}

/// Moves each body, and lets it lose a part of its mass.
#[kernel]
fn step(way: [f32; 3], share: f32, bodies: &mut [Body]) {
    let i = global_id(0);
    if i < bodies.len() {
        let body = &mut bodies[i];
        body.position[0] += way[0];
        body.position[1] += way[1];
        body.position[2] += way[2];
        body.mass *= share;
    }
}

pub(crate) fn main() -> Result<()> {
    let numbers: Vec<f32> = (0..400).map(|i| i as f32).collect();
    let bytes: &[u8] = bytemuck::cast_slice(&numbers);
    let bodies: Vec<Body> = bytemuck::pod_collect_to_vec(bytes);
    let queue = Device::best()?.queue()?;
    let mut moved = queue.upload(&bodies)?;
    step([1.0, 0.0, -1.0], 0.5, &mut moved).launch(&queue, moved.len())?;
    let moved = queue.download(&moved)?;
    for (old, new) in bodies.iter().zip(&moved) {
        let [x, y, z] = old.position;
        assert_eq!(*new, Body { position: [x + 1.0, y, z - 1.0], mass: old.mass / 2.0 });
    }
    println!("{} bodies of {} bytes", moved.len(), bytemuck::bytes_of(&moved[0]).len());
    Ok(())
}
