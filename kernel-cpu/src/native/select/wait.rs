//! What subgroups need after a barrier at which they wait for others.
//!
//! What is a subgroup's own is written behind its register file when it comes to the first barrier after it has been computed, and read when the subgroup goes on. What all
//! subgroups of the group agree on stays in a variable, which is that of the last subgroup; so does everything if the group has no other.

use super::control::Form;
use super::values::{Vector, parts};
use super::{Mask, Selector, rows};
use crate::native::lir::{Anchor, Inst as Machine, Place};
use crate::program::{Edge, Kind, Value};

/// Where values are while subgroups wait.
pub(super) struct Waiting {
    /// The place behind the register file of each value that has one.
    places: Vec<Option<i32>>,
    /// The variables of those that stay in some: as the subgroups that go on find them, and as those that stop leave them.
    held: Vec<Option<[Form; 2]>>,
    /// The bytes that are taken, and where there is room for further scalars.
    pub(super) bytes: u32,
    scalars: std::ops::Range<u32>,
}

impl Waiting {
    pub(super) fn new(count: usize) -> Self {
        Self { places: vec![None; count], held: vec![None; count], bytes: 0, scalars: 0..0 }
    }

    /// The offset of so many bytes: 8, or those of whole lines.
    fn room(&mut self, bytes: u32) -> u32 {
        const LINE: u32 = 64;
        if bytes < LINE && !self.scalars.is_empty() {
            self.scalars.start += bytes;
            return self.scalars.start - bytes;
        }
        let start = self.bytes;
        self.bytes += bytes.max(LINE);
        if bytes < LINE {
            self.scalars = start + bytes..self.bytes;
        }
        start
    }
}

/// The values that are needed after a barrier.
struct Needed {
    /// Those that are written, and where.
    saved: Vec<(Place, Value)>,
    /// Those that stay in variables.
    held: Vec<Value>,
    /// Those that are made again.
    remade: Vec<Value>,
}

