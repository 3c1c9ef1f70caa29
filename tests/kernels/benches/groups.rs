//! Sums and scans over work-groups, as they are written in OpenCL C: by trees in local memory and by subgroups.

use super::super::case::Case;
use kernel_runtime::prelude::*;

/// The products of two vectors added up in each work-group, by a tree in local memory.
#[kernel(group_size = 256, fp = "opencl")]
pub fn dot_local(x: &[f32], y: &[f32], partial: &mut [f32], n: u32) {
    let mut s = Local::<[f32; 256]>::new();
    let l = local_id(0);
    let mut sum = 0.0;
    for i in (global_id(0)..n as usize).step_by(global_size(0)) {
        sum += x[i] * y[i];
    }
    s[l] = sum;
    barrier();
    let mut d = 128;
    while d > 0 {
        if l < d {
            s[l] += s[l + d];
        }
        barrier();
        d /= 2;
    }
    if l == 0 {
        partial[group_id(0)] = s[0];
    }
}

/// The same with the checks opted out.
#[kernel(group_size = 256, fp = "opencl")]
pub fn dot_local_unchecked(x: &[f32], y: &[f32], partial: &mut [f32], n: u32) {
    let mut s = Local::<[f32; 256]>::new();
    let l = local_id(0);
    let mut sum = 0.0;
    let mut i = global_id(0) as u32;
    while i < n {
        // SAFETY: every launch passes as many elements as it says.
        sum += unsafe { x.get_unchecked(i as usize) * y.get_unchecked(i as usize) };
        i += global_size(0) as u32;
    }
    s[l] = sum;
    barrier();
    let mut d = 128;
    while d > 0 {
        if l < d {
            s[l] += s[l + d];
        }
        barrier();
        d /= 2;
    }
    if l == 0 {
        // SAFETY: every launch passes a result for each group.
        unsafe { *partial.get_unchecked_mut(group_id(0)) = s[0] };
    }
}

/// The dot product by subgroups.
#[kernel(group_size = 256, fp = "opencl")]
pub fn dot_subgroup(x: &[f32], y: &[f32], partial: &mut [f32], n: u32) {
    let mut s = Local::<[f32; 64]>::new();
    let mut sum = 0.0;
    for i in (global_id(0)..n as usize).step_by(global_size(0)) {
        sum += x[i] * y[i];
    }
    sum = subgroup::reduce_add(sum);
    if subgroup::local_id() == 0 {
        s[subgroup::id()] = sum;
    }
    barrier();
    if local_id(0) == 0 {
        let mut total = 0.0;
        for k in 0..subgroup::count() {
            total += s[k];
        }
        partial[group_id(0)] = total;
    }
}

/// The same with the checks opted out.
#[kernel(group_size = 256, fp = "opencl")]
pub fn dot_subgroup_unchecked(x: &[f32], y: &[f32], partial: &mut [f32], n: u32) {
    let mut s = Local::<[f32; 64]>::new();
    let mut sum = 0.0;
    let mut i = global_id(0) as u32;
    while i < n {
        // SAFETY: every launch passes as many elements as it says.
        sum += unsafe { x.get_unchecked(i as usize) * y.get_unchecked(i as usize) };
        i += global_size(0) as u32;
    }
    sum = subgroup::reduce_add(sum);
    if subgroup::local_id() == 0 {
        s[subgroup::id()] = sum;
    }
    barrier();
    if local_id(0) == 0 {
        let mut total = 0.0;
        for k in 0..subgroup::count() {
            total += s[k];
        }
        // SAFETY: every launch passes a result for each group.
        unsafe { *partial.get_unchecked_mut(group_id(0)) = total };
    }
}

/// The inclusive sums within each work-group, by Hillis and Steele, and what they come to.
#[kernel(group_size = 256)]
pub fn scan_block(x: &[u32], result: &mut [u32], sums: &mut [u32]) {
    let mut buffer = Local::<[[u32; 256]; 2]>::new();
    let (l, i) = (local_id(0), global_id(0));
    let mut source = 0;
    buffer[0][l] = x[i];
    barrier();
    let mut d = 1;
    while d < 256 {
        let mut v = buffer[source][l];
        if l >= d {
            v += buffer[source][l - d];
        }
        source ^= 1;
        buffer[source][l] = v;
        barrier();
        d <<= 1;
    }
    let v = buffer[source][l];
    result[i] = v;
    if l == 255 {
        sums[group_id(0)] = v;
    }
}

/// The same with the checks opted out.
#[kernel(group_size = 256)]
pub fn scan_block_unchecked(x: &[u32], result: &mut [u32], sums: &mut [u32]) {
    let mut buffer = Local::<[[u32; 256]; 2]>::new();
    let (l, i) = (local_id(0), global_id(0));
    let mut source = 0;
    // SAFETY: every launch passes a number for each work-item.
    buffer[0][l] = unsafe { *x.get_unchecked(i) };
    barrier();
    let mut d = 1;
    while d < 256 {
        let mut v = buffer[source][l];
        if l >= d {
            v += buffer[source][l - d];
        }
        source ^= 1;
        buffer[source][l] = v;
        barrier();
        d <<= 1;
    }
    let v = buffer[source][l];
    // SAFETY: every launch passes a result for each work-item.
    unsafe { *result.get_unchecked_mut(i) = v };
    if l == 255 {
        // SAFETY: every launch passes a sum for each group.
        unsafe { *sums.get_unchecked_mut(group_id(0)) = v };
    }
}

pub fn cases() -> Vec<Case> {
    let x: Vec<f32> = (0..1000).map(|k| (k % 7) as f32).collect();
    let y: Vec<f32> = (0..1000).map(|k| (k % 5) as f32 - 1.0).collect();
    let partial =
        |group: usize| -> f32 { (0..1000).filter(|k| k % 512 / 256 == group).map(|k| x[k] * y[k]).sum() };
    let partial = [partial(0), partial(1)];
    let dot =
        |kernel| Case::of(kernel).input(&x).input(&y).output(&partial).scalar(1000_u32).groups([2], [256]);
    let numbers: Vec<u32> = (0..512).map(|k| k * k % 19).collect();
    let (mut scans, mut sums) = (Vec::new(), Vec::new());
    for block in numbers.chunks(256) {
        let mut sum = 0;
        scans.extend(block.iter().map(|x| {
            sum += x;
            sum
        }));
        sums.push(sum);
    }
    let scan = |kernel| Case::of(kernel).input(&numbers).output(&scans).output(&sums).groups([2], [256]);
    let mut cases: Vec<_> =
        [&DOT_LOCAL, &DOT_LOCAL_UNCHECKED, &DOT_SUBGROUP, &DOT_SUBGROUP_UNCHECKED].map(dot).into();
    cases.extend([&SCAN_BLOCK, &SCAN_BLOCK_UNCHECKED].map(scan));
    cases
}
