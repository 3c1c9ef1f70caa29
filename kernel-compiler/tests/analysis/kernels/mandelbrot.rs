fn mandelbrot(out: &mut [u32], w: u32, h: u32, x0: f32, y0: f32, step: f32, limit: u32) {
    let w = w as usize;
    let h = h as usize;
    let px = global_id(0);
    let py = global_id(1);
    if px < w && py < h && w * h <= out.len() {
        let cx = x0 + px as f32 * step;
        let cy = y0 + py as f32 * step;
        let mut x = 0.0_f32;
        let mut y = 0.0_f32;
        let mut steps = 0_u32;
        while steps < limit && x * x + y * y <= 4.0 {
            let next = x * x - y * y + cx;
            y = 2.0 * x * y + cy;
            x = next;
            steps += 1;
        }
        out[py * w + px] = steps;
    }
}
