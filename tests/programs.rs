//! Runs every program of `tests/kernels/programs` on the device that a program gets by default, as `conformance.rs` does with the cases of all others: they are as
//! many lines as these, so that the two are compiled side by side.

#[path = "conformance/check.rs"]
mod check;
#[path = "conformance/device.rs"]
mod device;
#[path = "conformance/round_trip.rs"]
mod round_trip;
#[macro_use]
#[path = "kernels/programs/mod.rs"]
mod programs;

#[allow(unreachable_pub, dead_code, clippy::complexity, reason = "others use more of it, and have it so")]
mod kernels {
    pub(crate) mod case;
    pub(crate) mod edge;
    pub(crate) mod seeded;
}

use programs::cases;

/// One test for each program, since some are as long as many constructs.
mod each {
    macro_rules! tests {
        ($($name:ident)*) => {$(
            #[test]
            fn $name() {
                crate::check::check(&[crate::programs::$name::case()]);
            }
        )*};
    }

    for_each_program!(tests);
}
