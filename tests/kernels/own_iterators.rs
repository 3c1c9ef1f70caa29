//! Iterators of the user's own: with slices that shrink, by value and by reference, and with methods of the user's for all of them.

use super::case::Case;
use super::edge::map;
use kernel_runtime::prelude::*;

#[device]
mod consuming {
    #[derive(Clone)]
    pub struct Pairs<'a> {
        rest: &'a [u32],
    }
    impl<'a> Pairs<'a> {
        pub fn new(rest: &'a [u32]) -> Self {
            Self { rest }
        }
    }
    impl<'a> Iterator for Pairs<'a> {
        type Item = u32;
        fn next(&mut self) -> Option<u32> {
            let first = *self.rest.first()?;
            self.rest = &self.rest[1..];
            Some(first)
        }
    }
    pub struct Fields<'a> {
        text: &'a [u8],
        done: bool,
    }
    pub fn fields(text: &[u8]) -> Fields<'_> {
        Fields { text, done: false }
    }
    impl<'a> Iterator for Fields<'a> {
        type Item = &'a [u8];
        fn next(&mut self) -> Option<Self::Item> {
            if self.done {
                return None;
            }
            match self.text.iter().position(|&b| b == b',') {
                Some(at) => {
                    let (field, rest) = self.text.split_at(at);
                    self.text = &rest[1..];
                    Some(field)
                }
                None => {
                    self.done = true;
                    Some(self.text)
                }
            }
        }
    }
    pub fn adapters(x: &[u32], n: usize) -> u32 {
        let mut sum = 0_u32;
        for v in Pairs::new(x) {
            sum = sum.wrapping_mul(3).wrapping_add(v);
        }
        for v in Pairs::new(x).take(n) {
            sum = sum.wrapping_mul(5).wrapping_add(v);
        }
        let s: u32 = Pairs::new(x).map(|v| v % 7).sum();
        let z = Pairs::new(x)
            .zip(Pairs::new(&x[1..]))
            .map(|(a, b)| a ^ b)
            .fold(0_u32, |a, b| a.wrapping_mul(31) ^ b);
        let mut rest = x;
        let f: u32 = std::iter::from_fn(|| {
            let (first, tail) = rest.split_first()?;
            rest = tail;
            Some(*first % 5)
        })
        .sum();
        let mut r2 = x;
        let g = std::iter::from_fn(move || {
            let (a, b) = r2.split_at(r2.len().min(2));
            r2 = b;
            if a.is_empty() { None } else { Some(a.iter().sum::<u32>()) }
        })
        .filter(|v| v % 2 == 0)
        .count() as u32;
        let mut it = Pairs::new(x);
        let first = it.next().unwrap_or(0);
        let others = it.clone().skip(1).max().unwrap_or(0);
        let rest = it.count() as u32;
        let nested = x.chunks(3).flat_map(Pairs::new).fold(0_u32, |a, v| a.wrapping_mul(13) ^ v);
        let partly =
            [x, &x[1..]].into_iter().flat_map(|x| Pairs::new(x).step_by(2)).map(|v| v % 9).sum::<u32>();
        sum ^ nested
            ^ (partly << 12)
            ^ s.wrapping_mul(100)
            ^ z
            ^ f.wrapping_mul(7777)
            ^ (g << 20)
            ^ first
            ^ others
            ^ rest
    }
    pub fn csv(text: &[u8]) -> u32 {
        let mut h = 0_u32;
        for (i, f) in fields(text).enumerate() {
            h = h.wrapping_mul(31).wrapping_add((f.len() + i) as u32);
            for &b in f {
                h = h.wrapping_mul(17) ^ b as u32;
            }
        }
        let longest = fields(text).map(|f| f.len()).max().unwrap_or(0);
        let nums = fields(text)
            .filter_map(|f| match f {
                [d @ b'0'..=b'9'] => Some((d - b'0') as u32),
                _ => None,
            })
            .sum::<u32>();
        h ^ (longest as u32) << 8 ^ nums << 16
    }
}

