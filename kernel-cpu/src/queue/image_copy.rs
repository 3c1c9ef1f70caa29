//! Copies of texels.

use crate::image::{Image, Region};
use crate::memory::Snapshot;
use std::sync::Arc;

/// A copy; the regions are inside of their images, and the host vouches for the memory.
#[derive(Clone, Debug)]
pub(crate) enum ImageCopy {
    FromMemory {
        to: Arc<Image>,
        region: Region,
        from: Rows,
    },
    ToMemory {
        to: Rows,
        from: Arc<Image>,
        region: Region,
    },
    /// Regions of one size, of images whose texels have one size.
    Between {
        to: Arc<Image>,
        to_region: Region,
        from: Arc<Image>,
        from_region: Region,
    },
}

/// Rows of texels in memory.
#[derive(Clone, Debug)]
pub(crate) struct Rows {
    pub(crate) address: u64,
    pub(crate) row_pitch: u64,
    pub(crate) slice_pitch: u64,
    pub(crate) memory: Arc<Snapshot>,
}

impl Rows {
    fn at(&self, [row, slice]: [u64; 2]) -> *mut u8 {
        (self.address + row * self.row_pitch + slice * self.slice_pitch) as *mut u8
    }
}

impl ImageCopy {
    pub(super) fn execute(&self) {
        match self {
            Self::FromMemory { to, region, from } => to.rows(*region, |texels, length, at| {
                to.mark(texels, length);
                // SAFETY: the row is in the image; the host vouches for the memory.
                unsafe { std::ptr::copy(from.at(at), texels, length) }
            }),
            Self::ToMemory { to, from, region } => from.rows(*region, |texels, length, at| {
                to.memory.mark(to.at(at).addr() as u64, length);
                // SAFETY: as above.
                unsafe { std::ptr::copy(texels, to.at(at), length) }
            }),
            Self::Between { to, to_region, from, from_region } => {
                let mut rows = Vec::new();
                from.rows(*from_region, |texels, length, _| {
                    let mut row = vec![0_u8; length];
                    // SAFETY: the row is in the image.
                    unsafe { std::ptr::copy(texels, row.as_mut_ptr(), length) }
                    rows.push(row);
                });
                let mut rows = rows.into_iter();
                to.rows(*to_region, |texels, length, _| {
                    if let Some(row) = rows.next() {
                        to.mark(texels, length);
                        // SAFETY: the row is in the image, and no longer than what was read.
                        unsafe { std::ptr::copy(row.as_ptr(), texels, length.min(row.len())) }
                    }
                });
            }
        }
    }
}
