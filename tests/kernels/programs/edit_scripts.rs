//! Myers' difference of two sequences, and what to do to make one of the other.

use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
pub mod program {
    use core::fmt;

    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Edit<T> {
        Keep(T),
        Delete(T),
        Insert(T),
    }

    impl<T> Edit<T> {
        pub fn map<U>(self, f: impl FnOnce(T) -> U) -> Edit<U> {
            match self {
                Edit::Keep(t) => Edit::Keep(f(t)),
                Edit::Delete(t) => Edit::Delete(f(t)),
                Edit::Insert(t) => Edit::Insert(f(t)),
            }
        }
        pub const fn sign(&self) -> char {
            match self {
                Edit::Keep(_) => ' ',
                Edit::Delete(_) => '-',
                Edit::Insert(_) => '+',
            }
        }
    }

    impl<T: fmt::Display> fmt::Display for Edit<T> {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            match self {
                Edit::Keep(t) => write!(f, " {t}"),
                Edit::Delete(t) => write!(f, "-{t}"),
                Edit::Insert(t) => write!(f, "+{t}"),
            }
        }
    }

    pub struct Script<T, const M: usize> {
        edits: [Option<Edit<T>>; M],
        len: usize,
    }

    impl<T: Copy, const M: usize> Script<T, M> {
        fn push(&mut self, edit: Edit<T>) {
            self.edits[self.len] = Some(edit);
            self.len += 1;
        }
        pub fn iter(&self) -> impl Iterator<Item = Edit<T>> + '_ {
            self.edits[..self.len].iter().rev().filter_map(|e| *e)
        }
    }

    pub fn diff<T: PartialEq + Copy, const M: usize>(a: &[T], b: &[T]) -> Option<Script<T, M>> {
        let (n, m) = (a.len() as isize, b.len() as isize);
        let max = a.len() + b.len();
        if max > M || M > 24 {
            return None;
        }
        let offset = max as isize + 1;
        let at = |k: isize| (k + offset) as usize;
        let mut v = [0isize; 50];
        let mut trace = [[0isize; 50]; 25];
        let mut steps = 0;
        'search: for d in 0..=max as isize {
            trace[d as usize] = v;
            steps = d;
            for k in (-d..=d).step_by(2) {
                let down = k == -d || (k != d && v[at(k - 1)] < v[at(k + 1)]);
                let mut x = if down { v[at(k + 1)] } else { v[at(k - 1)] + 1 };
                let mut y = x - k;
                while x < n && y < m && a[x as usize] == b[y as usize] {
                    (x, y) = (x + 1, y + 1);
                }
                v[at(k)] = x;
                if x >= n && y >= m {
                    break 'search;
                }
            }
        }
        let mut script = Script { edits: [None; M], len: 0 };
        let (mut x, mut y) = (n, m);
        for d in (0..=steps).rev() {
            let v = &trace[d as usize];
            let k = x - y;
            let previous = if k == -d || (k != d && v[at(k - 1)] < v[at(k + 1)]) { k + 1 } else { k - 1 };
            let px = v[at(previous)];
            let py = px - previous;
            while x > px && y > py {
                script.push(Edit::Keep(a[x as usize - 1]));
                x -= 1;
                y -= 1;
            }
            if d > 0 {
                script.push(if x == px {
                    Edit::Insert(b[y as usize - 1])
                } else {
                    Edit::Delete(a[x as usize - 1])
                });
            }
            (x, y) = (px, py);
        }
        Some(script)
    }

    struct Text<const N: usize> {
        bytes: [u8; N],
        len: usize,
    }

    impl<const N: usize> Text<N> {
        fn as_str(&self) -> &str {
            core::str::from_utf8(&self.bytes[..self.len]).unwrap_or("?")
        }
    }

    impl<const N: usize> fmt::Write for Text<N> {
        fn write_str(&mut self, s: &str) -> fmt::Result {
            let end = self.len + s.len();
            let room = self.bytes.get_mut(self.len..end).ok_or(fmt::Error)?;
            room.copy_from_slice(s.as_bytes());
            self.len = end;
            Ok(())
        }
    }

    pub fn run(seed: u32) -> [u32; 8] {
        use fmt::Write as _;
        let word = |s: u32| core::array::from_fn::<u8, 9, _>(|i| b'a' + (s >> (2 * i) & 3) as u8);
        let (a, b) = (word(seed), word(seed >> 5));
        let script = diff::<u8, 20>(&a, &b[..7]).unwrap();
        let mut text = Text::<64> { bytes: [0; 64], len: 0 };
        let mut counts = [0u32; 3];
        for edit in script.iter() {
            counts[match edit {
                Edit::Keep(_) => 0,
                Edit::Delete(..) => 1,
                Edit::Insert { .. } => 2,
            }] += 1;
            if write!(text, "{}", edit.map(char::from)).is_err() {
                break;
            }
        }
        let mut rebuilt = [0u8; 9];
        let inserted = script.iter().filter_map(|e| match e {
            Edit::Keep(t) | Edit::Insert(t) => Some(t),
            Edit::Delete(_) => None,
        });
        let n = rebuilt.iter_mut().zip(inserted).map(|(r, t)| *r = t).count();
        let signs = script
            .iter()
            .map(|e| e.sign())
            .filter(|c| !c.is_whitespace())
            .fold(1u32, |s, c| s << 1 | (c == '+') as u32);
        let none = diff::<u8, 3>(&a, &b).is_none();
        [
            counts[0],
            counts[1],
            counts[2],
            text.as_str().bytes().fold(7u32, |h, b| h.wrapping_mul(31).wrapping_add(b.into())),
            (rebuilt[..n] == b[..7]) as u32,
            signs,
            none as u32,
            text.as_str().find('+').map_or(u32::MAX, |i| i as u32),
        ]
    }
}

#[kernel]
pub fn sequences_compared(seeds: &[u32], y: &mut [[u32; 8]]) {
    let i = global_id(0);
    y[i] = program::run(seeds[i]);
}

pub fn case() -> Case {
    super::case_by_seed(&SEQUENCES_COMPARED, program::run)
}