#[device]
mod bags {
    #[derive(Clone, Copy)]
    pub struct Bag {
        items: [u32; 4],
        len: usize,
    }
    impl Bag {
        pub fn new(x: u32) -> Self {
            Bag { items: [x, x + 1, x * 2, 7], len: (x % 4) as usize + 1 }
        }
    }
    pub struct BagIter {
        bag: Bag,
        at: usize,
    }
    impl Iterator for BagIter {
        type Item = u32;
        fn next(&mut self) -> Option<u32> {
            if self.at < self.bag.len {
                self.at += 1;
                Some(self.bag.items[self.at - 1])
            } else {
                None
            }
        }
    }
    impl IntoIterator for Bag {
        type Item = u32;
        type IntoIter = BagIter;
        fn into_iter(self) -> BagIter {
            BagIter { bag: self, at: 0 }
        }
    }
    impl<'a> IntoIterator for &'a Bag {
        type Item = &'a u32;
        type IntoIter = core::slice::Iter<'a, u32>;
        fn into_iter(self) -> Self::IntoIter {
            self.items[..self.len].iter()
        }
    }
    impl<'a> IntoIterator for &'a mut Bag {
        type Item = &'a mut u32;
        type IntoIter = core::slice::IterMut<'a, u32>;
        fn into_iter(self) -> Self::IntoIter {
            self.items[..self.len].iter_mut()
        }
    }
    fn total<I: IntoIterator<Item = u32>>(i: I) -> u32 {
        i.into_iter().sum()
    }
    pub fn f(x: u32) -> u32 {
        let mut bag = Bag::new(x);
        let mut s = 0;
        for v in &bag {
            s = s * 3 + *v;
        }
        for v in &mut bag {
            *v += 1;
        }
        for v in bag {
            s = s * 5 + v;
        }
        let t: u32 = (&bag).into_iter().sum();
        let u: u32 = bag.into_iter().map(|v| v * 2).sum();
        s + t * 1000 + u + total(bag)
    }
}

#[device]
mod extensions {
    pub trait Ext: Iterator {
        fn second(mut self) -> Option<Self::Item>
        where
            Self: Sized,
        {
            self.next();
            self.next()
        }
        fn sum_sq(self) -> u32
        where
            Self: Sized + Iterator<Item = u32>,
        {
            self.map(|v| v * v).sum()
        }
        fn dot<J>(self, other: J) -> u32
        where
            Self: Sized,
            J: Iterator<Item = u32>,
            Self::Item: Into<u32>,
        {
            self.zip(other).map(|(a, b)| a.into() * b).sum()
        }
    }
    impl<I: Iterator> Ext for I {}
    pub trait Stats: Iterator<Item = f32> + Sized {
        fn mean(self) -> f32 {
            let (mut n, mut s) = (0, 0.0);
            for v in self {
                s += v;
                n += 1;
            }
            s / n as f32
        }
    }
    impl<I: Iterator<Item = f32>> Stats for I {}
    pub struct Count {
        n: u32,
    }
    impl Iterator for Count {
        type Item = u32;
        fn next(&mut self) -> Option<u32> {
            if self.n == 0 {
                None
            } else {
                self.n -= 1;
                Some(self.n)
            }
        }
    }
    pub fn f(x: &[u32], i: usize) -> [u32; 5] {
        [
            x[i..].iter().copied().second().unwrap_or(99),
            x[i..].iter().copied().sum_sq(),
            Count { n: i as u32 }.second().unwrap_or(77),
            x[i..].iter().map(|&v| v as f32).mean() as u32,
            x[i..].iter().map(|v| *v as u16).dot(x.iter().copied()) + Count { n: 4 }.sum_sq(),
        ]
    }
}

/// To ask an iterator for its length takes nothing out of what it refers to.
#[device]
mod draining {
    pub struct Stack {
        items: [u32; 8],
        len: usize,
    }
    pub struct Drain<'a>(&'a mut Stack);
    impl Iterator for Drain<'_> {
        type Item = u32;
        fn next(&mut self) -> Option<u32> {
            self.0.len = self.0.len.checked_sub(1)?;
            Some(self.0.items[self.0.len])
        }
        fn size_hint(&self) -> (usize, Option<usize>) {
            (self.0.len, Some(self.0.len))
        }
    }
    impl ExactSizeIterator for Drain<'_> {}
    pub fn f(x: &[u32]) -> u32 {
        let mut stack = Stack { items: [7; 8], len: 0 };
        for (item, &v) in stack.items.iter_mut().zip(x) {
            *item = v;
            stack.len += 1;
        }
        let mut drain = Drain(&mut stack);
        let before = drain.len();
        let first = drain.next().unwrap_or(5);
        let left = drain.len();
        (before * 10 + left) as u32 + 100 * (first + stack.len as u32)
    }
}

#[device]
fn all(x: &[u32], text: &[u8], i: usize) -> [u32; 9] {
    let [a, b, c, d, e] = extensions::f(x, i);
    let drained = draining::f(&x[i..]);
    [consuming::adapters(&x[i..], i), consuming::csv(&text[i..]), bags::f(x[i] % 20), a, b, c, d, e, drained]
}

#[kernel]
pub fn own_iterators(x: &[u32], text: &[u8], y: &mut [[u32; 9]]) {
    let i = global_id(0);
    y[i] = all(x, text, i);
}

pub fn cases() -> Vec<Case> {
    let x: Vec<u32> = (0..14).map(|i| i * i / 3 + i).collect();
    let text = b"ab,1,,xyz,2,3,,k9,";
    let positions: Vec<usize> = (0..x.len()).collect();
    let y = map(&positions, |i| all(&x, text, i));
    vec![Case::of(&OWN_ITERATORS).input(&x).input(text).output(&y).items([y.len()])]
}
