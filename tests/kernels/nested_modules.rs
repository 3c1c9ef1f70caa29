//! Modules in a device module, which need no mark of their own: what they and the modules around them know of each other.

use super::case::Case;
use super::edge::map;
use kernel_runtime::prelude::*;

/// A library in one module.
#[device]
pub mod geometry {
    //! Shapes, and what is known of them.

    pub use self::shapes::area;
    use shapes::Kind::{self, *};

    pub const SCALE: f32 = 2.0;

    pub trait Shape {
        fn area(&self) -> f32;

        fn scaled(&self) -> f32 {
            self.area() * SCALE
        }
    }

    pub fn kind(x: u32) -> Kind {
        if x % 2 == 0 { Round(x as f32) } else { Flat }
    }

    pub mod shapes {
        //! The shapes.

        #[allow(clippy::wildcard_imports, reason = "it is what is tested")]
        use super::*;
        use std::f32::consts::PI;

        #[derive(Clone, Copy, Debug, PartialEq)]
        pub enum Kind {
            Round(f32),
            Flat,
        }

        impl Shape for Kind {
            fn area(&self) -> f32 {
                match *self {
                    Kind::Round(radius) => circle::area(radius),
                    Kind::Flat => 0.25,
                }
            }
        }

        pub fn area(of: &impl Shape) -> f32 {
            of.scaled() + self::half(SCALE) + quarter(SCALE)
        }

        /// A variable may have the name of a function, before which it begins to exist.
        fn quarter(x: f32) -> f32 {
            let half = half(half(x));
            [1.0, 2.0].iter().map(|quarter| quarter * half).sum::<f32>() + half
        }

        fn half(x: f32) -> f32 {
            x * super::shapes::circle::HALF
        }

        pub mod circle {
            use super::PI;

            pub const HALF: f32 = 0.5;

            pub fn area(radius: f32) -> f32 {
                PI * radius * radius + super::half(radius)
            }
        }
    }

    pub mod table {
        use super::shapes::circle;
        use super::{SCALE, Shape, shapes::Kind};

        pub static STEPS: [u32; 4] = [1, 10, 100, 1000];

        pub struct Counter {
            of: u32,
        }

        impl Counter {
            pub fn new(of: u32) -> Self {
                Self { of }
            }

            pub fn next(&mut self) -> u32 {
                self.of += STEPS[self.of as usize % STEPS.len()];
                self.of
            }
        }

        pub fn all(kind: Kind) -> f32 {
            kind.area() + SCALE + circle::HALF
        }
    }
}

use geometry::table::{self, Counter};

#[device]
fn known(x: u32) -> [f32; 3] {
    let kind = geometry::kind(x);
    let mut counter = Counter::new(x);
    counter.next();
    [geometry::area(&kind), table::all(kind), (counter.next() + table::STEPS[x as usize % 4]) as f32]
}

#[kernel]
pub fn nested_modules(x: &[u32], y: &mut [[f32; 3]]) {
    let i = global_id(0);
    y[i] = known(x[i]);
    if let geometry::shapes::Kind::Round(radius) = geometry::kind(x[i]) {
        y[i][2] += geometry::shapes::circle::area(radius);
    }
}

fn expected(x: u32) -> [f32; 3] {
    let mut all = known(x);
    if let geometry::shapes::Kind::Round(radius) = geometry::kind(x) {
        all[2] += geometry::shapes::circle::area(radius);
    }
    all
}

pub fn cases() -> Vec<Case> {
    let x = [0_u32, 1, 2, 3, 6, 9];
    vec![Case::of(&NESTED_MODULES).input(&x).output(&map(&x, expected)).items([x.len()])]
}
