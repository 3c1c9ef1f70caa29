//! The ids of the work-items of each subgroup of a work-group.

use super::analyse::shape::Shape;
use crate::exec::Geometry;
use crate::program::LANES;

/// What a subgroup is told about its work-items.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(crate) struct Record {
    /// The local ids of all lanes, those that are absent counted on.
    pub(crate) ids: [[u32; LANES]; 3],
    /// The local ids of the first lane.
    pub(crate) first: [u64; 3],
    /// The number of the subgroup.
    pub(crate) index: u64,
    /// The lanes that exist.
    pub(crate) mask: u32,
    /// How many these are.
    pub(crate) present: u32,
}

/// The subgroups of a work-group of some size.
#[derive(Debug)]
pub(super) struct Ids {
    pub(super) group_size: [u32; 3],
    pub(super) subgroup_size: u32,
    pub(super) records: Vec<Record>,
    shapes: [Shape; 3],
}

impl Ids {
    pub(super) fn new(group_size: [u32; 3], subgroup_size: u32) -> Self {
        let geometry = Geometry { group_size, subgroup_size, ..Geometry::default() };
        let records: Vec<Record> = (0..geometry.subgroups())
            .map(|index| {
                let lanes: [[u32; 3]; LANES] =
                    std::array::from_fn(|lane| geometry.item(geometry.first_item(index) + lane));
                let present = geometry.present(index) as u32;
                Record {
                    ids: std::array::from_fn(|d| lanes.map(|id| id[d])),
                    first: lanes[0].map(u64::from),
                    index: index as u64,
                    mask: (1 << present) - 1,
                    present,
                }
            })
            .collect();
        let shapes = std::array::from_fn(|d| shape(&records, d));
        Self { group_size, subgroup_size, records, shapes }
    }

    /// How the ids of a dimension differ between lanes.
    pub(super) fn shape(&self, dimension: u8) -> Shape {
        self.shapes[usize::from(dimension) % 3]
    }

    /// Whether all subgroups are full.
    pub(super) fn is_full(&self) -> bool {
        self.records.iter().all(|record| record.present as usize == LANES)
    }
}

fn shape(records: &[Record], dimension: usize) -> Shape {
    let differs_by = |stride: u32| {
        records.iter().all(|record| {
            let ids = &record.ids[dimension][..record.present as usize];
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
    }
}
