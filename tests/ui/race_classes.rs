use kernel_runtime::prelude::*;

#[kernel]
fn one_for_all(x: &[f32], y: &mut [f32]) {
    y[0] += x[global_id(0)];
}

#[kernel]
fn reference(x: &[f32], total: &mut f32) {
    *total += x[global_id(0)];
}

#[kernel]
fn scattered(index: &[u32], y: &mut [f32]) {
    let i = global_id(0);
    y[index[i] as usize] = i as f32;
}

#[kernel]
fn without_rows(y: &mut [f32]) {
    y[global_id(0)] = global_id(1) as f32;
}

#[kernel]
fn unguarded(width: usize, y: &mut [f32]) {
    y[global_id(1) * width + global_id(0)] = 1.0;
}

#[kernel(group_size = 64)]
fn without_barrier(y: &mut [f32]) {
    let mut tile = Local::<[f32; 64]>::new();
    let l = local_id(0);
    tile[l] = 1.0;
    y[global_id(0)] = tile[63 - l];
}

#[kernel(group_size = 64)]
fn local_for_all(y: &mut [f32]) {
    let mut sum = Local::<f32>::new();
    *sum += 1.0;
    barrier();
    y[global_id(0)] = *sum;
}

#[kernel]
fn same_texel(image: &mut Image2d<f32, WriteOnly>) {
    image.write((global_id(0) / 2, global_id(1)), f32x4::splat(1.0));
}

#[kernel(group_size = 64)]
fn copied_over(x: &[f32], y: &mut [f32]) {
    let mut tile = Local::<[f32; 64]>::new();
    work_group::copy(&mut tile[..], x);
    work_group::copy(&mut y[..64], &tile[..]);
}

#[kernel]
fn counted(y: &mut [u32], next: &kernel_runtime::atomic::AtomicU32) {
    y[next.fetch_sub(1, kernel_runtime::atomic::Ordering::Relaxed) as usize] = 1;
}

fn main() {}
