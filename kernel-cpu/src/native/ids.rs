//! The ids of the work-items of each subgroup of a work-group.

use super::analyse::shape::Shape;
use crate::exec::Geometry;
use crate::program::{LANES, strips};

/// What a strip of a subgroup is told about its work-items.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(crate) struct Record {
    /// The local ids of all lanes, those that are absent counted on.
    pub(crate) ids: [[u32; LANES]; 3],
    /// The local ids of the first lane.
    pub(crate) first: [u64; 3],
    /// The number of its subgroup.
    pub(crate) index: u64,
    /// The lanes that exist.
    pub(crate) mask: u32,
    /// How many the subgroup has.
    pub(crate) present: u32,
}

/// The subgroups of a work-group of some size.
#[derive(Debug)]
pub(super) struct Ids {
    pub(super) group_size: [u32; 3],
    pub(super) subgroup_size: u32,
    /// How many strips a subgroup has.
    pub(super) strips: usize,
    pub(super) records: Vec<Record>,
    shapes: [Shape; 3],
}

impl Ids {
    pub(super) fn new(group_size: [u32; 3], subgroup_size: u32) -> Self {
        let geometry = Geometry { group_size, subgroup_size, ..Geometry::default() };
        let strips = strips(subgroup_size);
        let records: Vec<Record> = (0..geometry.subgroups() * strips)
            .map(|number| record(geometry, number / strips, number % strips))
            .collect();
        let shapes = std::array::from_fn(|d| shape(&records, d));
        Self { group_size, subgroup_size, strips, records, shapes }
    }

    /// How the ids of a dimension differ between lanes.
    pub(super) fn shape(&self, dimension: u8) -> Shape {
        self.shapes[usize::from(dimension) % 3]
    }

    /// Whether the ids of a dimension may differ between the strips of a subgroup.
    pub(super) fn is_apart(&self, dimension: u8) -> bool {
        let dimension = usize::from(dimension) % 3;
        self.records.chunks(self.strips).any(|subgroup| {
            subgroup.iter().any(|record| {
                let lanes = record.lanes();
                record.ids[dimension][..lanes] != subgroup[0].ids[dimension][..lanes]
            })
        })
    }

    /// The local id of the first lane of a strip, if it is the same in all subgroups that have the strip.
    pub(super) fn fixed(&self, dimension: u8, strip: usize) -> Option<u64> {
        let own = self.records.iter().skip(strip).step_by(self.strips).filter(|record| record.lanes() > 0);
        let mut ids = own.map(|record| record.first[usize::from(dimension) % 3]);
        let first = ids.next()?;
        ids.all(|id| id == first).then_some(first)
    }

    /// Whether all subgroups are full.
    pub(super) fn is_full(&self) -> bool {
        self.records.iter().all(|record| record.lanes() == LANES)
    }
}

impl Record {
    /// How many lanes exist.
    fn lanes(&self) -> usize {
        self.mask.count_ones() as usize
    }
}

/// The record of a strip of a subgroup.
fn record(geometry: Geometry, subgroup: usize, strip: usize) -> Record {
    let first = geometry.first_item(subgroup) + strip * LANES;
    let lanes: [[u32; 3]; LANES] = std::array::from_fn(|lane| geometry.item(first + lane));
    let present = geometry.present(subgroup);
    let own = present.saturating_sub(strip * LANES).min(LANES);
    Record {
        ids: std::array::from_fn(|d| lanes.map(|id| id[d])),
        first: lanes[0].map(u64::from),
        index: subgroup as u64,
        mask: (1 << own) - 1,
        present: present as u32,
    }
}

fn shape(records: &[Record], dimension: usize) -> Shape {
    let differs_by = |stride: u32| {
        records.iter().all(|record| {
            let ids = &record.ids[dimension][..record.lanes()];
            ids.windows(2).all(|pair| pair[1].wrapping_sub(pair[0]) == stride)
        })
    };
    match (differs_by(0), differs_by(1)) {
        (true, _) => Shape::UNIFORM,
        (_, true) => Shape::Stride(1),
        _ => Shape::Varying,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_of_rows_planes_and_odd_sizes() {
        let shapes = |size| [0, 1, 2].map(|d| Ids::new(size, 16).shape(d));
        let (uniform, stride, varying) = (Shape::UNIFORM, Shape::Stride(1), Shape::Varying);
        assert_eq!(shapes([256, 1, 1]), [stride, uniform, uniform]);
        assert_eq!(shapes([16, 16, 1]), [stride, uniform, uniform]);
        assert_eq!(shapes([100, 1, 1]), [stride, uniform, uniform]);
        assert_eq!(shapes([8, 8, 1]), [varying, varying, uniform]);
        assert_eq!(shapes([1, 64, 1]), [uniform, stride, uniform]);
        assert_eq!(shapes([10, 3, 1]), [varying, varying, uniform]);
        assert_eq!(Ids::new([10, 3, 1], 16).records[1].mask, 0x3fff);
        assert!(!Ids::new([10, 3, 1], 16).is_full() && Ids::new([8, 4, 1], 16).is_full());
        let narrow = Ids::new([8, 3, 1], 8);
        assert_eq!([0, 1, 2].map(|d| narrow.shape(d)), [stride, uniform, uniform]);
        assert_eq!(narrow.records.iter().map(|record| record.first[1]).collect::<Vec<_>>(), [0, 1, 2]);
        assert!(narrow.records.iter().all(|record| record.mask == 0xff && record.present == 8));
        assert!(!narrow.is_full());
        let wide = Ids::new([16, 5, 1], 32);
        assert_eq!([0, 1, 2].map(|d| wide.shape(d)), [stride, uniform, uniform]);
        assert_eq!([0, 1, 2].map(|d| wide.is_apart(d)), [false, true, false]);
        assert_eq!(wide.records.iter().map(|record| record.first[1]).collect::<Vec<_>>(), [0, 1, 2, 3, 4, 0]);
        assert_eq!(
            wide.records.iter().map(|record| record.mask.count_ones()).collect::<Vec<_>>(),
            [16, 16, 16, 16, 16, 0]
        );
        assert!(wide.records.iter().map(|record| record.present).eq([32, 32, 32, 32, 16, 16]));
        assert_eq!([0, 1, 2].map(|d| wide.fixed(d, 1)), [Some(0), None, Some(0)]);
        let half = Ids::new([64, 4, 1], 32);
        assert_eq!([0, 1].map(|strip| half.fixed(0, strip)), [None, None]);
        assert_eq!(Ids::new([16, 16, 1], 16).fixed(0, 0), Some(0));
        assert_eq!(Ids::new([32, 2, 2], 32).fixed(0, 1), Some(16));
        assert_eq!(Ids::new([100, 1, 1], 16).fixed(0, 0), None);
        assert!(Ids::new([64, 1, 1], 32).is_apart(0) && Ids::new([64, 1, 1], 32).is_full());
    }
}
