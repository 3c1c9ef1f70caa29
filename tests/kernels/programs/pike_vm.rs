//! Regular expressions as a program for Pike's machine, which is simulated with sets of threads.

use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
pub mod program {
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    enum Class {
        Any,
        Byte(u8),
        Digit,
        Word,
        Range { lo: u8, hi: u8 },
    }

    impl Class {
        fn matches(&self, b: u8) -> bool {
            match *self {
                Class::Any => b != b'\n',
                Class::Byte(c) => b == c,
                Class::Digit => b.is_ascii_digit(),
                Class::Word => b.is_ascii_alphanumeric() || b == b'_',
                Class::Range { lo, hi } => (lo..=hi).contains(&b),
            }
        }
    }

    #[derive(Clone, Copy, Debug)]
    enum Inst {
        Match,
        Consume(Class),
        Split { first: usize, second: usize },
        Jump(usize),
        Save(u8),
        AssertStart,
        AssertEnd,
    }

    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Error {
        TooLong,
        NothingToRepeat { at: usize },
        UnclosedClass,
        TrailingBackslash,
    }

    type Result<T, E = Error> = core::result::Result<T, E>;

    pub struct Program<const N: usize> {
        code: [Inst; N],
        len: usize,
    }

    impl<const N: usize> Program<N> {
        pub fn compile(pattern: &[u8]) -> Result<Self> {
            let mut prog = Program { code: [Inst::Match; N], len: 0 };
            let mut rest = pattern;
            prog.emit(Inst::Save(0))?;
            let mut last_atom = None;
            while let Some((&c, tail)) = rest.split_first() {
                rest = tail;
                match c {
                    b'^' if last_atom.is_none() => {
                        prog.emit(Inst::AssertStart)?;
                    }
                    b'$' if rest.is_empty() => {
                        prog.emit(Inst::AssertEnd)?;
                    }
                    b'*' | b'+' | b'?' => {
                        let at: usize = last_atom
                            .take()
                            .ok_or(Error::NothingToRepeat { at: pattern.len() - rest.len() - 1 })?;
                        let lazy = matches!(rest, [b'?', ..]);
                        if lazy {
                            rest = &rest[1..];
                        }
                        prog.repeat(c, at, lazy)?;
                    }
                    b'[' => {
                        let (lo, hi) = match rest {
                            [lo, b'-', hi, b']', tail @ ..] => {
                                rest = tail;
                                (*lo, *hi)
                            }
                            [one, b']', tail @ ..] => {
                                rest = tail;
                                (*one, *one)
                            }
                            _ => return Err(Error::UnclosedClass),
                        };
                        last_atom = Some(prog.emit(Inst::Consume(Class::Range { lo, hi }))?);
                    }
                    b'\\' => {
                        let (&escaped, tail) = rest.split_first().ok_or(Error::TrailingBackslash)?;
                        rest = tail;
                        let class = match escaped {
                            b'd' => Class::Digit,
                            b'w' => Class::Word,
                            other => Class::Byte(other),
                        };
                        last_atom = Some(prog.emit(Inst::Consume(class))?);
                    }
                    b'.' => last_atom = Some(prog.emit(Inst::Consume(Class::Any))?),
                    other => last_atom = Some(prog.emit(Inst::Consume(Class::Byte(other)))?),
                }
            }
            prog.emit(Inst::Save(1))?;
            prog.emit(Inst::Match)?;
            Ok(prog)
        }

        fn emit(&mut self, inst: Inst) -> Result<usize> {
            let slot = self.code.get_mut(self.len).ok_or(Error::TooLong)?;
            *slot = inst;
            self.len += 1;
            Ok(self.len - 1)
        }

        fn repeat(&mut self, op: u8, at: usize, lazy: bool) -> Result<()> {
            let atom = self.code[at];
            let end = self.len;
            let split = |a: usize, b: usize| match lazy {
                false => Inst::Split { first: a, second: b },
                true => Inst::Split { first: b, second: a },
            };
            match op {
                b'+' => {
                    self.emit(split(at, end + 1))?;
                }
                _ => {
                    self.emit(atom)?;
                    let mut out = end + 1;
                    if op == b'*' {
                        self.emit(Inst::Jump(at))?;
                        out += 1;
                    }
                    self.code[at] = split(at + 1, out);
                }
            }
            Ok(())
        }

