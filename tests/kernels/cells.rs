//! Cells, which change behind shared references: in variables, fields, elements and closures, by references that vary or lead to parts of arrays, in temporaries, and across barriers.

use super::case::Case;
use kernel_runtime::prelude::*;

#[device]
mod program {
    use core::cell::{Cell, OnceCell};
    /// Counts what is asked of it, though it is only lent.
    #[derive(Debug, Default)]
    pub struct Counter {
        hits: Cell<u32>,
        last: Cell<Option<u32>>,
    }
    impl Counter {
        pub const fn new() -> Self {
            Counter { hits: Cell::new(0), last: Cell::new(None) }
        }
        pub fn hit(&self, v: u32) -> u32 {
            self.hits.set(self.hits.get() + 1);
            self.last.replace(Some(v)).unwrap_or(7) + self.hits.replace(self.hits.get() * 2)
        }
    }

    struct Memo<F: Fn(u32) -> u64> {
        f: F,
        cache: [Cell<Option<u64>>; 8],
    }
    impl<F: Fn(u32) -> u64> Memo<F> {
        fn new(f: F) -> Self {
            Memo { f, cache: [const { Cell::new(None) }; 8] }
        }
        fn get(&self, k: u32) -> u64 {
            let c = &self.cache[k as usize % 8];
            match c.get() {
                Some(v) => v,
                None => {
                    let v = (self.f)(k);
                    c.set(Some(v));
                    v
                }
            }
        }
    }
    struct Lazy {
        once: OnceCell<[u32; 4]>,
        asked: Cell<u8>,
    }
    impl Lazy {
        fn table(&self, i: u32) -> &[u32; 4] {
            self.asked.set(self.asked.get() + 1);
            self.once.get_or_init(|| core::array::from_fn(|k| k as u32 * i))
        }
    }
    pub struct Bump<'m> {
        memory: &'m [Cell<u8>],
        used: Cell<usize>,
    }
    impl<'m> Bump<'m> {
        pub fn new(memory: &'m [Cell<u8>]) -> Self {
            Self { memory, used: Cell::new(0) }
        }
        pub fn alloc(&self, n: usize) -> Option<&'m [Cell<u8>]> {
            let at = self.used.get();
            let part = self.memory.get(at..at + n)?;
            self.used.set(at + n);
            Some(part)
        }
    }
    fn bump(c: &Cell<u32>, by: u32) -> u32 {
        c.update(|v| v + by);
        c.get()
    }
    pub fn run(i: u32) -> u64 {
        let c = Counter::new();
        let r = &c;
        let s: u32 = (0..5).map(|k| r.hit(k * i)).sum();
        let cells = [Cell::new(1u32), Cell::new(i), Cell::new(3)];
        cells[0].swap(&cells[1]);
        for w in cells.windows(2) {
            w[1].set(w[1].get() + w[0].get());
        }
        let calls = Cell::new(0);
        let memo = Memo::new(|k| {
            calls.set(calls.get() + 1);
            (k as u64 + 1).pow(3)
        });
        let m = memo.get(i) + memo.get(i) + memo.get(i + 1);
        let lazy = Lazy { once: OnceCell::new(), asked: Cell::new(3) };
        let t = lazy.table(i)[2] + lazy.table(9)[1];
        let memory = [const { Cell::new(0u8) }; 16];
        let arena = Bump::new(&memory);
        let first = arena.alloc(4).unwrap();
        first[1].set(i as u8);
        let second = arena.alloc(i as usize % 14 + 1);
        if let Some(part) = second {
            for (k, c) in part.iter().enumerate() {
                c.set(k as u8 + 1);
            }
        }
        let bytes = memory.iter().fold(0u64, |h, c| h.wrapping_mul(31) + c.get() as u64);
        let mut moved = Cell::new(5u32);
        let copy = moved.clone();
        let add = move |v| {
            copy.set(copy.get() + v);
            copy.get()
        };
        let chosen = if i % 2 == 0 { &moved } else { &cells[2] };
        chosen.set(chosen.get() + 100);
        let twice = add(1) + add(2);
        *moved.get_mut() += 1;
        let by = bump(&moved, 3) + bump(&Cell::new(9), 4);
        c.last.take().unwrap_or(1) as u64
            + s as u64 * 3
            + c.hits.into_inner() as u64
            + cells[2].get() as u64
            + m * 7
            + calls.get()
            + t as u64 * 11
            + lazy.asked.get() as u64
            ^ bytes << 8
            ^ (twice + by) as u64
    }
}

