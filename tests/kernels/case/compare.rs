//! Compares what a launch left in memory with what a case expects.

use super::{Argument, Case};
use kernel_core::{ElementType, FaultSite, RecordedFault, Scalar, bf16, f16};
use std::fmt;

/// What a launch left in memory.
#[derive(Debug)]
pub struct Outcome {
    /// The bytes of every slice argument, in order.
    pub slices: Vec<Vec<u8>>,
    /// The fault record, if the kernel has one.
    pub fault: Option<RecordedFault>,
    /// What is said about the fault, besides what its kind says.
    pub message: String,
    /// What was printed, in any order.
    pub printed: Vec<String>,
}

impl Case {
    /// The bytes that every slice or reference must hold after the launch, in order.
    pub fn expected(&self) -> impl Iterator<Item = &[u8]> {
        self.arguments.iter().filter_map(|argument| match argument {
            Argument::Slice { after, .. }
            | Argument::Address { after, .. }
            | Argument::Elsewhere { after, .. }
            | Argument::Image { after, .. } => Some(&after[..]),
            Argument::Value { .. } | Argument::Local { .. } | Argument::Sampler(..) => None,
        })
    }

    /// Whether the outcome is what the case expects; if not, says what is different.
    ///
    /// # Errors
    ///
    /// The first difference, with the argument, the element and both values.
    pub fn judge(&self, outcome: &Outcome) -> Result<(), String> {
        self.judge_fault(outcome)?;
        self.judge_printed(&outcome.printed)?;
        let mut slices = outcome.slices.iter();
        let names = self.kernel.arguments.iter().map(|declared| declared.name);
        for (name, argument) in names.chain(std::iter::repeat("elsewhere")).zip(&self.arguments) {
            let (ty, after) = match argument {
                Argument::Slice { typed, after, .. }
                | Argument::Address { typed, after, .. }
                | Argument::Elsewhere { typed, after, .. } => (typed.ty, after),
                Argument::Image { typed, after, .. } => (typed.channel(), after),
                Argument::Value { .. } | Argument::Local { .. } | Argument::Sampler(..) => continue,
            };
            let actual = slices.next().ok_or("a slice is missing from the outcome")?;
            difference(ty, self.ulps, after, actual)
                .map_or(Ok(()), |difference| Err(format!("`{name}`{difference}")))?;
        }
        Ok(())
    }

    fn judge_fault(&self, Outcome { fault, message, .. }: &Outcome) -> Result<(), String> {
        match (&self.fault, fault) {
            (None, Some(record)) if record.count != 0 => Err(describe_fault(self, record, message)),
            (None, _) => Ok(()),
            (Some(_), None) => {
                Err("the kernel has no fault record, so it cannot report the fault".to_owned())
            }
            (Some(expected), Some(record)) => expected.judge(self.kernel, record, message),
        }
    }
}

/// Words a fault that nobody expected.
fn describe_fault(case: &Case, record: &RecordedFault, message: &str) -> String {
    struct Message<'a>(FaultSite<'a>, [u64; 2], &'a str);
    impl fmt::Display for Message<'_> {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            self.0.kind.describe(self.2, self.1, f)
        }
    }
    let id = record.global_id;
    match case.kernel.fault_sites.get(record.site) {
        Some(site) => format!(
            "unexpected fault at {}:{}:{}: {}; work-item {id:?}",
            site.file,
            site.line,
            site.column,
            Message(site, record.values, message)
        ),
        None => format!("unexpected fault at unknown site {}; work-item {id:?}", record.site),
    }
}

/// The first scalar that differs by more than `ulps`, in words, and how many do.
fn difference(element: ElementType, ulps: u32, expected: &[u8], actual: &[u8]) -> Option<String> {
    if expected.len() != actual.len() {
        return Some(format!(": expected {} bytes, got {}", expected.len(), actual.len()));
    }
    let size = element.layout().size as usize;
    let (mut first, mut others) = (None, 0);
    for (index, (expected, actual)) in expected.chunks_exact(size).zip(actual.chunks_exact(size)).enumerate()
    {
        element.for_each_scalar(&mut |scalar, offset| {
            let [expected, actual] =
                [expected, actual].map(|bytes| bits(&bytes[offset..offset + scalar.size()]));
            match first {
                _ if agrees(scalar, ulps, expected, actual) => {}
                None => first = Some((scalar, index, offset, expected, actual)),
                Some(_) => others += 1,
            }
        });
    }
    let (scalar, index, offset, expected, actual) = first?;
    let at = if element.scalar().is_some() { String::new() } else { format!(" at byte {offset}") };
    let (expected, actual) = (in_words(scalar, expected), in_words(scalar, actual));
    let others = if others == 0 { String::new() } else { format!("; {others} more differ") };
    Some(format!("[{index}]{at}: expected {expected}, got {actual}{others}"))
}

