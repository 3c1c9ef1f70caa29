//! Vectors and matrices of `glam`, which are arrays of floats for a kernel.

use glam::{Mat3, Vec3};
use kernel_runtime::prelude::*;

/// Multiplies each point with a matrix, given by its columns.
#[kernel]
fn transform(matrix: [[f32; 3]; 3], points: &mut [[f32; 3]]) {
    let i = global_id(0);
    if i < points.len() {
        let [x, y, z] = points[i];
        for row in 0..3 {
            points[i][row] = matrix[0][row] * x + matrix[1][row] * y + matrix[2][row] * z;
        }
    }
}

pub(crate) fn main() -> Result<()> {
    let points: Vec<Vec3> = (0..100).map(|i| Vec3::new(i as f32, 1.0, -0.5 * i as f32)).collect();
    let matrix = Mat3::from_rotation_z(1.0);
    let queue = Device::best()?.queue()?;
    let mut buffer = queue.upload(bytemuck::cast_slice::<Vec3, [f32; 3]>(&points))?;
    transform(matrix.to_cols_array_2d(), &mut buffer).launch(&queue, buffer.len())?;
    let turned = queue.download(&buffer)?;
    for (turned, point) in turned.iter().zip(&points) {
        assert!(Vec3::from_array(*turned).abs_diff_eq(matrix * *point, 1e-4), "{turned:?}");
    }
    println!("{} becomes {:?}", points[99], turned[99]);
    Ok(())
}
