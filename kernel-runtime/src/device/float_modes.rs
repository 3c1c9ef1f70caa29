//! How a device computes with floats.

use level_zero_sys::ze_device_fp_flags_t as Flags;

/// How a device computes with floats of one type (`ze_device_fp_flags_t`). Nothing is true for a type that it lacks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct FloatModes {
    /// Numbers smaller than the least normal one are kept, and not made zero.
    pub subnormals: bool,
    /// There are infinities and NaNs.
    pub infinities_and_nans: bool,
    /// What is computed is rounded to the nearest number that there is.
    pub round_to_nearest: bool,
    /// It can be rounded towards zero.
    pub round_to_zero: bool,
    /// It can be rounded up or down.
    pub round_to_infinity: bool,
    /// `mul_add` rounds once, by an instruction for that.
    pub fma: bool,
    /// Quotients and square roots are rounded correctly.
    pub rounded_division_and_root: bool,
    /// All this is done by a library of the driver, since the processors have no such floats.
    pub software: bool,
}

impl From<Flags> for FloatModes {
    fn from(flags: Flags) -> Self {
        Self {
            subnormals: flags.contains(Flags::ZE_DEVICE_FP_FLAG_DENORM),
            infinities_and_nans: flags.contains(Flags::ZE_DEVICE_FP_FLAG_INF_NAN),
            round_to_nearest: flags.contains(Flags::ZE_DEVICE_FP_FLAG_ROUND_TO_NEAREST),
            round_to_zero: flags.contains(Flags::ZE_DEVICE_FP_FLAG_ROUND_TO_ZERO),
            round_to_infinity: flags.contains(Flags::ZE_DEVICE_FP_FLAG_ROUND_TO_INF),
            fma: flags.contains(Flags::ZE_DEVICE_FP_FLAG_FMA),
            rounded_division_and_root: flags.contains(Flags::ZE_DEVICE_FP_FLAG_ROUNDED_DIVIDE_SQRT),
            software: flags.contains(Flags::ZE_DEVICE_FP_FLAG_SOFT_FLOAT),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Flags, FloatModes};

    #[test]
    fn each_mode_has_a_flag_of_its_own() {
        assert_eq!(FloatModes::from(Flags(0)), FloatModes::default());
        let count = |flags| {
            let FloatModes {
                subnormals,
                infinities_and_nans,
                round_to_nearest,
                round_to_zero,
                round_to_infinity,
                fma,
                rounded_division_and_root,
                software,
            } = FloatModes::from(flags);
            let rounding = [round_to_nearest, round_to_zero, round_to_infinity, rounded_division_and_root];
            let modes = [subnormals, infinities_and_nans, fma, software].into_iter().chain(rounding);
            modes.filter(|mode| *mode).count()
        };
        for bit in 0..8 {
            assert_eq!(count(Flags(1 << bit)), 1, "{bit}");
        }
        assert_eq!(count(Flags(0xff)), 8);
    }
}
