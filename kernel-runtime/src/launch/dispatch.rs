//! From the size of a launch to work-groups: the checks, and the numbers that the driver gets.

use crate::device::limits::Limits;
use crate::error::LaunchProblem;
use crate::launch::group_size;
use crate::launch::size::{GlobalSize, GroupCount, GroupSize};
use crate::memory::usage::Usage;
use crate::queue::event::Event;
use kernel_core::{Access, KernelDescriptor};
use level_zero_sys::ze_group_count_t;

/// How the size of a launch was stated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LaunchSize {
    /// By work-items; the runtime chooses the groups.
    Global(GlobalSize),
    /// By work-groups and their size.
    Groups(GroupCount, GroupSize),
}

impl LaunchSize {
    /// The number of work-items in each dimension; the greatest there is where it is greater.
    pub(crate) fn work_items(self) -> [usize; 3] {
        match self {
            Self::Global(size) => size.extents(),
            Self::Groups(groups, group_size) => {
                let (groups, group_size) = (groups.extents(), group_size.extents());
                [0, 1, 2].map(|dimension| groups[dimension].saturating_mul(group_size[dimension]))
            }
        }
    }
}

impl LaunchSize {
    /// Whether two were stated in the same way.
    #[inline]
    pub(crate) fn is(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Global(size), Self::Global(other)) => size.is(other),
            (Self::Groups(groups, size), Self::Groups(other_groups, other_size)) => {
                groups.is(other_groups) && size.is(other_size)
            }
            _ => false,
        }
    }

    /// The number of dimensions that were stated.
    fn dimensions(self) -> u8 {
        match self {
            Self::Global(size) => size.dimensions(),
            Self::Groups(groups, group_size) => groups.dimensions().max(group_size.dimensions()),
        }
    }
}

/// How a launch is appended to a queue.
#[derive(Clone, Copy, Default)]
pub(crate) struct Manner<'e> {
    /// The event that it signals, if there is one.
    pub(crate) signal: Option<&'e Event>,
    /// Whether all work-groups must run at the same time.
    pub(crate) cooperative: bool,
    /// Where on the device their number is, if the host does not say it.
    pub(crate) groups_at: Option<GroupsAt<'e>>,
}

/// Where the device finds the number of work-groups of a launch.
#[derive(Clone, Copy)]
pub(crate) struct GroupsAt<'e> {
    pub(crate) address: *const ze_group_count_t,
    pub(crate) usage: &'e Usage,
}

impl<'e> GroupsAt<'e> {
    /// How the launch uses that memory.
    pub(crate) fn usage(self) -> (&'e Usage, Access) {
        (self.usage, Access::Read)
    }
}

impl Manner<'_> {
    /// Whether it is that of most launches: of a number of work-groups that the host says, which need not run at the same time.
    pub(crate) fn is_plain(&self) -> bool {
        !self.cooperative && self.groups_at.is_none()
    }
}

/// A launch that a device can take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Dispatch {
    pub(crate) groups: [u32; 3],
    pub(crate) group_size: [u32; 3],
    /// The groups at the end of a dimension, beside these, that are smaller there.
    pub(crate) rest: Option<Rest>,
}

/// The last groups along a dimension, which are smaller there than the others. A device takes them as a launch of their own, since all groups of one have the same size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Rest {
    pub(crate) dimension: usize,
    /// Their work-items along it.
    pub(crate) size: u32,
}

/// A part of a launch, of groups of one size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    /// The id of its first work-item.
    pub(crate) offset: [u32; 3],
    pub(crate) groups: [u32; 3],
    pub(crate) group_size: [u32; 3],
}

impl Part {
    /// Returns the number of work-groups as the driver takes it.
    pub(crate) fn group_count(self) -> ze_group_count_t {
        let [x, y, z] = self.groups;
        ze_group_count_t { groupCountX: x, groupCountY: y, groupCountZ: z }
    }
}

