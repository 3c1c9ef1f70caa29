//! A sorting network in local memory: loops with barriers whose bounds are the same for all, beside accesses that are not.

use super::case::Case;
use kernel_runtime::prelude::*;

/// Sorts each block of 256 numbers by itself; each work-item compares two at a time.
#[kernel(group_size = 128)]
pub fn bitonic_sort(keys: &mut [u32]) {
    let mut tile = Local::<[u32; 256]>::new();
    let l = local_id(0);
    let start = group_id(0) * 256;
    for k in (l..256).step_by(128) {
        tile[k] = if start + k < keys.len() { keys[start + k] } else { u32::MAX };
    }
    barrier();
    let mut sorted = 2;
    while sorted <= 256 {
        let mut distance = sorted / 2;
        while distance > 0 {
            let low = 2 * distance * (l / distance) + l % distance;
            let rises = low & sorted == 0;
            let (one, other) = (tile[low], tile[low + distance]);
            if (one > other) == rises {
                tile[low] = other;
                tile[low + distance] = one;
            }
            barrier();
            distance /= 2;
        }
        sorted *= 2;
    }
    for k in (l..256).step_by(128) {
        if start + k < keys.len() {
            keys[start + k] = tile[k];
        }
    }
}

pub fn cases() -> Vec<Case> {
    [1, 2, 255, 256, 257, 1000]
        .map(|count: u32| {
            let keys: Vec<u32> = (0..count).map(|k| k.wrapping_mul(2_654_435_761) >> 7).collect();
            let mut sorted = keys.clone();
            sorted.chunks_mut(256).for_each(<[u32]>::sort_unstable);
            let case = Case::of(&BITONIC_SORT).update(&keys, &sorted);
            case.groups([count.div_ceil(256)], [128]).label(format!("{count} keys"))
        })
        .into()
}
