use kernel_runtime::prelude::*;

#[kernel]
fn run(tile: &mut Local<[f32]>, y: &mut [f32]) {
    tile[local_id(0)] = 0.0;
    barrier();
    y[global_id(0)] = tile[0];
}

fn launch(queue: &Queue, y: &mut Buffer<f32>, tile: &mut Buffer<f32>) -> Result<()> {
    run(64, y).launch(queue, 64)?;
    run(tile, y).launch(queue, 64)
}

fn main() {}
