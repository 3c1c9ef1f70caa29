//! A kernel finds device functions wherever an ordinary function would find them.

mod maths {
    pub mod powers {
        use kernel_runtime::prelude::*;

        #[device]
        pub fn sq(x: f32) -> f32 {
            x * x
        }

        // Defined after its use, and reached by a path from the parent.
        #[device]
        pub fn fourth(x: f32) -> f32 {
            super::sq_again(sq(x))
        }
    }

    use powers::sq as sq_again;
    pub use powers::{fourth, sq};

    /// Reached by glob imports, also under the name of a macro of the standard library.
    pub mod prelude {
        pub use super::powers::*;
        use kernel_runtime::device;

        #[device]
        pub fn line(x: f32) -> f32 {
            x + 1.0
        }
    }
}

mod uses {
    use crate::maths::prelude::*;
    use crate::maths::sq as renamed;
    use kernel_runtime::kernel;
    use kernel_runtime::prelude::global_id as position;

    #[kernel]
    pub fn run(y: &mut [f32]) {
        let i = position(0);
        y[i] = renamed(line(fourth(y[i])));
    }
}

use kernel_runtime as kr;
use kr::prelude::*;

#[kernel]
fn run(y: &mut [f32]) {
    y[global_id(0)] = self::after(crate::maths::powers::sq(y[global_id(0)])) * SCALE * self::maths::sq(2.0) + write(1.0);
}

#[device]
fn after(x: f32) -> f32 {
    x + crate::SCALE
}

#[device]
const SCALE: f32 = 2.0;

#[device]
fn write(x: f32) -> f32 {
    x
}

#[kr::kernel]
fn vec(y: &mut [f32]) {
    y[kr::prelude::global_id(0)] = 1.0;
}

fn inside_of_a_function() -> &'static str {
    #[device]
    const OFFSET: usize = 1;

    #[device]
    fn next(i: usize) -> usize {
        i + OFFSET
    }

    #[kernel]
    fn local(y: &mut [f32]) {
        let i = next(global_id(0));
        if i < y.len() {
            y[i] = 0.0;
        }
    }

    let _ = |y: &mut Buffer<f32>| drop(local(y));
    LOCAL.name
}

fn main() {
    assert_eq!([RUN.name, uses::RUN.name, VEC.name, inside_of_a_function()], ["run", "run", "vec", "local"]);
    assert_eq!(maths::fourth(2.0), 16.0);
    let _ = [run, uses::run, vec];
}
