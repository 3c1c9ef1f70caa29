//! The choice of a device by the environment variable `KERNEL_DEVICE`.

use crate::device::DeviceKind;
use core::fmt;

/// The environment variable that chooses the device of [`Device::best`](crate::Device::best).
///
/// `cpu`, `gpu`, or one of several as in `gpu:1`; counted from 0. Empty is as good as unset.
pub const DEVICE_VARIABLE: &str = "KERNEL_DEVICE";

/// A device that a value of [`DEVICE_VARIABLE`] names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Selection {
    pub(crate) kind: DeviceKind,
    pub(crate) index: usize,
}

impl Selection {
    /// Reads a value; `None` if it has not the right form.
    pub(crate) fn parse(value: &str) -> Option<Self> {
        let (kind, index) = match value.split_once(':') {
            Some((kind, index)) => (kind, parse_index(index)?),
            None => (value, 0),
        };
        let kind = match kind {
            "cpu" => DeviceKind::Cpu,
            "gpu" => DeviceKind::Gpu,
            _ => return None,
        };
        Some(Self { kind, index })
    }
}

/// Reads a number of nothing but digits; [`str::parse`] alone would take a sign.
fn parse_index(text: &str) -> Option<usize> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok())?
}

/// The environment variable [`DEVICE_VARIABLE`] names no device that exists.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SelectionError {
    /// The value of the variable.
    pub value: String,
    /// Whether the value has the right form, but there is no such device.
    pub well_formed: bool,
    /// The devices that exist, each as the value that chooses it and its name.
    pub devices: Vec<(String, String)>,
    /// What the search for GPUs came to, where the value asks for one.
    pub gpu_status: Option<crate::GpuStatus>,
}

impl fmt::Display for SelectionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let problem = match self.well_formed {
            true => "names a device that does not exist",
            false => "is none of `cpu`, `gpu`, or one with a number such as `gpu:1`",
        };
        write!(f, "{DEVICE_VARIABLE}=\"{}\" {problem}; ", self.value)?;
        match self.devices.as_slice() {
            [] => f.write_str("there is no device")?,
            devices => {
                f.write_str("there are")?;
                for (position, (value, name)) in devices.iter().enumerate() {
                    let separator = if position == 0 { "" } else { "," };
                    write!(f, "{separator} {value} (\"{name}\")")?;
                }
            }
        }
        match &self.gpu_status {
            Some(status) => write!(f, "; {status}"),
            None => Ok(()),
        }
    }
}

impl core::error::Error for SelectionError {}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(value: &str, expected: Option<(DeviceKind, usize)>) {
        let expected = expected.map(|(kind, index)| Selection { kind, index });
        assert_eq!(Selection::parse(value), expected, "for {value:?}");
    }

    #[test]
    fn kinds_with_and_without_index() {
        check("cpu", Some((DeviceKind::Cpu, 0)));
        check("gpu", Some((DeviceKind::Gpu, 0)));
        check("cpu:0", Some((DeviceKind::Cpu, 0)));
        check("gpu:12", Some((DeviceKind::Gpu, 12)));
    }

    #[test]
    fn everything_else_is_refused() {
        let huge = format!("gpu:{}", u128::MAX);
        for value in
            ["GPU", "tpu", "gpu:", "gpu:x", "gpu:+1", "gpu:-1", "gpu:1:1", ":0", " cpu", "gpu: 1", &huge]
        {
            check(value, None);
        }
    }

    #[test]
    fn the_error_lists_the_devices_and_says_why_there_is_no_gpu() {
        let error = SelectionError {
            value: "gpu:1".into(),
            well_formed: true,
            devices: vec![("gpu".into(), "Arc".into()), ("cpu".into(), "this one".into())],
            gpu_status: Some(crate::GpuStatus::Ready(1)),
        };
        assert_eq!(
            error.to_string(),
            "KERNEL_DEVICE=\"gpu:1\" names a device that does not exist; there are gpu (\"Arc\"), cpu (\"this one\"); \
             there is one GPU"
        );
    }
}
