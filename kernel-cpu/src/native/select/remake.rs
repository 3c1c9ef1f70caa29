//! Values that are made again after a barrier rather than kept for it: those that a few steps make of what the whole group starts with. Since they are the
//! same for all subgroups, `lir` makes them once.

use super::Selector;
use crate::native::analyse::agreed::is_of_group;
use crate::native::analyse::shape::Shape;
use crate::native::switches::Switch;
use crate::program::{ConvertOp, Inst, IntOp, Value};

/// Values of more steps are kept.
const MAX_STEPS: u32 = 8;

impl Selector<'_> {
    /// Whether a value is made again.
    pub(super) fn is_remade(&self, value: Value) -> bool {
        let may = self.switches.has(Switch::Remake) && self.switches.has(Switch::Arithmetic);
        may && self.defined[value.0 as usize].is_some() && self.steps_left(value, MAX_STEPS).is_some()
    }

    /// What is left of so many steps when a value has been made; nothing if they do not suffice, or it is not the same for the whole group.
    fn steps_left(&self, value: Value, steps: u32) -> Option<u32> {
        if let Some(preset) = self.preset[value.0 as usize] {
            return is_of_group(preset).then_some(steps);
        }
        let mut inst = self.defined[value.0 as usize]?;
        let is_cheap = match inst {
            Inst::Int(IntOp::Add | IntOp::Sub | IntOp::Mul | IntOp::Shl, ..) | Inst::Address { .. } => true,
            Inst::Convert(ConvertOp::Zext | ConvertOp::Sext, ..) | Inst::Select(..) => true,
            Inst::Compare(_, kind, ..) => !kind.is_float(),
            _ => false,
        };
        if !is_cheap || !self.is_scalar(value) || self.shapes.shape(value) != Shape::UNIFORM {
            return None;
        }
        let mut left = steps.checked_sub(1);
        inst.visit_operands(&mut |operand| left = left.and_then(|left| self.steps_left(*operand, left)));
        left
    }

    /// Makes values again, each after what it is made of.
    pub(super) fn remake(&mut self, values: &[Value]) {
        let (block, place) = (self.block, self.place);
        let mut made = Vec::new();
        for &value in values {
            self.remake_one(value, &mut made);
        }
        (self.block, self.place) = (block, place);
    }

    fn remake_one(&mut self, value: Value, made: &mut Vec<Value>) {
        let Some(inst) = self.defined[value.0 as usize].filter(|_| !made.contains(&value)) else { return };
        made.push(value);
        let (mut copy, mut operands) = (inst, Vec::new());
        copy.visit_operands(&mut |operand| operands.push(*operand));
        for operand in operands {
            self.remake_one(operand, made);
        }
        (self.block, self.place) = (self.shapes.home[value.0 as usize], self.places[value.0 as usize]);
        self.in_inst = true;
        self.inst_of_all(&inst);
        self.in_inst = false;
    }
}
