//! One access, in eight bytes.

/// An access: the segment in which it happened, the lane of the subgroup and the instruction.
///
/// From the highest bits on: 32 of the segment, 5 of the lane, 21 of the instruction, and some for [`history`](super::history). Zero is none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Record(pub(super) u64);

const SEGMENT_SHIFT: u32 = 32;
const LANE_SHIFT: u32 = 27;
const NOTE_SHIFT: u32 = 6;
const NOTE_BITS: u32 = LANE_SHIFT - NOTE_SHIFT;

/// How many instructions can be told apart.
pub(crate) const MAX_NOTES: usize = 1 << NOTE_BITS;

/// The bit of a second reader whose group is another one than that of the first.
const SPREAD: u64 = 1;

/// The bit of a second reader whose subgroup is another one of the same group, when no barrier of that group stood between the two.
const APART: u64 = 8;

/// The bits of the accesses of a word by several lanes in a row, of which each has a byte, or a half.
const STRIPES: u64 = BYTE_STRIPES | HALF_STRIPES;
const BYTE_STRIPES: u64 = 16;
const HALF_STRIPES: u64 = 32;

impl Record {
    pub(super) const NONE: Self = Self(0);

    /// The accesses of a word by this lane and those after it, each of so many bytes, 1 or 2.
    pub(super) fn striped(self, bytes: u64) -> Self {
        Self(self.0 | if bytes == 1 { BYTE_STRIPES } else { HALF_STRIPES })
    }

    pub(super) fn is_striped(self) -> bool {
        self.0 & STRIPES != 0
    }

    /// Whether both are by lanes in a row of which each has as much, or neither is.
    pub(super) fn is_striped_as(self, other: Self) -> bool {
        (self.0 ^ other.0) & STRIPES == 0
    }

    /// The access of one of the bytes of the word.
    pub(super) fn of_byte(self, byte: u32) -> Self {
        let lanes = match self.0 & STRIPES {
            BYTE_STRIPES => byte,
            HALF_STRIPES => byte / 2,
            _ => 0,
        };
        Self((self.0 & !STRIPES) + (u64::from(lanes) << LANE_SHIFT))
    }

    pub(super) fn new(segment: u32, lane: u32, note: u32) -> Self {
        let (lane, note) = (u64::from(lane) << LANE_SHIFT, u64::from(note) << NOTE_SHIFT);
        Self(u64::from(segment) << SEGMENT_SHIFT | lane | note)
    }

    pub(super) fn is_none(self) -> bool {
        self.0 == 0
    }

    pub(super) fn segment(self) -> u32 {
        (self.0 >> SEGMENT_SHIFT) as u32
    }

    pub(super) fn lane(self) -> u32 {
        (self.0 >> LANE_SHIFT) as u32 & 31
    }

    /// The number of the instruction.
    pub(super) fn note(self) -> u32 {
        (self.0 >> NOTE_SHIFT) as u32 & (MAX_NOTES as u32 - 1)
    }

    /// Whether both are of one work-item, between the same barriers.
    pub(super) fn is_of_same(self, other: Self) -> bool {
        (self.0 ^ other.0) >> LANE_SHIFT == 0
    }

    pub(super) fn is_spread(self) -> bool {
        self.0 & SPREAD != 0
    }

    pub(super) fn spread(self) -> Self {
        Self(self.0 | SPREAD)
    }

    pub(super) fn is_apart(self) -> bool {
        self.0 & APART != 0
    }

    /// The same, with that bit or without it.
    pub(super) fn with_apart(self, is_apart: bool) -> Self {
        Self(self.0 & !APART | if is_apart { APART } else { 0 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_goes_in_comes_out() {
        for (segment, lane, note) in [(1, 0, 0), (u32::MAX, 31, MAX_NOTES as u32 - 1), (77, 16, 12345)] {
            let record = Record::new(segment, lane, note);
            for record in [record, record.spread()] {
                assert_eq!((record.segment(), record.lane(), record.note()), (segment, lane, note));
                assert!(!record.is_none() && record.is_of_same(Record::new(segment, lane, 3)));
            }
            assert!(!record.is_spread() && record.spread().is_spread());
            assert!(!record.is_of_same(Record::new(segment, lane ^ 1, note)));
        }
    }

    #[test]
    fn stripes_are_of_lanes_in_a_row() {
        let record = Record::new(7, 28, 5);
        for (bytes, lanes) in [(1, [28, 29, 30, 31]), (2, [28, 28, 29, 29])] {
            let striped = record.striped(bytes);
            assert!(striped.is_striped() && !striped.is_striped_as(record));
            for (byte, lane) in (0..).zip(lanes) {
                assert_eq!(striped.of_byte(byte), Record::new(7, lane, 5));
                assert_eq!(record.of_byte(byte), record);
            }
        }
    }
}