/// Clones have cells of their own.
#[device]
mod clones {
    use core::cell::Cell;
    #[derive(Clone, Debug, PartialEq, Default)]
    struct S {
        a: Cell<u32>,
        b: [Cell<u8>; 3],
        t: (Cell<i16>, u8),
    }
    #[derive(Clone)]
    enum E {
        A(Cell<u32>),
        B { x: Cell<u32>, y: u32 },
        C,
    }
    fn by_value(s: S) -> u32 {
        s.a.set(s.a.get() + 100);
        s.a.get()
    }
    fn e(e: &E, v: u32) -> u32 {
        match e {
            E::A(c) => c.replace(v),
            E::B { x, y } => {
                x.set(x.get() + v + y);
                x.get()
            }
            E::C => 9,
        }
    }
    pub fn run(i: u32) -> u64 {
        let s = S { a: Cell::new(i), b: [const { Cell::new(1) }; 3], t: (Cell::new(-4), 3) };
        let t = s.clone();
        t.a.set(77);
        t.b[i as usize % 3].set(9);
        t.t.0.set(8);
        let u = t.clone();
        u.a.set(u.a.get() + 1);
        let same = (s == t) as u64 + (t == u) as u64 * 2 + (u == u.clone()) as u64 * 4;
        let h = by_value(t.clone()) as u64 + t.a.get() as u64;
        let S { a, b, t: (p, _) } = s;
        let q = a.clone();
        q.set(1000);
        a.set(a.get() + 1);
        p.set(p.get() * 2);
        let arr = b.clone();
        arr[0].set(50);
        let es = [E::A(Cell::new(1)), E::B { x: Cell::new(2), y: i }, E::C, E::A(Cell::new(i))];
        let es2 = es.clone();
        let mut m = 0u64;
        for k in 0..7 {
            let r = &es[(i as usize + k * 3) % 4];
            m = m * 3 + e(r, k as u32) as u64;
        }
        for k in 0..4 {
            m = m * 3 + e(&es2[k], k as u32) as u64;
        }
        let moved = u;
        moved.a.set(moved.a.get() + i);
        let d = S::default();
        d.b[2].set(4);
        same + h * 8
            + a.get() as u64 * 3
            + q.get() as u64
            + b[0].get() as u64 * 7
            + arr[0].get() as u64
            + (p.get() + 100) as u64
            + m * 11
            + moved.a.get() as u64
            + d.b[2].get() as u64
    }
}

/// References to cells that are chosen, assigned, returned and kept.
#[device]
mod chosen {
    use core::cell::Cell;
    struct H<'a> {
        c: &'a Cell<u32>,
        n: u32,
    }
    fn pick<'a>(a: &'a Cell<u32>, b: &'a Cell<u32>, w: bool) -> &'a Cell<u32> {
        if w {
            return a;
        }
        b
    }
    fn opt<'a>(x: &'a [Cell<u32>], k: usize) -> Option<&'a Cell<u32>> {
        x.get(k)
    }
    pub fn run(i: u32) -> u64 {
        let a = Cell::new(1u32);
        let b = Cell::new(i);
        let xs = [Cell::new(5), Cell::new(6u32), Cell::new(7)];
        let r = if i % 2 == 0 { &a } else { &b };
        r.set(r.get() + 10);
        a.set(a.get() + 1);
        let m = match i % 3 {
            0 => &a,
            1 => &xs[1],
            _ => &b,
        };
        m.set(m.get() * 3);
        let s = m.get() + r.get();
        let mut cur = &xs[0];
        for k in 0..5 {
            cur.set(cur.get() + k);
            cur = if k % 2 == 0 { &xs[(k as usize + i as usize) % 3] } else { &a };
        }
        cur.update(|v| v ^ 64);
        let mut h = H { c: &a, n: 0 };
        while h.n < 4 {
            h.c.set(h.c.get() + h.n);
            h = H { c: pick(&xs[2], h.c, (h.n + i) % 2 == 0), n: h.n + 1 };
        }
        let list = [&a, &b, &xs[2]];
        list[i as usize % 3].set(list[(i as usize + 1) % 3].get() + 7);
        let o = opt(&xs, i as usize % 4);
        if let Some(c) = o {
            c.set(1000);
        }
        let pair = (&a, &b);
        pair.0.swap(pair.1);
        a.get() as u64
            + b.get() as u64 * 31
            + xs.iter().fold(0u64, |h, c| h * 17 + c.get() as u64) * 77
            + s as u64 * 5
            + o.map_or(3, |c| c.get()) as u64
    }
}

