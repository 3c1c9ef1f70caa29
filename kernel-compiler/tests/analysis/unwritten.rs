//! Which local memory has to be filled with zeros, because it may be read before it has been written.

use crate::source::discharged;
use kernel_compiler::analysis::{Analysis, Object, complete_stores, unwritten};
use kernel_compiler::ir::Module;

const PARAMETERS: &str = "n: usize, x: &[u32], y: &mut [u32], a: &mut Local<[u32]>";

/// Memory of the group, and the place of a work-item in it.
const SHARED: &str =
    "let mut s = Local::<[u32; 64]>::new(); let mut r = Local::<[[u32; 9]; 8]>::new(); let mut c = Local::<u32>::new();
    let i = global_id(0);";

fn names(module: &Module) -> Vec<&str> {
    let objects = unwritten(module, &Analysis::of(module));
    let name = |object: Object| match object {
        Object::Variable(local) => &module.locals[local].name[..],
        Object::Parameter(position) => &module.parameters[position as usize].name[..],
    };
    objects.into_iter().map(name).collect()
}

#[track_caller]
fn filled_in(group_size: Option<[u32; 3]>, expected: &[&str], body: &str) {
    let module = discharged(&format!("fn k({PARAMETERS}) {{ {SHARED} {body} }}"), group_size);
    assert_eq!(names(&module), expected, "{body}");
}

/// Checks what is filled in groups of 64.
#[track_caller]
fn filled(expected: &[&str], body: &str) {
    filled_in(Some([64, 1, 1]), expected, &format!("let l = local_id(0); {body}"));
}

/// Checks what is filled where each launch chooses the size of its groups.
#[track_caller]
fn filled_in_any(expected: &[&str], body: &str) {
    filled_in(None, expected, &format!("let l = local_id(0); {body}"));
}

#[track_caller]
fn filled_in_squares(expected: &[&str], body: &str) {
    filled_in(Some([8, 8, 1]), expected, &format!("let (l, m) = (local_id(0), local_id(1)); {body}"));
}

#[test]
fn what_is_not_read_is_not_filled() {
    filled(&[], "s[l] = 1; a[l] = 2; r[n][n] = 3;");
    filled(&["s"], "y[i] = s[l];");
    filled_in_any(&["s", "a"], "y[i] = s[l] + a[0];");
}

#[test]
fn own_elements_need_no_barrier() {
    filled(&[], "s[l] = x[i]; y[i] = s[l];");
    filled(&["s"], "s[l] = x[i]; y[i] = s[63 - l];");
    filled(&["s"], "y[i] = s[l]; s[l] = x[i];");
}

#[test]
fn others_need_a_barrier() {
    filled(&[], "s[l] = x[i]; barrier(); y[i] = s[63 - l] + s[n];");
    filled(&["s"], "if l < 63 { s[l] = x[i]; } barrier(); y[i] = s[l];");
    filled(&["s"], "barrier(); s[l] = x[i]; y[i] = s[n];");
    filled(&["s"], "s[l / 2] = x[i]; barrier(); y[i] = s[l];");
    filled(&[], "s[l / 2] = x[i]; barrier(); y[i] = s[l / 2];");
}

#[test]
fn a_branch_counts_where_it_is_taken() {
    filled(&["s"], "if x[i] > 3 { s[l] = 1; } barrier(); y[i] = s[l];");
    filled(&[], "if x[i] > 3 { s[l] = 1; } else { s[l] = 2; } barrier(); y[i] = s[n];");
    filled(&[], "if x[i] > 3 { s[l] = 1; y[i] = s[l]; }");
    filled(&[], "if n > 3 { s[l] = 1; barrier(); y[i] = s[63 - l]; }");
    filled(&["s"], "if n > 3 { s[l] = 1; barrier(); } y[i] = s[l];");
    filled(&[], "if l < 32 { s[l] = 1; } else { s[l] = 2; } barrier(); y[i] = s[n];");
    filled(&[], "if l == 3 { *c = 1; } barrier(); y[i] = *c;");
    filled(&["c"], "if l == 64 { *c = 1; } barrier(); y[i] = *c;");
    filled(&["c"], "if i == 3 { *c = 1; } barrier(); y[i] = *c;");
}

#[test]
fn loops_are_gone_through() {
    filled(&[], "for k in 0..4 { if l < 16 { s[k * 16 + l] = x[i]; } } barrier(); y[i] = s[n];");
    filled(&["s"], "for k in 0..3 { if l < 16 { s[k * 16 + l] = x[i]; } } barrier(); y[i] = s[n];");
    filled(&[], "let mut k = l; while k < 64 { s[k] = 0; k += 64; } barrier(); y[i] = s[n];");
    filled(&[], "for k in (l..64).step_by(64) { s[k] = 0; } barrier(); y[i] = s[n];");
    filled(&["s"], "for k in 0..n { s[l] = 0; } barrier(); y[i] = s[l];");
    filled(&[], "for k in 0..n { s[l] = x[k]; barrier(); y[i] += s[63 - l]; barrier(); }");
    filled(&["s"], "for k in 0..n { y[i] += s[63 - l]; barrier(); s[l] = x[k]; barrier(); }");
    filled(&["s"], "for k in 0..n { if k > 0 { y[i] += s[l]; } s[l] = 1; }");
    filled(&["s"], "'a: { if x[i] == 0 { break 'a; } s[l] = 1; } barrier(); y[i] = s[l];");
    filled(
        &[],
        "s[l] = 1; barrier(); let mut d = 32; while d > 0 { if l < d { s[l] += s[l + d]; } barrier(); d /= 2; } y[i] = s[0];",
    );
}

