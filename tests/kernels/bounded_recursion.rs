//! Functions that call themselves for other types, as deep as the types of the arguments are: iterators of iterators, and trees whose shape is their type.

use super::case::Case;
use super::seeded::case_by_seed;
use kernel_runtime::prelude::*;

#[device]
pub mod moments {
    use core::iter::Sum;

    #[derive(Clone, Copy, Default)]
    pub struct Moments {
        pub count: u32,
        pub sum: i32,
    }

    impl Sum for Moments {
        fn sum<I: Iterator<Item = Moments>>(iter: I) -> Moments {
            iter.fold(Moments::default(), |a, b| Moments {
                count: a.count + b.count,
                sum: a.sum.wrapping_mul(3).wrapping_add(b.sum),
            })
        }
    }

    impl From<i32> for Moments {
        fn from(sum: i32) -> Self {
            Moments { count: 1, sum }
        }
    }

    impl<'a> FromIterator<&'a i32> for Moments {
        fn from_iter<I: IntoIterator<Item = &'a i32>>(iter: I) -> Self {
            iter.into_iter().map(|&x| Moments::from(x)).sum()
        }
    }

    fn total(items: impl Iterator<Item = u32>) -> u32 {
        items.fold(1, |sum, item| sum.wrapping_mul(5) ^ item)
    }

    pub fn run(seed: u32) -> [u32; 4] {
        let x: [i32; 12] = core::array::from_fn(|i| (seed as i32).wrapping_mul(i as i32 + 7));
        // `sum` is inside of `sum`, and `total` of `total`.
        let m: Moments = x.chunks(5).map(|chunk| chunk.iter().collect::<Moments>()).sum();
        let rows = total(x.chunks(3).map(|row| total(row.iter().map(|x| *x as u32))));
        let deep = total((0..2).map(|i| total((i..3).map(|j| total((j..4).map(|k| seed.rotate_left(k)))))));
        [m.count, m.sum as u32, rows, deep]
    }
}

#[kernel]
pub fn iterators_in_iterators(seeds: &[u32], y: &mut [[u32; 4]]) {
    let i = global_id(0);
    y[i] = moments::run(seeds[i]);
}

#[device]
pub mod trees {
    use core::iter::once;

    pub trait Tree {
        const DEPTH: u32;

        fn leaves(&self) -> impl Iterator<Item = u32>;

        fn visit(&self, visitor: &mut impl FnMut(u32));

        fn combined<C: Fn(u32, u32) -> u32>(&self, combine: C) -> u32;
    }

    pub struct Leaf(u32);

    pub struct Node<L, R>(L, R);

    impl Tree for Leaf {
        const DEPTH: u32 = 0;

        fn leaves(&self) -> impl Iterator<Item = u32> {
            once(self.0)
        }

        fn visit(&self, visitor: &mut impl FnMut(u32)) {
            visitor(self.0);
        }

        fn combined<C: Fn(u32, u32) -> u32>(&self, combine: C) -> u32 {
            combine(self.0, 1)
        }
    }

    impl<L: Tree, R: Tree> Tree for Node<L, R> {
        const DEPTH: u32 = 1 + if L::DEPTH > R::DEPTH { L::DEPTH } else { R::DEPTH };

        fn leaves(&self) -> impl Iterator<Item = u32> {
            self.0.leaves().chain(self.1.leaves())
        }

        fn visit(&self, visitor: &mut impl FnMut(u32)) {
            self.0.visit(visitor);
            self.1.visit(visitor);
        }

        fn combined<C: Fn(u32, u32) -> u32>(&self, combine: C) -> u32 {
            let right = self.1.combined(|a, b| combine(b, a));
            combine(self.0.combined(&combine), right)
        }
    }

    fn depth<T: Tree>(_: &T) -> u32 {
        T::DEPTH
    }

    pub fn run(seed: u32) -> [u32; 4] {
        let low = Node(Leaf(seed), Leaf(2));
        let tree = Node(Node(low, Leaf(seed / 3)), Node(Leaf(4), Node(Leaf(5), Leaf(seed ^ 6))));
        let mut visited = 0;
        tree.visit(&mut |leaf| visited = visited * 7 % 1000 + leaf % 100);
        let leaves = tree.leaves().fold(0u32, |sum, leaf| sum.wrapping_mul(3).wrapping_add(leaf));
        [leaves, visited, tree.combined(|a, b| a.rotate_left(3).wrapping_sub(b)), depth(&tree)]
    }
}

#[kernel]
pub fn trees_in_types(seeds: &[u32], y: &mut [[u32; 4]]) {
    let i = global_id(0);
    y[i] = trees::run(seeds[i]);
}

pub fn cases() -> Vec<Case> {
    vec![case_by_seed(&ITERATORS_IN_ITERATORS, moments::run), case_by_seed(&TREES_IN_TYPES, trees::run)]
}
