//! Which values are needed where.

use super::flow::Flow;
use super::sets::Sets;
use crate::native::Refused;
use crate::program::{Block, Program, Terminator, Value};

/// How many bits the sets may have together, so that hostile kernels cannot take all memory.
const MAX_BITS: usize = 1 << 29;

/// For each block, the values that it or what follows it reads before it defines them, its own phis among them.
pub(in crate::native) struct Live {
    /// The number of each value that some block reads and has not defined before.
    number: Vec<Option<u32>>,
    values: Vec<Value>,
    /// For each block, the numbers of its values.
    sets: Sets,
}

impl Live {
    pub(in crate::native) fn new(program: &Program, flow: &Flow) -> Result<Self, Refused> {
        let mut number = vec![None; program.kinds.len()];
        let mut values = Vec::new();
        // For each block, the places in these of what it defines and of what it reads before.
        let (mut defined, mut read) = (vec![usize::MAX; program.kinds.len()], Vec::new());
        for (place, block) in program.blocks.iter().enumerate() {
            let mut own = Vec::new();
            visit(block, &mut |value, is_result| {
                if is_result {
                    defined[value.0 as usize] = place;
                } else if defined[value.0 as usize] != place {
                    own.push(*number[value.0 as usize].get_or_insert_with(|| {
                        values.push(value);
                        values.len() as u32 - 1
                    }));
                }
            });
            read.push(own);
        }
        if flow.blocks * values.len() > MAX_BITS {
            return Err(Refused("too many values that are needed in other blocks"));
        }
        let mut this = Self { sets: Sets::new(flow.blocks, values.len()), number, values };
        for (place, own) in read.into_iter().enumerate() {
            for number in own {
                this.sets.insert(place, number as usize);
            }
        }
        this.spread(program);
        Ok(this)
    }

    /// Adds what is needed behind each block to what is needed at its start, unless it is defined between.
    fn spread(&mut self, program: &Program) {
        let [mut behind, mut all] = [0; 2].map(|_| Sets::new(1, self.values.len()));
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for (place, block) in program.blocks.iter().enumerate().rev() {
                all.clear(0);
                for edge in block.terminator.edges() {
                    behind.clear(0);
                    behind.add_all(0, &self.sets, edge.target.0 as usize);
                    for step in &edge.moves {
                        self.number(step.to).inspect(|&number| behind.remove(0, number));
                    }
                    all.add_all(0, &behind, 0);
                }
                for result in block.insts.iter().filter_map(|inst| inst.result()) {
                    self.number(result).inspect(|&number| all.remove(0, number));
                }
                changed |= self.sets.add_all(place, &all, 0);
            }
        }
    }

    fn number(&self, value: Value) -> Option<usize> {
        self.number[value.0 as usize].map(|number| number as usize)
    }

    /// Whether a value is among those of a block.
    pub(in crate::native) fn has(&self, block: usize, value: Value) -> bool {
        self.number(value).is_some_and(|number| self.sets.has(block, number))
    }

    /// The values of a block.
    pub(in crate::native) fn at(&self, block: usize) -> impl Iterator<Item = Value> {
        self.sets.from(block, 0).map(|number| self.values[number])
    }
}

/// Visits what a block reads, and, with `true`, what it defines, in their order.
fn visit(block: &Block, visit: &mut dyn FnMut(Value, bool)) {
    for inst in &block.insts {
        let mut inst = *inst;
        let result = inst.result();
        inst.visit_operands(&mut |operand| visit(*operand, false));
        if let Some(result) = result {
            visit(result, true);
        }
    }
    if let Terminator::Branch { condition, .. } = block.terminator {
        visit(condition, false);
    }
    for step in block.terminator.edges().flat_map(|edge| &edge.moves) {
        visit(step.from, false);
    }
}
