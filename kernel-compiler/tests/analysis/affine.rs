//! How indices depend on the ids.

use crate::source::lowered;
use kernel_compiler::analysis::{Affine, Analysis, Symbol};
use kernel_compiler::ir::{Query, Statement};

/// The form of the index of the last store in `fn k(n: usize, x: &mut [u32]) { <body> }`.
fn index(body: &str) -> Option<Affine> {
    let module = lowered(&format!("fn k(n: usize, x: &mut [u32]) {{ {body} }}"), None);
    let analysis = Analysis::of(&module);
    let mut form = None;
    module.body.for_each_statement(&mut |statement| {
        if let Statement::Store { place, .. } = statement
            && let Some(step) = place.indices().next()
        {
            form = analysis.affine(step.index);
        }
    });
    form
}

#[test]
fn sums_of_ids_with_constant_coefficients() {
    let form =
        index("let i = global_id(0); let j = i * 4 + local_id(1); x[j - i + 3 - n] = 1;").expect("a form");
    assert_eq!(form.constant, 3);
    let coefficient =
        |symbol| form.terms.iter().find(|(known, _)| *known == symbol).map(|(_, factor)| *factor);
    assert_eq!(coefficient(Symbol::Query(Query::GlobalId, 0)), Some(3));
    assert_eq!(coefficient(Symbol::Query(Query::LocalId, 1)), Some(1));
    assert_eq!(coefficient(Symbol::Parameter(0)), Some(-1));
    assert_eq!(form.terms.len(), 3);
}

#[test]
fn products_of_what_is_not_constant_have_no_form() {
    assert_eq!(index("x[global_id(0) * n] = 1;"), None);
    let form = index("x[global_id(0) / n + 1] = 1;").expect("a form");
    assert!(matches!(form.terms[..], [(Symbol::Other(_), 1)]), "{form:?}");
}
