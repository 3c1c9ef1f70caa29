//! Everything that can go wrong in device code, once each.

use kernel_runtime::device;

/// Does what is a fault of the kind with the number `which`, in the order of `FaultKind::ALL`. It is given `[1, 2, 3, 4]` and `[0, -1, i32::MIN]`.
#[device]
pub fn provoke(which: u32, values: &[u32], numbers: &[i32]) -> u32 {
    let (n, zero, minus_one, least) = (values.len(), numbers[0], numbers[1], numbers[2]);
    let none = zero as usize;
    let mut copy = [0; 3];
    match which {
        0 => return values[n],
        1 => return (7 / zero) as u32,
        2 => return (7 % zero) as u32,
        3 => return (least / minus_one) as u32,
        4 => return (least % minus_one) as u32,
        5 => return (0..n).step_by(none).count() as u32,
        6 => return values[n + 1..].len() as u32,
        7 => return values[..n + 1].len() as u32,
        8 => return values[n..n - 1].len() as u32,
        9 => return values.split_at(n + 1).0.len() as u32,
        10 => return values.chunks(none).count() as u32,
        11 => return values.windows(none).count() as u32,
        12 => copy.copy_from_slice(&values[..n - 2]),
        13 => copy.rotate_left(n),
        14 => copy.rotate_right(n),
        15 => return least.strict_add(minus_one) as u32,
        16 => return least.strict_sub(1) as u32,
        17 => return least.strict_mul(2) as u32,
        18 => return least.strict_neg() as u32,
        19 => return 5_u32.strict_shl(8 * n as u32),
        20 => return 5_u32.strict_shr(8 * n as u32),
        21 => return 5_i32.clamp(1, zero) as u32,
        22 => return 5_f32.clamp(1.0, zero as f32) as u32,
        23 => return minus_one.isqrt() as u32,
        24 => return zero.ilog2(),
        25 => return 5_i32.ilog(zero + 1),
        26 => return *values.get(n).unwrap(),
        27 => return if n == 4 { Err::<u32, u32>(9) } else { Ok(8) }.unwrap(),
        28 => return if n == 4 { Ok::<u32, u32>(9) } else { Err(8) }.unwrap_err(),
        29 => panic!("{n} values"),
        30 => assert_eq!(n == 4, none == 4),
        31 => assert_eq!(n, 5),
        32 => assert_ne!(minus_one, zero - 1, "numbers"),
        33 => assert_eq!(n as f32 / 8.0, 1.5),
        34 => assert_eq!(n as f64 / 8.0, 1.5),
        _ => {}
    }
    copy[0]
}
