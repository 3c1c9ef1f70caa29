//! Fourier transforms.

use crate::data::{Numbers, is_watched, queue};
use kernel_algorithms::{Complex, Error, Fft};
use std::f64::consts::PI;

/// The sum that defines it.
fn transformed(x: &[Complex<f64>], sign: f64) -> Vec<Complex<f64>> {
    let n = x.len();
    (0..n)
        .map(|k| {
            x.iter().enumerate().fold(Complex::new(0.0, 0.0), |sum, (j, &x)| {
                let (sine, cosine) = (sign * 2.0 * PI * (j * k % n) as f64 / n as f64).sin_cos();
                sum + x * Complex::new(cosine, sine)
            })
        })
        .collect()
}

#[track_caller]
fn assert_near(found: &[Complex<f64>], expected: &[Complex<f64>], tolerance: f64) {
    assert_eq!(found.len(), expected.len());
    let norm = expected.iter().map(|x| x.re.hypot(x.im)).fold(0.0, f64::max).max(1e-300);
    for (i, (&found, &expected)) in found.iter().zip(expected).enumerate() {
        let error = (found.re - expected.re).hypot(found.im - expected.im) / norm;
        assert!(error < tolerance, "number {i} of {}: {found:?}, not {expected:?}", found.re);
    }
}

fn numbers(len: usize) -> Vec<Complex<f64>> {
    let mut numbers = Numbers(len as u64);
    numbers.doubles(len).into_iter().zip(numbers.doubles(len)).map(|(re, im)| Complex::new(re, im)).collect()
}

fn narrow(x: &[Complex<f64>]) -> Vec<Complex<f32>> {
    x.iter().map(|x| Complex::new(x.re as f32, x.im as f32)).collect()
}

fn wide(x: &[Complex<f32>]) -> Vec<Complex<f64>> {
    x.iter().map(|x| Complex::new(x.re.into(), x.im.into())).collect()
}

const LENGTHS: [usize; 16] = [0, 1, 2, 3, 4, 5, 7, 8, 12, 16, 31, 32, 60, 256, 509, 512];

#[test]
fn transforms_are_the_sums_that_define_them() {
    let queue = queue();
    for len in LENGTHS {
        let x = numbers(len);
        let fft = Fft::new(&queue, len).unwrap();
        let mut y = queue.uninit(len).unwrap();
        fft.forward(&queue, &queue.upload(&x).unwrap(), &mut y).unwrap();
        let expected = transformed(&x, -1.0);
        assert_near(&queue.download(&y).unwrap(), &expected, 1e-14);
        let mut back = queue.uninit(len).unwrap();
        fft.inverse(&queue, &y, &mut back).unwrap();
        assert_near(&queue.download(&back).unwrap(), &x, 1e-14);

        let fft = Fft::new(&queue, len).unwrap();
        assert_eq!((fft.len(), fft.is_empty()), (len, len == 0));
        let x = narrow(&x);
        let (mut y, mut back) = (queue.uninit(len).unwrap(), queue.uninit(len).unwrap());
        fft.forward(&queue, &queue.upload(&x).unwrap(), &mut y).unwrap();
        fft.inverse(&queue, &y, &mut back).unwrap();
        assert_near(&wide(&queue.download(&y).unwrap()), &expected, 1e-6);
        assert_near(&wide(&queue.download(&back).unwrap()), &wide(&x), 2e-6);
    }
}

#[test]
fn many_transforms_at_a_time() {
    let queue = queue();
    for len in [1, 6, 8, 64] {
        let x = numbers(len * 5);
        let fft = Fft::new(&queue, len).unwrap();
        let mut y = queue.uninit(x.len()).unwrap();
        fft.forward(&queue, &queue.upload(&x).unwrap(), &mut y).unwrap();
        let expected: Vec<Complex<f64>> = x.chunks(len).flat_map(|x| transformed(x, -1.0)).collect();
        assert_near(&queue.download(&y).unwrap(), &expected, 1e-14);
    }
}

/// The transform of a wave is one number.
#[test]
fn long_transforms() {
    let queue = queue();
    let lengths: &[usize] = if is_watched() { &[1 << 10] } else { &[1 << 15, 10_007] };
    for &len in lengths {
        let wave = |k: usize| (2.0 * PI * (3 * k % len) as f64 / len as f64).sin_cos();
        let x: Vec<Complex<f64>> = (0..len).map(wave).map(|(im, re)| Complex::new(re, im)).collect();
        let fft = Fft::new(&queue, len).unwrap();
        let mut y = queue.uninit(len).unwrap();
        fft.forward(&queue, &queue.upload(&x).unwrap(), &mut y).unwrap();
        let mut expected = vec![Complex::new(0.0, 0.0); len];
        expected[3].re = len as f64;
        assert_near(&queue.download(&y).unwrap(), &expected, 1e-13);
    }
}

#[test]
fn shapes_are_checked() {
    let queue = queue();
    let fft = Fft::<Complex<f32>>::new(&queue, 4).unwrap();
    let (x, mut y) = (queue.zeros(6).unwrap(), queue.zeros(8).unwrap());
    assert!(matches!(fft.forward(&queue, &x, &mut y), Err(Error::Shape(_))));
    let x = queue.zeros(4).unwrap();
    assert!(matches!(fft.inverse(&queue, &x, &mut y), Err(Error::Shape(_))));
    assert!(matches!(Fft::<Complex<f32>>::new(&queue, usize::MAX), Err(Error::Shape(_))));
    let none = Fft::<Complex<f32>>::new(&queue, 0).unwrap();
    assert!(matches!(none.forward(&queue, &x, &mut y), Err(Error::Shape(_))));
}
