//! The time, for kernels.

use super::code::Op;
use super::frame::Frame;
use super::isa::{Handler, Isa, Shape};
use crate::program::LANES;
use crate::queue::now;

struct Clock;

impl Shape for Clock {
    #[inline(always)]
    fn run(frame: &mut Frame<'_>, op: &Op) {
        frame.write_masked(op.result, frame.mask, [now(); LANES]);
    }
}

pub(super) fn handler(isa: Isa) -> Handler {
    isa.handler::<Clock>()
}
