//! Numbers at known distances from each other, which all lanes may read: processors load them faster one by one than they gather them, and small ones
//! all at once with what is between them.

use super::{Selector, rows};
use crate::native::lir::{Anchor, Inst as Machine, Place, Var};
use crate::native::switches::Switch;
use crate::native::target::Target;
use crate::program::{Kind, LANES};

/// How many lanes a part of a vector has that numbers can be put into.
const QUARTER: i32 = 4;

/// The bytes that one load takes of memory in which there are small numbers.
const WINDOW: i64 = 16;

/// So many of them are loaded at most: with more, it is as fast to load each number.
const MAX_WINDOWS: i64 = 8;

impl Selector<'_> {
    /// Whether numbers of a kind are loaded so.
    pub(super) fn loads_apart(&self, kind: Kind) -> bool {
        kind.size() == 4 && self.switches.has(Switch::Apart) && self.lacking.target == Target::Avx512
    }

    /// Loads the number of each lane.
    pub(super) fn load_apart(&mut self, to: Var, base: Var, stride: i64, offset: i32) {
        let at = |lane: i32| Place::at(Anchor::Var, offset.wrapping_add(stride as i32 * lane));
        let mut all: Option<Var> = None;
        for start in (0..4 * QUARTER).step_by(QUARTER as usize) {
            let quarter = self.vector();
            self.push(Machine::row(rows::MOVD_LOAD).def(quarter).at(at(start)).base(base));
            let mut own = quarter;
            for lane in 1..QUARTER {
                let more = self.vector();
                let inst = Machine::row(rows::PINSRD).def(more).second(own).at(at(start + lane));
                self.push(inst.base(base).imm(lane));
                own = more;
            }
            all = Some(match all {
                None => own,
                Some(others) => {
                    let joined = self.vector();
                    let inst = Machine::row(rows::INSERT_QUARTER).def(joined).second(others).last(own);
                    self.push(inst.imm(start / QUARTER));
                    joined
                }
            });
        }
        if let Some(all) = all {
            self.copy(to, all);
        }
    }

    /// Whether numbers of 8 or 16 bits at such a distance are taken out of the memory that they are in.
    pub(super) fn loads_windows(&self, kind: Kind, stride: i64) -> bool {
        let size = i64::from(kind.size());
        let fits = matches!(size, 1 | 2)
            && stride > size
            && stride * (LANES as i64 - 1) + size <= MAX_WINDOWS * WINDOW;
        fits && self.switches.has(Switch::Apart) && self.lacking.target == Target::Avx512
    }

    /// Loads the number of each lane, where all lanes may: all memory from the first one to the last, of which each vector gives its bytes.
    pub(super) fn load_windows(&mut self, kind: Kind, to: Var, base: Var, stride: i64, offset: i32) {
        let size = i64::from(kind.size());
        let extent = stride * (LANES as i64 - 1) + size;
        let in_quarter = WINDOW / size;
        let mut all: Option<Var> = None;
        for quarter in 0..size {
            let mut own: Option<Var> = None;
            for (start, bytes) in windows(stride, size, quarter * in_quarter, extent) {
                let (memory, order) = (self.vector(), self.line(&bytes));
                let place = Place::at(Anchor::Var, offset.wrapping_add(start as i32));
                self.push(Machine::row(rows::MOVDQU8).def(memory).at(place).base(base));
                let taken = self.vector();
                self.push(Machine::row(rows::PSHUFB).def(taken).second(memory).at(order));
                own = Some(match own {
                    None => taken,
                    Some(others) => {
                        let both = self.vector();
                        self.push(Machine::row(rows::PORD).def(both).second(others).last(taken));
                        both
                    }
                });
            }
            let Some(own) = own else { continue };
            all = Some(match all {
                None => own,
                Some(others) => {
                    let joined = self.vector();
                    let inst = Machine::row(rows::INSERT_QUARTER).def(joined).second(others).last(own);
                    self.push(inst.imm(quarter as i32));
                    joined
                }
            });
        }
        let Some(all) = all else { return };
        let row = if size == 1 { rows::PMOVZXBD } else { rows::PMOVZXWD };
        self.push(Machine::row(row).def(to).last(all));
    }

    /// Loads the numbers of 8 or 16 bits of the lanes that are here, one after the other.
    pub(super) fn load_small_lanes(&mut self, kind: Kind, to: Var, base: Var, stride: i64, offset: i32) {
        let (load, store, widen) = match kind.size() {
            1 => (rows::MOVZX8, rows::MOV8_STORE, rows::PMOVZXBD),
            _ => (rows::MOVZX16, rows::MOV16_STORE, rows::PMOVZXWD),
        };
        let start = self.slot(self.code.places(self.block, self.place).result);
        self.lane_loop(|this, lane| {
            let distance = this.times(lane, stride);
            let (from, number) = (this.sum(base, distance), this.general());
            this.push(Machine::row(load).def(number).at(Place::at(Anchor::Var, offset)).base(from));
            let place = Place { scale: kind.size() as u8, ..start };
            this.push(Machine::row(store).register(number).at(place).index(lane).effect());
        });
        self.push(Machine::row(widen).def(to).at(start));
    }
}

/// The windows of memory in which the numbers of one quarter of a vector are, of `first` and the lanes after it: where each starts, and which of its bytes go where. None is past `extent`.
fn windows(stride: i64, size: i64, first: i64, extent: i64) -> Vec<(i64, [u8; 64])> {
    /// A byte that becomes zero.
    const NONE: u8 = 0x80;
    let mut windows: Vec<(i64, [u8; 64])> = Vec::new();
    for to in 0..WINDOW {
        let from = (first + to / size) * stride + to % size;
        let start = (from / WINDOW * WINDOW).min(extent - WINDOW);
        let number = windows.iter().position(|&(at, _)| at == start).unwrap_or_else(|| {
            windows.push((start, [NONE; 64]));
            windows.len() - 1
        });
        windows[number].1[to as usize] = (from - start) as u8;
    }
    windows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_have_each_byte_once_and_nothing_else() {
        for (stride, size) in [(2, 1), (3, 1), (4, 1), (5, 1), (7, 1), (8, 1), (3, 2), (4, 2), (6, 2), (8, 2)]
        {
            let extent = stride * 15 + size;
            for quarter in 0..size {
                let first = quarter * WINDOW / size;
                let mut found = [None; WINDOW as usize];
                for (start, order) in windows(stride, size, first, extent) {
                    assert!((0..=extent - WINDOW).contains(&start));
                    for (found, &byte) in found.iter_mut().zip(&order).filter(|(_, byte)| **byte < 0x80) {
                        assert_eq!(found.replace(start + i64::from(byte)), None);
                    }
                    assert!(order[WINDOW as usize..].iter().all(|&byte| byte == 0x80));
                }
                for (to, found) in (0..).zip(found) {
                    assert_eq!(found, Some((first + to / size) * stride + to % size), "{stride} {size} {to}");
                }
            }
        }
    }
}
