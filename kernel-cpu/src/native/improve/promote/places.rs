//! Which values are addresses of known places in variables.

use crate::native::improve::Constants;
use crate::program::{Inst, Kind, Preset, Program, Value};

/// A place in a variable: its number, and how many bytes the place is from its start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Place {
    pub(super) variable: usize,
    pub(super) distance: i64,
}

/// The variables in private memory, and the addresses of places in them.
pub(super) struct Places {
    /// The place at which each value points.
    of: Vec<Option<Place>>,
    /// The bytes of each variable.
    sizes: Vec<u32>,
    /// Whether each variable is accessed only by loads and stores at known places within it.
    is_known: Vec<bool>,
}

impl Places {
    pub(super) fn new(program: &Program, constants: &Constants) -> Self {
        let mut this = Self { of: vec![None; program.kinds.len()], sizes: Vec::new(), is_known: Vec::new() };
        for &(value, preset) in &program.presets {
            if let Preset::Private { size, .. } = preset {
                this.of[value.0 as usize] = Some(Place { variable: this.sizes.len(), distance: 0 });
                this.sizes.push(size);
            }
        }
        this.is_known = vec![true; this.sizes.len()];
        if this.sizes.is_empty() {
            return this;
        }
        for block in &program.blocks {
            block.insts.iter().for_each(|inst| this.note(inst, constants));
            for step in block.terminator.edges().flat_map(|edge| &edge.moves) {
                this.forget(step.from);
            }
        }
        this
    }

    /// The place that a load or a store accesses, if it is in a variable that is accessed at known places only.
    pub(super) fn accessed(&self, inst: &Inst) -> Option<(Kind, Place)> {
        let (Inst::Load { kind, address, .. } | Inst::Store { kind, address, .. }) = *inst else {
            return None;
        };
        let place = self.of.get(address.0 as usize).copied().flatten()?;
        self.is_known[place.variable].then_some((kind, place))
    }

    /// Notes which place an instruction points at, or what is no longer known of the variables that it is told of.
    fn note(&mut self, inst: &Inst, constants: &Constants) {
        match *inst {
            Inst::Address { result, base, index, scale, offset } => {
                self.forget(index);
                let Some(place) = self.of[base.0 as usize] else { return };
                let distance = constants.get(index).and_then(|index| {
                    let steps = (index as i64).checked_mul(scale)?.checked_add(offset)?;
                    place.distance.checked_add(steps)
                });
                match distance {
                    Some(distance) => self.of[result.0 as usize] = Some(Place { distance, ..place }),
                    None => self.forget(base),
                }
            }
            Inst::Load { kind, address, .. } => self.access(kind, address),
            Inst::Store { kind, address, value, .. } => {
                self.access(kind, address);
                self.forget(value);
            }
            mut inst => inst.visit_operands(&mut |operand| self.forget(*operand)),
        }
    }

    fn access(&mut self, kind: Kind, address: Value) {
        let Some(Place { variable, distance }) = self.of[address.0 as usize] else { return };
        let last = i64::from(self.sizes[variable]) - i64::from(kind.size());
        self.is_known[variable] &= (0..=last).contains(&distance);
    }

    /// Takes the variable at which a value points for one that may be accessed anywhere.
    fn forget(&mut self, value: Value) {
        if let Some(place) = self.of[value.0 as usize] {
            self.is_known[place.variable] = false;
        }
    }
}