/// The bit pattern of a scalar, zero-extended.
fn bits(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |bits, &byte| bits << 8 | u64::from(byte))
}

/// Whether two scalars are equal, within `ulps` if they are floats.
///
/// Any NaN agrees with any other, since neither Rust nor SPIR-V says which one an operation makes.
fn agrees(scalar: Scalar, ulps: u32, expected: u64, actual: u64) -> bool {
    if expected == actual || !scalar.is_float() {
        return expected == actual;
    }
    match (is_nan(scalar, expected), is_nan(scalar, actual)) {
        (true, true) => true,
        (false, false) => {
            ulps > 0 && position(scalar, expected).abs_diff(position(scalar, actual)) <= u128::from(ulps)
        }
        _ => false,
    }
}

fn is_nan(scalar: Scalar, bits: u64) -> bool {
    match scalar {
        Scalar::F16 => f16::from_bits(bits as u16).is_nan(),
        Scalar::Bf16 => bf16::from_bits(bits as u16).is_nan(),
        Scalar::F32 => f32::from_bits(bits as u32).is_nan(),
        _ => f64::from_bits(bits).is_nan(),
    }
}

/// The place of a float among all floats of its type in ascending order, with both zeros at 0.
fn position(scalar: Scalar, bits: u64) -> i128 {
    let sign = 1 << (scalar.bits() - 1);
    let magnitude = i128::from(bits & !sign);
    if bits & sign == 0 { magnitude } else { -magnitude }
}

fn in_words(scalar: Scalar, bits: u64) -> String {
    let value = match scalar {
        Scalar::F16 => format!("{:?}", f16::from_bits(bits as u16)),
        Scalar::Bf16 => format!("{:?}", bf16::from_bits(bits as u16)),
        Scalar::F32 => format!("{:?}", f32::from_bits(bits as u32)),
        Scalar::F64 => format!("{:?}", f64::from_bits(bits)),
        Scalar::Bool if bits == 0 => "false".to_owned(),
        Scalar::Bool if bits == 1 => "true".to_owned(),
        Scalar::Bool => "no bool".to_owned(),
        _ => kernel_core::semantics::extend(scalar, bits).to_string(),
    };
    let digits = scalar.size() * 2;
    format!("{value} (0x{bits:0digits$x})")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn f32_agrees(ulps: u32, expected: f32, actual: f32) -> bool {
        agrees(Scalar::F32, ulps, expected.to_bits().into(), actual.to_bits().into())
    }

    #[test]
    fn exact_comparison_tells_the_zeros_apart_but_not_the_nans() {
        assert!(!f32_agrees(0, 0.0, -0.0));
        assert!(f32_agrees(0, f32::NAN, -f32::NAN));
        assert!(!f32_agrees(u32::MAX, f32::NAN, 1.0));
    }

    #[test]
    fn units_in_the_last_place_count_across_zero() {
        let least = f32::from_bits(1);
        assert!(f32_agrees(2, least, -least));
        assert!(!f32_agrees(1, least, -least));
        assert!(f32_agrees(1, 1.0, 1.0 + f32::EPSILON));
        assert!(!f32_agrees(1, 1.0, 1.0 + 2.0 * f32::EPSILON));
    }

    #[test]
    fn integers_have_no_tolerance() {
        assert!(!agrees(Scalar::U32, 4, 1, 2));
    }

    #[test]
    fn a_difference_names_the_first_element_and_counts_the_others() {
        let difference = difference(ElementType::Scalar(Scalar::U8), 0, &[1, 2, 3], &[1, 0, 255]);
        assert_eq!(difference.as_deref(), Some("[1]: expected 2 (0x02), got 0 (0x00); 1 more differ"));
    }

    #[test]
    fn a_bool_in_memory_is_zero_or_one() {
        let difference = difference(ElementType::Scalar(Scalar::Bool), 0, &[1], &[255]);
        assert_eq!(difference.as_deref(), Some("[0]: expected true (0x01), got no bool (0xff)"));
    }
}