        pub fn find(&self, text: &[u8]) -> Option<(usize, usize)> {
            let mut current = Threads::<N>::default();
            let mut next = Threads::<N>::default();
            let mut best = None;
            for pos in 0..=text.len() {
                if best.is_none() {
                    self.add(&mut current, 0, [0, 0], pos, text.len());
                }
                let byte = text.get(pos);
                next.clear();
                for i in 0..current.len {
                    let (pc, slots) = current.list[i];
                    match self.code[pc] {
                        Inst::Match => {
                            best = Some((slots[0], slots[1]));
                            break;
                        }
                        Inst::Consume(class) => {
                            if byte.is_some_and(|&b| class.matches(b)) {
                                self.add(&mut next, pc + 1, slots, pos + 1, text.len());
                            }
                        }
                        _ => unreachable!("the closure has followed it"),
                    }
                }
                core::mem::swap(&mut current, &mut next);
                if current.len == 0 && best.is_some() {
                    break;
                }
            }
            best
        }

        /// Follows all that consumes nothing, with a stack instead of recursion.
        fn add(&self, threads: &mut Threads<N>, start: usize, slots: [usize; 2], pos: usize, end: usize) {
            let mut stack = [(0usize, [0usize; 2]); 16];
            let mut depth = 1;
            stack[0] = (start, slots);
            while depth > 0 {
                depth -= 1;
                let (pc, mut slots) = stack[depth];
                if threads.seen & (1 << pc) != 0 {
                    continue;
                }
                threads.seen |= 1 << pc;
                let mut push = |entry| {
                    stack[depth] = entry;
                    depth += 1;
                };
                match self.code[pc] {
                    Inst::Jump(to) => push((to, slots)),
                    Inst::Split { first, second } => {
                        push((second, slots));
                        push((first, slots));
                    }
                    Inst::Save(slot) => {
                        slots[usize::from(slot)] = pos;
                        push((pc + 1, slots));
                    }
                    Inst::AssertStart if pos == 0 => push((pc + 1, slots)),
                    Inst::AssertEnd if pos == end => push((pc + 1, slots)),
                    Inst::AssertStart | Inst::AssertEnd => {}
                    Inst::Match | Inst::Consume(_) => {
                        threads.list[threads.len] = (pc, slots);
                        threads.len += 1;
                    }
                }
            }
        }
    }

    struct Threads<const N: usize> {
        list: [(usize, [usize; 2]); N],
        len: usize,
        seen: u32,
    }

    impl<const N: usize> Default for Threads<N> {
        fn default() -> Self {
            Threads { list: [(0, [0; 2]); N], len: 0, seen: 0 }
        }
    }

    impl<const N: usize> Threads<N> {
        fn clear(&mut self) {
            self.len = 0;
            self.seen = 0;
        }
    }

    const PATTERNS: [&[u8]; 8] =
        [br"\d+\.\d*", b"^a.*b$", b"x[a-f]?y", b"*oops", b"[a-", br"\w+?@\w+", b"colou?r", b"a+b+c*"];
    const TEXTS: [&str; 6] =
        ["pi is 3.14159, e is 2.", "a quick b", "axyb xfy aabbcc", "mail me@home.org", "color or colour", ""];

    pub fn run(seed: u32) -> [u32; 6] {
        let mut out = [0; 6];
        let pattern = PATTERNS[(seed % 8) as usize];
        let program = match Program::<24>::compile(pattern) {
            Ok(program) => program,
            Err(e) => {
                let code = match e {
                    Error::TooLong => 1,
                    Error::NothingToRepeat { at } => 100 + at as u32,
                    Error::UnclosedClass => 2,
                    Error::TrailingBackslash => 3,
                };
                return [code; 6];
            }
        };
        for (slot, text) in out.iter_mut().zip(&TEXTS) {
            *slot = match program.find(text.as_bytes()) {
                Some((start, end)) => (start as u32) << 16 | end as u32,
                None => u32::MAX,
            };
        }
        out
    }
}

#[kernel]
pub fn patterns_found(seeds: &[u32], y: &mut [[u32; 6]]) {
    let i = global_id(0);
    y[i] = program::run(seeds[i]);
}

pub fn case() -> Case {
    super::case_by_seed(&PATTERNS_FOUND, program::run)
}
