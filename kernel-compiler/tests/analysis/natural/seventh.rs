//! Neighbours on a torus, and rows between offsets.

#[kernel]
fn pagerank_of_parts(offsets: &[u32], sources: &[u32], rank: &[f32], degree: &[u32], next: &mut [f32], damping: f32) {
    let v = global_id(0);
    if v >= next.len() { return; }
    let mut sum = 0.0;
    for &u in &sources[offsets[v] as usize..offsets[v + 1] as usize] {
        sum += rank[u as usize] / degree[u as usize] as f32;
    }
    next[v] = (1.0 - damping) / next.len() as f32 + damping * sum;
}

#[kernel]
fn life_by_distances(cells: &[u8], next: &mut [u8], w: usize, h: usize) {
    let x = global_id(0);
    let y = global_id(1);
    if x >= w || y >= h { return; }
    let mut alive = 0;
    for dy in [h - 1, 0, 1] {
        for dx in [w - 1, 0, 1] {
            if dx != 0 || dy != 0 {
                alive += cells[(y + dy) % h * w + (x + dx) % w];
            }
        }
    }
    next[y * w + x] = if alive == 3 || (alive == 2 && cells[y * w + x] == 1) { 1 } else { 0 };
}

#[kernel]
fn life_by_signed(cells: &[u8], next: &mut [u8], w: usize, h: usize) {
    let x = global_id(0);
    let y = global_id(1);
    if x >= w || y >= h { return; }
    let mut alive = 0;
    for dy in -1..=1 {
        for dx in -1..=1 {
            if dx == 0 && dy == 0 { continue; }
            let nx = (x as i32 + dx + w as i32) % w as i32;
            let ny = (y as i32 + dy + h as i32) % h as i32;
            alive += cells[ny as usize * w + nx as usize];
        }
    }
    next[y * w + x] = match (cells[y * w + x], alive) { (1, 2) | (_, 3) => 1, _ => 0 };
}

#[kernel]
fn sums_between(values: &[f32], offsets: &[u32], sums: &mut [f32]) {
    let s = global_id(0);
    if s < sums.len() {
        let mut sum = 0.0;
        for i in offsets[s] as usize..offsets[s + 1] as usize {
            sum += values[i];
        }
        sums[s] = sum;
    }
}

#[kernel]
fn collide(src: &[f32], dst: &mut [f32], w: usize, h: usize, omega: f32) {
    let cx = [0, 1, 0, -1, 0, 1, -1, -1, 1];
    let cy = [0, 0, 1, 0, -1, 1, 1, -1, -1];
    let weight = [4.0 / 9.0, 1.0 / 9.0, 1.0 / 9.0, 1.0 / 9.0, 1.0 / 9.0, 1.0 / 36.0, 1.0 / 36.0, 1.0 / 36.0, 1.0 / 36.0];
    let x = global_id(0);
    let y = global_id(1);
    if x >= w || y >= h { return; }
    let n = w * h;
    let mut f = [0.0; 9];
    let (mut rho, mut ux, mut uy) = (0.0, 0.0, 0.0);
    for q in 0..9 {
        let sx = (x as i32 - cx[q] + w as i32) % w as i32;
        let sy = (y as i32 - cy[q] + h as i32) % h as i32;
        f[q] = src[q * n + sy as usize * w + sx as usize];
        rho += f[q];
        ux += f[q] * cx[q] as f32;
        uy += f[q] * cy[q] as f32;
    }
    ux /= rho;
    uy /= rho;
    let u2 = ux * ux + uy * uy;
    for q in 0..9 {
        let cu = cx[q] as f32 * ux + cy[q] as f32 * uy;
        let eq = weight[q] * rho * (1.0 + 3.0 * cu + 4.5 * cu * cu - 1.5 * u2);
        dst[q * n + y * w + x] = f[q] + omega * (eq - f[q]);
    }
}
