//! The kernels of the benchmarks.

use super::case::Case;

pub mod groups;
#[path = "../../benches/launch/kernel.rs"]
pub mod launch;

pub fn cases() -> Vec<Case> {
    let counters: Vec<u32> = (0..100).map(|i| i * 7).collect();
    let bumped: Vec<u32> = counters.iter().map(|counter| counter + 3).collect();
    let mut cases = vec![Case::of(&launch::BUMP).scalar(3_u32).update(&counters, &bumped).items([128])];
    cases.extend(groups::cases());
    cases
}
