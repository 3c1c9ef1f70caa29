//! How a sampler finds texels, by the formulas of the OpenCL C specification, "Image Addressing and Filtering".

use super::format::TexelBits;
use super::sampler::{AddressMode, FilterMode, SamplerState};
use super::shape::ImageShape;

/// A position in an image; in an array the last number is the layer. What an image has no dimension for is ignored.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Position {
    /// Floats.
    Float([f32; 3]),
    /// Integers, which are in texels.
    Integer([i32; 3]),
}

/// An image as a sampler sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    /// Its dimensions.
    pub shape: ImageShape,
    /// Its sizes in the order of the coordinates; 1 where it has no dimension.
    pub size: [u32; 3],
}

/// Where along one dimension two texels are, the weight of the second, and that a position may lie between them.
#[derive(Clone, Copy, Debug, Default)]
pub struct Pair {
    texels: [i64; 2],
    weight: f32,
}

impl Extent {
    /// The number of coordinates along which texels are filtered.
    fn filtered(self) -> usize {
        self.shape.coordinates() - usize::from(self.shape.is_array())
    }

    /// How many texels there are.
    #[must_use]
    pub fn texels(self) -> u64 {
        self.size.iter().map(|&size| u64::from(size)).product()
    }

    /// The number of a texel in the order of the addresses, if it is inside.
    #[inline]
    #[must_use]
    pub fn index(self, texel: [i64; 3]) -> Option<u64> {
        let (index, is_inside) = self.place(texel);
        is_inside.then_some(index)
    }

    /// The number of a texel in the order of the addresses, and whether it is inside; if not, the number means nothing.
    #[inline]
    #[must_use]
    pub fn place(self, texel: [i64; 3]) -> (u64, bool) {
        let (mut index, mut is_inside) = (0_u64, true);
        for axis in (0..3).rev() {
            let (size, at) = (u64::from(self.size[axis]), texel[axis] as u64);
            is_inside &= at < size;
            index = index.wrapping_mul(size).wrapping_add(at);
        }
        (index, is_inside)
    }

    /// A sample: `fetch` gives the texel with a number, in the order of the addresses, and `border` what is outside.
    #[must_use]
    pub fn sample(
        self,
        sampler: SamplerState,
        position: Position,
        border: TexelBits,
        fetch: impl Fn(u64) -> TexelBits,
    ) -> TexelBits {
        let texel = |at: [i64; 3]| self.index(at).map_or(border, &fetch);
        match (position, sampler.filter) {
            (Position::Integer(at), _) => {
                self.clamped(&self.limits(sampler.address), at).map_or(border, &fetch)
            }
            (Position::Float(position), FilterMode::Nearest) => texel(self.nearest(sampler, position)),
            (Position::Float(position), FilterMode::Linear) => {
                let pairs = self.pairs(sampler, position);
                let mut sum = [0.0_f32; 4];
                for corner in 0..self.corners() {
                    let (at, weight) = self.corner(&pairs, corner);
                    for (sum, channel) in sum.iter_mut().zip(texel(at)) {
                        *sum += weight * f32::from_bits(channel);
                    }
                }
                sum.map(f32::to_bits)
            }
        }
    }

    /// How many texels make a sample that is filtered: their weighted sum, in their order, is the sample.
    #[inline]
    #[must_use]
    pub fn corners(self) -> usize {
        1 << self.filtered()
    }

    /// Where these are along each dimension.
    #[inline]
    #[must_use]
    pub fn pairs(self, sampler: SamplerState, position: [f32; 3]) -> [Pair; 3] {
        let mut pairs = [Pair::default(); 3];
        for axis in 0..self.filtered() {
            pairs[axis] = linear(sampler, position[axis], self.size[axis]);
        }
        if let Some(axis) = self.layer_axis() {
            pairs[axis].texels = [layer(position[axis], self.size[axis]); 2];
        }
        pairs
    }

    /// The place of one of them, and its weight.
    #[inline]
    #[must_use]
    pub fn corner(self, pairs: &[Pair; 3], corner: usize) -> ([i64; 3], f32) {
        let side = |axis: usize| corner >> axis & 1;
        let mut weight = 1.0;
        for (axis, pair) in pairs.iter().enumerate().take(self.filtered()) {
            weight *= if side(axis) == 1 { pair.weight } else { 1.0 - pair.weight };
        }
        (core::array::from_fn(|axis| pairs[axis].texels[side(axis)]), weight)
    }

