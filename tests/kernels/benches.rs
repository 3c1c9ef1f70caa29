//! The kernels of the benchmarks.

use super::case::Case;

pub mod atomics;
pub mod corpus;
pub mod functions;
pub mod groups;
pub mod images;
#[path = "../../benches/launch/kernel.rs"]
pub mod launch;

pub fn cases() -> Vec<Case> {
    let counters: Vec<u32> = (0..100).map(|i| i * 7).collect();
    let bumped: Vec<u32> = counters.iter().map(|counter| counter + 3).collect();
    let mut cases = vec![Case::of(&launch::BUMP).scalar(3_u32).update(&counters, &bumped).items([128])];
    cases.extend(corpus::cases());
    cases.extend(functions::cases());
    cases.extend(groups::cases());
    cases.extend(images::cases());
    cases.extend(atomics::cases());
    cases
}
