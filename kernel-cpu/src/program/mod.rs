//! The SPMD program: what one kernel does, written for the work-items of a subgroup at a time.
//!
//! # What it means
//!
//! A program runs once for every *subgroup* of work-items, which its *lanes* are. An executor works on [`LANES`] of them at a time, a *strip*:
//! a subgroup of 32 has two, and of one of eight some lanes are absent. Where a kernel does not ask for a size and cannot see it, [`width`] chooses. A [`Value`] is a scalar of some [`Kind`] per lane. Vectors, structs and arrays of the SPIR-V module are split into their
//! scalars, pointers are 64-bit addresses of the host, and every call is inlined.
//!
//! **Masks.** A block runs under a mask: the lanes for which control is there. An instruction that touches
//! memory, and the moves on an edge, act for the lanes of the mask alone. Every other instruction is *pure*,
//! and an executor may compute it for all lanes: values are in static single assignment form, so a lane that
//! left a loop finds the inputs of whatever it still needs unchanged, and computing that again gives the same
//! result.
//!
//! **Control flow.** Blocks are in reverse post-order. Lanes may be at different blocks; the earliest block whose
//! mask is not empty runs next. That is right for every control-flow graph, reducible or not, and lanes that
//! parted meet again at the first block that both reach. But for graphs that are too large for it, each loop is entered at one block
//! and repeated from one, see [`loops`].
//!
//! **Barriers** end a block. The subgroup stops there with all its live lanes, or the barrier is divergent.
//!
//! **Collectives.** What lanes do together acts under the mask, which [`Inst::Converge`] has seen to be that of all lanes. Subgroups
//! exchange values through one place for each, and a barrier between writing and reading it.
//!
//! **No traps.** Every operation has a result for every input: division by zero gives 0, shift counts are
//! masked, conversions from floating point saturate. Only memory can fault, see [`crate::fault`].

pub(crate) mod constants;
pub(crate) mod dce;
pub(crate) mod dominators;
pub(crate) mod draft;
#[cfg(test)]
pub(crate) mod drafts;
mod graph;
pub(crate) mod inst;
pub(crate) mod loops;
pub(crate) mod order;
pub(crate) mod phi;
mod places;
mod text;
pub(crate) mod uniform;
pub(crate) mod width;

pub(crate) use inst::{
    AtomicOp, Combine, CompareOp, ConvertOp, Extent, FloatOp, IMAGE_PARTS, ImageAction, ImageOp, Inst, IntOp,
    IntUnary, MathOp, Site, Space, TEXEL, TexelKind,
};

use kernel_core::ImageShape;
use std::fmt;

/// The number of lanes of a strip.
pub(crate) const LANES: usize = 16;

/// The most strips that a subgroup may have.
pub(crate) const MAX_STRIPS: usize = 2;

/// How many work-items the subgroups of a kernel may have, as it wants; one that does not say has one strip of them. Of fewer, some lanes are absent.
pub(crate) const SUBGROUP_SIZES: [u32; 3] = [MIN_SUBGROUP_SIZE, LANES as u32, (MAX_STRIPS * LANES) as u32];
pub(crate) const MIN_SUBGROUP_SIZE: u32 = 8;

/// How many strips a subgroup of some size has.
pub(crate) const fn strips(subgroup_size: u32) -> usize {
    (subgroup_size as usize).div_ceil(LANES)
}

/// The type of a scalar, as far as the operations do not say themselves how they read it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    /// 0 or 1, one byte per lane.
    Bool,
    I8,
    I16,
    I32,
    I64,
    /// Kept, moved and converted only: `lower::half` has the arithmetic done in `F32`.
    F16,
    F32,
    F64,
}

impl Kind {
    /// The size of one lane in a register, and of the scalar in memory.
    pub(crate) const fn size(self) -> u32 {
        match self {
            Self::Bool | Self::I8 => 1,
            Self::I16 | Self::F16 => 2,
            Self::I32 | Self::F32 => 4,
            Self::I64 | Self::F64 => 8,
        }
    }

    /// The integer kind of the same size; `Bool` counts as a byte.
    pub(crate) const fn as_integer(self) -> Self {
        match self.size() {
            1 => Self::I8,
            2 => Self::I16,
            4 => Self::I32,
            _ => Self::I64,
        }
    }

    pub(crate) const fn is_float(self) -> bool {
        matches!(self, Self::F16 | Self::F32 | Self::F64)
    }
}

/// A scalar per lane, assigned once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Value(pub(crate) u32);

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "%{}", self.0)
    }
}

/// A block, by its place in reverse post-order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct BlockId(pub(crate) u32);

/// What a value is before the first instruction runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Preset {
    /// A constant, by its bit pattern.
    Constant(u64),
    /// The bytes at this offset of the argument block.
    Argument(u32),
    /// The address of the local memory that starts this far into the group's arena.
    Local(u32),
    /// The address of the local memory of a Workgroup pointer argument, by the argument's index.
    LocalArgument(u32),
    /// The address of a variable in the lane's private memory: so many bytes from its start, and of this size.
    Private { start: u32, size: u32 },
    /// The address of this offset in the module's constant data.
    ModuleData(u32),
    /// An id or a size.
    BuiltIn(BuiltIn),
}

/// The ids and sizes that work-items ask for; the number is the dimension.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum BuiltIn {
    GlobalId(u8),
    GlobalSize(u8),
    GlobalOffset(u8),
    LocalId(u8),
    LocalSize(u8),
    GroupId(u8),
    GroupCount(u8),
    GlobalLinearId,
    LocalLinearId,
    WorkDim,
    SubgroupSize,
    SubgroupMaxSize,
    SubgroupCount,
    SubgroupId,
    SubgroupLane,
}

