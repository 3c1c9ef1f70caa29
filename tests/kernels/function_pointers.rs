//! Functions that only the running kernel chooses: `fn(A) -> R` in arrays, fields, constants and results.

use super::case::Case;
use super::edge::map;
use kernel_runtime::prelude::*;

#[device]
mod operations {
    fn twice(x: f32) -> f32 {
        x * 2.0
    }
    fn half(x: f32) -> f32 {
        x * 0.5
    }
    fn neg(x: f32) -> f32 {
        -x
    }
    type Op = fn(f32) -> f32;
    const OPS: [fn(f32) -> f32; 3] = [twice, half, neg];
    fn apply(f: fn(f32) -> f32, x: f32) -> f32 {
        f(x)
    }
    fn choose(i: usize) -> Op {
        match i % 3 {
            0 => twice,
            1 => half,
            _ => neg,
        }
    }
    pub fn f(x: f32, i: usize) -> [f32; 6] {
        let ops: [fn(f32) -> f32; 3] = [twice, half, neg];
        let k = [|x: f32| x + 1.0, |x: f32| x * x];
        let mut all = x;
        for op in ops {
            all = op(all) + 1.0;
        }
        for op in &ops {
            all = op(all) + 1.0;
        }
        let picked = if i % 2 == 0 { twice } else { half };
        [
            ops[0](x),
            ops[i % 3](x),
            k[1](x),
            OPS[i % 3](x) + all,
            apply(chosen(i, ops), x) + picked(x),
            choose(i)(x) + chosen2(i)(x),
        ]
    }
    #[derive(Clone, Copy)]
    pub struct Rule {
        pub name: u8,
        pub apply: fn(i32, i32) -> i32,
        pub test: fn(&[u32], usize) -> bool,
    }
    fn add(a: i32, b: i32) -> i32 {
        a + b
    }
    fn is_even(x: &[u32], i: usize) -> bool {
        x[i] % 2 == 0
    }
    const RULES: [Rule; 3] = [
        Rule { name: b'+', apply: add, test: is_even },
        Rule { name: b'-', apply: |a, b| a - b, test: |x, i| x.len() > i + 3 },
        Rule { name: b'*', apply: |a, b| a * b, test: |_, i| i % 3 == 0 },
    ];
    static STEPS: [fn(u32) -> u32; 2] = [|x| x * 2, |x| x + 3];
    pub fn rules(x: &[u32], i: usize) -> i32 {
        let mut value = i as i32;
        for rule in RULES.iter() {
            if (rule.test)(x, i) {
                value = (rule.apply)(value, 3) + rule.name as i32;
            }
        }
        let named = RULES.iter().find(|r| r.name == x[i] as u8);
        let picked = named.map_or(add as fn(i32, i32) -> i32, |r| r.apply);
        let mut all = [0; 4];
        for (k, v) in all.iter_mut().enumerate() {
            *v = (RULES[(i + k) % 3].apply)(value, k as i32);
        }
        let steps = (0..5).fold(i as u32, |s, k| STEPS[(k + i) % 2](s));
        // Items that differ between work-items: Intel's vectoriser for CPUs gives all lanes one function where they are the same.
        let mine = (0..x.len()).map(|k| x[(k + i) % x.len()]);
        let mapped: u32 = mine.map(STEPS[i % 2]).fold(0, |a: u32, b| a.wrapping_mul(3) ^ b);
        picked(value, 2) + all.iter().sum::<i32>() + steps as i32 + mapped as i32 % 1000
    }
    fn chosen(i: usize, ops: [Op; 3]) -> Op {
        ops[i % 3]
    }
    fn chosen2(i: usize) -> fn(f32) -> f32 {
        if i % 2 == 0 { |x: f32| x.abs() + 1.0 } else { half }
    }
}

#[kernel]
pub fn function_pointers(x: &[f32], u: &[u32], y: &mut [[f32; 6]], z: &mut [i32]) {
    let i = global_id(0);
    y[i] = operations::f(x[i], i);
    z[i] = operations::rules(u, i);
}

pub fn cases() -> Vec<Case> {
    let u: Vec<u32> = (0..20).map(|i| i * 3 % 50).collect();
    let positions: Vec<usize> = (0..u.len()).collect();
    let x = map(&positions, |i| i as f32);
    let y = map(&positions, |i| operations::f(x[i], i));
    let z = map(&positions, |i| operations::rules(&u, i));
    vec![Case::of(&FUNCTION_POINTERS).input(&x).input(&u).output(&y).output(&z).items([u.len()])]
}
