//! Sorting by hand and by library.

use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
pub mod program {
    //! Sorting by hand and by library.
    use std::cmp::{self, Ordering, Reverse};
    use std::mem;

    pub fn insertion_sort<T: PartialOrd>(v: &mut [T]) {
        for i in 1..v.len() {
            let mut j = i;
            while j > 0 && v[j] < v[j - 1] {
                v.swap(j, j - 1);
                j -= 1;
            }
        }
    }

    pub fn shell_sort<T, F>(v: &mut [T], mut less: F)
    where
        T: Copy,
        F: FnMut(&T, &T) -> bool,
    {
        const GAPS: [usize; 4] = [10, 4, 2, 1];
        let n = v.len();
        for &gap in GAPS.iter().skip_while(|&&g| g > n) {
            for i in gap..v.len() {
                let tmp = v[i];
                let mut j = i;
                while j >= gap && less(&tmp, &v[j - gap]) {
                    v[j] = v[j - gap];
                    j -= gap;
                }
                v[j] = tmp;
            }
        }
    }

    pub fn heap_sort<T: Ord>(v: &mut [T]) {
        fn sift_down<T: Ord>(v: &mut [T], mut root: usize) {
            loop {
                let mut child = 2 * root + 1;
                if child >= v.len() {
                    break;
                }
                if child + 1 < v.len() && v[child].cmp(&v[child + 1]) == Ordering::Less {
                    child += 1;
                }
                if v[root] >= v[child] {
                    break;
                }
                v.swap(root, child);
                root = child;
            }
        }
        for root in (0..v.len() / 2).rev() {
            sift_down(v, root);
        }
        for end in (1..v.len()).rev() {
            v.swap(0, end);
            sift_down(&mut v[..end], 0);
        }
    }

    pub fn merge_sort(v: &mut [u32], scratch: &mut [u32]) {
        let n = v.len();
        let mut width = 1;
        while width < n {
            for lo in (0..n).step_by(2 * width) {
                let mid = cmp::min(lo + width, n);
                let hi = cmp::min(lo + 2 * width, n);
                let (mut i, mut j) = (lo, mid);
                for slot in &mut scratch[lo..hi] {
                    *slot = if i < mid && (j >= hi || v[i] <= v[j]) {
                        i += 1;
                        v[i - 1]
                    } else {
                        j += 1;
                        v[j - 1]
                    };
                }
            }
            v.copy_from_slice(&scratch[..n]);
            width *= 2;
        }
    }

    pub fn next_permutation<T: Ord>(v: &mut [T]) -> bool {
        let Some(i) = v.windows(2).rposition(|w| w[0] < w[1]) else {
            v.reverse();
            return false;
        };
        let j = v.iter().rposition(|x| *x > v[i]).unwrap();
        v.swap(i, j);
        v[i + 1..].reverse();
        true
    }

    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
    struct Person {
        age: u8,
        id: u16,
    }

    pub fn check(seed: u32) -> u32 {
        let base: [u32; 12] = std::array::from_fn(|i| (seed + 1) * (i as u32 * 7 + 3) % 41);
        let (mut a, mut b, mut c, mut d) = (base, base, base, base);
        insertion_sort(&mut a);
        shell_sort(&mut b, |x, y| x < y);
        heap_sort(&mut c);
        merge_sort(&mut d, &mut [0; 12]);
        if !(a == b && b == c && c == d && a.is_sorted()) {
            return 0;
        }
        let mut e = base;
        e.sort_by_key(|&x| Reverse(x));
        let mut people = [Person { age: 30, id: 2 }, Person { age: 20, id: 9 }, Person { age: 30, id: 1 }];
        people.sort();
        people.rotate_left((seed % 3) as usize);
        let mut old = [1, 2, 3, 4];
        let mut n = 0;
        while n < seed % 30 && next_permutation(&mut old) {
            n += 1;
        }
        let first = mem::replace(&mut e[0], 1);
        mem::swap(&mut e[1], &mut a[1]);
        let code = old.iter().fold(0, |acc, x| acc * 10 + x);
        first * 1_000_000
            + code
            + e[1]
            + u32::from(people[0].id)
            + people.iter().map(|p| p.age as u32).min().unwrap()
    }
}

#[kernel]
pub fn sorts(y: &mut [u32]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = program::check(i as u32);
    }
}

pub fn case() -> Case {
    super::case_of(&SORTS, program::check)
}
