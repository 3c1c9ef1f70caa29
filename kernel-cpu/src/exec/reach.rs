//! Which memory a launch may access: that of its arguments, that which the host has made resident, and that of the kinds
//! for which the kernel has indirect access (Level Zero, "Kernel", `zeKernelSetIndirectAccess`).

use super::launch::{Kernel, Work};
use crate::memory::{Allocation, Usage};
use crate::program::Parameter;

/// The kinds of memory that a kernel may access by pointers that it finds in memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Indirect {
    pub(crate) host: bool,
    pub(crate) device: bool,
    pub(crate) shared: bool,
}

/// What a launch may access.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Reach<'a> {
    pub(super) parameters: &'a [Parameter],
    /// The argument block.
    pub(super) arguments: &'a [u8],
    pub(super) indirect: Indirect,
}

impl<'a> Reach<'a> {
    pub(super) fn of(kernel: &'a Kernel, work: &'a Work) -> Self {
        Self {
            parameters: &kernel.program.parameters,
            arguments: &work.arguments.bytes,
            indirect: work.arguments.indirect,
        }
    }

    /// Whether an allocation is within reach.
    pub(super) fn has(self, allocation: &Allocation) -> bool {
        let indirect = match allocation.usage {
            Usage::Host => self.indirect.host,
            Usage::Device => self.indirect.device,
            Usage::Shared => self.indirect.shared,
            Usage::Module => true,
        };
        indirect || allocation.is_resident() || self.pointers().any(|pointer| is_of(pointer, allocation))
    }

    /// The arguments that are pointers.
    fn pointers(self) -> impl Iterator<Item = u64> {
        self.parameters.iter().filter_map(move |parameter| match *parameter {
            Parameter::Bytes { offset, is_pointer: true, .. } => {
                let bytes = self.arguments.get(offset as usize..)?.first_chunk()?;
                Some(u64::from_ne_bytes(*bytes))
            }
            _ => None,
        })
    }
}

/// Whether a pointer is into an allocation, or to its end.
pub(super) fn is_of(pointer: u64, allocation: &Allocation) -> bool {
    let span = allocation.span();
    pointer.wrapping_sub(span.start) <= span.length
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reaches(usage: Usage, indirect: Indirect) -> bool {
        let allocation = Allocation::new(8, 8, usage).unwrap();
        Reach { indirect, ..Reach::default() }.has(&allocation)
    }

    #[test]
    fn kinds_are_within_indirect_reach_by_themselves() {
        let [host, device, shared] = [Usage::Host, Usage::Device, Usage::Shared].map(|usage| {
            let of = |host, device, shared| reaches(usage, Indirect { host, device, shared });
            [of(true, false, false), of(false, true, false), of(false, false, true)]
        });
        assert_eq!(host, [true, false, false]);
        assert_eq!(device, [false, true, false]);
        assert_eq!(shared, [false, false, true]);
        assert!(reaches(Usage::Module, Indirect::default()), "a module has its variables");
    }

    #[test]
    fn what_an_argument_points_to_is_within_reach() {
        let allocation = Allocation::new(16, 8, Usage::Device).unwrap();
        let start = allocation.span().start;
        let has = |pointer: u64, is_pointer| {
            let parameters = [Parameter::Bytes { size: 8, offset: 0, is_pointer, align: 1 }];
            let arguments = pointer.to_ne_bytes();
            let indirect = Indirect::default();
            Reach { parameters: &parameters, arguments: &arguments, indirect }.has(&allocation)
        };
        assert!(has(start, true) && has(start + 15, true) && has(start + 16, true));
        assert!(!has(start - 1, true) && !has(start + 17, true) && !has(0, true));
        assert!(!has(start, false), "a number is no pointer");
    }

    #[test]
    fn the_host_makes_memory_resident_and_evicts_it() {
        let allocation = Allocation::new(16, 8, Usage::Shared).unwrap();
        assert!(!Reach::default().has(&allocation));
        allocation.set_resident(true);
        assert!(Reach::default().has(&allocation));
        allocation.set_resident(false);
        assert!(!Reach::default().has(&allocation));
    }
}
