//! The generations of processors for which there is code.

use super::encode::{self as rows, Row};
use super::lir::Class;

/// A generation of processors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Target {
    /// Vectors of 512 bits, and registers for masks.
    #[default]
    Avx512,
    /// Vectors of 256 bits: two for each of 512, and two for each mask.
    Avx2,
}

impl Target {
    /// The best that this processor has.
    pub(crate) fn detect() -> Option<Self> {
        [Self::Avx512, Self::Avx2].into_iter().find(|target| target.is_available())
    }

    /// Whether this processor executes its code.
    pub(crate) fn is_available(self) -> bool {
        use std::arch::is_x86_feature_detected as has;
        let common = has!("avx2") && has!("fma") && has!("f16c") && has!("bmi1") && has!("bmi2");
        match self {
            Self::Avx2 => common,
            Self::Avx512 => {
                common && has!("avx512f") && has!("avx512bw") && has!("avx512dq") && has!("avx512vl")
            }
        }
    }

    /// How many vector registers there are.
    pub(super) const fn vectors(self) -> u8 {
        match self {
            Self::Avx512 => 32,
            Self::Avx2 => 16,
        }
    }

    /// The bytes of a vector register.
    pub(super) const fn vector_bytes(self) -> usize {
        match self {
            Self::Avx512 => 64,
            Self::Avx2 => 32,
        }
    }

    /// The rows that load and store a register, of which the first copies it too.
    pub(super) const fn moves(self, class: Class) -> (Row, Row) {
        match (class, self) {
            (Class::General, _) => (rows::MOV64, rows::MOV64_STORE),
            (Class::Mask, _) => (rows::KMOV, rows::KMOV_STORE),
            (Class::Vector, Self::Avx512) => (rows::MOVDQA32, rows::MOVDQA32_STORE),
            (Class::Vector, Self::Avx2) => (rows::VMOVDQU, rows::VMOVDQU_STORE),
        }
    }

    /// Where masks are.
    pub(super) const fn mask_class(self) -> Class {
        match self {
            Self::Avx512 => Class::Mask,
            Self::Avx2 => Class::Vector,
        }
    }
}
