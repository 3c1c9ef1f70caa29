//! The choice of a work-group size for a launch that names only its global size.
//!
//! Level Zero launches whole work-groups, so the group size must divide the global size in each dimension if
//! exactly that many work-items are to run. Of the sizes that do, the best
//!
//! 1. fills the vectors of the device: its total is a multiple of 32 work-items,
//! 2. has a large total, but at most 256, so that there are enough groups to balance,
//! 3. is wide in the first dimension, along which neighbours usually lie in memory,
//! 4. is compact.
//!
//! A prime number of work-items leaves no choice but groups of one, which is slow on every device. Where the kernel cannot tell, the groups at the end of one dimension
//! may be smaller than the others instead; but these are launched after the others, which must be worth it.

use crate::device::limits::Limits;
use std::cell::Cell;
use std::cmp::Reverse;

/// The work-items that fill the widest vectors of all devices.
const FULL: u32 = 32;

/// The largest total that is chosen while it leaves groups of reasonable size.
const PREFERRED_TOTAL: u32 = 256;

/// What a launch costs, in vectors of work-items that do little.
const LAUNCH: u64 = 256;

/// What a choice depends on: the global size, the limits, and whether the size must divide.
type Given = ([u32; 3], [u32; 3], u32, bool);

thread_local! {
    /// The last choice, which most launches repeat.
    static LAST: Cell<Option<(Given, [u32; 3])>> = const { Cell::new(None) };
}

/// Chooses the work-group size for a global size without zeros. It divides that in each dimension but perhaps one.
pub(crate) fn choose(global: [u32; 3], limits: &Limits) -> [u32; 3] {
    remembered(global, limits, false)
}

/// The same of a size that divides the global size in each dimension.
pub(crate) fn dividing(global: [u32; 3], limits: &Limits) -> [u32; 3] {
    remembered(global, limits, true)
}

fn remembered(global: [u32; 3], limits: &Limits, must_divide: bool) -> [u32; 3] {
    let given = (global, limits.max_group_size, limits.max_group_total, must_divide);
    match LAST.get() {
        Some((last, chosen)) if last == given => chosen,
        _ => {
            let chosen = choose_anew(global, limits, must_divide);
            LAST.set(Some((given, chosen)));
            chosen
        }
    }
}

fn choose_anew(global: [u32; 3], limits: &Limits, must_divide: bool) -> [u32; 3] {
    let preferred = PREFERRED_TOTAL.min(limits.max_group_total);
    let mut dividing = best(global, limits, preferred, None);
    if total(dividing) < FULL {
        dividing = best(global, limits, limits.max_group_total, None);
    }
    if must_divide {
        return dividing;
    }
    let others = [0, 1, 2].map(|dimension| best(global, limits, preferred, Some(dimension)));
    // A second launch does not come for a few percent.
    let is_worth_it = |size: &[u32; 3]| 3 * cost(global, *size) < 2 * cost(global, dividing);
    others.into_iter().filter(is_worth_it).min_by_key(|size| cost(global, *size)).unwrap_or(dividing)
}

/// What a launch costs by groups of a size, in vectors; each group costs about one more than it has.
fn cost(global: [u32; 3], size: [u32; 3]) -> u64 {
    let of_groups = |extents: [u32; 3], size: [u32; 3]| {
        let groups = [0, 1, 2].map(|dimension| u64::from(extents[dimension] / size[dimension]));
        groups.iter().product::<u64>() * u64::from(total(size).div_ceil(FULL) + 1)
    };
    let rest =
        (0..3).find(|&dimension| !global[dimension].is_multiple_of(size[dimension])).map(|dimension| {
            let (mut extents, mut smaller) = (global, size);
            smaller[dimension] = global[dimension] % size[dimension];
            extents[dimension] = smaller[dimension];
            LAUNCH + of_groups(extents, smaller)
        });
    of_groups(global, size) + rest.unwrap_or(0)
}

/// The best group size of at most `max_total` work-items, which divides the global size in each dimension but perhaps one.
fn best(global: [u32; 3], limits: &Limits, max_total: u32, not_dividing: Option<usize>) -> [u32; 3] {
    let mut best = [1; 3];
    let extents = |dimension: usize, max_total: u32| {
        let max = limits.max_group_size[dimension].min(max_total).min(global[dimension]);
        let is_free = not_dividing == Some(dimension);
        (1..=max).filter(move |size| match is_free {
            true => size.is_power_of_two(),
            false => global[dimension].is_multiple_of(*size),
        })
    };
    for z in extents(2, max_total) {
        for y in extents(1, max_total / z) {
            for x in extents(0, max_total / z / y) {
                if merit([x, y, z]) > merit(best) {
                    best = [x, y, z];
                }
            }
        }
    }
    best
}

/// The merit of a group size, by the rules at the top of this file.
fn merit(size: [u32; 3]) -> (bool, u32, u32, Reverse<u32>) {
    let total = total(size);
    (total.is_multiple_of(FULL), total, size[0].min(FULL), Reverse(size.iter().sum()))
}

