//! Odd but valid Rust, which means on a device what it means on the host.
#![allow(warnings)]

use kernel_runtime::prelude::*;

/// What each work-item computes; the kernel and the host call the same function.
#[device]
fn odd(seed: u32) -> u32 {
    let total;
    if seed % 3 == 0 {
        total = 1;
    } else if seed % 3 == 1 {
        total = { { 2 } };
    } else {
        total = 'found: {
            if seed > 10 {
                break 'found 3;
            }
            4
        };
    }
    let mut sum: u32 = total;
    'outer: for i in (0..(seed % 7)) {
        let mut j = 0;
        let last = 'outer: loop {
            j += 1;
            if j > i {
                break 'outer j * 2;
            }
            if j == 3 {
                break if seed > 5 { continue 'outer } else { 7 };
            }
        };
        sum = sum.wrapping_mul(31) + last;
    }
    while { sum += 1; sum % 4 != 0 } {}
    sum += if sum == 0 { return 9 } else { 1 };
    const LOCAL: u32 = SHIFTED + 1;
    const SHIFTED: u32 = 1 << 3;
    {
        const SHIFTED: u32 = 100;
        sum += LOCAL + SHIFTED;
    }
    let extremes = (i64::MIN as u64 >> 40) as u32 ^ u32::MAX ^ 0xdead_beef ^ (-128_i8) as u32 ^ b'a' as u32;
    let _ = sum;
    let (mut sum) = sum ^ extremes;
    sum ^= 340_282_346_638_528_859_811_704_183_484_516_925_440_f32 as u32;
    ();;
    if seed == 1000 {
        let never = { return 1; };
        let nor = !return 2;
    }
    return sum;
}

#[kernel]
fn run(seeds: &[u32], y: &mut [u32]) {
    let i = global_id(0);
    if !(i < y.len()) {
        return;
    };
    y[i] = odd(seeds[i]);
}

#[kernel]
fn nothing() {}

fn main() -> Result<()> {
    let seeds: Vec<u32> = (0..64).collect();
    let queue = Device::best()?.queue()?;
    let mut y = queue.upload(&vec![0_u32; seeds.len()])?;
    nothing().launch(&queue, 1)?;
    run(&queue.upload(&seeds)?, &mut y).launch(&queue, seeds.len())?;
    assert_eq!(queue.download(&y)?, seeds.iter().map(|seed| odd(*seed)).collect::<Vec<_>>());
    Ok(())
}
