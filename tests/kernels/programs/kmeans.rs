//! Clusters by k-means over points of any dimension, started as k-means++ does.

use super::Case;
use kernel_runtime::prelude::*;

#[device]
mod kmeans {
    use core::array;
    use core::iter::Sum;
    use core::ops::{Add, AddAssign, Div, Sub};

    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Vector<const D: usize>(pub [f32; D]);

    impl<const D: usize> Default for Vector<D> {
        fn default() -> Self {
            Self([0.0; D])
        }
    }

    impl<const D: usize> Add for Vector<D> {
        type Output = Self;
        fn add(self, rhs: Self) -> Self {
            Self(array::from_fn(|i| self.0[i] + rhs.0[i]))
        }
    }

    impl<const D: usize> AddAssign for Vector<D> {
        fn add_assign(&mut self, rhs: Self) {
            *self = *self + rhs;
        }
    }

    impl<const D: usize> Sub for &Vector<D> {
        type Output = Vector<D>;
        fn sub(self, rhs: Self) -> Vector<D> {
            Vector(array::from_fn(|i| self.0[i] - rhs.0[i]))
        }
    }

    impl<const D: usize> Div<f32> for Vector<D> {
        type Output = Self;
        fn div(self, rhs: f32) -> Self {
            Self(self.0.map(|x| x / rhs))
        }
    }

    impl<const D: usize> Sum for Vector<D> {
        fn sum<I: Iterator<Item = Self>>(iter: I) -> Self {
            iter.fold(Self::default(), Add::add)
        }
    }

    impl<'a, const D: usize> Sum<&'a Vector<D>> for Vector<D> {
        fn sum<I: Iterator<Item = &'a Self>>(iter: I) -> Self {
            iter.copied().sum()
        }
    }

    impl<const D: usize> Vector<D> {
        pub fn norm_squared(&self) -> f32 {
            self.0.iter().map(|x| x * x).sum()
        }
    }

    pub struct Fit<const K: usize, const D: usize, const N: usize> {
        pub centroids: [Vector<D>; K],
        pub labels: [usize; N],
        pub inertia: f32,
        pub iterations: usize,
    }

    pub trait Random {
        fn next_u32(&mut self) -> u32;

        fn unit(&mut self) -> f32 {
            (self.next_u32() >> 8) as f32 / (1u32 << 24) as f32
        }
    }

    impl<R: Random + ?Sized> Random for &mut R {
        fn next_u32(&mut self) -> u32 {
            (**self).next_u32()
        }
    }

    pub struct Lcg(pub u64);

    impl Random for Lcg {
        fn next_u32(&mut self) -> u32 {
            self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (self.0 >> 33) as u32
        }
    }

    fn nearest<const D: usize>(point: &Vector<D>, centroids: &[Vector<D>]) -> Option<(usize, f32)> {
        centroids
            .iter()
            .map(|c| (point - c).norm_squared())
            .enumerate()
            .min_by(|(_, a), (_, b)| a.total_cmp(b))
    }

    fn choose<const D: usize, const K: usize>(
        points: &[Vector<D>],
        mut random: impl Random,
    ) -> [Vector<D>; K] {
        let mut centroids = [Vector::default(); K];
        centroids[0] = points[random.next_u32() as usize % points.len()];
        for k in 1..K {
            let (chosen, rest) = centroids.split_at_mut(k);
            let weight = |p: &Vector<D>| nearest(p, chosen).map_or(0.0, |(_, d)| d);
            let total: f32 = points.iter().map(weight).sum();
            let mut goal = random.unit() * total;
            let pick = points.iter().find(|p| {
                goal -= weight(p);
                goal <= 0.0
            });
            rest[0] = *pick.or(points.last()).expect("there are points");
        }
        centroids
    }

    pub fn fit<const K: usize, const D: usize, const N: usize>(
        points: &[Vector<D>; N],
        random: &mut dyn_free::Generator,
    ) -> Fit<K, D, N> {
        let mut centroids: [Vector<D>; K] = choose(points, &mut random.0);
        let mut labels = [usize::MAX; N];
        let mut iterations = 0;
        loop {
            iterations += 1;
            let mut changed = false;
            for (label, point) in labels.iter_mut().zip(points) {
                if let Some((k, _)) = nearest(point, &centroids) {
                    changed |= *label != k;
                    *label = k;
                }
            }
            if !changed || iterations == 20 {
                break;
            }
            for (k, centroid) in centroids.iter_mut().enumerate() {
                let members = || points.iter().zip(&labels).filter(move |&(_, &l)| l == k).map(|(p, _)| p);
                match members().count() {
                    0 => continue,
                    n => *centroid = members().sum::<Vector<D>>() / n as f32,
                }
            }
        }
        let inertia = points.iter().zip(labels).map(|(p, l)| (p - &centroids[l]).norm_squared()).sum();
        Fit { centroids, labels, inertia, iterations }
    }

    pub mod dyn_free {
        use super::Lcg;

        pub struct Generator(pub Lcg);

        impl Generator {
            pub fn seeded(seed: u32) -> Self {
                Self(Lcg(u64::from(seed) << 16 | 0x5eed))
            }
        }
    }
}

#[device]
pub fn program(seed: u32) -> [u32; 5] {
    use kmeans::dyn_free::Generator;
    use kmeans::{Fit, Random, Vector, fit};
    let mut random = Generator::seeded(seed);
    let mut points = [Vector([0.0; 3]); 18];
    for (i, point) in points.iter_mut().enumerate() {
        let base = Vector([(i % 3) as f32 * 4.0, (i % 2) as f32 * 6.0, 1.0]);
        *point = base;
        *point += Vector([random.0.unit(), random.0.unit(), random.0.unit()]);
    }
    let Fit { centroids, labels, inertia, iterations }: Fit<3, 3, 18> = fit(&points, &mut random);
    let hash = labels.iter().fold(0u32, |h, &l| h.wrapping_mul(3).wrapping_add(l as u32));
    let total: Vector<3> = centroids.iter().sum();
    [inertia.to_bits(), hash, iterations as u32, total.0[0].to_bits(), total.0[2].to_bits()]
}

#[kernel]
pub fn kmeans_fits(seeds: &[u32], y: &mut [[u32; 5]]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = program(seeds[i]);
    }
}

pub fn case() -> Case {
    super::case_by_seed(&KMEANS_FITS, program)
}
