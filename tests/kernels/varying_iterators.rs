//! Iterators over slices that are assigned, kept in what is assigned, or come out of one of several branches: where they are is known to the running kernel alone.

use super::case::Case;
use super::edge::map;
use kernel_runtime::prelude::*;

fn hash(hash: i32, v: i32) -> i32 {
    hash.wrapping_mul(31).wrapping_add(v)
}

#[device]
mod streams {
    use core::iter::{Copied, Enumerate, Peekable, Rev, Skip, Zip};
    use core::slice::{Chunks, Iter};

    const fn mix(hash: i32, v: i32) -> i32 {
        hash.wrapping_mul(31).wrapping_add(v)
    }

    /// One variable for several slices, an array among them.
    pub fn chosen(x: &[i32], y: &[i32]) -> [i32; 6] {
        let small = [7, 8, 9];
        let n = x[0] as usize;
        let mut it = if n % 2 == 0 { x.iter() } else { y[1..].iter() };
        let first = it.next().copied().unwrap_or(-1);
        let sum = it.clone().fold(0, |sum, v| mix(sum, *v));
        let back = it.next_back().copied().unwrap_or(-1);
        let mut rest = it.as_slice();
        if n % 3 == 0 {
            it = small.iter();
            rest = &rest[rest.len().min(1)..];
        }
        let again = it.by_ref().take(2).fold(0, |sum, v| mix(sum, *v));
        let len = (it.len() * 100 + rest.len()) as i32;
        let last = match n % 4 {
            0 => x.iter(),
            1 => y.iter(),
            2 => small.iter(),
            _ => it,
        };
        [first, sum, back, again, len, last.rev().fold(0, |sum, v| mix(sum, *v))]
    }

    pub enum Source<'a> {
        Empty,
        Bytes(Iter<'a, i32>),
        Backward(Rev<Iter<'a, i32>>),
        Pairs { of: Zip<Iter<'a, i32>, Copied<Iter<'a, i32>>>, seen: i32 },
    }

    impl Source<'_> {
        pub fn pull(&mut self) -> Option<i32> {
            match self {
                Source::Empty => None,
                Source::Bytes(it) => it.next().copied(),
                Source::Backward(it) => it.next().map(|v| v * 2),
                Source::Pairs { of, seen } => {
                    *seen += 1;
                    of.next().map(|(a, b)| a * 10 + b)
                }
            }
        }
    }

    /// The variant is chosen at run time, and assigned again when it has ended.
    pub fn sources(x: &[i32], y: &[i32]) -> [i32; 3] {
        let mut source = match x[0] % 4 {
            0 => Source::Bytes(x.iter()),
            1 => Source::Backward(y.iter().rev()),
            2 => Source::Pairs { of: x.iter().zip(y.iter().copied()), seen: 0 },
            _ => Source::Empty,
        };
        let (mut sum, mut count) = (0, 0);
        let mut turns = x[0];
        loop {
            match source.pull() {
                Some(v) => {
                    sum = mix(sum, v);
                    count += 1;
                }
                None if turns > 0 => {
                    source = if turns % 2 == 0 {
                        Source::Bytes(y[1..].iter())
                    } else {
                        Source::Backward(x[2..].iter().rev())
                    };
                    turns -= 3;
                }
                None => break,
            }
        }
        [sum, count, turns]
    }