impl Dispatch {
    /// Returns the part of all groups but smaller ones, which is all of most launches.
    pub(crate) fn main(self) -> Part {
        Part { offset: [0; 3], groups: self.groups, group_size: self.group_size }
    }

    /// Returns the part of the smaller groups, if there are any.
    pub(crate) fn rest(self) -> Option<Part> {
        let Rest { dimension, size } = self.rest?;
        let mut part = self.main();
        part.offset[dimension] = self.groups[dimension] * self.group_size[dimension];
        part.groups[dimension] = 1;
        part.group_size[dimension] = size;
        Some(part)
    }

    /// Returns the number of work-items in each dimension.
    pub(crate) fn work_items(self) -> [u32; 3] {
        let mut work_items = [0, 1, 2].map(|axis| self.groups[axis].saturating_mul(self.group_size[axis]));
        if let Some(Rest { dimension, size }) = self.rest {
            work_items[dimension] += size;
        }
        work_items
    }

    /// Returns the number of work-groups in each dimension, smaller ones included.
    pub(crate) fn all_groups(self) -> [u32; 3] {
        let mut groups = self.groups;
        if let Some(Rest { dimension, .. }) = self.rest {
            groups[dimension] += 1;
        }
        groups
    }

    /// Checks the size of a launch of a kernel against the device's limits; `None` if there are no work-items.
    pub(crate) fn new(
        descriptor: &KernelDescriptor,
        limits: &Limits,
        size: LaunchSize,
    ) -> Result<Option<Self>, LaunchProblem> {
        check_dimensions(descriptor.rank, size.dimensions())?;
        if size.work_items().contains(&0) {
            return Ok(None);
        }
        let dispatch = match size {
            LaunchSize::Global(size) => global(descriptor, limits, size),
            LaunchSize::Groups(groups, group_size) => {
                explicit(descriptor, limits, size.work_items(), groups, group_size)
            }
        };
        dispatch.map(Some)
    }
}

fn global(
    descriptor: &KernelDescriptor,
    limits: &Limits,
    size: GlobalSize,
) -> Result<Dispatch, LaunchProblem> {
    check_extents(descriptor.rank, size.extents())?;
    let size = work_items(size.extents())?;
    let group_size = match descriptor.group_size {
        Some(required) => {
            check_divides(size, required)?;
            check_group(required, limits)?;
            required
        }
        None if may_divide_unevenly(descriptor, limits) => group_size::choose(size, limits),
        None => group_size::dividing(size, limits),
    };
    let groups = [0, 1, 2].map(|dimension| size[dimension] / group_size[dimension]);
    check_groups(groups.map(|groups| groups as usize), limits)?;
    let mut rests = (0..3).map(|dimension| Rest { dimension, size: size[dimension] % group_size[dimension] });
    Ok(Dispatch { groups, group_size, rest: rests.find(|rest| rest.size != 0) })
}

fn explicit(
    descriptor: &KernelDescriptor,
    limits: &Limits,
    size: [usize; 3],
    groups: GroupCount,
    group_size: GroupSize,
) -> Result<Dispatch, LaunchProblem> {
    let (groups, group_size) = (groups.extents(), group_size.extents());
    check_extents(descriptor.rank, size)?;
    let group_size = check_given_group(descriptor, group_size, limits)?;
    let groups = check_groups(groups, limits)?;
    work_items(size)?;
    Ok(Dispatch { groups, group_size, rest: None })
}

/// Whether a launch may have work-groups of two sizes, each a launch of its own for the driver.
fn may_divide_unevenly(descriptor: &KernelDescriptor, limits: &Limits) -> bool {
    !descriptor.depends_on_groups && limits.global_offset && !looks_for_races()
}

/// Whether the CPU device looks for races, which it does among the work-items of one launch.
#[cfg(feature = "cpu")]
fn looks_for_races() -> bool {
    kernel_cpu::checks().races
}

