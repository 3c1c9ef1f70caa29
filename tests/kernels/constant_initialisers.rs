//! Constants and statics whose initialisers have variables, loops and functions of their own, wherever they are defined.

use super::case::Case;
use super::edge::map;
use kernel_runtime::prelude::*;

#[device]
const fn square(x: u64) -> u64 {
    let twice = x * x;
    twice
}

#[device]
const fn fill(table: &mut [u64; 4], by: u64) {
    let mut i = 0;
    while i < table.len() {
        table[i] += by * i as u64;
        i += 1;
    }
}

#[device]
const SUM: u64 = {
    let mut sum = 0;
    let mut i = 0;
    loop {
        i += 1;
        if i > 10 {
            break;
        }
        if i % 2 == 0 {
            continue;
        }
        sum += square(i);
    }
    sum
};

#[device]
const FILLED: [u64; 4] = {
    let mut table = [1; 4];
    fill(&mut table, SUM);
    table
};

#[device]
static ROWS: [[f32; 2]; 3] = {
    let mut rows = [[0.0; 2]; 3];
    let mut i = 0;
    while i < 3 {
        rows[i][0] = i as f32 * 0.5;
        rows[i][1] = {
            let x = i as f32;
            x * x
        };
        i += 1;
    }
    rows
};

#[device]
const MATCHED: u64 = match SUM {
    0 => 1,
    n if n > 100 => {
        let half = n / 2;
        half + 1
    }
    n => n * 2,
};

#[device]
const NESTED: u64 = {
    const INNER: u64 = {
        let seven = 7;
        seven + SUM
    };
    let (first, [second, ..]) = (INNER, FILLED);
    if let Some(x) = Some(first) { x + second } else { 0 }
};

#[device]
const FLOAT: f32 = {
    let x = 1.5f32;
    let y = x * 2.0;
    y + 0.25
};

#[device]
const TRUTH: bool = {
    let x = SUM;
    x > 3
};

#[device]
#[derive(Clone, Copy)]
struct Pair {
    a: u64,
    b: [f32; 2],
}

#[device]
const PAIR: Pair = {
    let mut pair = Pair { a: 1, b: [0.5; 2] };
    pair.a += SUM;
    pair.b[1] = FLOAT;
    pair
};

#[device]
mod members {
    pub struct Owner;

    impl Owner {
        pub const NUMBER: u64 = {
            let x = 6;
            let y = x * 7;
            y
        };
        pub const TABLE: [u64; 3] = {
            let mut table = [0; 3];
            let mut i = 0;
            while i < 3 {
                table[i] = Self::NUMBER + i as u64;
                i += 1;
            }
            table
        };
    }

    pub trait Numbered {
        const GIVEN: u64 = {
            let w = 2;
            w * w
        };
        const OWN: u64;
    }

    impl Numbered for Owner {
        const OWN: u64 = {
            let v = 3;
            v * <Self as Numbered>::GIVEN
        };
    }

    pub const BESIDE: u64 = {
        let z = Owner::NUMBER;
        z + 1
    };
}

#[device]
fn of_length<const N: usize>(x: u64) -> u64 {
    let sum = const {
        let mut sum = 0;
        let mut k = 0;
        while k < N {
            sum += k as u64;
            k += 1;
        }
        sum
    };
    sum + x
}

#[device]
fn in_modules(x: u64) -> u64 {
    use members::{Numbered, Owner};
    let i = x as usize;
    let numbers = SUM + FILLED[i & 3] * 3 + MATCHED * 5 + NESTED * 7 + TRUTH as u64 + PAIR.a;
    let floats = ROWS[i % 3][0] * 8.0 + ROWS[i % 3][1] * 100.0 + FLOAT * 1000.0 + PAIR.b[1] * 4.0;
    let members = Owner::NUMBER + Owner::TABLE[i % 3] * 100 + <Owner as Numbered>::GIVEN + members::BESIDE;
    numbers + floats as u64 * 3 + members * 5 + <Owner as Numbered>::OWN * 7
}

#[device]
fn in_bodies(x: u64) -> u64 {
    let i = x as usize & 3;
    const X: u64 = {
        let a = 3;
        let b = {
            let a = a + 1;
            a * 2
        };
        a + b
    };
    const Y: [u64; 4] = {
        const W: u64 = X + 1;
        let mut table = [W; 4];
        let mut k = 0;
        while k < 4 {
            table[k] *= k as u64;
            k += 1;
        }
        table
    };
    static SET: [bool; 4] = {
        let mut set = [false; 4];
        set[2] = true;
        set
    };
    const N: usize = 4;
    let row: [u64; N] = [x; N];
    let block = const {
        let x = 4u64;
        x * x
    };
    X + Y[i] * 3 + SET[i] as u64 * 5 + row[i] + block * 7 + of_length::<N>(x) + of_length::<{ N + 3 }>(x)
}

#[kernel]
pub fn initialised_constants(x: &[u64], of_modules: &mut [u64], of_bodies: &mut [u64], own: &mut [u64]) {
    const TRIANGLES: [u64; 8] = {
        let mut table = [0; 8];
        let mut k = 1;
        while k < 8 {
            table[k] = table[k - 1] + k as u64;
            k += 1;
        }
        table
    };
    let i = global_id(0);
    of_modules[i] = in_modules(x[i]);
    of_bodies[i] = in_bodies(x[i]);
    own[i] = TRIANGLES[x[i] as usize & 7];
}

/// The code of constants that change slices, in a kernel that does too.
#[device]
mod computed {
    const fn trimmed(text: &[u8]) -> usize {
        let mut rest = text;
        while let [b' ', tail @ ..] = rest {
            rest = tail;
        }
        rest.len()
    }
    const fn chosen(text: &[u8], n: usize) -> u8 {
        let mut part = text;
        if n > 1 {
            let (_, tail) = text.split_at(2);
            part = tail;
        }
        part[0]
    }
    const LEN: usize = trimmed(b"   abcd");
    const BYTE: u8 = chosen(b"xyz!", 3);
    fn one(x: u32) -> u32 {
        x + 1
    }
    fn ten(x: u32) -> u32 {
        x + 10
    }
    fn steps(n: u32) -> [u32; 3] {
        let mut f: fn(u32) -> u32 = one;
        let mut all = [0; 3];
        let mut x = n;
        for v in &mut all {
            x = f(x);
            *v = x;
            f = ten;
        }
        all
    }
    pub fn run(x: &[u32], i: usize) -> [u32; 4] {
        let mut rest = x;
        for _ in 0..i % 4 {
            rest = &rest[1..];
        }
        let s = steps(rest[0] % 9);
        [LEN as u32, BYTE as u32, rest[0], s[0] + s[2] * 100]
    }
}
#[kernel]
pub fn computed_with_slices(x: &[u32], y: &mut [[u32; 4]]) {
    let i = global_id(0);
    y[i] = computed::run(x, i);
}

pub fn cases() -> Vec<Case> {
    let x: Vec<u64> = (0..32).collect();
    let words: Vec<u32> = (0..40).map(|i| i * 7).collect();
    let positions: Vec<usize> = (0..24).collect();
    let computed = map(&positions, |i| computed::run(&words, i));
    let triangles = map(&x, |x| (0..=x & 7).sum::<u64>());
    vec![
        Case::of(&INITIALISED_CONSTANTS)
            .input(&x)
            .output(&map(&x, in_modules))
            .output(&map(&x, in_bodies))
            .output(&triangles)
            .items([x.len()]),
        Case::of(&COMPUTED_WITH_SLICES).input(&words).output(&computed).items([computed.len()]),
    ]
}
