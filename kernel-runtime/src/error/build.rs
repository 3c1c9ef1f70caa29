//! Kernels that a device cannot run, and modules that its driver does not build.

use super::DriverError;
use core::fmt;
use kernel_core::{FloatAtomics, Scalar, SourceLine};

/// The driver did not build the module of a kernel.
///
/// The compiler of this project checks its modules, so that this points to a bug here or in the driver.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BuildError {
    /// The name of the kernel.
    pub kernel: &'static str,
    /// The name of the device.
    pub device: Box<str>,
    /// What went wrong.
    pub problem: BuildProblem,
    /// What the driver's compiler wrote; may be empty.
    pub log: Box<str>,
}

/// What went wrong in a build.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BuildProblem {
    /// The driver refused the module.
    Refused(DriverError),
    /// The driver built the module but dropped the kernel, as some do without a word where they lack a feature.
    Dropped {
        /// The kernels that the module has on the device.
        present: Box<[String]>,
    },
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kernel, device, problem, log } = self;
        write!(f, "cannot build the kernel `{kernel}` for the device \"{device}\": ")?;
        match problem {
            BuildProblem::Refused(error) => error.fmt(f),
            BuildProblem::Dropped { present } => {
                write!(f, "the driver dropped it without an error; the module has {present:?}")
            }
        }?;
        match log.trim() {
            "" => f.write_str("; the build log is empty"),
            log => write!(f, "; build log:\n{log}"),
        }
    }
}

impl core::error::Error for BuildError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match &self.problem {
            BuildProblem::Refused(error) => Some(error),
            BuildProblem::Dropped { .. } => None,
        }
    }
}

/// A kernel needs what the device does not have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MissingFeature {
    /// The name of the kernel.
    pub kernel: &'static str,
    /// The name of the device.
    pub device: Box<str>,
    /// What it needs.
    pub feature: Feature,
    /// Where in the source it is needed first, if that is known.
    pub at: Option<SourceLine>,
}

/// Something that a kernel may need and a device may lack.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Feature {
    /// Half precision (`ZE_DEVICE_MODULE_FLAG_FP16`).
    Fp16,
    /// Double precision (`ZE_DEVICE_MODULE_FLAG_FP64`).
    Fp64,
    /// 64-bit atomics (`ZE_DEVICE_MODULE_FLAG_INT64_ATOMICS`).
    Int64Atomics,
    /// Images.
    Images,
    /// Programs of several modules (`ZE_experimental_module_program`), for functions of other modules.
    ModulePrograms,
    /// Atomic updates of floats (`ZE_extension_float_atomics`).
    FloatAtomics {
        /// The type of the floats.
        scalar: Scalar,
        /// What is done, and in which memory.
        updates: FloatAtomics,
    },
    /// A version of SPIR-V.
    Spirv {
        /// The version of the module, as (major, minor).
        needed: (u8, u8),
        /// The newest that the device accepts.
        supported: (u8, u8),
    },
    /// Room for arguments.
    ArgumentBytes {
        /// The bytes that the arguments of the kernel take together.
        needed: u64,
        /// The bytes that the device takes.
        supported: u32,
    },
    /// A subgroup size.
    SubgroupSize {
        /// The size that the kernel requires.
        needed: u32,
        /// The sizes that the device has.
        supported: Box<[u32]>,
    },
}

impl fmt::Display for MissingFeature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kernel, device, feature, at } = self;
        write!(f, "the kernel `{kernel}` needs {feature}, which the device \"{device}\" does not have")?;
        match feature {
            Feature::Spirv { supported: (major, minor), .. } => {
                write!(f, " (it accepts SPIR-V up to {major}.{minor})")
            }
            Feature::ArgumentBytes { supported, .. } => {
                write!(f, " (it takes {supported} bytes); help: pass large values in a buffer")
            }
            Feature::SubgroupSize { supported, .. } => write!(f, " (it has {supported:?})"),
            Feature::Fp64 => f.write_str("; help: use f32"),
            Feature::FloatAtomics { .. } => f.write_str(
                "; help: `#[kernel(float_atomics = \"exchange\")]` makes them loops that run on every device",
            ),
            Feature::Fp16 | Feature::Int64Atomics | Feature::Images | Feature::ModulePrograms => Ok(()),
        }?;
        at.map_or(Ok(()), |at| write!(f, "; it is needed at {at}"))
    }
}

impl core::error::Error for MissingFeature {}

impl fmt::Display for Feature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fp16 => f.write_str("half precision (fp16)"),
            Self::Fp64 => f.write_str("double precision (fp64)"),
            Self::Int64Atomics => f.write_str("64-bit atomics"),
            Self::FloatAtomics { scalar, updates } => write!(f, "atomic {updates} of `{scalar}`"),
            Self::Images => f.write_str("images"),
            Self::ModulePrograms => {
                f.write_str("programs of several modules (ZE_experimental_module_program)")
            }
            Self::Spirv { needed: (major, minor), .. } => write!(f, "SPIR-V {major}.{minor}"),
            Self::ArgumentBytes { needed, .. } => write!(f, "{needed} bytes of arguments"),
            Self::SubgroupSize { needed, .. } => write!(f, "subgroups of {needed} work-items"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(feature: Feature, expected: &str) {
        let error = MissingFeature { kernel: "sum", device: "Arc".into(), feature, at: None };
        assert_eq!(error.to_string(), expected);
    }

    #[test]
    fn a_missing_feature_names_the_line() {
        let feature = Feature::FloatAtomics { scalar: Scalar::F32, updates: FloatAtomics::LOCAL_ADD };
        let at = Some(SourceLine { file: "src/main.rs", line: 7, column: 9 });
        let error = MissingFeature { kernel: "sum", device: "Arc".into(), feature, at };
        assert_eq!(
            error.to_string(),
            "the kernel `sum` needs atomic sums in local memory of `f32`, which the device \"Arc\" does not have; \
             help: `#[kernel(float_atomics = \"exchange\")]` makes them loops that run on every device; \
             it is needed at src/main.rs:7:9"
        );
    }

    #[test]
    fn a_missing_feature_names_kernel_feature_and_device() {
        check(
            Feature::Fp64,
            "the kernel `sum` needs double precision (fp64), which the device \"Arc\" does not have; help: use f32",
        );
        check(
            Feature::Spirv { needed: (1, 4), supported: (1, 2) },
            "the kernel `sum` needs SPIR-V 1.4, which the device \"Arc\" does not have (it accepts SPIR-V up to 1.2)",
        );
        check(
            Feature::ArgumentBytes { needed: 4104, supported: 2048 },
            "the kernel `sum` needs 4104 bytes of arguments, which the device \"Arc\" does not have (it takes 2048 bytes); \
             help: pass large values in a buffer",
        );
        check(
            Feature::SubgroupSize { needed: 64, supported: [16, 32].into() },
            "the kernel `sum` needs subgroups of 64 work-items, which the device \"Arc\" does not have (it has [16, 32])",
        );
    }
}
