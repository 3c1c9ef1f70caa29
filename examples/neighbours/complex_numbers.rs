//! Numbers of `num-complex`. A kernel cannot call its functions, so it has a type of its own with the same layout, and slices of one are cast to slices of the other.

use kernel_runtime::prelude::*;
use num_complex::Complex32;

#[device]
mod complex {
    use bytemuck::{Pod, Zeroable};

    /// A complex number, laid out as that of `num-complex`.
    #[repr(C)]
    #[derive(Clone, Copy, Pod, Zeroable)]
    pub(crate) struct Complex {
        /// The real part.
        pub re: f32,
        /// The imaginary part.
        pub im: f32,
    }

    impl core::ops::Mul for Complex {
        type Output = Complex;

        fn mul(self, other: Complex) -> Complex {
            Complex {
                re: self.re * other.re - self.im * other.im,
                im: self.re * other.im + self.im * other.re,
            }
        }
    }
}

use complex::Complex;

/// The square of each number.
#[kernel]
fn squares(numbers: &mut [Complex]) {
    let i = global_id(0);
    if i < numbers.len() {
        numbers[i] = numbers[i] * numbers[i];
    }
}

pub(crate) fn main() -> Result<()> {
    let numbers: Vec<Complex32> = (0..100).map(|i| Complex32::new(i as f32, 1.0)).collect();
    let queue = Device::best()?.queue()?;
    let mut buffer = queue.upload(bytemuck::cast_slice::<Complex32, Complex>(&numbers))?;
    squares(&mut buffer).launch(&queue, buffer.len())?;
    let results = queue.download(&buffer)?;
    let results: &[Complex32] = bytemuck::cast_slice(&results);
    assert!(results.iter().zip(&numbers).all(|(square, number)| *square == number * number));
    println!("({})² = {}", numbers[99], results[99]);
    Ok(())
}
