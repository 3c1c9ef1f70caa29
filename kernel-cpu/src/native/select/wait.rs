//! What subgroups need after a barrier at which they wait for others.
//!
//! What is a subgroup's own is written behind its register file when it comes to the first barrier after it has been computed, and read when the subgroup goes on. What all
//! subgroups of the group agree on stays in a variable, which is that of the last subgroup; so does everything if the group has no other.

use super::control::Form;
use super::values::parts;
use super::{Mask, Selector, rows};
use crate::native::lir::{Anchor, Inst as Machine, Place};
use crate::program::{Edge, Kind, MAX_STRIPS, Value};

/// Where values are while subgroups wait.
pub(super) struct Waiting {
    /// The place behind the register files of each value that has one, for each strip.
    places: Vec<[Option<i32>; MAX_STRIPS]>,
    /// The variables of those that stay in some: as the subgroups that go on find them, and as those that stop leave them; for each strip.
    held: Vec<[Option<[Form; 2]>; MAX_STRIPS]>,
    /// The bytes that are taken, and where there is room for further scalars.
    pub(super) bytes: u32,
    scalars: std::ops::Range<u32>,
}

impl Waiting {
    pub(super) fn new(count: usize) -> Self {
        let (places, held) = (vec![[None; MAX_STRIPS]; count], vec![[None; MAX_STRIPS]; count]);
        Self { places, held, bytes: 0, scalars: 0..0 }
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

/// A value of a strip, or one that is the same in all strips, of the first.
#[derive(Clone, Copy)]
struct Of {
    value: Value,
    strip: usize,
}

/// The values that are needed after a barrier.
struct Needed {
    /// Those that are written, and where.
    saved: Vec<(Place, Of)>,
    /// Those that stay in variables.
    held: Vec<Of>,
    /// Those that are made again.
    remade: Vec<Value>,
}

impl Selector<'_> {
    /// Keeps what is needed behind the barrier of this block, for the lanes that are here, or for all.
    pub(super) fn save(&mut self, next: &Edge, masked: bool) {
        let needed = self.needed(next.target.0 as usize);
        for (place, of) in needed.saved {
            if self.is_new(of.value, next) {
                self.enter(of.strip);
                // What is the same in all strips, or in all lanes, is the same at all times.
                let is_same = self.strips > 1 && self.is_common(of.value) || self.is_one_register(of.value);
                let mask = self.mask.filter(|_| masked && !is_same);
                self.save_value(place, of.value, mask);
            }
        }
        for of in needed.held {
            self.enter(of.strip);
            let (own, [_, left]) = (self.form(of.value), self.held(of));
            self.copy_form(left, own);
        }
        self.enter(0);
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
        for of in self.needed(target).held {
            self.enter(of.strip);
            let [now, left] = self.held(of);
            self.copy_form(now, left);
        }
        self.enter(0);
    }

    /// Takes up again what was kept at the barrier that ends a block.
    pub(super) fn restore(&mut self, barrier: usize, target: usize) {
        self.block = barrier;
        let needed = self.needed(target);
        for &(place, of) in &needed.saved {
            self.enter(of.strip);
            self.restore_value(place, of.value);
        }
        for &of in &needed.held {
            self.enter(of.strip);
            let (own, [now, _]) = (self.form(of.value), self.held(of));
            self.copy_form(own, now);
        }
        let kept = || needed.saved.iter().map(|&(_, of)| of).chain(needed.held.iter().copied());
        for Of { value, strip } in kept() {
            self.enter(strip);
            let is_scalar = self.is_scalar(value) && !self.reads_shadow(value);
            if is_scalar && !self.shapes.fragile[value.0 as usize] {
                self.widen(value);
            }
        }
        self.enter(0);
        self.remake(&needed.remade);
        for of in kept() {
            self.enter(of.strip);
            self.other_forms(of.value);
        }
        self.enter(0);
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
            self.copy_vector(own, vector);
        }
        // The shadow of a value that is the same in all strips is set in all of them at once.
        if self.is_common(value) {
            self.enter_shared();
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
            (Form::Vector(to), Form::Vector(from)) => self.copy_vector(to, from),
            // A value has one form.
            _ => {}
        }
    }

    /// The variables of a value that stays in some.
    fn held(&mut self, of: Of) -> [Form; 2] {
        if let Some(held) = self.waiting.held[of.value.0 as usize][of.strip] {
            return held;
        }
        let held = [0, 1].map(|_| match self.form(of.value) {
            Form::Scalar(_) => Form::Scalar(self.general()),
            Form::Mask(_) => Form::Mask(self.mask_var()),
            Form::Vector(own) => Form::Vector(self.another_vector(own)),
        });
        self.waiting.held[of.value.0 as usize][of.strip] = Some(held);
        held
    }

    /// Whether a value stays in a variable.
    fn is_held(&self, value: Value) -> bool {
        let is_same =
            self.facts.agreed[value.0 as usize] && self.is_common(value) && !self.reads_shadow(value);
        self.facts.regions.is_some() && (is_same || !self.has_several())
    }

    /// The place of a value behind the register files.
    fn place_of(&mut self, Of { value, strip }: Of) -> Place {
        let is_short =
            self.kind(value) == Kind::Bool || self.is_scalar(value) && !self.shadowed[value.0 as usize];
        let offset = match self.waiting.places[value.0 as usize][strip] {
            Some(offset) => offset,
            None => {
                let bytes = if is_short { 8 } else { 64 * parts(self.kind(value)) as u32 };
                let files = self.strips as u32 * self.code.frame_bytes();
                let offset = (files + self.waiting.room(bytes)) as i32;
                *self.waiting.places[value.0 as usize][strip].insert(offset)
            }
        };
        Place::at(Anchor::Registers, offset)
    }

    /// The values that are needed in a block after a barrier.
    fn needed(&mut self, target: usize) -> Needed {
        let mut needed = Needed { saved: Vec::new(), held: Vec::new(), remade: Vec::new() };
        let mut work: Vec<Value> = self.live.at(target).collect();
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
                inst.visit_operands(&mut |operand| work.push(*operand));
            }
            if self.is_held(value) {
                needed.held.extend(self.of_strips(value));
            } else if self.is_remade(value) {
                needed.remade.push(value);
            } else {
                for of in self.of_strips(value) {
                    needed.saved.push((self.place_of(of), of));
                }
            }
        }
        needed
    }

    /// A value as each strip has it, or once if they share it.
    fn of_strips(&self, value: Value) -> impl Iterator<Item = Of> + use<> {
        let is_shared = self.is_common(value) && !self.reads_shadow(value);
        (0..if is_shared { 1 } else { self.strips }).map(move |strip| Of { value, strip })
    }
}

/// The kind by whose lanes a vector is written.
fn lanes(kind: Kind) -> Kind {
    if kind.size() == 8 { Kind::I64 } else { Kind::I32 }
}
