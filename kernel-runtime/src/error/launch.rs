//! Launches that are refused before anything is enqueued.

use crate::launch::size::write_extents;
use crate::memory::usm::UsmKind;
use core::fmt;
use kernel_core::{Condition, Part, Presumed, Presumption};

/// A launch was refused; nothing of it was enqueued.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LaunchError {
    /// The name of the kernel.
    pub kernel: &'static str,
    /// What is wrong with the launch.
    pub problem: LaunchProblem,
}

/// What is wrong with a launch.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LaunchProblem {
    /// The kernel uses the ids of more dimensions than the size gives.
    TooFewDimensions {
        /// The number of dimensions whose ids the kernel uses.
        rank: u8,
        /// The number of dimensions given.
        given: u8,
    },
    /// The size is not 1 in a dimension whose ids the kernel does not use.
    UnusedDimension {
        /// The number of dimensions whose ids the kernel uses.
        rank: u8,
        /// The size as given.
        size: [usize; 3],
    },
    /// The global size is no multiple of the work-group size that the kernel requires.
    NotDivisible {
        /// The dimension, 0 to 2.
        dimension: usize,
        /// The global size in this dimension.
        size: usize,
        /// The required work-group size in this dimension.
        group_size: u32,
    },
    /// The kernel requires another work-group size.
    WrongGroupSize {
        /// The size that it requires.
        required: [u32; 3],
        /// The size as given.
        given: [usize; 3],
    },
    /// A work-group has more work-items in one dimension than the device allows.
    GroupTooWide {
        /// The dimension, 0 to 2.
        dimension: usize,
        /// The work-items of the group in this dimension.
        size: usize,
        /// The device's limit.
        limit: u32,
    },
    /// A work-group has more work-items in all than the device allows.
    GroupTooLarge {
        /// The size of the group.
        size: [u32; 3],
        /// The device's limit.
        limit: u32,
    },
    /// There are more work-groups in one dimension than the device allows.
    TooManyGroups {
        /// The dimension, 0 to 2.
        dimension: usize,
        /// The number of groups in this dimension.
        groups: usize,
        /// The device's limit.
        limit: u32,
    },
    /// There are more work-items in one dimension than ids, which have 32 bits on a GPU.
    TooManyWorkItems {
        /// The dimension, 0 to 2.
        dimension: usize,
        /// The number of work-items in this dimension, or `usize::MAX` where it is larger.
        size: usize,
    },
    /// A work-group takes more local memory than the device has.
    LocalMemory {
        /// The bytes that the kernel takes.
        bytes: u64,
        /// The bytes that the device has.
        limit: u32,
    },
    /// A buffer is of another device than the queue, which cannot access its memory ([`Device::can_access`](crate::Device::can_access)), or has no atomics there.
    OtherDevice {
        /// The name of the argument.
        argument: &'static str,
        /// The device of the buffer.
        buffer: Box<str>,
        /// The device of the queue.
        queue: Box<str>,
    },
    /// A buffer has no element to which the kernel's reference could refer.
    EmptyBuffer {
        /// The name of the argument.
        argument: &'static str,
    },
    /// The same memory, or image, is given for a `&mut` parameter and for another one; only possible where a launch was not made by the kernel's own function.
    NotExclusive {
        /// The name of the argument that is `&mut`.
        exclusive: &'static str,
        /// The name of the other one.
        other: &'static str,
    },
    /// Memory for atomics, which other arguments may lead to as well, is given for a `&mut` parameter; only possible where a launch was not made by the kernel's own
    /// function.
    NotAtomic {
        /// The name of the argument.
        argument: &'static str,
    },
    /// One buffer is read as plain numbers and changed by atomics in the same launch.
    ReadAndChanged {
        /// The name of the argument through which it is only read.
        read: &'static str,
        /// The name of the argument through which it is changed.
        changed: &'static str,
    },
    /// The host has a view of a buffer that the kernel uses.
    Viewed {
        /// The name of the argument.
        argument: &'static str,
    },
    /// The kernel uses a buffer by atomics, which the device cannot do where the buffer is (`ZE_MEMORY_ACCESS_CAP_FLAG_ATOMIC`).
    NoAtomics {
        /// The name of the argument.
        argument: &'static str,
        /// Where the buffer is.
        memory: UsmKind,
    },
    /// The launch does not set as many constants as the kernel leaves to it; only possible where it was written by hand.
    Constants {
        /// How many the kernel has.
        expected: usize,
        /// How many are set.
        given: usize,
    },
    /// An argument holds raw pointers for which nobody vouches; only possible where a launch was not made by the kernel's own function.
    NotVouched {
        /// The position of the argument.
        position: usize,
    },
    /// The arguments do not meet a condition that the kernel states, `#[kernel(requires(…))]`.
    Unmet {
        /// The condition; none if the descriptor has not as many, which is only possible where it was written by hand.
        condition: Option<Condition>,
        /// Whether arithmetic in it overflows, rather than that it does not hold.
        overflows: bool,
        /// The arguments and lengths in it, as they are written, and their values.
        values: Vec<(&'static str, String)>,
    },
    /// Work-items could race, since arithmetic that makes their indices may wrap around in this launch, a number is no power of two, or two buffers overlap.
    MayRace {
        /// What the launch would have to meet.
        presumption: Presumption,
        /// The arguments, lengths, ids and sizes that it is about, and their values.
        values: Vec<(String, i128)>,
    },
    /// The kernel states conditions that nobody has evaluated; only possible where a launch was not made by the kernel's own function.
    ConditionsUnknown,
    /// The queue is for copies alone ([`QueueOptions::copies_only`](crate::QueueOptions::copies_only)).
    CopyQueue,
    /// The device has no cooperative launches (`ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COOPERATIVE_KERNELS`).
    NotCooperative {
        /// The device.
        device: Box<str>,
    },
    /// A cooperative launch has more work-groups than can be sure to run at the same time.
    TooManyCooperativeGroups {
        /// The number of groups.
        groups: u64,
        /// The most for this kernel and size of groups (`zeKernelSuggestMaxCooperativeGroupCount`).
        limit: u32,
    },
    /// The launch was to replace one of another graph, [`Graph::replace`](crate::Graph::replace).
    OtherGraph,
    /// The arguments are not those of the descriptor; only possible where it was written by hand.
    Arguments {
        /// The arguments that the descriptor states.
        expected: Box<str>,
        /// The arguments given.
        given: Box<str>,
    },
}