impl Selector<'_> {
    /// Keeps what is needed behind the barrier of this block, for the lanes of a mask.
    pub(super) fn save(&mut self, next: &Edge, mask: Mask) {
        let needed = self.needed(next.target.0 as usize);
        for (place, value) in needed.saved {
            if self.is_new(value, next) {
                self.save_value(place, value, mask);
            }
        }
        for value in needed.held {
            let (own, [_, left]) = (self.form(value), self.held(value));
            self.copy_form(left, own);
        }
    }

    /// Whether a value may have been computed since the subgroup went on last, so that it is not written yet.
    fn is_new(&self, value: Value, next: &Edge) -> bool {
        let Some(regions) = &self.facts.regions else { return true };
        let here = regions[self.walk.region].has[self.shapes.home[value.0 as usize]];
        here || next.moves.iter().any(|step| step.to == value)
    }

    fn save_value(&mut self, place: Place, value: Value, mask: Mask) {
        match self.form(value) {
            Form::Scalar(own) => {
                self.push(Machine::row(rows::MOV64_STORE).register(own).at(place).effect());
            }
            Form::Mask(own) => {
                let kept = self.mask_var();
                self.push(Machine::row(rows::KMOV).def(kept).at(place));
                self.merge_mask(kept, own, mask);
                self.push(Machine::row(rows::KMOV_STORE).register(kept).at(place).effect());
            }
            Form::Vector(own) => self.put_vector(lanes(self.kind(value)), own, place, mask),
        }
    }

    /// When the last subgroup has come to a barrier: what they agree on is as it has left it.
    pub(super) fn hand_over(&mut self, target: usize) {
        for value in self.needed(target).held {
            let [now, left] = self.held(value);
            self.copy_form(now, left);
        }
    }

    /// Takes up again what was kept at the barrier that ends a block.
    pub(super) fn restore(&mut self, barrier: usize, target: usize) {
        self.block = barrier;
        let needed = self.needed(target);
        for &(place, value) in &needed.saved {
            self.restore_value(place, value);
        }
        for &value in &needed.held {
            let (own, [now, _]) = (self.form(value), self.held(value));
            self.copy_form(own, now);
        }
        let kept = || needed.saved.iter().map(|&(_, value)| value).chain(needed.held.iter().copied());
        for value in kept() {
            let is_scalar = self.is_scalar(value) && !self.reads_shadow(value);
            if is_scalar && !self.shapes.fragile[value.0 as usize] {
                self.widen(value);
            }
        }
        self.remake(&needed.remade);
        for value in kept() {
            self.other_forms(value);
        }
        self.block = target;
    }

    fn restore_value(&mut self, place: Place, value: Value) {
        match self.form(value) {
            Form::Scalar(own) => self.push(Machine::row(rows::MOV64).def(own).at(place)),
            Form::Mask(own) => self.push(Machine::row(rows::KMOV).def(own).at(place)),
            Form::Vector(own) => {
                let vector = self.get_vector(lanes(self.kind(value)), place);
                self.copy_form(Form::Vector(own), Form::Vector(vector));
            }
        }
    }

    /// Makes the forms of a value that are made of others.
    fn other_forms(&mut self, value: Value) {
        if self.reads_shadow(value) {
            return;
        }
        if self.shapes.fragile[value.0 as usize] {
            let (vector, own) = (self.recompute(value), self.vector_of(value));
            for part in 0..parts(Kind::I64) {
                self.copy(own.0[part], vector.0[part]);
            }
        }
        self.keep(value);
    }

    /// The form in which a value waits.
    fn form(&mut self, value: Value) -> Form {
        if self.is_scalar(value) && !self.reads_shadow(value) {
            Form::Scalar(self.scalar_var(value))
        } else if self.kind(value) == Kind::Bool {
            Form::Mask(self.k(value))
        } else {
            Form::Vector(self.x(value))
        }
    }

    fn copy_form(&mut self, to: Form, from: Form) {
        match (to, from) {
            (Form::Scalar(to), Form::Scalar(from)) | (Form::Mask(to), Form::Mask(from)) => {
                self.copy(to, from)
            }
            (Form::Vector(to), Form::Vector(from)) => {
                self.copy(to.0[0], from.0[0]);
                self.copy(to.0[1], from.0[1]);
            }
            // A value has one form.
            _ => {}
        }
    }

    /// The variables of a value that stays in some.
    fn held(&mut self, value: Value) -> [Form; 2] {
        if let Some(held) = self.waiting.held[value.0 as usize] {
            return held;
        }
        let held = [0, 1].map(|_| match self.form(value) {
            Form::Scalar(_) => Form::Scalar(self.general()),
            Form::Mask(_) => Form::Mask(self.mask_var()),
            Form::Vector(_) => Form::Vector(Vector([self.vector(), self.vector()])),
        });
        self.waiting.held[value.0 as usize] = Some(held);
        held
    }

    /// Whether a value stays in a variable.
    fn is_held(&self, value: Value) -> bool {
        let is_same = self.facts.agreed[value.0 as usize] && !self.reads_shadow(value);
        self.facts.regions.is_some() && (is_same || self.ids.records.len() == 1)
    }

    /// The place of a value behind the register file.
    fn place_of(&mut self, value: Value) -> Place {
        let is_short =
            self.kind(value) == Kind::Bool || self.is_scalar(value) && !self.shadowed[value.0 as usize];
        let offset = match self.waiting.places[value.0 as usize] {
            Some(offset) => offset,
            None => {
                let bytes = if is_short { 8 } else { 64 * parts(self.kind(value)) as u32 };
                let offset = (self.code.frame_bytes() + self.waiting.room(bytes)) as i32;
                *self.waiting.places[value.0 as usize].insert(offset)
            }
        };
        Place::at(Anchor::Registers, offset)
    }

    /// The values that are needed in a block after a barrier.
    fn needed(&mut self, target: usize) -> Needed {
        let live = self.live.from(target, 0).map(|value| Value(value as u32));
        let mut needed = Needed { saved: Vec::new(), held: Vec::new(), remade: Vec::new() };
        let mut work: Vec<Value> = live.collect();
        let mut seen = vec![false; self.program.kinds.len()];
        while let Some(value) = work.pop() {
            if self.preset[value.0 as usize].is_some() || std::mem::replace(&mut seen[value.0 as usize], true)
            {
                continue;
            }
            // What a value is made of that may be made again.
            if let (true, Some(mut inst)) =
                (self.shapes.fragile[value.0 as usize], self.defined[value.0 as usize])
            {
                inst.visit_operands(|operand| work.push(*operand));
            }
            if self.is_held(value) {
                needed.held.push(value);
            } else if self.is_remade(value) {
                needed.remade.push(value);
            } else {
                let place = self.place_of(value);
                needed.saved.push((place, value));
            }
        }
        needed
    }
}

/// The kind by whose lanes a vector is written.
fn lanes(kind: Kind) -> Kind {
    if kind.size() == 8 { Kind::I64 } else { Kind::I32 }
}
