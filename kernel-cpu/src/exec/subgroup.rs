//! Control flow of one subgroup.

use super::code::{Code, Exit, Op, Target};
use super::frame::{Frame, Lanes, Slot};
use crate::fault::{Fault, FaultKind};
use crate::program::{LANES, MAX_STRIPS, Site};

/// Why a subgroup stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// All its lanes are done.
    Done,
    /// All its lanes are at this barrier, none is done.
    Barrier(Barrier),
    Fault(Fault),
}

/// A barrier of the code. An instruction that was inlined twice is two barriers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Barrier {
    pub(super) site: Site,
    /// The block after it, which no other barrier leads to.
    pub(super) block: u32,
}

/// Where the lanes of a subgroup are.
#[derive(Debug, Default)]
pub(super) struct Subgroup {
    /// The lanes that are to run each block.
    waiting: Vec<Lanes>,
    /// A bit for each block that has lanes.
    occupied: Vec<u64>,
    /// How many blocks have lanes.
    count: usize,
    /// The lanes that exist.
    all: Lanes,
    /// The lanes at a barrier, and which it is.
    parked: Lanes,
    barrier: Option<Barrier>,
}

impl Subgroup {
    /// Puts these lanes at the start of the code.
    pub(super) fn start(&mut self, code: &Code, lanes: Lanes) {
        self.waiting.clear();
        self.waiting.resize(code.blocks.len(), 0);
        self.occupied.clear();
        self.occupied.resize(code.blocks.len().div_ceil(64), 0);
        self.count = 0;
        (self.all, self.parked, self.barrier) = (lanes, 0, None);
        self.add(0, lanes);
    }

    /// Lets the lanes go on after a barrier that all work-items of the group have reached.
    pub(super) fn release(&mut self) {
        if let Some(barrier) = self.barrier.take() {
            let lanes = std::mem::take(&mut self.parked);
            self.add(barrier.block, lanes);
        }
    }

    /// Runs until no lane can go on.
    pub(super) fn run(&mut self, code: &Code, frame: &mut Frame<'_>) -> Stop {
        if frame.strips() == 1 {
            self.run_strips::<1>(code, frame)
        } else {
            self.run_strips::<MAX_STRIPS>(code, frame)
        }
    }

    fn run_strips<const STRIPS: usize>(&mut self, code: &Code, frame: &mut Frame<'_>) -> Stop {
        frame.all = self.all;
        let halt = frame.halt;
        let mut next = self.first();
        while let Some((block, lanes)) = next {
            frame.set_lanes(lanes);
            let block = &code.blocks[block as usize];
            for op in &code.ops[block.ops.clone()] {
                execute::<STRIPS>(frame, op);
            }
            // Every way back to the head of a loop ends a block.
            if frame.fault.is_some() | halt.is_raised() {
                return Stop::Fault(ended(frame));
            }
            next = match &block.exit {
                Exit::Jump(to) => {
                    take::<STRIPS>(code, frame, to);
                    self.go(to.block, lanes)
                }
                Exit::Branch { condition, then, otherwise } => {
                    let yes = truth::<STRIPS>(frame, *condition) & lanes;
                    self.branch::<STRIPS>(code, frame, [(then, yes), (otherwise, lanes & !yes)])
                }
                Exit::Barrier { site, next } => {
                    take::<STRIPS>(code, frame, next);
                    let barrier = Barrier { site: *site, block: next.block };
                    if let Err(fault) = self.park(barrier, lanes) {
                        return Stop::Fault(fault);
                    }
                    self.first()
                }
                Exit::Return => self.first(),
                Exit::Unreachable(site) => {
                    return Stop::Fault(fault(FaultKind::Unreachable, *site, lanes));
                }
            };
        }
        self.stopped()
    }