#[cfg(not(feature = "cpu"))]
fn looks_for_races() -> bool {
    false
}

/// Checks that as many dimensions are stated as the kernel uses.
fn check_dimensions(rank: u8, given: u8) -> Result<(), LaunchProblem> {
    if given < rank { Err(LaunchProblem::TooFewDimensions { rank, given }) } else { Ok(()) }
}

/// Checks that work-items differ in the dimensions that the kernel uses only.
fn check_extents(rank: u8, size: [usize; 3]) -> Result<(), LaunchProblem> {
    match size.iter().skip(rank.into()).any(|&extent| extent != 1) {
        true => Err(LaunchProblem::UnusedDimension { rank, size }),
        false => Ok(()),
    }
}

/// The number of work-items in each dimension, where their ids and their number have 32 bits.
fn work_items(size: [usize; 3]) -> Result<[u32; 3], LaunchProblem> {
    narrow(size, |dimension, size| LaunchProblem::TooManyWorkItems { dimension, size })
}

fn check_divides(size: [u32; 3], group_size: [u32; 3]) -> Result<(), LaunchProblem> {
    for (dimension, (size, group_size)) in size.into_iter().zip(group_size).enumerate() {
        // A required size of 0 divides nothing, so that a descriptor that states it is refused here.
        if !size.is_multiple_of(group_size) {
            return Err(LaunchProblem::NotDivisible { dimension, size: size as usize, group_size });
        }
    }
    Ok(())
}

/// Checks a group size that the caller stated.
fn check_given_group(
    descriptor: &KernelDescriptor,
    given: [usize; 3],
    limits: &Limits,
) -> Result<[u32; 3], LaunchProblem> {
    let group_size = narrow(given, |dimension, size| LaunchProblem::GroupTooWide {
        dimension,
        size,
        limit: limits.max_group_size[dimension],
    })?;
    match descriptor.group_size {
        Some(required) if required != group_size => Err(LaunchProblem::WrongGroupSize { required, given }),
        _ => check_group(group_size, limits).map(|()| group_size),
    }
}

fn check_group(size: [u32; 3], limits: &Limits) -> Result<(), LaunchProblem> {
    for (dimension, (size, limit)) in size.into_iter().zip(limits.max_group_size).enumerate() {
        if size > limit {
            return Err(LaunchProblem::GroupTooWide { dimension, size: size as usize, limit });
        }
    }
    let total = size.into_iter().try_fold(1_u32, u32::checked_mul);
    match total.is_some_and(|total| total <= limits.max_group_total) {
        true => Ok(()),
        false => Err(LaunchProblem::GroupTooLarge { size, limit: limits.max_group_total }),
    }
}

fn check_groups(groups: [usize; 3], limits: &Limits) -> Result<[u32; 3], LaunchProblem> {
    let too_many = |dimension, groups| LaunchProblem::TooManyGroups {
        dimension,
        groups,
        limit: limits.max_groups[dimension],
    };
    let narrowed = narrow(groups, too_many)?;
    match (0..3).find(|&dimension| narrowed[dimension] > limits.max_groups[dimension]) {
        Some(dimension) => Err(too_many(dimension, groups[dimension])),
        None => Ok(narrowed),
    }
}