impl BuiltIn {
    /// Whether all work-items of a work-group see the same.
    pub(crate) const fn is_group_uniform(self) -> bool {
        !matches!(
            self,
            Self::GlobalId(_)
                | Self::LocalId(_)
                | Self::GlobalLinearId
                | Self::LocalLinearId
                | Self::SubgroupId
                | Self::SubgroupSize
                | Self::SubgroupLane
        )
    }
}

/// One move on an edge: the phi `to` of the target takes `from`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Move {
    pub(crate) to: Value,
    pub(crate) from: Value,
}

/// A way from the end of one block to the start of another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Edge {
    pub(crate) target: BlockId,
    /// All at once: each reads what was there before any of them wrote.
    pub(crate) moves: Vec<Move>,
}

/// The end of a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Terminator {
    Jump(Edge),
    Branch {
        condition: Value,
        then: Edge,
        otherwise: Edge,
    },
    /// All work-items of the group meet here; the site says which barrier it is.
    Barrier {
        site: Site,
        next: Edge,
    },
    /// The lanes are done.
    Return,
    /// The module promised that control never comes here.
    Unreachable(Site),
}

impl Terminator {
    /// The edges out of the block.
    pub(crate) fn edges(&self) -> impl Iterator<Item = &Edge> {
        let (first, second) = match self {
            Self::Jump(edge) | Self::Barrier { next: edge, .. } => (Some(edge), None),
            Self::Branch { then, otherwise, .. } => (Some(then), Some(otherwise)),
            Self::Return | Self::Unreachable(_) => (None, None),
        };
        first.into_iter().chain(second)
    }

    /// The edges out of the block, to change them.
    pub(crate) fn edges_mut(&mut self) -> impl Iterator<Item = &mut Edge> {
        let (first, second) = match self {
            Self::Jump(edge) | Self::Barrier { next: edge, .. } => (Some(edge), None),
            Self::Branch { then, otherwise, .. } => (Some(then), Some(otherwise)),
            Self::Return | Self::Unreachable(_) => (None, None),
        };
        first.into_iter().chain(second)
    }
}

/// Straight-line code and where it goes.
#[derive(Clone, Debug)]
pub(crate) struct Block {
    pub(crate) insts: Vec<Inst>,
    pub(crate) terminator: Terminator,
}

/// What a launch must pass for one parameter of the entry point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Parameter {
    /// So many bytes, copied to this offset of the argument block; perhaps a pointer to memory of the device, which the module takes to
    /// be a multiple of `align`.
    Bytes {
        size: u32,
        offset: u32,
        is_pointer: bool,
        align: u32,
    },
    /// The size of a piece of local memory with this alignment.
    Local {
        align: u32,
    },
    /// An image of these dimensions.
    Image {
        shape: ImageShape,
    },
    Sampler,
}

/// One kernel, checked and ready for an executor.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    pub(crate) name: String,
    pub(crate) parameters: Vec<Parameter>,
    /// The size of the argument block in bytes.
    pub(crate) argument_bytes: u32,
    pub(crate) blocks: Vec<Block>,
    /// The kind of every value, by its number.
    pub(crate) kinds: Vec<Kind>,
    /// The values that are there from the start.
    pub(crate) presets: Vec<(Value, Preset)>,
    /// Whether a value is the same in all lanes of the subgroup whenever it is used, by its number.
    pub(crate) uniform: Vec<bool>,
    /// Private memory per work-item, in bytes.
    pub(crate) private_bytes: u32,
    /// The barriers at which all work-groups of the launch meet.
    pub(crate) device_barriers: Vec<Site>,
    /// Local memory of the module's own variables per work-group, in bytes.
    pub(crate) local_bytes: u32,
    /// The work-group size that the kernel requires, if it does.
    pub(crate) group_size: Option<[u32; 3]>,
    /// How many work-items a subgroup has: one of [`SUBGROUP_SIZES`].
    pub(crate) subgroup_size: u32,
}

impl Program {
    /// The distance from the private memory of one lane to that of the next, in bytes: what it has, with room for alignment. That of
    /// a lane is in one piece, and no other lane may access it.
    pub(crate) fn private_stride(&self) -> u32 {
        self.private_bytes.next_multiple_of(16)
    }

    /// How many instructions a subgroup executes at most, if none is executed twice.
    pub(crate) fn length(&self) -> Option<u64> {
        let mut length = 0;
        for (number, block) in self.blocks.iter().enumerate() {
            if block.terminator.edges().any(|edge| edge.target.0 as usize <= number) {
                return None;
            }
            length += block.insts.len() as u64 + 1;
        }
        Some(length)
    }

    /// All instructions.
    pub(crate) fn insts(&self) -> impl Iterator<Item = &Inst> {
        self.blocks.iter().flat_map(|block| &block.insts)
    }

    /// Whether there are instructions on images.
    pub(crate) fn has_images(&self) -> bool {
        let is_of_image = |inst: &Inst| {
            matches!(inst, Inst::ImageOperand { .. } | Inst::Image { .. } | Inst::ImageResult { .. })
        };
        self.insts().any(is_of_image)
    }

    /// Whether work-groups must be able to stop at a barrier.
    pub(crate) fn has_barriers(&self) -> bool {
        self.blocks.iter().any(|block| matches!(block.terminator, Terminator::Barrier { .. }))
    }
}