impl fmt::Display for LaunchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot launch the kernel `{}`: {}", self.kernel, self.problem)
    }
}

impl core::error::Error for LaunchError {}

impl fmt::Display for LaunchProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooFewDimensions { rank, given } => write!(
                f,
                "it uses the ids of {rank} dimensions, but the size has {given}; \
                 help: give all of them, such as `({})`",
                &"x, y, z"[..3 * usize::from(*rank) - 2]
            ),
            Self::UnusedDimension { rank, size } => {
                write!(
                    f,
                    "it uses the ids of the first {rank} of 3 dimensions only, so that in a launch of "
                )?;
                write_extents(size, f)?;
                f.write_str(" several work-items would do the same; help: make the size 1 in the others")
            }
            Self::NotDivisible { dimension, size, group_size } => write!(
                f,
                "its work-groups have {group_size} work-items in dimension {dimension}, which do not divide {size}; \
                 help: launch `size.next_multiple_of({group_size})` and compare the id with the length in the kernel"
            ),
            Self::WrongGroupSize { required, given } => {
                f.write_str("its work-groups have ")?;
                write_extents(required, f)?;
                f.write_str(" work-items, not ")?;
                write_extents(given, f)
            }
            Self::GroupTooWide { dimension, size, limit } => write!(
                f,
                "work-groups of {size} work-items in dimension {dimension} are over the device's limit of {limit}"
            ),
            Self::GroupTooLarge { size, limit } => {
                f.write_str("work-groups of ")?;
                write_extents(size, f)?;
                write!(f, " work-items are over the device's limit of {limit} in all")
            }
            Self::TooManyGroups { dimension, groups, limit } => {
                write!(
                    f,
                    "{groups} work-groups in dimension {dimension} are over the device's limit of {limit}"
                )
            }
            Self::TooManyWorkItems { dimension, size } => write!(
                f,
                "{size} work-items in dimension {dimension} are more than 32-bit ids can tell apart; \
                 help: let each work-item do more, or use another dimension"
            ),
            Self::LocalMemory { bytes, limit } => {
                write!(f, "its work-groups take {bytes} bytes of local memory, but the device has {limit}")
            }
            Self::OtherDevice { argument, buffer, queue } => {
                write!(
                    f,
                    "the buffer `{argument}` is on the device \"{buffer}\", but the queue is of \"{queue}\", which cannot use it there; \
                     help: `queue.copy` copies it to a buffer of the queue's device"
                )
            }
            Self::NotExclusive { exclusive, other } => write!(
                f,
                "the same memory is given as `{exclusive}`, which the kernel takes for itself by `&mut`, and as `{other}`; \
                 help: pass two buffers"
            ),
            Self::NotAtomic { argument } => write!(
                f,
                "it takes `{argument}` for itself by `&mut`, but was given memory for atomics; help: pass `LaunchArgument::slice_mut` or `reference_mut`"
            ),
            Self::ReadAndChanged { read, changed } => write!(
                f,
                "one buffer is both `{read}`, which is only read, and `{changed}`, which is changed; \
                 help: read it by `load` through `{changed}`, or pass two buffers"
            ),
            Self::Viewed { argument } => write!(
                f,
                "the host has a view of the buffer `{argument}`; help: drop the view before the launch"
            ),
            Self::NoAtomics { argument, memory } => write!(
                f,
                "the buffer `{argument}` is in {memory}, where the device has no atomics; \
                 help: `upload` makes a buffer in device memory"
            ),
            Self::Constants { expected, given } => {
                write!(f, "it has {expected} constants that a launch sets, but {given} are set")
            }
            Self::EmptyBuffer { argument } => {
                write!(f, "it takes a reference as `{argument}`, but the buffer has no element")
            }
            Self::Unmet { condition, overflows, values } => {
                match condition {
                    Some(Condition { text, at }) => write!(f, "it requires `{text}` ({at})")?,
                    None => f.write_str("it requires what its descriptor does not state")?,
                }
                f.write_str(if *overflows { ", where arithmetic overflows" } else { "" })?;
                let mut before = if values.is_empty() { "" } else { ", but" };
                for (name, value) in values {
                    write!(f, "{before} `{name}` is {value}")?;
                    before = " and";
                }
                Ok(())
            }
            Self::MayRace { presumption: Presumption { text, at, presumed, parts }, values } => {
                let (what, help) = match presumed {
                    Presumed::Fits if is_wide(parts) => ("may wrap around", "pass smaller numbers"),
                    Presumed::Fits => {
                        ("may wrap around", "let the kernel compute it in 64 bits (`usize`, `AtomicUsize`)")
                    }
                    Presumed::PowerOfTwo => ("is no power of two", "choose a power of two"),
                    Presumed::One => ("is not one", "let it be 1, or let the index depend on that dimension too"),
                    Presumed::Positive => ("is zero", "pass at least 1"),
                    Presumed::Apart => ("are not apart", "pass what has nothing in common"),
                };
                write!(f, "its work-items could access one element at a time ({at}), since `{text}` {what}")?;
                let mut before = ", where";
                for (name, value) in values {
                    write!(f, "{before} `{name}` is {value}")?;
                    before = " and";
                }
                write!(f, "; help: {help}, or vouch for it if you know that none do: `#[kernel(unsafe(races(..)))]`")
            }
            Self::NotVouched { position } => write!(
                f,
                "its argument {position} holds raw pointers, for which nobody vouches; \
                 help: launch what the function returns that `#[kernel]` defines, or what `Launch::vouched` does"
            ),
            Self::CopyQueue => f.write_str("the queue is for copies alone; help: launch it on one of `Device::queue`"),
            Self::NotCooperative { device } => write!(
                f,
                "the device \"{device}\" has no cooperative launches; help: make each step a launch of its own"
            ),
            Self::TooManyCooperativeGroups { groups, limit } => write!(
                f,
                "only {limit} of its {groups} work-groups are sure to run at the same time; help: let each work-group do more (`Launch::occupancy` tells the limit)"
            ),
            Self::OtherGraph => f.write_str(
                "it was to replace a launch of another graph; help: keep each node with the graph that `add` was called for",
            ),
            Self::ConditionsUnknown => f.write_str(
                "it has conditions, which only the function that `#[kernel]` defines evaluates; help: launch what that function returns",
            ),
            Self::Arguments { expected, given } => {
                write!(f, "it takes the arguments ({expected}), but was given ({given})")
            }
        }
    }
}

