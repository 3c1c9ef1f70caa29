//! Constants that are vectors, or have them: of the module, of a device module, of a type, and in a body.

use super::case::Case;
use kernel_runtime::prelude::*;

#[device]
const ONES: f32x4 = f32x4::splat(1.0);

#[device]
const STEPS: i16x3 = i16x3::new(1, -2, 3);

#[device]
const ROWS: [f32x2; 2] = [f32x2::from_array([0.5, 2.0]), f32x2::new(3.0, 4.0)];

#[device]
const HALVES: Vector<f16, 8> = Vector::splat(f16::ONE);

#[device]
const ODD: boolx4 = boolx4::new(false, true, false, true);

#[device]
mod geometry {
    use kernel_runtime::prelude::*;

    #[derive(Clone, Copy)]
    pub struct Plane {
        pub normal: f32x3,
        pub distance: f32,
    }

    pub const NORTH: f32x3 = f32x3::new(0.0, 1.0, 0.0);

    impl Plane {
        pub const UP: f32x3 = f32x3::new(0.0, 0.0, 1.0);
        pub const GROUND: Self = Self { normal: Self::UP, distance: 0.5 };

        pub fn height(self, point: f32x3) -> f32 {
            self.normal.dot(point) - self.distance
        }
    }
}

/// A type whose constant depends on a parameter.
#[device]
trait Unit {
    const UNIT: f32x2;
}

#[device(impl Unit)]
struct Metre;

#[device]
impl Unit for Metre {
    const UNIT: f32x2 = f32x2::new(1.0, 1.5);
}

#[device]
fn scaled<U: Unit>(v: f32x2) -> f32x2 {
    v * U::UNIT
}

#[kernel]
pub fn constants(
    x: &[f32x4],
    sum: &mut [f32x4],
    steps: &mut [i16x3],
    height: &mut [f32],
    rows: &mut [f32x2],
) {
    const HALF: f32x4 = f32x4::splat(0.5);
    let i = global_id(0);
    sum[i] = ODD.select(x[i] * HALF, ONES) + const { f32x4::new(0.0, 1.0, 2.0, 3.0) };
    steps[i] = STEPS * STEPS.x + STEPS[2];
    let north = geometry::NORTH;
    height[i] = geometry::Plane::GROUND.height(x[i].xyz() + north + geometry::Plane::UP);
    rows[i] = scaled::<Metre>(ROWS[i % 2]);
}

#[kernel]
pub fn of_halves(x: &mut [Vector<f16, 8>]) {
    x[global_id(0)] += HALVES;
}

/// All cases of this file.
pub fn cases() -> Vec<Case> {
    let x: Vec<f32x4> = (0..5).map(|k| f32x4::new(0.25, 1.0, -3.0, 7.5) * k as f32).collect();
    let sum = |x: &f32x4| f32x4::new(1.0, x.y * 0.5 + 1.0, 3.0, x.w * 0.5 + 3.0);
    let height = |x: &f32x4| x.z + 1.0 - 0.5;
    let rows: Vec<f32x2> = (0..5).map(|k| [f32x2::new(0.5, 3.0), f32x2::new(3.0, 6.0)][k % 2]).collect();
    let of = |number: f32| Vector::<f16, 8>::splat(f16::from_f32(number));
    vec![
        Case::of(&CONSTANTS)
            .input(&x)
            .output(&x.iter().map(sum).collect::<Vec<_>>())
            .output(&[i16x3::new(4, 1, 6); 5])
            .output(&x.iter().map(height).collect::<Vec<_>>())
            .output(&rows)
            .items([5]),
        Case::of(&OF_HALVES).update(&[of(0.5), of(-1.0)], &[of(1.5), of(0.0)]).items([2]),
    ]
}
