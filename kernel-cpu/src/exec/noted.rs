//! The accesses of instructions, which are noted before they happen when something is checked (see [`check`](crate::check)).
//!
//! Each instruction that accesses memory then has one of these before it, with the same operands. So the others are as they always are.

use super::code::Op;
use super::frame::{Frame, Mask};
use super::image;
use super::isa::{Handler, Isa, Shape};
use super::map::each;
use crate::check::{AccessKind, Accesses, Checker, Class, Copied, Note, NoteAction};
use crate::fault::FaultKind;
use crate::memory::Allocation;
use crate::program::{AtomicOp, ImageOp, Inst, LANES, Space};

/// What instructions are to be noted, in the order in which they come before it.
pub(super) fn actions(inst: &Inst, by_group: bool, is_sync: bool) -> impl Iterator<Item = NoteAction> {
    let access = |space, kind: crate::program::Kind, access| {
        (space != Space::Private).then_some(NoteAction::Access {
            space,
            size: kind.size() as u8,
            kind: access,
            by_group,
        })
    };
    let (first, second) = match *inst {
        Inst::Load { kind, space, .. } => (access(space, kind, AccessKind::Read), None),
        Inst::Store { kind, space, .. } => (access(space, kind, AccessKind::Write), None),
        Inst::Atomic { op: AtomicOp::Load, kind, space, .. } => {
            (access(space, kind, AccessKind::AtomicRead), None)
        }
        Inst::Atomic { op: AtomicOp::Store, kind, space, .. } => {
            (access(space, kind, AccessKind::AtomicStore), None)
        }
        Inst::Atomic { kind, space, .. } => (access(space, kind, AccessKind::AtomicWrite), None),
        Inst::Copy { to, from, .. } => (Some(NoteAction::CopyFrom(from.1)), Some(NoteAction::CopyTo(to.1))),
        Inst::Image { op, .. } => (Some(NoteAction::Image(op)), None),
        Inst::Converge(_) if is_sync => (Some(NoteAction::Sync), None),
        _ => (None, None),
    };
    first.into_iter().chain(second)
}

struct Noted;

impl Shape for Noted {
    #[inline(always)]
    fn run(frame: &mut Frame<'_>, op: &Op) {
        note(frame, op);
    }
}

/// The handler of what stands before an instruction; its operands are those of the instruction, and `extra` is its number among those that are noted.
pub(super) fn handler(isa: Isa) -> Handler {
    isa.handler::<Noted>()
}

#[inline(never)]
fn note(frame: &mut Frame<'_>, op: &Op) {
    // The frame is borrowed while the checker looks at it.
    let Some(checker) = frame.checker.take() else { return };
    let Note { site, action } = checker.note(op.extra);
    let wrong = match action {
        NoteAction::Sync => {
            checker.sync(site);
            None
        }
        NoteAction::Access { space, size, kind, by_group } => {
            let all = Accesses {
                note: op.extra,
                first_lane: frame.first_lane(),
                kind,
                by_group,
                is_copy: false,
                addresses: &frame.read::<u64>(op.a),
                mask: frame.mask,
                size: size.into(),
            };
            access(checker, frame, &all, space)
        }
        NoteAction::CopyFrom(space) => copy(checker, frame, op, (&frame.read(op.b), space), AccessKind::Read),
        NoteAction::CopyTo(space) => copy(checker, frame, op, (&frame.read(op.a), space), AccessKind::Write),
        NoteAction::Image(image) => access_image(checker, frame, op, image),
    };
    frame.checker = Some(checker);
    if let Some((lane, kind)) = wrong {
        frame.fail(kind, site, lane as usize);
    }
}

/// Notes accesses; the lane whose access is wrong, and how.
fn access(
    checker: &mut Checker,
    frame: &Frame<'_>,
    all: &Accesses<'_>,
    space: Space,
) -> Option<(u32, FaultKind)> {
    let local = match space {
        Space::Private => return None,
        Space::Global | Space::Constant => 0,
        Space::Local => all.mask,
        Space::Generic => lanes(all.mask, |lane| frame.local.contains(all.addresses[lane], all.size)),
    };
    if local != 0
        && let Some(wrong) = checker.access_local(&Accesses { mask: local, ..*all }, frame.local)
    {
        return Some(wrong);
    }
    let global = Accesses { mask: all.mask & !local, ..*all };
    // The memory of a work-item is no allocation, so that it is left out.
    checker.access_global(&global, |address| Some(&**frame.snapshot.find(address)?), Class::Global)
}

/// The lanes of a mask for which something holds.
fn lanes(mask: Mask, holds: impl Fn(usize) -> bool) -> Mask {
    let mut result = 0;
    each(mask, |lane| result |= Mask::from(holds(lane)) << lane);
    result
}

/// Notes what a copy reads or writes, whose size each lane has for itself.
fn copy(
    checker: &mut Checker,
    frame: &Frame<'_>,
    op: &Op,
    (addresses, space): (&[u64; LANES], Space),
    kind: AccessKind,
) -> Option<(u32, FaultKind)> {
    let sizes = frame.read::<u64>(op.c);
    let mut wrong = None;
    each(frame.mask, |lane| {
        if wrong.is_some() || sizes[lane] == 0 {
            return;
        }
        let all = Accesses {
            note: op.extra,
            first_lane: frame.first_lane(),
            kind,
            by_group: false,
            is_copy: true,
            addresses,
            mask: 1 << lane,
            size: sizes[lane],
        };
        wrong = access(checker, frame, &all, space);
        if wrong.is_none() && kind == AccessKind::Write && checker.watches_memory() {
            let from = frame.read::<u64>(op.b)[lane];
            checker.copied(copied(frame, addresses[lane]), copied(frame, from), sizes[lane]);
        }
    });
    wrong
}

/// Where bytes are that are copied.
fn copied<'a>(frame: &Frame<'a>, address: u64) -> Copied<'a> {
    if frame.local.contains(address, 1) {
        return Copied::Local(address - frame.local.start);
    }
    let found = frame.snapshot.find(address);
    Copied::Global(found.map(|found| &**found), found.map_or(0, |found| address - found.span().start))
}

fn access_image(
    checker: &mut Checker,
    frame: &Frame<'_>,
    op: &Op,
    image: ImageOp,
) -> Option<(u32, FaultKind)> {
    let mut wrong = None;
    image::touched(frame, op, |allocation: &Allocation, mask, addresses, size| {
        if wrong.is_some() {
            return;
        }
        let all = Accesses {
            note: op.extra,
            first_lane: frame.first_lane(),
            kind: kind_of(image),
            by_group: false,
            is_copy: false,
            addresses,
            mask,
            size,
        };
        wrong = checker.access_global(&all, |_| Some(allocation), Class::Image);
    });
    wrong
}

/// What an instruction does to texels.
fn kind_of(image: ImageOp) -> AccessKind {
    use crate::program::ImageAction;
    match image.action {
        ImageAction::Write | ImageAction::WriteBytes(_) => AccessKind::Write,
        _ => AccessKind::Read,
    }
}
