//! What leads from a guarded place to one that memory says: guards leave no check for the host, and those that stay are cheaper in small launches.

#[kernel]
fn bond_energy(positions: &[[f32; 3]], bonds: &[[u32; 2]], energy: &mut [f32], rest: f32, stiffness: f32) {
    let b = global_id(0);
    if b < bonds.len() && b < energy.len() {
        let [i, j] = bonds[b];
        let (p, q) = (positions[i as usize], positions[j as usize]);
        let mut d2 = 0.0;
        for c in 0..3 {
            d2 += (p[c] - q[c]) * (p[c] - q[c]);
        }
        let stretch = d2.sqrt() - rest;
        energy[b] = 0.5 * stiffness * stretch * stretch;
    }
}

#[kernel]
fn text_hashes(text: &[u8], starts: &[u32], hashes: &mut [u32]) {
    let i = global_id(0);
    if i + 1 < starts.len() && i < hashes.len() {
        let mut hash = 5381_u32;
        for &byte in &text[starts[i] as usize..starts[i + 1] as usize] {
            hash = hash.wrapping_mul(33) ^ byte as u32;
        }
        hashes[i] = hash;
    }
}
