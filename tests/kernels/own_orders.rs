//! Options, tuples, arrays, slices and structs of what an `impl` of the user's compares.

use super::case::Case;
use super::edge::map;
use kernel_runtime::prelude::*;

#[device]
mod tasks {
    use std::cmp::{Ordering, Reverse};
    #[derive(Clone, Copy, Debug)]
    pub struct Task {
        pub cost: f32,
        pub id: u32,
    }
    impl PartialEq for Task {
        fn eq(&self, o: &Self) -> bool {
            self.id % 8 == o.id % 8
        }
    }
    impl Eq for Task {}
    impl PartialOrd for Task {
        fn partial_cmp(&self, o: &Self) -> Option<Ordering> {
            Some(self.cmp(o))
        }
    }
    impl Ord for Task {
        fn cmp(&self, o: &Self) -> Ordering {
            o.cost.total_cmp(&self.cost).then(self.id.cmp(&o.id))
        }
    }
    fn t(i: u32) -> Task {
        Task { cost: (i * 7 % 5) as f32, id: i }
    }
    pub fn all(i: u32) -> [u32; 8] {
        let (a, b) = (t(i), t(i + 3));
        let o = |i: u32| if i % 3 == 0 { None } else { Some(t(i)) };
        let arr = [t(i), t(i + 1), t(i + 2)];
        let brr = [t(i), t(i + 9), t(i + 4)];
        let best = arr.iter().max_by_key(|t| (Reverse(t.id % 2), t.id)).unwrap();
        let least = arr.iter().copied().min().unwrap();
        [
            (o(i) == o(i + 8)) as u32 * 4
                + (o(i) < o(i + 1)) as u32 * 2
                + (o(i).max(o(i + 2)) == o(i)) as u32,
            ((a, i) == (b, i)) as u32 * 4
                + ((a, 1) < (b, 2)) as u32 * 2
                + ((i, a).cmp(&(i, b)) == Ordering::Less) as u32,
            (arr == brr) as u32 * 2 + (arr < brr) as u32 + (arr.cmp(&brr) as i32 + 1) as u32 * 8,
            ((Reverse(a), i) < (Reverse(b), i + 1)) as u32
                + ((Reverse(i % 3), i) < (Reverse((i + 1) % 3), i)) as u32 * 2,
            best.id,
            least.id,
            (Some(a).partial_cmp(&Some(b)).unwrap() as i32 + 1) as u32,
            (Reverse(o(i)) >= Reverse(o(i + 1))) as u32
                + ((o(i), a) != (o(i + 8), a)) as u32 * 2
                + (&arr[..2] == &brr[..2]) as u32 * 4,
        ]
    }
    pub fn slices(x: &[u32], i: usize) -> u32 {
        let (a, b) = (&x[i % 4..i % 7 + 4], &x[i % 3..i % 5 + 5]);
        ((a, 1) < (b, 2)) as u32
            + ((a, i) == (b, i)) as u32 * 2
            + ((1, b).cmp(&(1, a)) as i32 + 1) as u32 * 4
            + (Some(a) == Some(b)) as u32 * 16
            + (Some(a) > Some(b)) as u32 * 32
            + ([a.len(), 3], a).ge(&([b.len(), 3], b)) as u32 * 64
    }
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    pub struct Holder {
        t: Task,
        k: u32,
    }
    pub fn held(i: u32) -> u32 {
        let (a, b) = (Holder { t: t(i), k: 1 }, Holder { t: t(i + 8), k: 1 });
        (a == b) as u32 + (a < b) as u32 * 2 + (a.cmp(&b) as i32 + 1) as u32 * 4 + (a.max(b) == a) as u32 * 16
    }
}

#[device]
fn held(x: &[u32], i: usize) -> [u32; 2] {
    [tasks::held(x[i]), tasks::slices(x, i)]
}

#[kernel]
pub fn own_orders(x: &[u32], y: &mut [[u32; 8]], z: &mut [[u32; 2]]) {
    let i = global_id(0);
    y[i] = tasks::all(x[i]);
    z[i] = held(x, i);
}

pub fn cases() -> Vec<Case> {
    let x: Vec<u32> = (0..24).map(|i| if i > 12 { i % 3 } else { i }).collect();
    let positions: Vec<usize> = (0..x.len()).collect();
    let y = map(&x, tasks::all);
    let z = map(&positions, |i| held(&x, i));
    vec![Case::of(&OWN_ORDERS).input(&x).output(&y).output(&z).items([y.len()])]
}
