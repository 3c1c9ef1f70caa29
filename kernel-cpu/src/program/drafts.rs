//! Programs as tests write them.

use crate::program::{Block, BlockId, Edge, Kind, Move, Preset, Program, Value};

/// A program in which nothing is known to be uniform, with subgroups of 16 and no memory of its own.
pub(crate) fn program(kinds: &[Kind], presets: &[(u32, Preset)], blocks: Vec<Block>) -> Program {
    Program {
        name: "test".into(),
        parameters: Vec::new(),
        argument_bytes: 16,
        blocks,
        kinds: kinds.to_vec(),
        presets: presets.iter().map(|&(value, preset)| (Value(value), preset)).collect(),
        uniform: vec![false; kinds.len()],
        subgroup_size: 16,
        private_bytes: 0,
        device_barriers: Vec::new(),
        local_bytes: 0,
        group_size: None,
    }
}

/// An edge to a block, with moves to values from others.
pub(crate) fn edge(target: u32, moves: &[(u32, u32)]) -> Edge {
    let moves = moves.iter().map(|&(to, from)| Move { to: Value(to), from: Value(from) }).collect();
    Edge { target: BlockId(target), moves }
}
