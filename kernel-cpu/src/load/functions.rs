//! Function bodies cut into blocks.

use super::Id;
use super::error::{LoadError, Problem};
use super::words::Instruction;
use crate::load::grammar::Op;
use std::collections::HashMap;

/// A function as declared.
#[derive(Debug)]
pub(crate) struct Function<'w> {
    pub(crate) definition: Instruction<'w>,
    /// The type of the function.
    pub(crate) ty: Id,
    /// The parameters: id and type.
    pub(crate) parameters: Vec<(Id, Id)>,
    /// The blocks in the order of the module; the first is the entry. None for an imported function.
    pub(crate) blocks: Vec<Block<'w>>,
    /// The place of each label's block.
    pub(crate) labels: HashMap<Id, usize>,
}

/// A block: what stands between its label and its terminator.
#[derive(Debug)]
pub(crate) struct Block<'w> {
    pub(crate) body: Vec<Instruction<'w>>,
    pub(crate) terminator: Instruction<'w>,
}

impl<'w> Function<'w> {
    /// Takes the instructions of one function, from OpFunction up to and without OpFunctionEnd.
    pub(crate) fn parse(instructions: &[Instruction<'w>]) -> Result<Self, LoadError> {
        let Some((&definition, rest)) = instructions.split_first() else {
            return Err(Problem::Structure("an empty function").into());
        };
        let mut function = Self {
            definition,
            ty: definition.operand(1)?,
            parameters: Vec::new(),
            blocks: Vec::new(),
            labels: HashMap::new(),
        };
        let parameters = rest.iter().take_while(|inst| inst.op == Op::FunctionParameter);
        function.parameters.extend(parameters.map(|inst| (inst.result, inst.result_type)));
        function.cut(&rest[function.parameters.len()..])?;
        Ok(function)
    }

    fn cut(&mut self, instructions: &[Instruction<'w>]) -> Result<(), LoadError> {
        let mut open: Option<(Id, Vec<Instruction<'w>>)> = None;
        for inst in instructions {
            match (inst.op, &mut open) {
                // Debugging information may stand anywhere.
                (Op::Line | Op::NoLine | Op::Nop, _) => {}
                (Op::Label, None) => open = Some((inst.result, Vec::new())),
                (Op::Label, Some(_)) | (_, None) => {
                    return Err(
                        inst.error(Problem::Structure("a block must run from a label to a terminator"))
                    );
                }
                (op, Some(_)) if is_terminator(op) => {
                    let Some((label, body)) = open.take() else { continue };
                    if self.labels.insert(label, self.blocks.len()).is_some() {
                        return Err(inst.error(Problem::BadId(label)));
                    }
                    self.blocks.push(Block { body, terminator: *inst });
                }
                (_, Some((_, body))) => body.push(*inst),
            }
        }
        match open {
            None => Ok(()),
            Some(_) => Err(self.definition.error(Problem::Structure("the last block has no terminator"))),
        }
    }

    /// The place of the block with this label.
    pub(crate) fn block(&self, at: &Instruction<'_>, label: Id) -> Result<usize, LoadError> {
        let place = self.labels.get(&label).copied();
        place.ok_or_else(|| at.error(Problem::Expected { what: "a label of this function", id: label }))
    }

    /// The place of the block that a jump goes to.
    pub(crate) fn target(&self, at: &Instruction<'_>, label: Id) -> Result<usize, LoadError> {
        match self.block(at, label)? {
            0 => Err(at.error(Problem::Structure("the first block of a function is no target of jumps"))),
            block => Ok(block),
        }
    }

    /// The blocks that can follow the given one.
    pub(crate) fn successors(&self, block: usize) -> Result<Vec<usize>, LoadError> {
        let inst = &self.blocks[block].terminator;
        let labels: Vec<Id> = match inst.op {
            Op::Branch => vec![inst.operand(0)?],
            Op::BranchConditional => vec![inst.operand(1)?, inst.operand(2)?],
            // Literals of 64 bits look like labels too: what is no label is passed over here and found by the
            // one who knows the width.
            Op::Switch => {
                let rest = inst.operands_from(2).iter().copied().filter(|id| self.labels.contains_key(id));
                std::iter::once(inst.operand(1)?).chain(rest).collect()
            }
            _ => vec![],
        };
        labels.into_iter().map(|label| self.target(inst, label)).collect()
    }

    /// The blocks that the entry reaches, so that a block comes after those that dominate it.
    pub(crate) fn reverse_post_order(&self) -> Result<Vec<usize>, LoadError> {
        let mut order = Vec::with_capacity(self.blocks.len());
        let mut seen = vec![false; self.blocks.len()];
        if self.blocks.is_empty() {
            return Ok(order);
        }
        seen[0] = true;
        let mut stack = vec![(0, self.successors(0)?)];
        while let Some((block, waiting)) = stack.last_mut() {
            match waiting.pop() {
                Some(next) => {
                    if !std::mem::replace(&mut seen[next], true) {
                        let after = self.successors(next)?;
                        stack.push((next, after));
                    }
                }
                None => {
                    order.push(*block);
                    stack.pop();
                }
            }
        }
        order.reverse();
        Ok(order)
    }
}

fn is_terminator(op: Op) -> bool {
    matches!(
        op,
        Op::Branch
            | Op::BranchConditional
            | Op::Switch
            | Op::Return
            | Op::ReturnValue
            | Op::Unreachable
            | Op::Kill
            | Op::TerminateInvocation
    )
}
