//! One id that is taken apart into rows, columns and layers, and what is put together again.

/// condition: the column as what the rows before leave
#[kernel]
fn transposed_by_the_rest(x: &[f32], y: &mut [f32], rows: usize, cols: usize) {
    let i = global_id(0);
    if i < rows * cols {
        let row = i / cols;
        let col = i - row * cols;
        y[col * rows + row] = x[i];
    }
}

/// condition: three dimensions, outermost last
#[kernel]
fn layers_by_the_area(y: &mut [f32], w: usize, h: usize, d: usize) {
    let i = global_id(0);
    if i >= w * h * d {
        return;
    }
    let col = i % w;
    let row = (i / w) % h;
    let z = i / (w * h);
    y[(z * h + row) * w + col] = 1.0;
}

/// condition: three dimensions the other way round
#[kernel]
fn layers_turned_round(y: &mut [f32], w: usize, h: usize, d: usize) {
    let i = global_id(0);
    if i < w * h * d {
        let col = i % w;
        let row = (i / w) % h;
        let z = i / (w * h);
        y[(col * h + row) * d + z] = 1.0;
    }
}

/// condition: layers first
#[kernel]
fn layers_by_remainders(y: &mut [f32], w: usize, h: usize, d: usize) {
    let i = global_id(0);
    if i < w * h * d {
        let z = i / (h * w);
        let rest = i % (h * w);
        let (row, col) = (rest / w, rest % w);
        y[(col * d + z) * h + row] = 1.0;
    }
}

/// condition: in 32 bits
#[kernel]
fn channels_first(x: &[u8], y: &mut [u8], width: u32, height: u32) {
    let i = global_id(0) as u32;
    if i < width * height * 3 {
        let channel = i % 3;
        let pixel = i / 3;
        let (row, column) = (pixel / width, pixel % width);
        y[((channel * height + row) * width + column) as usize] = x[i as usize];
    }
}

/// condition: pairs that are a power of two apart
#[kernel]
fn butterflies_by_shifts(x: &mut [f32], stage: u32) {
    let i = global_id(0);
    let half = 1_usize << stage;
    let group = i >> stage;
    let pos = i & (half - 1);
    let a = group * 2 * half + pos;
    let b = a + half;
    if b < x.len() {
        let (u, v) = (x[a], x[b]);
        x[a] = u + v;
        x[b] = u - v;
    }
}

/// condition: pairs of blocks of any size
#[kernel]
fn butterflies_by_the_rest(x: &mut [f32], half: usize) {
    let i = global_id(0);
    let group = i / half;
    let pos = i - group * half;
    let a = group * 2 * half + pos;
    let b = a + half;
    if b < x.len() {
        let (u, v) = (x[a], x[b]);
        x[a] = u + v;
        x[b] = u - v;
    }
}

/// condition: each width by itself
#[kernel]
fn layers_by_the_rest(y: &mut [f32], w: usize, h: usize, d: usize) {
    let i = global_id(0);
    if i >= w * h * d {
        return;
    }
    let z = i / (w * h);
    let rest = i - z * w * h;
    let row = rest / w;
    let col = rest - row * w;
    y[(z * w * h + row * w) + col] = 1.0;
}

/// condition: four dimensions in another order
#[kernel]
fn channels_last(x: &[f32], y: &mut [f32], n: u32, c: u32, h: u32, w: u32) {
    let i = global_id(0) as u32;
    if i < n * c * h * w {
        let column = i % w;
        let row = i / w % h;
        let channel = i / (w * h) % c;
        let image = i / (w * h * c);
        y[(((image * h + row) * w + column) * c + channel) as usize] = x[i as usize];
    }
}

/// condition: a bit inserted into the id
#[kernel]
fn gates(amplitudes: &mut [f32], qubit: u32) {
    let i = global_id(0);
    let mask = (1_usize << qubit) - 1;
    let zero = ((i >> qubit) << (qubit + 1)) | (i & mask);
    let one = zero | (1 << qubit);
    if one < amplitudes.len() {
        let t = amplitudes[zero];
        amplitudes[zero] = amplitudes[one];
        amplitudes[one] = t;
    }
}

/// condition: the same by a product
#[kernel]
fn gates_by_products(amplitudes: &mut [f32], qubit: u32) {
    let i = global_id(0);
    let stride = 1_usize << qubit;
    let zero = (i / stride) * stride * 2 + i % stride;
    let one = zero + stride;
    if one < amplitudes.len() {
        amplitudes.swap(zero, one);
    }
}

/// condition: strides that are a power of two
#[kernel]
fn shifted_ids(y: &mut [f32], by: u32) {
    let i = global_id(0);
    if (i << by) < y.len() {
        y[i << by] = 1.0;
    }
}

/// free
#[kernel]
fn ids_of_32_bits(n: u32, x: &mut [u32]) {
    let i = group_id(0) as u32 * local_size(0) as u32 + local_id(0) as u32;
    if i < n {
        x[i as usize] += 1;
    }
}

/// free
#[kernel]
fn ids_of_32_signed_bits(n: i32, x: &mut [u32]) {
    let i = (group_id(0) * local_size(0) + local_id(0)) as i32;
    if i < n {
        x[i as usize] += 1;
    }
}
