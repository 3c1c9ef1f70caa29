//! Instructions compiled for several generations of processors.
//!
//! An instruction is a [`Shape`], whose code is inlined into one function per generation; the compiler then
//! turns its loop over the lanes into the vector instructions that the generation has. (With AVX-512 instructions take a tenth less than with AVX2, which is
//! not worth compiling each of them once more: what has to be fast is native code.)

use super::code::Op;
use super::frame::Frame;

/// The function that executes an instruction.
///
/// # Safety
///
/// The processor must have what the function was compiled for, and the slots of the instruction must lie in
/// the frame.
pub(super) type Handler = unsafe fn(&mut Frame<'_>, &Op);

/// An instruction, for every generation.
pub(super) trait Shape {
    /// Executes it; must be `#[inline(always)]`.
    fn run(frame: &mut Frame<'_>, op: &Op);
}

/// A generation of processors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Isa {
    /// What every processor of the target has.
    Portable,
    #[cfg(target_arch = "x86_64")]
    Avx2,
}

impl Isa {
    /// The best that this processor has.
    #[cfg(target_arch = "x86_64")]
    pub(super) fn detect() -> Self {
        use std::arch::is_x86_feature_detected as has;
        let avx2 =
            has!("avx2") && has!("fma") && has!("bmi1") && has!("bmi2") && has!("lzcnt") && has!("popcnt");
        if avx2 { Self::Avx2 } else { Self::Portable }
    }

    /// The best that this processor has.
    #[cfg(not(target_arch = "x86_64"))]
    pub(super) fn detect() -> Self {
        Self::Portable
    }

    /// The function for a shape.
    pub(super) fn handler<S: Shape>(self) -> Handler {
        match self {
            Self::Portable => portable::<S>,
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => avx2::<S>,
        }
    }
}

fn portable<S: Shape>(frame: &mut Frame<'_>, op: &Op) {
    S::run(frame, op);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
fn avx2<S: Shape>(frame: &mut Frame<'_>, op: &Op) {
    S::run(frame, op);
}