/// Cells in temporaries, constants and patterns.
#[device]
mod temporaries {
    #![allow(
        const_item_interior_mutations,
        clippy::declare_interior_mutable_const,
        clippy::borrow_interior_mutable_const,
        reason = "each use is a new cell, which is what is looked at"
    )]
    use core::cell::Cell;
    const K: Cell<u32> = Cell::new(5);
    const Z: [Cell<u32>; 4] = [const { Cell::new(3) }; 4];
    struct W {
        c: Cell<u32>,
        d: u32,
    }
    impl W {
        const NEW: W = W { c: Cell::new(2), d: 4 };
        fn touch(&self) -> u32 {
            self.c.set(self.c.get() + self.d);
            self.c.get()
        }
        fn both(self) -> u32 {
            self.touch() + self.touch()
        }
    }
    fn mk(v: u32) -> Option<Cell<u32>> {
        if v % 2 == 0 { Some(Cell::new(v)) } else { None }
    }
    pub fn run(i: u32) -> u64 {
        K.set(9);
        let k = K;
        k.set(k.get() + i);
        Z[i as usize % 4].set(9);
        let z = Z;
        z[i as usize % 4].set(i);
        let c1 = match mk(i) {
            Some(ref c) => {
                c.set(c.get() + 1);
                c.get()
            }
            None => 2,
        };
        let c2 = match &mk(i + 1) {
            Some(c) => {
                c.set(c.get() + 1);
                c.get()
            }
            None => 2,
        };
        let c3 = mk(i).as_ref().map_or(7, |c| {
            c.set(c.get() * 3);
            c.get()
        });
        let c4 = if let Some(c) = mk(i) {
            c.set(c.get() + 5);
            c.get()
        } else {
            1
        };
        let mut t = 0;
        for c in [Cell::new(1u32), Cell::new(i)] {
            c.set(c.get() + 1);
            t += c.get();
        }
        for c in &[Cell::new(1u32), Cell::new(i)] {
            c.set(c.get() + 1);
            t += c.get();
        }
        for c in [Cell::new(1u32), Cell::new(i)].iter() {
            c.set(c.get() + 1);
            t += c.get();
        }
        let w = &W { c: Cell::new(i), d: 3 };
        t += w.touch() + w.touch();
        let v = &W::NEW;
        t += v.touch() + v.touch() + W::NEW.touch() + W::NEW.both() + W { d: 1, ..W::NEW }.both();
        let arr: [Cell<u32>; 4] = core::array::from_fn(|k| Cell::new(k as u32));
        arr[1..].iter().zip(&arr).for_each(|(a, b)| a.set(a.get() + b.get()));
        let [first, .., last] = &arr;
        first.set(last.get());
        let (ref p, q) = (Cell::new(3u32), Cell::new(i));
        p.set(q.get() + 1);
        q.set(p.get() + 1);
        let g @ W { .. } = W::NEW;
        t += g.touch() + g.touch();
        let o = Some(Cell::new(4u32));
        if let Some(c) = &o {
            c.set(c.get() + i);
        }
        let o2 = o.clone();
        o2.as_ref().unwrap().set(1);
        let boxed = {
            let inner = Cell::new(i);
            inner.set(inner.get() + 1);
            inner
        };
        boxed.set(boxed.get() + 1);
        K.get() as u64
            + k.get() as u64 * 3
            + Z[i as usize % 4].get() as u64 * 7
            + z.iter().map(|c| c.get() as u64).sum::<u64>() * 11
            + c1 as u64 * 13
            + c2 as u64 * 17
            + c3 as u64 * 19
            + c4 as u64 * 23
            + t as u64 * 29
            + arr.iter().fold(0u64, |h, c| h * 5 + c.get() as u64) * 31
            + p.get() as u64 * 37
            + q.get() as u64 * 41
            + o.unwrap().get() as u64 * 43
            + boxed.get() as u64
    }
}