fn total(size: [u32; 3]) -> u32 {
    size.iter().product()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(global: [u32; 3], expected: [u32; 3]) {
        assert_eq!(choose(global, &Limits::example()), expected, "for {global:?}");
    }

    #[test]
    fn powers_of_two_take_256() {
        check([1 << 20, 1, 1], [256, 1, 1]);
        check([256, 1, 1], [256, 1, 1]);
        check([1 << 31, 1, 1], [256, 1, 1]);
    }

    #[test]
    fn the_last_choice_is_that_of_its_size_and_limits_alone() {
        let small = Limits { max_group_total: 64, ..Limits::example() };
        for _ in 0..2 {
            check([256, 1, 1], [256, 1, 1]);
            assert_eq!(choose([256, 1, 1], &small), [64, 1, 1]);
            check([128, 1, 1], [128, 1, 1]);
        }
    }

    #[test]
    fn small_launches_are_one_group() {
        check([1, 1, 1], [1, 1, 1]);
        check([64, 1, 1], [64, 1, 1]);
        check([100, 1, 1], [100, 1, 1]);
        check([17, 3, 1], [17, 3, 1]);
    }

    #[test]
    fn multiples_of_32_come_before_larger_sizes() {
        check([32 * 251, 1, 1], [32, 1, 1]);
        check([96 * 7, 1, 1], [224, 1, 1]);
        check([3000, 1, 1], [250, 1, 1]);
    }

    #[test]
    fn primes_take_what_is_left_where_sizes_must_divide() {
        let check = |global, expected| assert_eq!(dividing(global, &Limits::example()), expected);
        check([1_000_003, 1, 1], [1, 1, 1]);
        check([u32::MAX, 1, 1], [255, 1, 1]);
        check([251, 1, 1], [251, 1, 1]);
        check([1024, 1031, 1], [256, 1, 1]);
        check([5, 1_000_003, 1], [5, 1, 1]);
    }

    #[test]
    fn large_primes_leave_a_smaller_group() {
        check([1_000_003, 1, 1], [256, 1, 1]);
        check([1031, 1, 1], [256, 1, 1]);
        check([37 * 100_003, 1, 1], [256, 1, 1]);
        check([1031, 1031, 1], [256, 1, 1]);
        check([8, 1_000_003, 1], [8, 32, 1]);
        check([1, 1031, 1], [1, 256, 1]);
    }

    #[test]
    fn a_size_that_divides_is_taken_unless_it_is_poor() {
        check([u32::MAX, 1, 1], [255, 1, 1]);
        check([251, 1, 1], [251, 1, 1]);
        check([1009, 1, 1], [1009, 1, 1]);
        check([100 * 10_007, 1, 1], [100, 1, 1]);
        check([37 * 13, 1, 1], [37, 1, 1]);
        check([7, 11, 13], [1, 11, 13]);
    }

    #[test]
    fn poor_divisors_may_exceed_256() {
        check([509, 1, 1], [509, 1, 1]);
        assert_eq!(dividing([2 * 509 * 3001, 1, 1], &Limits::example()), [1018, 1, 1]);
    }

    #[test]
    fn two_dimensions_are_wide_and_compact() {
        check([1024, 1024, 1], [32, 8, 1]);
        check([1000, 1000, 1], [40, 4, 1]);
        check([1920, 1080, 1], [32, 8, 1]);
        check([4, 4096, 1], [4, 64, 1]);
        check([1, 4096, 1], [1, 256, 1]);
        check([1024, 1031, 1], [256, 1, 1]);
    }

    #[test]
    fn three_dimensions_are_compact() {
        check([64, 64, 64], [32, 4, 2]);
        check([1, 1, 512], [1, 1, 256]);
        check([7, 11, 13], [1, 11, 13]);
    }

    #[test]
    fn limits_of_each_dimension_and_of_the_total_hold() {
        let mut limits = Limits::example();
        limits.max_group_size = [16, 4, 2];
        assert_eq!(choose([1024, 1024, 1024], &limits), [16, 4, 2]);
        limits.max_group_total = 64;
        assert_eq!(choose([1024, 1024, 1024], &limits), [16, 2, 2]);
        limits.max_group_total = 1;
        assert_eq!(choose([1024, 1024, 1024], &limits), [1, 1, 1]);
    }

    #[test]
    fn the_choice_always_divides_and_fits() {
        let limits = Limits::example();
        for x in (1..5000).step_by(37) {
            for y in [1, 2, 3, 17, 64, 1009, 4093] {
                let global = [x, y, 1 + x % 5];
                let size = dividing(global, &limits);
                assert!(total(size) <= limits.max_group_total, "{global:?} gives {size:?}");
                let rests = |size: [u32; 3]| [0, 1, 2].map(|dimension| global[dimension] % size[dimension]);
                assert_eq!(rests(size), [0; 3], "{global:?} gives {size:?}");
                let size = choose(global, &limits);
                assert!(total(size) <= limits.max_group_total, "{global:?} gives {size:?}");
                assert!(rests(size).iter().filter(|rest| **rest != 0).count() <= 1, "{global:?}: {size:?}");
                assert!([0, 1, 2].iter().all(|&dimension| size[dimension] <= global[dimension]));
            }
        }
    }
}