    #[derive(Clone)]
    pub struct Lexer<'a> {
        rest: Peekable<Copied<Iter<'a, i32>>>,
        pub line: i32,
    }

    impl<'a> Lexer<'a> {
        pub fn new(text: &'a [i32]) -> Self {
            Self { rest: text.iter().copied().peekable(), line: 0 }
        }

        pub fn small(&mut self) -> Option<i32> {
            self.rest.next_if(|v| *v < 5)
        }

        pub fn run(&mut self) -> i32 {
            let mut run = 0;
            while let Some(v) = self.small() {
                run = mix(run, v);
            }
            if let Some(&next) = self.rest.peek() {
                self.line += next;
                self.rest.next();
            }
            run
        }
    }

    fn skip(it: &mut Iter<'_, i32>, n: i32) {
        for _ in 0..n {
            it.next();
        }
    }

    fn restart<'a>(it: &mut Iter<'a, i32>, from: &'a [i32]) -> i32 {
        let left = it.len() as i32;
        *it = from.iter();
        left
    }

    /// A struct goes back to a copy of what it was; callees advance what they borrow, and put another in its place.
    pub fn lexers(x: &[i32], y: &[i32]) -> [i32; 8] {
        let mut lexer = Lexer::new(x);
        let mut result = [0; 8];
        let saved = lexer.clone();
        result[0] = lexer.run();
        result[1] = lexer.run();
        if lexer.line % 2 == 0 {
            lexer = saved;
        } else if lexer.line % 3 == 0 {
            lexer = Lexer::new(y);
        }
        result[2] = lexer.run();
        result[3] = lexer.line;
        let mut it = y.iter();
        skip(&mut it, x[0]);
        result[4] = it.next().copied().unwrap_or(-1);
        result[5] = restart(&mut it, &x[1..]);
        let old = core::mem::replace(&mut it, y.iter());
        result[6] = old.fold(0, |sum, v| mix(sum, *v));
        let mut parts = x.chunks(2);
        let mut counted = x.iter().enumerate().skip(1);
        if x[0] % 2 == 1 {
            parts = y.chunks(3);
            counted = y[2..].iter().enumerate().skip(2);
        }
        result[7] = tail(parts, counted) + it.len() as i32;
        result
    }

    fn tail(parts: Chunks<'_, i32>, counted: Skip<Enumerate<Iter<'_, i32>>>) -> i32 {
        let parts = parts.fold(0, |sum, part| mix(sum, part.len() as i32 + part[0]));
        counted.fold(parts, |sum, (i, v)| mix(sum, i as i32 - v))
    }

    /// Several in an array, of which the one with the least item is next.
    pub fn merged(x: &[i32], y: &[i32]) -> i32 {
        let mut heads = [x.iter().peekable(), y.iter().peekable(), x[1..].iter().peekable()];
        let mut sum = 0;
        for _ in 0..24 {
            let mut least: Option<(usize, i32)> = None;
            for (k, head) in heads.iter_mut().enumerate() {
                if let Some(&&v) = head.peek() {
                    if least.is_none_or(|(_, least)| v < least) {
                        least = Some((k, v));
                    }
                }
            }
            let Some((k, _)) = least else { break };
            sum = mix(sum, *heads[k].next().unwrap() * 4 + k as i32);
            if sum % 16 == 3 {
                heads[k] = y.iter().peekable();
            }
        }
        sum
    }

    pub struct Cursor<'a> {
        open: [Option<Iter<'a, i32>>; 3],
        depth: usize,
    }

    /// A stack of iterators.
    pub fn nested(x: &[i32], y: &[i32]) -> i32 {
        let mut stack = Cursor { open: [Some(x.iter()), None, None], depth: 1 };
        let mut sum = 0;
        while stack.depth > 0 {
            let top = stack.depth - 1;
            let next = match &mut stack.open[top] {
                Some(it) => it.next(),
                None => None,
            };
            match next {
                Some(v) if *v > 6 && stack.depth < 3 => {
                    stack.open[stack.depth] = Some(y[..3].iter());
                    stack.depth += 1;
                }
                Some(v) => sum = mix(sum, *v + top as i32),
                None => {
                    stack.open[top] = None;
                    stack.depth -= 1;
                }
            }
        }
        sum
    }

    /// Elements of one of two arrays are changed.
    pub fn changed(n: i32) -> [i32; 8] {
        let (mut a, mut b) = ([1, 2, 3, 4], [5, 6, 7, 8]);
        let mut it = if n % 2 == 0 { a.iter_mut() } else { b.iter_mut() };
        if let Some(v) = it.next() {
            *v += n;
        }
        for v in it {
            *v *= 2;
        }
        [a[0], a[1], a[2], a[3], b[0], b[1], b[2], b[3]]
    }
}

#[device]
mod texts {
    use core::iter::Peekable;
    use core::str::{CharIndices, Chars};

    #[derive(Clone)]
    struct Parser<'a> {
        rest: Peekable<Chars<'a>>,
    }

    /// As many digits as there are, of any iterator over characters.
    fn number<I: Iterator<Item = char>>(rest: &mut Peekable<I>) -> Option<u32> {
        let mut value = None;
        while let Some(digit) = rest.peek().and_then(|c| c.to_digit(10)) {
            rest.next();
            value = Some(value.unwrap_or(0) * 10 + digit);
        }
        value
    }

    impl Parser<'_> {
        fn product(&mut self) -> Option<u32> {
            let first = number(&mut self.rest)?;
            self.rest.next_if_eq(&'x')?;
            Some(first * number(&mut self.rest)?)
        }

        /// Goes back to where it was if there is no product.
        fn value(&mut self) -> Option<u32> {
            let saved = self.clone();
            self.product().or_else(|| {
                *self = saved;
                number(&mut self.rest)
            })
        }
    }

    struct Words<'a> {
        text: &'a str,
        rest: Peekable<CharIndices<'a>>,
    }

    impl<'a> Iterator for Words<'a> {
        type Item = &'a str;

        fn next(&mut self) -> Option<&'a str> {
            while self.rest.next_if(|(_, c)| c.is_whitespace()).is_some() {}
            let &(start, _) = self.rest.peek()?;
            let mut end = start;
            while let Some((at, c)) = self.rest.next_if(|(_, c)| !c.is_whitespace()) {
                end = at + c.len_utf8();
            }
            Some(&self.text[start..end])
        }
    }

    pub fn run(n: usize) -> [u32; 4] {
        let text = ["12x34", "45x", "x", "7 ü88x9 1", "  80x2  3x "][n % 5];
        let mut parser = Parser { rest: text.chars().peekable() };
        let value = parser.value().unwrap_or(1000);
        if let Some(c) = parser.rest.peek_mut() {
            *c = 'y';
        }
        let rest = parser.rest.by_ref().fold(0_u32, |sum, c| sum.wrapping_mul(31).wrapping_add(c.into()));
        let words = Words { text, rest: text.char_indices().peekable() };
        let values = words.map(|word| Parser { rest: word.chars().peekable() }.value().unwrap_or(5));
        let values = values.fold(0_u32, |sum, v| sum.wrapping_mul(31).wrapping_add(v));
        [value, rest, values, parser.rest.next().is_some() as u32]
    }
}

