//! A hierarchy of bounding volumes, built and traversed with a stack.

use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
pub mod program {
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Aabb {
        min: [f32; 3],
        max: [f32; 3],
    }

    impl Aabb {
        pub const EMPTY: Aabb = Aabb { min: [f32::INFINITY; 3], max: [f32::NEG_INFINITY; 3] };

        pub fn grow(mut self, p: &[f32; 3]) -> Self {
            for ((lo, hi), &v) in self.min.iter_mut().zip(self.max.iter_mut()).zip(p) {
                *lo = lo.min(v);
                *hi = hi.max(v);
            }
            self
        }

        pub fn union(self, other: &Aabb) -> Self {
            self.grow(&other.min).grow(&other.max)
        }

        pub fn longest_axis(&self) -> usize {
            (0..3)
                .map(|i| (i, self.max[i] - self.min[i]))
                .reduce(|a, b| if b.1 > a.1 { b } else { a })
                .map_or(0, |(i, _)| i)
        }

        pub fn intersects(&self, ray: &Ray, limit: f32) -> Option<f32> {
            let mut range = (0.0f32, limit);
            for axis in 0..3 {
                let inv = 1.0 / ray.direction[axis];
                let mut near = (self.min[axis] - ray.origin[axis]) * inv;
                let mut far = (self.max[axis] - ray.origin[axis]) * inv;
                if inv < 0.0 {
                    (near, far) = (far, near);
                }
                range = (range.0.max(near), range.1.min(far));
            }
            (range.0 <= range.1).then(|| range.0)
        }
    }

    impl FromIterator<Aabb> for Aabb {
        fn from_iter<I: IntoIterator<Item = Aabb>>(iter: I) -> Self {
            iter.into_iter().fold(Aabb::EMPTY, |all, b| all.union(&b))
        }
    }

    pub struct Ray {
        origin: [f32; 3],
        direction: [f32; 3],
    }

    #[derive(Clone, Copy, Debug)]
    pub struct Sphere {
        center: [f32; 3],
        radius: f32,
    }

    impl Sphere {
        fn bounds(&self) -> Aabb {
            Aabb { min: self.center.map(|c| c - self.radius), max: self.center.map(|c| c + self.radius) }
        }

        fn hit(&self, ray: &Ray) -> Option<f32> {
            let dot = |a: &[f32; 3], b: &[f32; 3]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f32>();
            let oc: [f32; 3] = std::array::from_fn(|i| ray.origin[i] - self.center[i]);
            let (a, half_b) = (dot(&ray.direction, &ray.direction), dot(&oc, &ray.direction));
            let c = dot(&oc, &oc) - self.radius * self.radius;
            let discriminant = half_b * half_b - a * c;
            if discriminant < 0.0 {
                return None;
            }
            let root = discriminant.sqrt();
            [(-half_b - root) / a, (-half_b + root) / a].into_iter().find(|&t| t > 1e-3)
        }
    }

    #[derive(Clone, Copy)]
    enum NodeKind {
        Leaf { first: u8, count: u8 },
        Inner(u8, u8),
    }

    #[derive(Clone, Copy)]
    struct Node {
        bounds: Aabb,
        kind: NodeKind,
    }

    const PRIMITIVES: usize = 12;

    struct Stack<T, const N: usize> {
        items: [T; N],
        top: usize,
    }

    impl<T: Copy, const N: usize> Stack<T, N> {
        fn of(item: T) -> Self {
            Self { items: [item; N], top: 1 }
        }
        fn push(&mut self, item: T) {
            self.items[self.top] = item;
            self.top += 1;
        }
        fn pop(&mut self) -> Option<T> {
            let top = self.top.checked_sub(1)?;
            self.top = top;
            Some(self.items[top])
        }
    }

    pub struct Bvh {
        nodes: [Node; 2 * PRIMITIVES],
        order: [u8; PRIMITIVES],
        used: usize,
    }