/// Returns whether what has to fit has 64 bits to fit in.
fn is_wide(parts: &[Part]) -> bool {
    matches!(parts.last(), Some(Part::Cast(scalar)) if scalar.bits() >= 64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(problem: LaunchProblem, expected: &str) {
        let error = LaunchError { kernel: "blur", problem };
        assert_eq!(error.to_string(), format!("cannot launch the kernel `blur`: {expected}"));
    }

    #[test]
    fn too_few_dimensions_show_the_tuple_to_write() {
        check(
            LaunchProblem::TooFewDimensions { rank: 2, given: 1 },
            "it uses the ids of 2 dimensions, but the size has 1; help: give all of them, such as `(x, y)`",
        );
        check(
            LaunchProblem::TooFewDimensions { rank: 3, given: 2 },
            "it uses the ids of 3 dimensions, but the size has 2; help: give all of them, such as `(x, y, z)`",
        );
    }

    #[test]
    fn a_condition_shows_its_values() {
        let at = kernel_core::SourceLine { file: "src/a.rs", line: 3, column: 19 };
        let condition = Some(Condition { text: "x.len() >= n", at });
        let values = vec![("x.len()", "3".to_owned()), ("n", "4".to_owned())];
        check(
            LaunchProblem::Unmet { condition, overflows: false, values: values.clone() },
            "it requires `x.len() >= n` (src/a.rs:3:19), but `x.len()` is 3 and `n` is 4",
        );
        check(
            LaunchProblem::Unmet { condition, overflows: true, values },
            "it requires `x.len() >= n` (src/a.rs:3:19), where arithmetic overflows, but `x.len()` is 3 and `n` is 4",
        );
    }

    #[test]
    fn what_may_race_has_a_way_out() {
        let at = kernel_core::SourceLine { file: "src/a.rs", line: 3, column: 19 };
        let check_of = |presumed, parts, expected: &str| {
            let presumption = Presumption { text: "n", at, presumed, parts };
            check(
                LaunchProblem::MayRace { presumption, values: vec![("n".to_owned(), 0)] },
                &format!(
                    "its work-items could access one element at a time (src/a.rs:3:19), since `n` {expected}, \
                     or vouch for it if you know that none do: `#[kernel(unsafe(races(..)))]`"
                ),
            );
        };
        let fits = |parts, help: &str| {
            check_of(Presumed::Fits, parts, &format!("may wrap around, where `n` is 0; help: {help}"));
        };
        fits(
            &[Part::Cast(kernel_core::Scalar::U32)],
            "let the kernel compute it in 64 bits (`usize`, `AtomicUsize`)",
        );
        fits(&[Part::Cast(kernel_core::Scalar::Usize)], "pass smaller numbers");
        check_of(
            Presumed::PowerOfTwo,
            &[],
            "is no power of two, where `n` is 0; help: choose a power of two",
        );
        check_of(
            Presumed::One,
            &[],
            "is not one, where `n` is 0; help: let it be 1, or let the index depend on that dimension too",
        );
        check_of(Presumed::Positive, &[], "is zero, where `n` is 0; help: pass at least 1");
        check_of(
            Presumed::Apart,
            &[],
            "are not apart, where `n` is 0; help: pass what has nothing in common",
        );
    }

    #[test]
    fn a_size_that_does_not_divide_shows_the_remedy() {
        check(
            LaunchProblem::NotDivisible { dimension: 0, size: 100, group_size: 64 },
            "its work-groups have 64 work-items in dimension 0, which do not divide 100; \
             help: launch `size.next_multiple_of(64)` and compare the id with the length in the kernel",
        );
    }

    #[test]
    fn sizes_are_shown_in_all_dimensions() {
        check(
            LaunchProblem::UnusedDimension { rank: 1, size: [4, 2, 1] },
            "it uses the ids of the first 1 of 3 dimensions only, so that in a launch of 4 × 2 × 1 several work-items would do the \
             same; help: make the size 1 in the others",
        );
        check(
            LaunchProblem::GroupTooLarge { size: [64, 64, 1], limit: 1024 },
            "work-groups of 64 × 64 × 1 work-items are over the device's limit of 1024 in all",
        );
    }
}
