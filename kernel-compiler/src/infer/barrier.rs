//! Barriers that say what they order: `barrier_in(Scope::Device, Memory::LOCAL | Memory::GLOBAL)`.

use super::Infer;
use crate::chain::Link;
use crate::ir::{Group, Memory};
use crate::typed::{ExprKind, GroupFunction, Ty};
use syn::{BinOp, Expr, ExprCall};

/// What to say where it is not written what a barrier orders.
pub(super) const MEMORY: (&str, &str) = (
    "what a barrier orders is part of the instruction, so it is written at the call",
    "write `Memory::LOCAL`, `Memory::GLOBAL` or `Memory::IMAGE`, several with `|`, or `Memory::NONE`",
);

impl Infer<'_> {
    pub(super) fn barrier_in(&mut self, call: &ExprCall, group: Group) -> (ExprKind, Ty) {
        let arguments: Vec<&Expr> = call.args.iter().collect();
        let [scope, memory] = arguments[..] else {
            self.leave_to_rustc(call, "such a barrier takes a scope and kinds of memory");
            return (ExprKind::Error, Ty::Error);
        };
        match (self.scope_argument(scope), self.memory_argument(memory)) {
            (Some(scope), Some(memory)) => {
                let function = GroupFunction::BarrierIn(scope, memory);
                (ExprKind::Group(group, function, Vec::new()), Ty::Unit)
            }
            _ => (ExprKind::Error, Ty::Error),
        }
    }

    /// Kinds of memory, which are written by their names.
    fn memory_argument(&mut self, written: &Expr) -> Option<Memory> {
        match written {
            Expr::Paren(paren) => return self.memory_argument(&paren.expr),
            Expr::Binary(binary) if matches!(binary.op, BinOp::BitOr(_)) => {
                let sides = [&binary.left, &binary.right].map(|side| self.memory_argument(side));
                return Some(sides[0]?.union(sides[1]?));
            }
            Expr::Path(path) if path.qself.is_none() => {
                let own = super::nominal::prefix(&path.path);
                let is_memory = matches!(self.link(&own), Some(Link::Builtin(name)) if name == "Memory");
                let last = path.path.segments.last().filter(|_| is_memory);
                if let Some(memory) = last.and_then(|last| memory_of(&last.ident.to_string())) {
                    return Some(memory);
                }
            }
            _ => {}
        }
        self.not_written_there(written, MEMORY);
        None
    }
}

fn memory_of(name: &str) -> Option<Memory> {
    Some(match name {
        "NONE" => Memory::NONE,
        "LOCAL" => Memory::LOCAL,
        "GLOBAL" => Memory::GLOBAL,
        "IMAGE" => Memory::IMAGE,
        _ => return None,
    })
}
