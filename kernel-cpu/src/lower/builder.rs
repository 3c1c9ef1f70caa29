//! The draft as it grows: values, variables, blocks.

use crate::load::Problem;
use crate::program::draft::{Draft, DraftBlock, DraftId, Exit, Step, Variable};
use crate::program::{Inst, Kind, Preset, Value};
use std::collections::HashMap;

/// The most instructions that one kernel may have after inlining.
pub(super) const MAX_STEPS: usize = 1 << 20;

/// Builds a [`Draft`] block by block.
pub(crate) struct Builder {
    kinds: Vec<Kind>,
    variables: Vec<(Kind, Value)>,
    presets: HashMap<(Kind, Preset), Value>,
    /// The bits of the values that are constants.
    constants: HashMap<Value, u64>,
    /// The offsets of the values that are addresses of the module's data.
    module_data: HashMap<Value, u32>,
    /// The blocks so far; None for one that has been announced but not finished.
    blocks: Vec<Option<DraftBlock>>,
    /// The block that instructions go to, with its instructions.
    current: DraftId,
    steps: Vec<Step>,
    /// How many steps there are in all blocks.
    count: usize,
    /// How many values there were before the first block.
    made_before: usize,
    /// The presets that others take the place of.
    replaced: Vec<(Preset, Preset)>,
}

impl Builder {
    /// A builder with the entry block open.
    pub(crate) fn new() -> Self {
        Self {
            kinds: Vec::new(),
            variables: Vec::new(),
            presets: HashMap::new(),
            constants: HashMap::new(),
            module_data: HashMap::new(),
            blocks: vec![None],
            current: DraftId(0),
            steps: Vec::new(),
            count: 0,
            made_before: 0,
            replaced: Vec::new(),
        }
    }

    /// A value that is there from the start; the same one each time.
    pub(crate) fn preset(&mut self, kind: Kind, preset: Preset) -> Value {
        let kinds = &mut self.kinds;
        let value = *self.presets.entry((kind, preset)).or_insert_with(|| {
            kinds.push(kind);
            Value(kinds.len() as u32 - 1)
        });
        match preset {
            Preset::Constant(bits) => drop(self.constants.insert(value, bits)),
            Preset::ModuleData(offset) => drop(self.module_data.insert(value, offset)),
            _ => {}
        }
        value
    }

    /// Lets what stood for one preset stand for another one.
    pub(crate) fn replace_preset(&mut self, stood_for: Preset, preset: Preset) {
        self.replaced.push((stood_for, preset));
    }

    pub(crate) fn constant(&mut self, kind: Kind, bits: u64) -> Value {
        self.preset(kind, Preset::Constant(bits))
    }

    /// The bits of a value, if it is a constant.
    pub(crate) fn constant_bits(&self, value: Value) -> Option<u64> {
        self.constants.get(&value).copied()
    }

    /// Where a value points to in the module's data, if that is what it is.
    pub(crate) fn module_data(&self, value: Value) -> Option<u32> {
        self.module_data.get(&value).copied()
    }

    /// The steps of the open block.
    pub(crate) fn steps(&self) -> &[Step] {
        &self.steps
    }

    pub(crate) fn kind(&self, value: Value) -> Kind {
        self.kinds[value.0 as usize]
    }

    /// Appends an instruction that defines a value.
    pub(crate) fn emit(&mut self, kind: Kind, inst: impl FnOnce(Value) -> Inst) -> Result<Value, Problem> {
        let value = self.new_value(kind);
        self.push(Step::Inst(inst(value)))?;
        Ok(value)
    }

    /// Appends an instruction that defines nothing.
    pub(crate) fn effect(&mut self, inst: Inst) -> Result<(), Problem> {
        self.push(Step::Inst(inst))
    }

    /// Forgets the blocks, and what they had; returns how many steps that was. Values stay what they are.
    pub(crate) fn discard_blocks(&mut self) -> usize {
        self.blocks = vec![None];
        self.current = DraftId(0);
        self.steps.clear();
        self.made_before = self.kinds.len();
        std::mem::take(&mut self.count)
    }

    /// A value of which nothing is known.
    pub(crate) fn opaque(&mut self, kind: Kind) -> Result<Value, Problem> {
        self.charge()?;
        Ok(self.new_value(kind))
    }

    pub(crate) fn new_value(&mut self, kind: Kind) -> Value {
        self.kinds.push(kind);
        Value(self.kinds.len() as u32 - 1)
    }

    pub(crate) fn new_variable(&mut self, kind: Kind) -> Variable {
        let unwritten = self.constant(kind, 0);
        self.variables.push((kind, unwritten));
        Variable(self.variables.len() as u32 - 1)
    }

    pub(crate) fn read(&mut self, variable: Variable) -> Result<Value, Problem> {
        let value = self.new_value(self.variables[variable.0 as usize].0);
        self.push(Step::Read(value, variable))?;
        Ok(value)
    }

    pub(crate) fn write(&mut self, variable: Variable, value: Value) -> Result<(), Problem> {
        self.push(Step::Write(variable, value))
    }

    /// Appends a write to the end of a finished block.
    pub(crate) fn write_at_end(
        &mut self,
        block: DraftId,
        variable: Variable,
        value: Value,
    ) -> Result<(), Problem> {
        self.charge()?;
        if let Some(Some(block)) = self.blocks.get_mut(block.0 as usize) {
            block.steps.push(Step::Write(variable, value));
        }
        Ok(())
    }

    fn push(&mut self, step: Step) -> Result<(), Problem> {
        self.charge()?;
        self.steps.push(step);
        Ok(())
    }

    fn charge(&mut self) -> Result<(), Problem> {
        self.count += 1;
        if self.count > MAX_STEPS || self.kinds.len() - self.made_before > 4 * MAX_STEPS {
            return Err(Problem::TooLarge("the kernel with everything inlined"));
        }
        Ok(())
    }

    /// A block to jump to and to fill later.
    pub(crate) fn new_block(&mut self) -> Result<DraftId, Problem> {
        self.charge()?;
        self.blocks.push(None);
        Ok(DraftId(self.blocks.len() as u32 - 1))
    }

    /// The block that instructions go to.
    pub(crate) fn current(&self) -> DraftId {
        self.current
    }

    /// Ends the current block; [`Self::open`] comes next.
    pub(crate) fn finish(&mut self, exit: Exit) {
        let steps = std::mem::take(&mut self.steps);
        self.blocks[self.current.0 as usize] = Some(DraftBlock { steps, exit });
    }

    /// Lets instructions go to a block that was announced.
    pub(crate) fn open(&mut self, block: DraftId) {
        self.current = block;
    }

    /// The whole draft; blocks that were announced but never filled are never reached and become returns.
    pub(crate) fn into_draft(self) -> (Draft, Vec<(Value, Preset)>) {
        let empty = || DraftBlock { steps: Vec::new(), exit: Exit::Return };
        let blocks = self.blocks.into_iter().map(|block| block.unwrap_or_else(empty)).collect();
        let mut presets: Vec<_> =
            self.presets.into_iter().map(|((_, preset), value)| (value, preset)).collect();
        for (_, preset) in &mut presets {
            if let Some((_, now)) = self.replaced.iter().find(|(stood_for, _)| stood_for == preset) {
                *preset = *now;
            }
        }
        presets.sort_unstable_by_key(|&(value, _)| value);
        (Draft { blocks, kinds: self.kinds, variables: self.variables }, presets)
    }
}