#[kernel]
pub fn iterators_of_texts(z: &mut [[u32; 4]]) {
    let i = global_id(0);
    z[i] = texts::run(i);
}

#[kernel]
pub fn iterators_chosen(x: &[i32], y: &[i32], z: &mut [[i32; 6]]) {
    let i = global_id(0);
    z[i] = streams::chosen(&x[i..], y);
}

#[kernel]
pub fn iterators_in_enums(x: &[i32], y: &[i32], z: &mut [[i32; 3]]) {
    let i = global_id(0);
    z[i] = streams::sources(&x[i..], y);
}

#[kernel]
pub fn iterators_in_structs(x: &[i32], y: &[i32], z: &mut [[i32; 8]]) {
    let i = global_id(0);
    z[i] = streams::lexers(&x[i..], y);
}

#[kernel]
pub fn iterators_in_arrays(x: &[i32], y: &[i32], z: &mut [[i32; 2]]) {
    let i = global_id(0);
    z[i] = [streams::merged(&x[i..], y), streams::nested(&x[i..], y)];
}

#[kernel]
pub fn iterators_that_change(z: &mut [[i32; 8]]) {
    let i = global_id(0);
    z[i] = streams::changed(i as i32);
}

/// Slices of global memory, a table and local memory are places of different kinds.
#[kernel]
pub fn iterators_of_memories(x: &[i32], z: &mut [i32]) {
    let mut tile = Local::<[i32; 8]>::new();
    tile[local_id(0)] = x[local_id(0)] * 3;
    barrier();
    let i = global_id(0);
    let it: core::slice::Iter<'_, i32> = match i % 3 {
        0 => x.iter(),
        1 => tile.iter(),
        _ => [3, 1, 4].iter(),
    };
    let mut sum = 0_i32;
    for v in it {
        sum = sum.wrapping_mul(31).wrapping_add(*v);
    }
    z[i] = sum;
}

fn of_memories(x: &[i32], i: usize) -> i32 {
    let tile: Vec<i32> = x[..8].iter().map(|v| v * 3).collect();
    let all: [&[i32]; 3] = [x, &tile, &[3, 1, 4]];
    all[i % 3].iter().fold(0, |sum, v| hash(sum, *v))
}

pub fn cases() -> Vec<Case> {
    let x = [0, 3, 1, 2, 5, 1, 9, 2, 6, 4, 8, 7, 3, 2, 11, 5];
    let y = [4, 1, 7, 7, 2, 12, 9];
    let starts: Vec<usize> = (0..x.len() - 3).collect();
    let items = [starts.len()];
    let of = |output| Case::of(output).input(&x).input(&y);
    let numbers: Vec<i32> = (0..4).collect();
    let both = |i: &[i32]| [streams::merged(i, &y), streams::nested(i, &y)];
    let groups: Vec<usize> = (0..16).collect();
    vec![
        of(&ITERATORS_CHOSEN).output(&map(&starts, |i| streams::chosen(&x[i..], &y))).items(items),
        of(&ITERATORS_IN_ENUMS).output(&map(&starts, |i| streams::sources(&x[i..], &y))).items(items),
        of(&ITERATORS_IN_STRUCTS).output(&map(&starts, |i| streams::lexers(&x[i..], &y))).items(items),
        of(&ITERATORS_IN_ARRAYS).output(&map(&starts, |i| both(&x[i..]))).items(items),
        Case::of(&ITERATORS_OF_TEXTS).output(&map(&[0, 1, 2, 3, 4], texts::run)).items([5]),
        Case::of(&ITERATORS_THAT_CHANGE).output(&map(&numbers, streams::changed)).items([numbers.len()]),
        Case::of(&ITERATORS_OF_MEMORIES)
            .input(&x)
            .output(&map(&groups, |i| of_memories(&x, i)))
            .groups([2], [8]),
    ]
}
