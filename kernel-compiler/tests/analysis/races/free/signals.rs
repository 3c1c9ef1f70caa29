/// condition
#[kernel]
fn butterfly_of_a_given_size(half: usize, y: &mut [f32]) {
    let t = global_id(0);
    if half > 0 {
        let i = t / half * 2 * half + t % half;
        let j = i + half;
        let (a, b) = (y[i], y[j]);
        y[i] = a + b;
        y[j] = a - b;
    }
}

/// condition
#[kernel]
fn butterfly_of_a_small_size(half: u32, y: &mut [f32]) {
    let half = half as usize;
    let t = global_id(0);
    let i = (t / half) * 2 * half + t % half;
    let j = i + half;
    let (a, b) = (y[i], y[j]);
    y[i] = a + b;
    y[j] = a - b;
}

/// free
#[kernel(group_size = 64)]
fn fft_in_local_memory(y: &mut [f32]) {
    let mut tile = Local::<[f32; 128]>::new();
    let t = local_id(0);
    let start = group_id(0) * 128;
    tile[t] = y[start + t];
    tile[t + 64] = y[start + t + 64];
    barrier();
    let mut half = 1;
    while half < 128 {
        let i = (t / half) * 2 * half + t % half;
        let j = i + half;
        let (a, b) = (tile[i], tile[j]);
        tile[i] = a + b;
        tile[j] = a - b;
        barrier();
        half *= 2;
    }
    y[start + t] = tile[t];
    y[start + t + 64] = tile[t + 64];
}

/// free
#[kernel(group_size = 64)]
fn walsh_hadamard_by_xor(y: &mut [f32]) {
    let mut tile = Local::<[f32; 64]>::new();
    let (l, i) = (local_id(0), global_id(0));
    tile[l] = y[i];
    barrier();
    let mut half = 1;
    while half < 64 {
        let other = tile[(l ^ half) & 63];
        let own = tile[l];
        barrier();
        tile[l] = if l & half == 0 { own + other } else { other - own };
        barrier();
        half *= 2;
    }
    y[i] = tile[l];
}

/// condition
#[kernel]
fn haar_wavelet_step(n: usize, x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    if i < n {
        y[i] = 0.5 * (x[2 * i] + x[2 * i + 1]);
        y[n + i] = 0.5 * (x[2 * i] - x[2 * i + 1]);
    }
}

/// free
#[kernel]
fn fir_filter(taps: &[f32; 9], x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    let mut sum = 0.0;
    for k in 0..9 {
        sum += taps[k] * x[i + k];
    }
    y[i] = sum;
}

/// free
#[kernel(group_size = 128)]
fn convolution_with_halo(x: &[f32], y: &mut [f32]) {
    let mut tile = Local::<[f32; 144]>::new();
    let (l, i) = (local_id(0), global_id(0));
    tile[l + 8] = x[i];
    if l < 8 {
        tile[l] = if i >= 8 { x[i - 8] } else { 0.0 };
        tile[l + 136] = if i + 128 < x.len() { x[i + 128] } else { 0.0 };
    }
    barrier();
    let mut sum = 0.0;
    for k in 0..17 {
        sum += tile[l + k];
    }
    y[i] = sum / 17.0;
}

/// free
#[kernel(group_size = 64)]
fn halo_by_a_loop(x: &[f32], y: &mut [f32]) {
    let mut tile = Local::<[f32; 80]>::new();
    let (l, i) = (local_id(0), global_id(0));
    let start = group_id(0) * 64;
    let mut k = l;
    while k < 80 {
        if start + k < x.len() {
            tile[k] = x[start + k];
        }
        k += 64;
    }
    barrier();
    y[i] = tile[l] + tile[l + 16];
}

/// condition
#[kernel(group_size = (16, 16))]
fn convolution_of_an_image_with_halo(width: usize, height: usize, x: &[f32], y: &mut [f32]) {
    let mut tile = Local::<[[f32; 18]; 18]>::new();
    let (lx, ly) = (local_id(0), local_id(1));
    let linear = ly * 16 + lx;
    for k in (linear..324).step_by(256) {
        let (tx, ty) = (k % 18, k / 18);
        let (column, row) = (group_id(0) * 16 + tx, group_id(1) * 16 + ty);
        tile[ty][tx] = if column < width && row < height { x[row * width + column] } else { 0.0 };
    }
    barrier();
    let (column, row) = (global_id(0), global_id(1));
    if column < width && row < height {
        let mut sum = 0.0;
        for j in 0..3 {
            for i in 0..3 {
                sum += tile[ly + j][lx + i];
            }
        }
        y[row * width + column] = sum / 9.0;
    }
}

/// free
#[kernel]
fn decimate(x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    y[i] = 0.5 * (x[2 * i] + x[2 * i + 1]);
}

/// free
#[kernel]
fn interleave(left: &[f32], right: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    y[2 * i] = left[i];
    y[2 * i + 1] = right[i];
}

/// free
#[kernel]
fn bit_reversal_of_256(x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    // SAFETY: reversing eight bits is one to one in each block of 256.
    let j = unsafe { assume_distinct(i / 256 * 256 + ((i as u32) << 24).reverse_bits() as usize % 256) };
    y[j] = x[i];
}