    /// Follows the two ways of a branch; a way without lanes costs nothing.
    #[inline(always)]
    fn branch<const STRIPS: usize>(
        &mut self,
        code: &Code,
        frame: &mut Frame<'_>,
        ways: [(&Target, Lanes); 2],
    ) -> Option<(u32, Lanes)> {
        match ways {
            [(to, lanes), (_, 0)] | [(_, 0), (to, lanes)] => {
                take::<STRIPS>(code, frame, to);
                self.go(to.block, lanes)
            }
            both => {
                for (to, lanes) in both {
                    frame.set_lanes(lanes);
                    take::<STRIPS>(code, frame, to);
                    self.add(to.block, lanes);
                }
                self.first()
            }
        }
    }

    /// Sends the only running lanes to a block, and says what runs next.
    #[inline(always)]
    fn go(&mut self, block: u32, lanes: Lanes) -> Option<(u32, Lanes)> {
        if self.count == 0 {
            return Some((block, lanes));
        }
        self.add(block, lanes);
        self.first()
    }

    fn add(&mut self, block: u32, lanes: Lanes) {
        let waiting = &mut self.waiting[block as usize];
        self.count += usize::from(*waiting == 0);
        *waiting |= lanes;
        self.occupied[block as usize / 64] |= 1 << (block % 64);
    }

    /// Takes the earliest block that has lanes, with all of them.
    fn first(&mut self) -> Option<(u32, Lanes)> {
        if self.count == 0 {
            return None;
        }
        let (index, word) = self.occupied.iter_mut().enumerate().find(|(_, word)| **word != 0)?;
        let block = index as u32 * 64 + word.trailing_zeros();
        *word &= *word - 1;
        self.count -= 1;
        Some((block, std::mem::take(&mut self.waiting[block as usize])))
    }

    fn park(&mut self, barrier: Barrier, lanes: Lanes) -> Result<(), Fault> {
        let first = *self.barrier.get_or_insert(barrier);
        if first != barrier {
            let kind = FaultKind::DivergentBarrier { other: Some(first.site) };
            return Err(fault(kind, barrier.site, lanes));
        }
        self.parked |= lanes;
        Ok(())
    }

    /// Whether the subgroup is done, at a barrier, or torn between the two.
    fn stopped(&self) -> Stop {
        match self.barrier {
            None => Stop::Done,
            Some(barrier) if self.parked == self.all => Stop::Barrier(barrier),
            Some(barrier) => {
                Stop::Fault(fault(FaultKind::DivergentBarrier { other: None }, barrier.site, self.parked))
            }
        }
    }
}

/// Executes the moves of an edge for the lanes of the frame's mask.
#[inline(always)]
fn take<const STRIPS: usize>(code: &Code, frame: &mut Frame<'_>, to: &Target) {
    for op in &code.ops[to.moves.clone()] {
        execute::<STRIPS>(frame, op);
    }
}

/// Executes an instruction for the lanes of the frame: strip by strip, unless all lanes do it together.
#[inline(always)]
fn execute<const STRIPS: usize>(frame: &mut Frame<'_>, op: &Op) {
    if STRIPS == 1 || op.is_together {
        return op.run(frame);
    }
    for strip in 0..STRIPS {
        if frame.enter(strip) {
            op.run(frame);
        }
    }
}

/// The lanes in which a boolean register is true.
#[inline(always)]
fn truth<const STRIPS: usize>(frame: &mut Frame<'_>, slot: Slot) -> Lanes {
    if STRIPS == 1 {
        return frame.truth(slot).into();
    }
    (0..STRIPS).fold(0, |lanes, strip| {
        frame.enter(strip);
        lanes | Lanes::from(frame.truth(slot)) << (strip * LANES)
    })
}

/// The fault of a subgroup that cannot go on: its own, or that it was told to stop.
#[cold]
#[inline(never)]
fn ended(frame: &Frame<'_>) -> Fault {
    frame.fault.unwrap_or_else(|| fault(frame.halt.fault(), Site(0), frame.lanes))
}

pub(super) fn fault(kind: FaultKind, site: Site, lanes: Lanes) -> Fault {
    Fault { kind, site, lane: lanes.trailing_zeros().min(Lanes::BITS - 1) }
}
