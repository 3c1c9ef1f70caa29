//! A generic kernel has one host function, and the types of its arguments choose what is launched.

use kernel_runtime::prelude::*;

#[kernel(T = [f32, i64], N = [2, 4])]
fn repeat<T: Number, const N: usize>(x: &[T], y: &mut [T]) {
    let i = global_id(0);
    for k in 0..N {
        y[i * N + k] = x[i] + T::ONE;
    }
}

fn main() -> Result<()> {
    let queue = Device::best()?.queue()?;
    let x = queue.upload(&[1.5_f32, 2.5])?;
    let mut y = queue.upload(&[0.0_f32; 4])?;
    repeat::<_, 2>(&x, &mut y).launch(&queue, 2)?;
    assert_eq!(queue.download::<f32>(&y)?, [2.5, 2.5, 3.5, 3.5]);
    let x = queue.upload(&[i64::MAX - 1])?;
    let mut y = queue.upload(&[0_i64; 4])?;
    repeat::<i64, 4>(&x, &mut y).launch(&queue, 1)?;
    assert_eq!(queue.download::<i64>(&y)?, [i64::MAX; 4]);
    Ok(())
}
