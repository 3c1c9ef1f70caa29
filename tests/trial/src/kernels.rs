//! The description of a launch, which is that of the project's own tests.

#[allow(dead_code, reason = "the tests use more of it")]
#[allow(
    unreachable_pub,
    missing_docs,
    clippy::type_complexity,
    reason = "it is written as a part of those tests"
)]
#[path = "../../kernels/case/mod.rs"]
pub(crate) mod case;
