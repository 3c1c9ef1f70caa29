//! What native code finds at the address that it gets.

use super::ids::Record;
use crate::program::MAX_STRIPS;

/// All strips, each with its own registers.
pub(crate) const TOGETHER: u32 = u32::MAX;

/// The state of a thread that executes a kernel. Native code knows the offsets of its fields; behind it come the [`Limit`]s.
#[derive(Debug)]
#[repr(C, align(64))]
pub(crate) struct Context {
    /// The stack as it was, while native code runs. Its place is known to `lir`.
    pub(crate) stack: u64,
    /// The register files of the subgroup's strips, one after the other. Its place is known to `lir`.
    pub(crate) registers: u64,
    /// The number of the instruction that is called. Its place is known to `lir`.
    pub(crate) call: u32,
    /// The strip for which it is called, and times 256 the one whose registers it works on; or [`TOGETHER`].
    pub(crate) call_strip: u32,
    /// The lanes of each strip for which it is called.
    pub(crate) call_masks: [u32; MAX_STRIPS],
    /// Whether a call has faulted.
    pub(crate) fault: u32,
    /// Where a subgroup starts that runs by itself: 0 at the start, others after the barrier with the number before.
    pub(crate) entry: u32,
    /// Where it stopped: 0 at the end, others at the barrier with the number before. Of subgroups that run together, one that stopped elsewhere than the first.
    pub(crate) stopped: u32,
    /// Where the first one stopped then.
    pub(crate) expected: u32,
    /// The first strip of the subgroup that runs; those of the group follow each other.
    pub(crate) record: *const Record,
    /// The private memory of its first lane.
    pub(crate) private: u64,
    /// The group that runs.
    pub(crate) group: [u64; 3],
    /// The global ids of its work-item whose local ids are 0.
    pub(crate) first: [u64; 3],
    /// How many groups are to be run, that one among them.
    pub(crate) groups_left: u64,
    /// The code that saves all registers and calls `helper`. What is from here on never changes while the code runs.
    pub(crate) thunk: u64,
    pub(crate) helper: u64,
    pub(crate) first_record: *const Record,
    pub(crate) end_record: *const Record,
    /// The register files of the first subgroup, and how far those of the next are from them. The latter's place is known to `lir`.
    pub(crate) first_registers: u64,
    pub(crate) registers_stride: u64,
    /// The same for private memory.
    pub(crate) first_private: u64,
    pub(crate) private_stride: u64,
    /// The argument block.
    pub(crate) arguments: *const u8,
    /// The arena of local memory, and its end; both are multiples of 64.
    pub(crate) local: u64,
    pub(crate) local_end: u64,
    /// The variables of the module.
    pub(crate) data: u64,
    /// The offset in the arena of each argument that is local memory.
    pub(crate) local_offsets: *const u32,
    pub(crate) group_count: [u64; 3],
    pub(crate) global_size: [u64; 3],
    pub(crate) global_offset: [u64; 3],
    /// The images that the code accesses.
    pub(crate) surfaces: *const Surface,
    /// A word that is not zero when the launch has to stop.
    pub(crate) halt: *const u32,
    /// A word that is not zero when some group has failed.
    pub(crate) failed: *const u32,
    /// What the subgroups of a group hand each other.
    pub(crate) exchange: u64,
    /// What `helper` works on.
    pub(crate) callee: *mut (),
}

/// How the texels of an image are in memory, as native code knows it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Layout {
    /// In a way that is the interpreter's.
    #[default]
    Other,
    /// Four channels of 32 bits, red first.
    Words,
    /// One channel of 32 bits.
    Single,
    /// Four channels of 8 bits, red first, that stand for numbers from 0 to 1 or are integers without a sign.
    Bytes,
}