#[test]
fn rows_are_followed() {
    filled_in_squares(&[], "r[m][l] = x[i]; barrier(); y[i] = r[l][m];");
    filled_in_squares(&["r"], "r[m][l] = x[i]; barrier(); y[i] = r[l][m + 1];");
    filled_in_squares(&["r"], "r[m][l] = x[i]; barrier(); y[i] = r[l][n];");
    filled_in_squares(
        &[],
        "r[m][l] = x[i]; if l == 0 { r[m][8] = 0; } barrier(); y[i] = r[l][m + 1] + r[n][n];",
    );
    filled_in_squares(&[], "s[m * 8 + l] = x[i]; barrier(); let part = &s[8..16]; y[i] = part[l];");
}

#[test]
fn groups_of_any_size_write_as_far_as_they_go() {
    filled_in_any(&[], "s[l] = x[i]; barrier(); for k in 0..local_size(0) { y[i] += s[k]; }");
    filled_in_any(&["s"], "s[l] = x[i]; barrier(); for k in 0..64 { y[i] += s[k]; }");
    filled_in_any(&["s"], "s[l] = x[i]; barrier(); y[i] = s[l + 1];");
    filled_in_any(&["s"], "if x[i] > 0 { s[l] = x[i]; } barrier(); y[i] = s[l];");
    filled_in_any(&[], "a[l] = x[i]; barrier(); if l > 0 { y[i] = a[l - 1]; }");
    filled_in_any(&[], "if l == 0 { *c = 3; } barrier(); y[i] = *c;");
    filled_in_any(&["c"], "if l == 1 { *c = 3; } barrier(); y[i] = *c;");
    filled_in_any(&["c"], "if l != 0 { *c = 3; } barrier(); y[i] = *c;");
    filled_in_any(
        &[],
        "s[l] = x[i]; barrier(); let mut d = local_size(0) / 2;
        while d > 0 { if l < d { s[l] += s[l + d]; } barrier(); d /= 2; } y[i] = s[0];",
    );
}

#[test]
fn subgroups_write_as_far_as_they_go() {
    filled(
        &[],
        "if subgroup_local_id() == 0 { s[subgroup_id()] = x[i]; } barrier(); for k in 0..subgroup_count() { y[i] += s[k]; }",
    );
    filled(
        &["s"],
        "if subgroup_local_id() == 1 { s[subgroup_id()] = x[i]; } barrier(); for k in 0..subgroup_count() { y[i] += s[k]; }",
    );
    filled(
        &["s"],
        "if subgroup_local_id() == 0 { s[subgroup_id()] = x[i]; } barrier(); for k in 0..64 { y[i] += s[k]; }",
    );
}

/// Checks what is filled in groups of 8 by 8 once stores of zeros have been added.
#[track_caller]
fn completed(expected: &[&str], body: &str) {
    let body = format!("let (l, m) = (local_id(0), local_id(1)); {body}");
    let mut module = discharged(&format!("fn k({PARAMETERS}) {{ {SHARED} {body} }}"), Some([8, 8, 1]));
    let before = module.clone();
    let analysis = Analysis::of(&module);
    complete_stores(&mut module, &analysis);
    assert_eq!(module.verify(), Ok(()), "{body}");
    assert_eq!(names(&module), expected, "{body}");
    let is_same = module.body == before.body;
    assert_eq!(is_same, names(&before) == expected, "{body}");
}

#[test]
fn work_items_with_elements_of_their_own_store_zeros() {
    completed(&[], "if n > 3 && x[i] > 3 { r[m][l] = x[i]; } barrier(); y[i] = r[l][m];");
    completed(&[], "if x[i] > 3 { r[m][l] = x[i]; } barrier(); if x[i] > 3 { y[i] = r[l][m]; }");
    // Others have the same element, or it is looked at before.
    completed(&["r"], "if x[i] > 3 { r[0][l] = x[i]; } barrier(); y[i] = r[0][m];");
    completed(&["c"], "if x[i] > 3 { *c = x[i]; } barrier(); y[i] = *c;");
    completed(&["r"], "if x[i] > 3 { r[m][l] = x[i]; } y[i] = r[l][m];");
    completed(&["r"], "r[l][m] = 1; if x[i] > 3 { r[m][l] = x[i]; } barrier(); y[i] = r[l][m] + r[n][n];");
    // Not all that is read has a work-item.
    completed(&["r"], "if x[i] > 3 { r[m][l] = x[i]; } barrier(); y[i] = r[l][m + 1];");
}
