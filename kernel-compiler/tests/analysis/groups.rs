//! Which kernels can tell how a launch is divided into groups.

use crate::source::lowered;

fn depends(source: &str) -> bool {
    lowered(source, None).depends_on_groups()
}

#[test]
fn ids_in_the_launch_are_the_same_however_it_is_divided() {
    assert!(!depends("fn k(x: &mut [u32]) { x[global_id(0)] += 1; }"));
    assert!(!depends(
        "fn k(width: usize, x: &[u32], sums: &[AtomicU32]) {
            for x in &x[global_id(1) * width..][..width] {
                sums[global_id(0)].fetch_add(*x, Ordering::Relaxed);
            }
        }"
    ));
}

#[test]
fn what_shows_groups_or_their_number_depends_on_them() {
    for query in ["global_size(0)", "local_id(0)", "local_size(1)", "group_id(0)", "num_groups(2)"] {
        assert!(depends(&format!("fn k(x: &mut [usize]) {{ x[global_id(0)] = {query}; }}")), "{query}");
    }
    assert!(depends("fn k(x: &mut [u32]) { x[global_id(0)] = subgroup::local_id() as u32; }"));
    assert!(depends("fn k(x: &mut [u32]) { x[global_id(0)] = subgroup::reduce_add(global_id(0) as u32); }"));
    assert!(depends("fn k(x: &mut [u32]) { barrier(); x[global_id(0)] = 1; }"));
    assert!(depends("fn k(tile: &mut Local<[u32]>, x: &mut [u32]) { x[global_id(0)] = tile.len() as u32; }"));
}

#[test]
fn a_required_size_is_one() {
    assert!(lowered("fn k(x: &mut [u32]) { x[global_id(0)] += 1; }", Some([64, 1, 1])).depends_on_groups());
}
