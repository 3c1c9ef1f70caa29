//! Where a work-item is in its launch.

use super::{Generator, Make, Maker};
use crate::random::tree::{Expr, Type};

pub(super) const EXPRESSIONS: &[Maker<Make>] = &[(1, query)];

const QUERIES: [&str; 6] = ["global_id", "global_size", "local_id", "local_size", "group_id", "num_groups"];

fn query(g: &mut Generator, ty: &Type) -> Option<Expr> {
    if *ty != Type::USIZE {
        return None;
    }
    let same_for_all = &["global_size", "local_size", "group_id", "num_groups"];
    let query = if g.agreement.is_demanded { g.random.pick(same_for_all) } else { g.random.pick(&QUERIES) };
    Some(Expr::text(Type::USIZE, format!("{query}(0)")))
}
