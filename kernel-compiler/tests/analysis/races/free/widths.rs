//! Rows whose width is a sum.

/// condition: what is presumed is that nothing wraps
fn padded(width: usize, height: usize, x: &[f32], y: &mut [f32]) {
    let (column, row) = (global_id(0), global_id(1));
    if column < width && row < height {
        y[(row + 1) * (width + 2) + column + 1] = x[row * width + column];
    }
}

/// condition: what is presumed is that nothing wraps
fn valid_convolution(width: usize, height: usize, size: usize, x: &[f32], kernel: &[f32], y: &mut [f32]) {
    let (out_width, out_height) = (width - size + 1, height - size + 1);
    let (column, row) = (global_id(0), global_id(1));
    if column < out_width && row < out_height {
        let mut sum = 0.0;
        for dy in 0..size {
            for dx in 0..size {
                sum += kernel[dy * size + dx] * x[(row + dy) * width + column + dx];
            }
        }
        y[row * out_width + column] = sum;
    }
}

/// condition
fn columns_of_image(channels: usize, width: usize, height: usize, size: usize, x: &[f32], y: &mut [f32]) {
    let out_width = width - size + 1;
    let out_height = height - size + 1;
    let i = global_id(0);
    if i >= channels * out_height * out_width {
        return;
    }
    let column = i % out_width;
    let row = i / out_width % out_height;
    let channel = i / (out_width * out_height);
    for dy in 0..size {
        for dx in 0..size {
            let line = (channel * size + dy) * size + dx;
            y[line * out_height * out_width + row * out_width + column] =
                x[(channel * height + row + dy) * width + column + dx];
        }
    }
}

/// condition
fn pooled(width: usize, padding: usize, stride: usize, x: &[f32], y: &mut [f32]) {
    let out_width = (width + 2 * padding - 3) / stride + 1;
    let (column, row) = (global_id(0), global_id(1));
    if column >= out_width {
        return;
    }
    y[row * out_width + column] = x[row * stride * width + column * stride];
}

/// free
fn last_row_is_short(len: usize, x: &[f32], y: &mut [f32]) {
    let rows = (len + 31) / 32;
    let (column, row) = (global_id(0), global_id(1));
    if row < rows && column < 32 {
        y[column * rows + row] = x[row];
    }
}
