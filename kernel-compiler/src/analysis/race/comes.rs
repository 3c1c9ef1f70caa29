//! Whether control comes to a statement, by what is known of the branches before it and around it.

use super::phases::Step;
use crate::ir::{Arena, Block, End, Handle, Label, Op, Statement, Value};

/// Whether control comes somewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Comes {
    /// Never.
    No,
    /// Where something holds that is not known.
    Maybe,
    /// At least once.
    Yes,
}

/// What is known of a branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// Whenever control comes to it, its condition holds, or does not.
    Always(bool),
    /// The same in the first pass of the loops around it.
    First(bool),
    /// All work-items that are asked about go the same way.
    Together,
    Unknown,
}

/// Returns whether control comes to a statement, by what is known of each branch. Of branches that all take together the answer is whether all come if any does. That a work-item
/// may fault before, and that a loop may have no end, is left out.
pub(super) fn comes(
    body: &Block,
    values: &Arena<Value>,
    target: Step,
    way: impl Fn(&Statement, Handle<Value>) -> Way,
) -> Comes {
    let mut search =
        Search { values, target, way, found: Comes::No, jumps: Vec::new(), open: 0, is_together: false };
    search.block(body, Comes::Yes);
    search.found
}

/// Control that leaves a block for another place than the next statement, and whether it does for certain.
type Jump = (End, Comes);

struct Search<'a, W> {
    values: &'a Arena<Value>,
    target: Step,
    way: W,
    /// Whether control comes to the target, by what has been seen.
    found: Comes,
    jumps: Vec<Jump>,
    /// In how many sides of branches the search is to which control need not come.
    open: u32,
    /// Whether some branch is taken together.
    is_together: bool,
}

impl<W: Fn(&Statement, Handle<Value>) -> Way> Search<'_, W> {
    /// Goes through a block to whose start control comes; whether it comes to its end.
    fn block(&mut self, block: &Block, start: Comes) -> Comes {
        let mut here = start;
        for statement in &block.statements {
            if here == Comes::No {
                return Comes::No;
            }
            if Step::of(statement) == self.target {
                self.found = self.found.max(self.certainly(here));
            }
            here = match statement {
                Statement::If { condition, accept, reject } => {
                    self.branch((self.way)(statement, *condition), [accept, reject], here)
                }
                Statement::Loop { label, body, continuing } => self.repeat(*label, [body, continuing], here),
                _ => here,
            };
        }
        if block.end == End::Next {
            return here;
        }
        if here != Comes::No {
            self.jumps.push((block.end, self.certainly(here)));
        }
        Comes::No
    }

    /// Whether control comes for certain to what it would come to if it took the sides around.
    fn certainly(&self, here: Comes) -> Comes {
        if self.open > 0 { here.min(Comes::Maybe) } else { here }
    }

    fn side(&mut self, block: &Block, here: Comes) -> Comes {
        self.open += 1;
        let end = self.block(block, here);
        self.open -= 1;
        end
    }

    fn branch(&mut self, way: Way, sides: [&Block; 2], here: Comes) -> Comes {
        let [accept, reject] = sides;
        let taken = |holds| if holds { sides } else { [reject, accept] };
        match way {
            _ if is_panic(self.values, accept) => self.block(reject, here),
            _ if is_panic(self.values, reject) => self.block(accept, here),
            Way::Always(holds) => self.block(taken(holds)[0], here),
            Way::First(holds) => {
                let [first, later] = taken(holds);
                let end = self.block(first, here);
                end.max(self.side(later, here).min(Comes::Maybe))
            }
            Way::Together => {
                self.is_together = true;
                let end = self.block(accept, here);
                end.max(self.block(reject, here))
            }
            Way::Unknown => {
                let ends = [self.side(accept, here), self.side(reject, here)];
                if ends[0] == ends[1] { ends[0] } else { Comes::Maybe }
            }
        }
    }

    fn repeat(&mut self, label: Label, [body, continuing]: [&Block; 2], here: Comes) -> Comes {
        let outer = std::mem::take(&mut self.jumps);
        let before = self.found;
        let end = self.block(body, here);
        let continued = self.jumps.iter().filter(|(end, _)| *end == End::Continue(label));
        let end = continued.map(|(_, comes)| *comes).fold(end, Comes::max);
        self.block(continuing, end);
        let mut inner = std::mem::replace(&mut self.jumps, outer);
        if inner.iter().any(|(_, comes)| *comes == Comes::Maybe) {
            // Some may leave the loop before others, who go on alone.
            inner.iter_mut().for_each(|(_, comes)| *comes = Comes::Maybe);
            if self.is_together {
                self.found = self.found.min(before.max(Comes::Maybe));
            }
        }
        let has_break = inner.iter().any(|(end, _)| *end == End::Break(label));
        inner.retain(|(end, _)| ![End::Break(label), End::Continue(label)].contains(end));
        let may_leave = inner.iter().any(|(_, comes)| *comes == Comes::Maybe);
        self.jumps.extend(inner);
        match (has_break, may_leave) {
            (false, _) => Comes::No,
            (true, true) => here.min(Comes::Maybe),
            (true, false) => here,
        }
    }
}

/// Returns whether a block ends the kernel because of a panic.
pub(super) fn is_panic(values: &Arena<Value>, block: &Block) -> bool {
    let Some(Statement::Evaluate(value)) = block.statements.last() else { return false };
    block.end == End::Return && matches!(values[*value].op, Op::Require { .. })
}
