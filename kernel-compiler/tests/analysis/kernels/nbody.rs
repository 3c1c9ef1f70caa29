fn nbody(n: u32, pos: &[f32], vel: &mut [f32], out: &mut [f32], dt: f32, eps2: f32) {
    let mut tile = Local::<[[f32; 4]; 128]>::new();
    let n = n as usize;
    let g = global_id(0);
    let l = local_id(0);
    if n * 4 > pos.len() || n * 4 > vel.len() || n * 4 > out.len() {
        return;
    }
    let mut p = [0.0_f32; 4];
    if g < n {
        for k in 0..4 {
            p[k] = pos[g * 4 + k];
        }
    }
    let mut ax = 0.0_f32;
    let mut ay = 0.0_f32;
    let mut az = 0.0_f32;
    let mut t = 0;
    while t < n {
        for k in 0..4 {
            tile[l][k] = if t + l < n { pos[(t + l) * 4 + k] } else { 0.0 };
        }
        barrier();
        for j in 0..128 {
            let dx = tile[j][0] - p[0];
            let dy = tile[j][1] - p[1];
            let dz = tile[j][2] - p[2];
            let inv = 1.0 / (dx * dx + dy * dy + dz * dz + eps2).sqrt();
            let f = tile[j][3] * inv * inv * inv;
            ax += f * dx;
            ay += f * dy;
            az += f * dz;
        }
        barrier();
        t += 128;
    }
    if g < n {
        vel[g * 4] += ax * dt;
        vel[g * 4 + 1] += ay * dt;
        vel[g * 4 + 2] += az * dt;
        for k in 0..3 {
            out[g * 4 + k] = p[k] + vel[g * 4 + k] * dt;
        }
        out[g * 4 + 3] = p[3];
    }
}