/// Converts extents to 32 bits, or makes an error of the first that does not fit.
fn narrow(
    extents: [usize; 3],
    error: impl Fn(usize, usize) -> LaunchProblem,
) -> Result<[u32; 3], LaunchProblem> {
    let mut narrowed = [0; 3];
    for (dimension, extent) in extents.into_iter().enumerate() {
        narrowed[dimension] = u32::try_from(extent).map_err(|_| error(dimension, extent))?;
    }
    Ok(narrowed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::__private::INVALID;

    const HUGE: usize = u32::MAX as usize + 1;

    fn kernel(rank: u8, group_size: Option<[u32; 3]>) -> KernelDescriptor {
        KernelDescriptor { rank, group_size, ..INVALID }
    }

    fn launch(
        kernel: &KernelDescriptor,
        size: impl Into<GlobalSize>,
    ) -> Result<Option<Dispatch>, LaunchProblem> {
        Dispatch::new(kernel, &Limits::example(), LaunchSize::Global(size.into()))
    }

    fn launch_groups(
        kernel: &KernelDescriptor,
        groups: impl Into<GroupCount>,
        size: impl Into<GroupSize>,
    ) -> Result<Option<Dispatch>, LaunchProblem> {
        Dispatch::new(kernel, &Limits::example(), LaunchSize::Groups(groups.into(), size.into()))
    }

    #[test]
    fn a_global_size_is_divided_exactly() {
        let expected = Dispatch { groups: [4, 1, 1], group_size: [250, 1, 1], rest: None };
        assert_eq!(launch(&kernel(1, None), 1000), Ok(Some(expected)));
        let expected = Dispatch { groups: [32, 128, 1], group_size: [32, 8, 1], rest: None };
        assert_eq!(launch(&kernel(2, None), (1024, 1024)), Ok(Some(expected)));
    }

    #[test]
    fn the_groups_at_an_end_may_be_smaller() {
        let primes = KernelDescriptor { depends_on_groups: false, ..kernel(2, None) };
        let dispatch = launch(&primes, (1031, 7)).unwrap().unwrap();
        let rest = Rest { dimension: 0, size: 7 };
        assert_eq!(dispatch, Dispatch { groups: [4, 7, 1], group_size: [256, 1, 1], rest: Some(rest) });
        assert_eq!(dispatch.main(), Part { offset: [0; 3], groups: [4, 7, 1], group_size: [256, 1, 1] });
        let rest = Part { offset: [1024, 0, 0], groups: [1, 7, 1], group_size: [7, 1, 1] };
        assert_eq!(dispatch.rest(), Some(rest));
        assert_eq!((dispatch.all_groups(), dispatch.work_items()), ([5, 7, 1], [1031, 7, 1]));
    }

    #[test]
    fn groups_have_one_size_where_that_shows_or_the_device_cannot_begin_elsewhere() {
        let divided = Dispatch { groups: [1031, 1, 1], group_size: [1; 3], rest: None };
        assert_eq!(launch(&kernel(1, None), 1031), Ok(Some(divided)));
        let primes = KernelDescriptor { depends_on_groups: false, ..kernel(1, None) };
        let limits = Limits { global_offset: false, ..Limits::example() };
        let launched = Dispatch::new(&primes, &limits, LaunchSize::Global(1031.into()));
        assert_eq!(launched, Ok(Some(divided)));
        assert_eq!(launch_groups(&primes, 1031, 1), Ok(Some(divided)));
    }

    #[test]
    fn a_required_group_size_is_used() {
        let expected = Dispatch { groups: [3, 2, 1], group_size: [16, 16, 1], rest: None };
        assert_eq!(launch(&kernel(2, Some([16, 16, 1])), (48, 32)), Ok(Some(expected)));
        assert_eq!(launch_groups(&kernel(2, Some([16, 16, 1])), (3, 2), (16, 16)), Ok(Some(expected)));
    }

    #[test]
    fn a_required_group_size_must_divide() {
        let problem = LaunchProblem::NotDivisible { dimension: 1, size: 33, group_size: 16 };
        assert_eq!(launch(&kernel(2, Some([16, 16, 1])), (48, 33)), Err(problem));
        let problem = LaunchProblem::NotDivisible { dimension: 0, size: 48, group_size: 0 };
        assert_eq!(launch(&kernel(1, Some([0, 1, 1])), 48), Err(problem));
    }

    #[test]
    fn another_group_size_than_required_is_refused() {
        let problem = LaunchProblem::WrongGroupSize { required: [64, 1, 1], given: [32, 1, 1] };
        assert_eq!(launch_groups(&kernel(1, Some([64, 1, 1])), 2, 32), Err(problem));
    }

    #[test]
    fn a_launch_may_have_no_work_items() {
        assert_eq!(launch(&kernel(1, None), 0), Ok(None));
        assert_eq!(launch(&kernel(1, Some([64, 1, 1])), 0), Ok(None));
        assert_eq!(launch(&kernel(2, None), (5, 0)), Ok(None));
        assert_eq!(launch_groups(&kernel(1, None), 0, 64), Ok(None));
        assert_eq!(launch_groups(&kernel(1, None), 64, 0), Ok(None));
        let problem = LaunchProblem::TooFewDimensions { rank: 2, given: 1 };
        assert_eq!(launch(&kernel(2, None), 0), Err(problem));
    }

    #[test]
    fn the_rank_decides_the_dimensions() {
        assert!(launch(&kernel(1, None), (8, 1, 1)).is_ok());
        assert!(launch(&kernel(2, None), (8, 1)).is_ok());
        let problem = LaunchProblem::UnusedDimension { rank: 1, size: [8, 2, 1] };
        assert_eq!(launch(&kernel(1, None), (8, 2)), Err(problem.clone()));
        assert_eq!(launch_groups(&kernel(1, None), 8, (1, 2)), Err(problem));
        let problem = LaunchProblem::TooFewDimensions { rank: 2, given: 1 };
        assert_eq!(launch(&kernel(2, None), 8), Err(problem));
    }

    #[test]
    fn group_limits_hold_in_each_dimension_and_in_all() {
        let problem = LaunchProblem::GroupTooWide { dimension: 0, size: 1025, limit: 1024 };
        assert_eq!(launch_groups(&kernel(1, None), 1, 1025), Err(problem));
        let problem = LaunchProblem::GroupTooWide { dimension: 1, size: HUGE, limit: 1024 };
        assert_eq!(launch_groups(&kernel(2, None), 1, (1, HUGE)), Err(problem));
        let problem = LaunchProblem::GroupTooLarge { size: [64, 32, 1], limit: 1024 };
        assert_eq!(launch_groups(&kernel(2, None), 1, (64, 32)), Err(problem.clone()));
        assert_eq!(launch(&kernel(2, Some([64, 32, 1])), (64, 32)), Err(problem));
    }

    #[test]
    fn group_counts_have_limits() {
        let mut limits = Limits::example();
        limits.max_groups = [10, 20, 30];
        let size = LaunchSize::Groups(GroupCount::from((1, 21)), GroupSize::from(1));
        let problem = LaunchProblem::TooManyGroups { dimension: 1, groups: 21, limit: 20 };
        assert_eq!(Dispatch::new(&kernel(2, None), &limits, size), Err(problem));
        let problem = LaunchProblem::TooManyGroups { dimension: 0, groups: HUGE, limit: u32::MAX };
        assert_eq!(launch_groups(&kernel(1, None), HUGE, 1), Err(problem));
    }

    #[test]
    fn ids_must_have_32_bits() {
        let problem = LaunchProblem::TooManyWorkItems { dimension: 0, size: HUGE };
        assert_eq!(launch(&kernel(1, None), HUGE), Err(problem));
        let problem = LaunchProblem::TooManyWorkItems { dimension: 0, size: HUGE };
        assert_eq!(launch_groups(&kernel(1, None), HUGE / 64, 64), Err(problem));
        assert!(launch(&kernel(1, None), HUGE - 1).is_ok());
    }

    #[test]
    fn products_that_overflow_are_refused() {
        let problem = launch_groups(&kernel(1, None), usize::MAX, 2).unwrap_err();
        assert!(matches!(problem, LaunchProblem::TooManyGroups { dimension: 0, .. }), "{problem}");
    }
}