/// An image, and the sampler by which it is accessed. All texels are less than 2^31 bytes, if they are accessed by native code.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(crate) struct Surface {
    /// The address of the first texel.
    pub(crate) base: u64,
    /// A [`Layout`].
    pub(crate) layout: u32,
    /// Whether there is an image at all.
    pub(crate) is_there: u32,
    /// The sizes in the order of the coordinates.
    pub(crate) size: [u32; 3],
    /// The number of places in a row at which sixteen texels start.
    pub(crate) starts: u32,
    /// Where coordinates are taken to, as integers or as floats.
    pub(crate) first: [u32; 3],
    pub(crate) last: [u32; 3],
    /// What coordinates that are floats are multiplied by.
    pub(crate) scale: [f32; 3],
    /// The numbers of the channel type and of the channel order.
    pub(crate) channels: [u32; 2],
}

impl Surface {
    /// No image.
    pub(crate) const NONE: Self = Self {
        base: 0,
        layout: Layout::Other as u32,
        is_there: 0,
        size: [0; 3],
        starts: 0,
        first: [0; 3],
        last: [0; 3],
        scale: [0.0; 3],
        channels: [0; 2],
    };
}

/// The addresses at which an instruction may access memory without asking: so many from `start` on.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub(crate) struct Limit {
    pub(crate) start: u64,
    pub(crate) count: u64,
}

impl Limit {
    /// Those at which `extent` bytes are within the span.
    pub(crate) fn within(span: crate::memory::Span, extent: u64) -> Self {
        let count = span.length.checked_sub(extent).map_or(0, |last| last + 1);
        Self { start: span.start, count }
    }

    /// Those indices at which `extent` bytes are within the span, if the first of them is so far from a pointer, and each other one `scale` bytes from the one before: so many from 0 on.
    pub(crate) fn of_indices(
        span: crate::memory::Span,
        extent: u64,
        pointer: u64,
        offset: i64,
        scale: u64,
    ) -> Self {
        let first = pointer.checked_add_signed(offset).and_then(|first| first.checked_sub(span.start));
        let room =
            span.length.checked_sub(extent).zip(first).and_then(|(last, first)| last.checked_sub(first));
        let count = room.and_then(|room| room.checked_div(scale)).map_or(0, |last| last + 1);
        Self { start: 0, count }
    }

    /// Where the limit with a number is in the context.
    pub(crate) const fn offset(number: usize) -> i32 {
        (size_of::<Context>() + number * size_of::<Self>()) as i32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::Span;

    #[test]
    fn indices_are_allowed_exactly_where_all_bytes_are_in_the_span() {
        let span = Span { start: 100, length: 24 };
        for (pointer, offset, scale, extent) in (90..130).flat_map(|pointer| {
            let scales = [1_u64, 3, 4, 8].into_iter();
            let rest = move |scale| [1_u64, 4, 24, 25].map(|extent| (scale, extent));
            let all = scales.flat_map(rest);
            [-8_i64, 0, 5].into_iter().flat_map(move |offset| {
                all.clone().map(move |(scale, extent)| (pointer, offset, scale, extent))
            })
        }) {
            let limit = Limit::of_indices(span, extent, pointer, offset, scale);
            let is_inside = |index: u64| {
                let at = pointer as i64 + offset + (index * scale) as i64;
                at >= 100 && at + extent as i64 <= 124
            };
            // Where the first index is not allowed, none is.
            let expected = (0..).take_while(|&index| is_inside(index)).count() as u64;
            assert_eq!(limit.count, expected, "{pointer} {offset} {scale} {extent}");
        }
    }

    #[test]
    fn no_index_is_allowed_where_there_is_no_span_or_addresses_wrap() {
        let span = Span { start: u64::MAX - 15, length: 16 };
        assert_eq!(Limit::of_indices(Span::default(), 4, 0, 0, 4).count, 0);
        assert_eq!(Limit::of_indices(span, 4, u64::MAX - 3, 8, 4).count, 0);
        assert_eq!(Limit::of_indices(span, 4, 4, -8, 4).count, 0);
        assert_eq!(Limit::of_indices(span, 4, 4, 0, 0).count, 0);
        assert_eq!(Limit::of_indices(span, 4, u64::MAX - 15, 4, 4).count, 3);
    }
}
