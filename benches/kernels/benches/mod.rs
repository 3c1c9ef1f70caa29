//! Those of the benchmarks.

#[path = "../../../tests/kernels/benches/atomics.rs"]
pub mod atomics;
#[path = "../../../tests/kernels/benches/corpus.rs"]
pub mod corpus;
#[path = "../../../tests/kernels/benches/fields.rs"]
pub mod fields;
#[path = "../../../tests/kernels/benches/functions.rs"]
pub mod functions;
#[path = "../../../tests/kernels/benches/groups.rs"]
pub mod groups;
#[path = "../../../tests/kernels/benches/images.rs"]
pub mod images;
#[path = "../../launch/kernel.rs"]
pub mod launch;