    fn layer_axis(self) -> Option<usize> {
        self.shape.is_array().then(|| self.filtered())
    }

    /// The first and the last coordinate, along each dimension, of the texels of integer positions: what is outside becomes the nearest of these, which may
    /// still be outside of the image.
    #[must_use]
    pub fn limits(self, address: AddressMode) -> [[i64; 2]; 3] {
        core::array::from_fn(|axis| {
            let size = i64::from(self.size[axis]);
            match address {
                _ if axis >= self.shape.coordinates() => [0; 2],
                _ if Some(axis) == self.layer_axis() => [0, size - 1],
                AddressMode::ClampToEdge => [0, size - 1],
                AddressMode::ClampToBorder => [-1, size],
                // Integer coordinates do not repeat; OpenCL leaves it open what such a sampler finds.
                AddressMode::None | AddressMode::Repeat | AddressMode::MirroredRepeat => [i64::MIN, i64::MAX],
            }
        })
    }

    /// The number of the texel of an integer position, by the limits of the address mode, if it is inside.
    #[inline]
    #[must_use]
    pub fn clamped(self, limits: &[[i64; 2]; 3], at: [i32; 3]) -> Option<u64> {
        self.index(limited(limits, at))
    }

    /// The texel in which a position is.
    #[inline]
    #[must_use]
    pub fn nearest(self, sampler: SamplerState, position: [f32; 3]) -> [i64; 3] {
        let mut at = [0; 3];
        for axis in 0..self.filtered() {
            at[axis] = nearest(sampler, position[axis], self.size[axis]);
        }
        if let Some(axis) = self.layer_axis() {
            at[axis] = layer(position[axis], self.size[axis]);
        }
        at
    }
}

/// The place of an integer position, by the limits of an address mode.
#[inline]
#[must_use]
pub fn limited(limits: &[[i64; 2]; 3], at: [i32; 3]) -> [i64; 3] {
    core::array::from_fn(|axis| {
        let [first, last] = limits[axis];
        i64::from(at[axis]).max(first).min(last)
    })
}

/// The layer of a position is the nearest that there is.
#[inline]
fn layer(position: f32, size: u32) -> i64 {
    (position.round_ties_even() as i64).clamp(0, i64::from(size) - 1)
}

/// The coordinate of a texel by the address modes that leave the position as it is; what is outside stays there.
#[inline]
fn addressed(address: AddressMode, at: i64, size: i64) -> i64 {
    match address {
        AddressMode::ClampToEdge => at.clamp(0, size - 1),
        AddressMode::ClampToBorder => at.clamp(-1, size),
        // Integer coordinates do not repeat; OpenCL leaves it open what such a sampler finds.
        AddressMode::None | AddressMode::Repeat | AddressMode::MirroredRepeat => at,
    }
}

/// A position in texels, for the address modes that repeat in the image again.
#[inline]
fn scaled(sampler: SamplerState, position: f32, size: u32) -> f32 {
    let size = size as f32;
    match sampler.address {
        AddressMode::Repeat => (position - position.floor()) * size,
        AddressMode::MirroredRepeat => {
            let even = 2.0 * (0.5 * position).round_ties_even();
            (position - even).abs() * size
        }
        _ if sampler.normalized => position * size,
        _ => position,
    }
}

#[inline]
fn nearest(sampler: SamplerState, position: f32, size: u32) -> i64 {
    let at = scaled(sampler, position, size).floor() as i64;
    let size = i64::from(size);
    match sampler.address {
        AddressMode::Repeat if at > size - 1 => at - size,
        AddressMode::MirroredRepeat => at.min(size - 1),
        address => addressed(address, at, size),
    }
}

#[inline]
fn linear(sampler: SamplerState, position: f32, size: u32) -> Pair {
    let at = scaled(sampler, position, size) - 0.5;
    let first = at.floor();
    let weight = at - first;
    // A sum of integers that saturated must not overflow.
    let first = (first as i64).clamp(i64::MIN / 2, i64::MAX / 2);
    let size = i64::from(size);
    let texels = match sampler.address {
        AddressMode::Repeat => {
            let wrapped = |at: i64| {
                if at < 0 {
                    at + size
                } else if at > size - 1 {
                    at - size
                } else {
                    at
                }
            };
            [wrapped(first), wrapped(first + 1)]
        }
        AddressMode::MirroredRepeat => [first.max(0), (first + 1).min(size - 1)],
        address => [first, first + 1].map(|at| addressed(address, at, size)),
    };
    Pair { texels, weight }
}
