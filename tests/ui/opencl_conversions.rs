use kernel_runtime::prelude::*;

#[kernel]
fn run(y: &mut [f32]) {
    let i = global_id(0);
    let n = convert_int_rtz(y[i]);
    let bits = as_uint(y[i]);
    let v = vload4(i, y);
    vstore4(v, i, y);
    y[i] = as_float(bits + n);
}

fn main() {}
