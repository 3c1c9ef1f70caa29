//! Products in loops that overflow ends, of which the code after the loop asks whether they did.

use super::super::case::{Case, ExpectedFault};
use kernel_runtime::FaultKind;
use kernel_runtime::prelude::*;

/// The integer square root by search.
#[kernel(T = [u8, u16, u32, u64, i32], overflow = "check")]
pub fn root<T: Integer>(x: &[T], limit: T, root: &mut [T]) {
    let i = global_id(0);
    let (mut low, mut high) = (T::ZERO, limit);
    loop {
        if high - low <= T::ONE {
            break;
        }
        let middle = (low + high) / (T::ONE + T::ONE);
        if middle * middle <= x[i] {
            low = middle;
            continue;
        }
        high = middle;
    }
    root[i] = low;
}

/// The product of all factors, or why there is none.
#[kernel(T = [u8, u16, u32, u64, i32])]
pub fn product<T: Integer>(factors: &[T], limit: T, start: &[T], products: &mut [T], reasons: &mut [u8]) {
    let i = global_id(0);
    let (mut total, mut reason) = (start[i], 0);
    for factor in factors {
        match total.overflowing_mul(*factor) {
            (product, false) => total = product,
            _ => {
                reason = 1;
                break;
            }
        }
        if total > limit {
            reason = 2;
            break;
        }
    }
    products[i] = if reason == 1 { T::ZERO } else { total };
    reasons[i] = reason;
}

/// The last product, and whether it is exact.
#[kernel(T = [u8, u16, u32, u64, i32])]
pub fn last<T: Integer>(factors: &[T], start: &[T], products: &mut [T], exact: &mut [u8]) {
    let i = global_id(0);
    let (mut total, mut overflows) = (start[i], false);
    for factor in factors {
        (total, overflows) = total.overflowing_mul(*factor);
        if overflows || total == T::ONE {
            break;
        }
    }
    if overflows {
        products[i] = total;
    } else {
        exact[i] = 1;
    }
}

macro_rules! of_type {
    ($ty:ident, $root:ident, $product:ident, $last:ident) => {{
        let squares: Vec<$ty> = (0..10).map(|k| k * k + k % 3).collect();
        let roots: Vec<$ty> = squares.iter().map(|x| x.isqrt()).collect();
        let limit = 15;
        let starts: Vec<$ty> = vec![0, 1, 2, $ty::MAX / 30, $ty::MAX / 2 + 3];
        let factors: [$ty; 3] = [3, 2, 5];
        let most = $ty::MAX / 9;
        let (mut products, mut reasons) = (Vec::new(), Vec::new());
        let (mut lasts, mut exact): (Vec<$ty>, Vec<u8>) = (Vec::new(), Vec::new());
        for start in &starts {
            let (mut total, mut reason) = (*start, 0_u8);
            for factor in factors {
                match total.checked_mul(factor) {
                    Some(product) => total = product,
                    None => {
                        (total, reason) = (0, 1);
                        break;
                    }
                }
                if total > most {
                    reason = 2;
                    break;
                }
            }
            products.push(total);
            reasons.push(reason);
            let (mut total, mut overflows) = (*start, false);
            for factor in factors {
                (total, overflows) = total.overflowing_mul(factor);
                if overflows {
                    break;
                }
            }
            lasts.push(if overflows { total } else { 0 });
            exact.push(u8::from(!overflows));
        }
        let count = starts.len();
        let wide = ExpectedFault::new(FaultKind::MultiplicationOverflow).count(1);
        let too_wide: $ty = 1 << ($ty::BITS / 2 + 1);
        vec![
            Case::of(&$root).input(&squares).scalar(limit as $ty).output(&roots).items([squares.len()]),
            Case::of(&$root)
                .input(&[$ty::MAX])
                .scalar(too_wide)
                .output(&[0 as $ty])
                .items([1])
                .unwritten([0])
                .faults(wide),
            Case::of(&$product)
                .input(&factors)
                .scalar(most)
                .input(&starts)
                .output(&products)
                .output(&reasons)
                .items([count]),
            Case::of(&$last)
                .input(&factors)
                .input(&starts)
                .update(&vec![0 as $ty; count], &lasts)
                .update(&vec![0_u8; count], &exact)
                .items([count]),
        ]
    }};
}

pub fn cases() -> Vec<Case> {
    let mut cases = of_type!(u8, ROOT_U8, PRODUCT_U8, LAST_U8);
    cases.extend(of_type!(u16, ROOT_U16, PRODUCT_U16, LAST_U16));
    cases.extend(of_type!(u32, ROOT_U32, PRODUCT_U32, LAST_U32));
    cases.extend(of_type!(u64, ROOT_U64, PRODUCT_U64, LAST_U64));
    cases.extend(of_type!(i32, ROOT_I32, PRODUCT_I32, LAST_I32));
    cases
}
