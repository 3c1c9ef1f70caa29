//! Instructions compiled for several generations of processors.
//!
//! An instruction is a [`Shape`], whose code is inlined into one function per generation; the compiler then
//! turns its loop over the lanes into the vector instructions that the generation has.

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
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl Isa {
    /// The best that this processor has.
    #[cfg(target_arch = "x86_64")]
    pub(super) fn detect() -> Self {
        use std::arch::is_x86_feature_detected as has;
        let avx2 =
            has!("avx2") && has!("fma") && has!("bmi1") && has!("bmi2") && has!("lzcnt") && has!("popcnt");
        let avx512 = has!("avx512f") && has!("avx512bw") && has!("avx512dq") && has!("avx512vl");
        match (avx2, avx512) {
            (true, true) => Self::Avx512,
            (true, false) => Self::Avx2,
            (false, _) => Self::Portable,
        }
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
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => avx512::<S>,
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

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512dq,avx512vl")]
fn avx512<S: Shape>(frame: &mut Frame<'_>, op: &Op) {
    S::run(frame, op);
}
