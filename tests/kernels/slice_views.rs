//! Elements under another type: what is written of an array of `MaybeUninit`, arrays at the ends of slices, and the elements of arrays of arrays.

use super::case::Case;
use kernel_runtime::prelude::*;

#[device]
mod program {
    use core::mem::MaybeUninit;
    use core::slice;
    fn put(out: &mut [u8], v: u32) -> Option<&mut [u8]> {
        let (head, rest) = out.split_first_chunk_mut::<4>()?;
        *head = v.to_le_bytes();
        head[3] ^= 1;
        Some(rest)
    }
    fn ends(x: &mut [u16]) {
        if let Some(a) = x.first_chunk_mut::<2>() {
            a.swap(0, 1);
        }
        if let Some([a, b]) = x.last_chunk_mut() {
            *a += 10;
            *b *= 2;
        }
        if let Some((rest, [last])) = x.split_last_chunk_mut() {
            if let Some(r) = rest.get_mut(1) {
                *r += *last;
            }
            *last = 0;
        }
    }
    struct Stack {
        items: [MaybeUninit<(u8, u32)>; 6],
        n: usize,
    }
    impl Stack {
        fn new() -> Self {
            Stack { items: [MaybeUninit::uninit(); 6], n: 0 }
        }
        fn push(&mut self, v: (u8, u32)) {
            self.items[self.n] = MaybeUninit::new(v);
            self.n += 1;
        }
        fn by_parts(&self) -> &[(u8, u32)] {
            // SAFETY: the first `n` items have been written.
            unsafe { slice::from_raw_parts(self.items.as_ptr().cast(), self.n) }
        }
        fn by_cast(&self) -> &[(u8, u32)] {
            // SAFETY: the first `n` items have been written.
            unsafe { slice::from_raw_parts(self.items.as_ptr() as *const (u8, u32), self.n) }
        }
        fn by_pointer(&self) -> &[(u8, u32)] {
            // SAFETY: the first `n` items have been written.
            unsafe { &*(&self.items[..self.n] as *const [MaybeUninit<(u8, u32)>] as *const [(u8, u32)]) }
        }
        fn changed(&mut self) -> &mut [(u8, u32)] {
            // SAFETY: the first `n` items have been written.
            unsafe { slice::from_raw_parts_mut(self.items.as_mut_ptr().cast::<(u8, u32)>(), self.n) }
        }
        fn changed_by_pointer(&mut self) -> &mut [(u8, u32)] {
            let n = self.n;
            // SAFETY: the first `n` items have been written.
            unsafe { &mut *(&mut self.items[..n] as *mut [MaybeUninit<(u8, u32)>] as *mut [(u8, u32)]) }
        }
    }
    fn twice<'a, O>(
        p: impl Fn(&'a [u8]) -> (&'a [u8], O),
        ok: impl Fn(&O) -> bool,
    ) -> impl Fn(&'a [u8]) -> Option<O> {
        move |i| {
            let (_, o) = p(i);
            if ok(&o) { Some(o) } else { None }
        }
    }
    pub fn run(i: u32) -> u64 {
        let mut out = [0u8; 11];
        let left = put(&mut out, i * 77777).and_then(|rest| put(rest, !i)).map_or(99, |rest| rest.len());
        let none = put(&mut out[..3], 1).is_none();
        let mut x = [1u16, 2, 3, 4, i as u16];
        ends(&mut x);
        ends(&mut x[..1]);
        let mut s = Stack::new();
        for k in 0..i % 6 + 1 {
            s.push((k as u8, k * i + 5));
        }
        s.changed().sort_by_key(|&(_, v)| core::cmp::Reverse(v % 7));
        if let Some((k, _)) = s.changed_by_pointer().first_mut() {
            *k += 9;
        }
        let a: u64 = s
            .by_parts()
            .iter()
            .zip(s.by_cast())
            .zip(s.by_pointer())
            .map(|((a, b), c)| a.0 as u64 + b.1 as u64 * 3 + c.1 as u64)
            .sum();
        // SAFETY: the first `n` items have been written, and there is one.
        let popped = unsafe { s.items[s.n - 1].assume_init() };
        let grid = [[1u32, 2, i], [4, i, 6]];
        let flat = grid.as_flattened();
        let h = flat.iter().fold(flat.len() as u64, |h, &v| h * 31 + v as u64) + flat[4] as u64;
        let word = twice(|i: &[u8]| (&i[1..], &i[..1]), |w| w[0] > 4)(&out[i as usize % 8..])
            .map_or(0, |w| w[0] as u64);
        out.iter().chain(&[left as u8, none as u8]).fold(h, |h, &b| h.rotate_left(3) ^ b as u64)
            ^ x.iter().fold(a, |h, &v| h * 7 + v as u64)
            ^ (popped.1 as u64) << 33
            ^ word << 50
    }
}

#[kernel]
pub fn slice_views(y: &mut [u64]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = program::run(i as u32);
    }
}

pub fn cases() -> Vec<Case> {
    let expected: Vec<u64> = (0..48).map(program::run).collect();
    vec![Case::of(&SLICE_VIEWS).output(&expected).items([expected.len()])]
}