    impl Bvh {
        pub fn build(spheres: &[Sphere; PRIMITIVES]) -> Self {
            let nothing = Node { bounds: Aabb::EMPTY, kind: NodeKind::Leaf { first: 0, count: 0 } };
            let mut bvh =
                Bvh { nodes: [nothing; 2 * PRIMITIVES], order: std::array::from_fn(|i| i as u8), used: 1 };
            let mut work = Stack::<_, 16>::of((0usize, 0usize, PRIMITIVES));
            while let Some((node, start, end)) = work.pop() {
                let part = &mut bvh.order[start..end];
                let bounds: Aabb = part.iter().map(|&i| spheres[i as usize].bounds()).collect();
                let kind = if part.len() <= 2 {
                    NodeKind::Leaf { first: start as u8, count: part.len() as u8 }
                } else {
                    let axis = bounds.longest_axis();
                    part.sort_unstable_by(|&a, &b| {
                        let [a, b] = [a, b].map(|i| spheres[i as usize].center[axis]);
                        a.partial_cmp(&b).unwrap()
                    });
                    let middle = (start + end) / 2;
                    let left = bvh.used;
                    bvh.used += 2;
                    work.push((left, start, middle));
                    work.push((left + 1, middle, end));
                    NodeKind::Inner(left as u8, left as u8 + 1)
                };
                bvh.nodes[node] = Node { bounds, kind };
            }
            bvh
        }

        pub fn closest(&self, spheres: &[Sphere], ray: &Ray) -> (Option<(f32, u8)>, u32) {
            let mut best: Option<(f32, u8)> = None;
            let mut visited = 0;
            let mut stack = Stack::<u8, 16>::of(0);
            while let Some(at) = stack.pop() {
                visited += 1;
                let Node { bounds, kind } = &self.nodes[at as usize];
                let limit = best.map_or(f32::MAX, |(t, _)| t);
                if bounds.intersects(ray, limit).is_none() {
                    continue;
                }
                match *kind {
                    NodeKind::Inner(left, right) => {
                        stack.push(left);
                        stack.push(right);
                    }
                    NodeKind::Leaf { first, count } => {
                        for &index in &self.order[first as usize..][..count as usize] {
                            match (spheres[index as usize].hit(ray), best) {
                                (Some(t), Some((old, _))) if t >= old => {}
                                (Some(t), _) => best = Some((t, index)),
                                (None, _) => (),
                            }
                        }
                    }
                }
            }
            (best, visited)
        }
    }

    pub fn run(seed: u32) -> [u32; 8] {
        let mut state = seed ^ 0x9E37_79B9;
        let mut next = || {
            state = state.wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
            ((state >> 12) ^ state) as u16 as f32 / 65536.0
        };
        let spheres = [(); PRIMITIVES]
            .map(|_| Sphere { center: [next() * 8.0, next() * 8.0, next() * 8.0], radius: 0.3 + next() });
        let bvh = Bvh::build(&spheres);
        let mut out = [0; 8];
        for pair in out.chunks_mut(2) {
            let ray = Ray {
                origin: [next() * 8.0, next() * 8.0, -5.0],
                direction: [next() - 0.5, next() - 0.5, 1.0],
            };
            let brute = spheres.iter().filter_map(|s| s.hit(&ray)).min_by(|a, b| a.total_cmp(b));
            let (best, visited) = bvh.closest(&spheres, &ray);
            let agrees = best.map(|(t, _)| t) == brute;
            pair[0] = best.map(|(t, i)| t.to_bits() + i as u32).unwrap_or(0);
            pair[1] = visited * 2 + agrees as u32;
        }
        out
    }
}

#[kernel]
pub fn bvh_traversed(seeds: &[u32], y: &mut [[u32; 8]]) {
    let i = global_id(0);
    y[i] = program::run(seeds[i]);
}

pub fn case() -> Case {
    super::case_by_seed(&BVH_TRAVERSED, program::run)
}