/// Parts of arrays as arrays.
#[device]
mod parts {
    use core::cell::Cell;
    pub fn run(i: u32) -> u64 {
        let xs = [Cell::new(1u32), Cell::new(2), Cell::new(i), Cell::new(4), Cell::new(5)];
        if let Some([a, b]) = xs.first_chunk::<2>() {
            a.set(b.get() + 10);
            b.set(i);
        }
        let k = i as usize % 6;
        if let Some(last) = xs[..k].last_chunk::<2>() {
            last[0].set(last[1].get() + 100);
        }
        if let Some((h, t)) = xs.split_first_chunk::<1>() {
            h[0].set(t[3].get() + t.len() as u32);
        }
        for [a, b] in xs.array_windows::<2>() {
            b.set(b.get() + a.get() % 3);
        }
        let (ch, rest) = xs.as_chunks::<2>();
        for c in ch {
            c[1].swap(&c[0]);
        }
        rest[0].set(1);
        let p: &[Cell<u32>; 2] = xs[1..3].try_into().unwrap();
        p[1].set(p[0].get());
        for c in xs.chunks(2) {
            c[0].set(c[0].get() + 1);
        }
        for c in xs.iter().rev().skip(1).step_by(2) {
            c.set(c.get() + 2);
        }
        let (l, r) = xs.split_at(2);
        l[0].swap(&r[1]);
        xs.iter().fold(0u64, |h, c| h * 31 + c.get() as u64)
    }
}

/// References that methods of iterators and slices give.
#[device]
mod given {
    use core::cell::Cell;
    pub fn run(i: u32) -> u64 {
        let xs: [Cell<u32>; 6] = core::array::from_fn(|k| Cell::new(k as u32 * 7 % 5));
        let each = xs.each_ref();
        each[i as usize % 6].set(11);
        let by: [&Cell<u32>; 3] = core::array::from_fn(|k| &xs[(k + i as usize) % 6]);
        by[1].set(by[0].get() + 1);
        let mut p = xs.iter().peekable();
        while let Some(c) = p.next() {
            if let Some(n) = p.peek() {
                n.set(n.get() + c.get());
            }
        }
        if let Some(c) = xs.iter().find(|c| c.get() > i) {
            c.set(1);
        }
        xs.iter().reduce(|a, b| if a.get() > b.get() { a } else { b }).unwrap().set(2);
        xs.iter().last().unwrap().set(xs.iter().nth(2).unwrap().get() + 3);
        xs.iter().min_by(|a, b| a.get().cmp(&b.get())).unwrap().set(40);
        for c in xs.iter().cycle().take(i as usize % 13) {
            c.set(c.get() + 1);
        }
        let f = xs.iter().fold(&xs[0], |a, c| {
            a.set(a.get() + 1);
            c
        });
        f.set(f.get() * 2);
        for (c, d) in xs.iter().zip(xs.iter().skip(3)) {
            c.swap(d);
        }
        for w in xs.rchunks(4) {
            w[0].set(w[0].get() ^ 3);
        }
        let o = xs.get(i as usize % 7).filter(|c| c.get() % 2 == 0).or(xs.first());
        o.unwrap().set(77);
        let q = xs.split(|c| c.get() % 3 == 0).next().unwrap();
        if !q.is_empty() {
            q[0].set(5);
        }
        let mut m = xs.clone();
        let (a, b) = m.split_at_mut(3);
        core::mem::swap(&mut a[0], &mut b[i as usize % 3]);
        a[1].set(100);
        m.sort_by_key(|c| c.get());
        m.reverse();
        m.swap(1, 2);
        let scan: u32 = xs
            .iter()
            .scan(&xs[1], |s, c| {
                let v = s.get();
                *s = c;
                c.set(c.get() + 1);
                Some(v)
            })
            .sum();
        let t = [[Cell::new(1u32), Cell::new(2)], [Cell::new(3), Cell::new(i)]];
        let row = &t[i as usize % 2];
        row[1].set(row[0].get() + 9);
        for r in &t {
            r[0].set(r[1].get());
        }
        let [[_, z], _] = &t;
        z.set(z.get() + 1);
        let view: &[Cell<u32>; 3] = xs[i as usize % 3..][..3].try_into().unwrap();
        view[2].set(view.iter().map(|c| c.get()).sum());
        for c in view {
            c.set(c.get() + 1);
        }
        let w2 = *xs.as_chunks::<3>().0.last().unwrap().first().unwrap().get().to_le_bytes().first().unwrap();
        xs.iter()
            .chain(&m)
            .chain(&t[0])
            .chain(t[1].iter())
            .fold(0u64, |h, c| h.wrapping_mul(31).wrapping_add(c.get() as u64))
            + scan as u64
            + w2 as u64
    }
}

