//! What happens when a subgroup is done or at a barrier: the next one runs, and when all are at the same barrier, they go on.

use super::{Event, Selector, rows};
use crate::native::encode::Condition;
use crate::native::ids::Record;
use crate::native::lir::{Anchor, Block, Code, End, Inst as Machine, Place, Var};
use crate::program::{MAX_STRIPS, Preset};

impl Selector<'_> {
    /// Whether lanes may wait at a barrier for others of their subgroup; then the driver looks at each subgroup.
    pub(super) fn is_stepwise(&self) -> bool {
        self.events.iter().any(|event| matches!(event, Event::Park(_)))
    }

    pub(super) fn finish(&mut self) {
        let (finish, leave) = (self.finish, self.leave);
        self.go(finish);
        if self.is_stepwise() {
            self.jump(leave);
        } else if self.barriers.is_empty() {
            self.next_subgroup(leave);
        } else {
            self.next_at_barrier();
        }
        let halted = self.halted;
        self.go(halted);
        self.set_here([None; MAX_STRIPS]);
        self.event(Event::Halt);
        self.jump(leave);
        self.function.stand(leave);
        self.function.end(leave, End::Return);
    }

    /// Asks whether the launch has to stop, as every way back to the head of a loop does.
    pub(super) fn poll(&mut self) {
        let word = self.field(if self.strips > 1 { context!(halt_for_now) } else { context!(halt) });
        let test = Machine::row(rows::CMP32_IMMEDIATE).at(Place::at(Anchor::Var, 0)).base(word).imm(0);
        let (halted, next) = (self.halted, self.function.block(false));
        self.branch(test, Condition::NotEqual, halted, next);
        self.function.stand(next);
        self.at = next;
    }

    fn set_field(&mut self, place: Place, value: Var) {
        self.push(Machine::row(rows::MOV64_STORE).register(value).at(place).effect());
    }

    /// Starts the next subgroup, or goes on elsewhere after the last one.
    fn next_subgroup(&mut self, after: Block) {
        let record = self.field(context!(record));
        let next = self.plus(record, (self.strips * size_of::<Record>()) as i64);
        self.set_field(context!(record), next);
        let test = Machine::row(rows::CMP64).register(next).at(context!(end_record));
        let top = self.top;
        self.branch(test, Condition::Below, top, after);
    }

    /// The same where subgroups stop at barriers.
    fn next_at_barrier(&mut self) {
        let [first, other, same, done] = std::array::from_fn(|_| self.function.block(false));
        let stopped = self.general();
        self.push(Machine::row(rows::MOV32).def(stopped).at(context!(stopped)));
        let record = self.field(context!(record));
        let test = Machine::row(rows::CMP64).register(record).at(context!(first_record));
        self.branch(test, Condition::Equal, first, other);
        self.go(first);
        self.push(Machine::row(rows::MOV32_STORE).register(stopped).at(context!(expected)).effect());
        self.jump(same);
        self.go(other);
        let test = Machine::row(rows::CMP32).register(stopped).at(context!(expected));
        let leave = self.leave;
        self.branch(test, Condition::Equal, same, leave);

        self.go(same);
        self.push(Machine::row(rows::MOV32_IMMEDIATE).at(context!(stopped)).imm(0).effect());
        let private = self.preset.iter().any(|preset| matches!(preset, Some(Preset::Private(_))));
        let strides = [
            (context!(registers), context!(registers_stride)),
            (context!(private), context!(private_stride)),
        ];
        for (place, stride) in strides.into_iter().take(if private { 2 } else { 1 }) {
            let (old, new) = (self.field(place), self.general());
            self.push(Machine::row(rows::ADD64).update(new, old).at(stride));
            self.set_field(place, new);
        }
        self.push(Machine::new(Code::Registers).effect());
        self.next_subgroup(done);

        // All are done, or all go on.
        self.go(done);
        let (expected, again) = (self.general(), self.function.block(false));
        self.push(Machine::row(rows::MOV32).def(expected).at(context!(expected)));
        self.push(Machine::row(rows::MOV32_STORE).register(expected).at(context!(entry)).effect());
        let test = Machine::row(rows::TEST32).register(expected).last(expected);
        self.branch(test, Condition::Equal, leave, again);
        self.go(again);
        for (place, start) in [
            (context!(record), context!(first_record)),
            (context!(registers), context!(first_registers)),
            (context!(private), context!(first_private)),
        ] {
            let start = self.field(start);
            self.set_field(place, start);
        }
        self.push(Machine::new(Code::Registers).effect());
        let top = self.top;
        self.jump(top);
    }
}