/// One cell for several closures.
#[device]
mod shared {
    use core::cell::Cell;
    pub fn run(i: u32) -> u64 {
        let c = Cell::new(i as u64);
        let add = |v: u64| c.set(c.get() + v);
        let twice = || {
            c.set(c.get() * 2);
            c.get()
        };
        let mut t = 0;
        for k in 0..i as u64 % 9 {
            add(k);
            if k % 3 == 1 {
                t += twice();
            } else {
                c.set(c.get() ^ 5);
            }
        }
        let mut n = 0;
        while c.get() % 7 != 3 && n < 20 {
            c.set(c.get() + 3);
            n += 1;
        }
        let by = &c;
        let other = by;
        loop {
            other.set(by.get() + 1);
            if c.get() % 5 == 0 {
                break;
            }
        }
        t * 1000 + c.get() + n
    }
}

#[kernel]
pub fn cells(y: &mut [u64]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = program::run(i as u32);
    }
}

#[kernel]
pub fn cells_by_reference(y: &mut [u64]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = by_reference(i as u32);
    }
}

#[device]
fn by_reference(i: u32) -> u64 {
    let of_values = clones::run(i).wrapping_mul(31) ^ temporaries::run(i);
    let of_references = chosen::run(i).wrapping_mul(31) ^ shared::run(i);
    let of_parts = parts::run(i).wrapping_mul(31) ^ given::run(i);
    of_values.rotate_left(7) ^ of_references.rotate_left(19) ^ of_parts
}

/// Each work-item has its own cells, whatever it waits for.
#[kernel(group_size = 8)]
pub fn cells_at_barriers(y: &mut [u32]) {
    use core::cell::Cell;
    let mut tile = Local::<[u32; 8]>::new();
    let (own, lane) = (Cell::new(local_id(0) as u32), local_id(0));
    let add = |v: u32| own.set(own.get() * 3 + v);
    for k in 0..4 {
        tile[lane] = own.get();
        barrier();
        add(tile[(lane + k) % 8]);
        barrier();
    }
    if global_id(0) < y.len() {
        y[global_id(0)] = own.get();
    }
}

pub fn cases() -> Vec<Case> {
    let expected: Vec<u64> = (0..48).map(program::run).collect();
    let by_reference: Vec<u64> = (0..48).map(by_reference).collect();
    let mut own: [u32; 8] = std::array::from_fn(|lane| lane as u32);
    for k in 0..4 {
        let tile = own;
        own = std::array::from_fn(|lane| tile[lane] * 3 + tile[(lane + k) % 8]);
    }
    vec![
        Case::of(&CELLS).output(&expected).items([expected.len()]),
        Case::of(&CELLS_BY_REFERENCE).output(&by_reference).items([by_reference.len()]),
        Case::of(&CELLS_AT_BARRIERS).output(&[own, own].concat()).groups([2], [8]),
    ]
}
