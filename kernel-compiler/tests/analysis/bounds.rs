//! Which checks go and which stay.

use crate::source::discharged;

/// Checks how many places can still fault in the kernel `fn k(<parameters>) { <body> }`.
#[track_caller]
fn remain(count: usize, parameters: &str, body: &str) {
    let module = discharged(&format!("fn k({parameters}) {{ {body} }}"), Some([16, 16, 1]));
    assert_eq!(module.sites.len(), count, "{module}");
}

const X: &str = "x: &mut [f32]";

#[test]
fn a_guard_proves_what_it_says() {
    remain(0, X, "let i = global_id(0); if i < x.len() { x[i] = 1.0; }");
    remain(0, X, "let i = global_id(0); if x.len() > i { x[i] += 1.0; }");
    remain(0, X, "let i = global_id(0); if i >= x.len() { return; } x[i] = 1.0;");
    remain(0, X, "let i = global_id(0); if !(i < x.len()) { return; } x[i] = 1.0;");
    remain(1, X, "let i = global_id(0); if i <= x.len() { x[i] = 1.0; }");
    remain(1, X, "let i = global_id(0); if i < x.len() { return; } x[i] = 1.0;");
    remain(1, X, "let i = global_id(0); if i < x.len() { } x[i] = 1.0;");
    remain(1, X, "let i = global_id(0); if i < x.len() { x[i + 1] = 1.0; }");
}

#[test]
fn a_guard_of_another_slice_proves_nothing() {
    remain(
        1,
        "a: f32, x: &[f32], y: &mut [f32]",
        "let i = global_id(0); if i < y.len() { y[i] += a * x[i]; }",
    );
    remain(
        0,
        "a: f32, x: &[f32], y: &mut [f32]",
        "let i = global_id(0); if i < y.len() && i < x.len() { y[i] += a * x[i]; }",
    );
}

#[test]
fn a_guard_dies_with_the_variable_that_it_is_about() {
    remain(1, X, "let mut i = global_id(0); if i < x.len() { i += 1; x[i] = 1.0; }");
    remain(0, X, "let mut i = global_id(0); if i < x.len() { i /= 2; x[i] = 1.0; }");
    remain(
        1,
        X,
        "let mut i = global_id(0); if i < x.len() { let c = x[i] > 0.0; if c { i += 1; } x[i] = 1.0; }",
    );
}

#[test]
fn counters_stay_in_their_range() {
    remain(0, X, "for i in 0..x.len() { x[i] = 1.0; }");
    remain(1, X, "for i in 0..=x.len() { x[i] = 1.0; }");
    remain(0, X, "let mut i = 0; while i < x.len() { x[i] = 1.0; i += 1; }");
    remain(1, X, "let mut i = 0; while i < x.len() { i += 1; x[i] = 1.0; }");
    remain(0, X, "for i in 1..x.len() { x[i - 1] = x[i]; }");
    remain(1, X, "for i in 0..x.len() { x[i - 1] = 1.0; }");
    remain(0, X, "let mut i = x.len(); while i > 0 { i -= 1; x[i] = 1.0; }");
}

#[test]
fn arrays_are_indexed_by_small_numbers() {
    remain(
        0,
        X,
        "let mut a = [0.0_f32; 256]; for i in 0..256 { a[i] = 1.0; } if x.len() > 0 { x[0] = a[global_id(0) & 255]; }",
    );
    remain(
        0,
        X,
        "let mut a = [0.0_f32; 16]; for i in 0..=15 { a[i] = 1.0; } if x.len() > 0 { x[0] = a[global_id(0) % 16]; }",
    );
    remain(0, X, "let a = [1.0_f32; 16]; if x.len() != 0 { x[0] = a[local_id(1)]; }");
    remain(1, X, "let a = [1.0_f32; 15]; if x.len() != 0 { x[0] = a[local_id(1)]; }");
}

#[test]
fn ranges_are_gone_through_from_their_end() {
    remain(0, X, "for k in (1..=x.len()).rev() { x[k - 1] = 1.0; }");
    remain(0, "n: usize, x: &mut [f32]", "if n < x.len() { for k in (0..=n).rev() { x[k] = 1.0; } }");
    remain(0, X, "let mut a = [0.0_f32; 8]; for k in (0..=7).rev() { a[k] += 1.0; }");
    remain(0, X, "let mut a = [0.0_f32; 8]; for k in (-2..=5).rev() { a[(k + 2) as usize] += 1.0; }");
    remain(0, X, "let mut a = [0.0_f32; 8]; for n in 1..8 { for k in (1..=n).rev() { a[k] += a[k - 1]; } }");
    remain(1, X, "for k in (0..=x.len()).rev() { x[k] = 1.0; }");
    remain(1, X, "let mut a = [0.0_f32; 8]; for k in (0..=8).rev() { a[k] += 1.0; }");
    remain(
        1,
        X,
        "let mut a = [0.0_f32; 8]; for n in 1..8 { for k in (0..=n).rev() { a[k] = a[k.wrapping_sub(1)]; } }",
    );
    remain(1, "n: usize, x: &mut [f32]", "if n < x.len() { for k in (n..=n + 1).rev() { x[k] = 1.0; } }");
}

#[test]
fn half_of_the_sum_of_its_ends_is_in_a_range() {
    let search = |ends: &str, middle: &str, narrowed: &str| {
        format!(
            "let (mut lo, mut hi) = {ends};
            while lo < hi {{ let mid = {middle}; if x[mid] < 1.0 {{ lo = mid + 1; }} else {{ hi = {narrowed}; }} }}"
        )
    };
    let of = |ends: &str, middle: &str| search(ends, middle, "mid");
    remain(0, X, &of("(0, x.len())", "(lo + hi) / 2"));
    remain(0, X, &of("(0, x.len())", "(hi + lo) >> 1"));
    remain(0, X, &of("(7_usize.min(x.len()), x.len())", "(lo + hi) / 2"));
    remain(0, X, &of("(7_usize, (7 + local_id(0)).min(x.len()))", "(lo + hi) / 2"));
    // What is known of the ends is known whichever of them is asked about first.
    let chosen = "let (mut lo, mut hi) = (n.min(x.len()), x.len());
        while lo < hi {
            let mid = (lo + hi) / 2;
            let goes_right = if n < 7 { x[mid] < 1.0 } else { x[mid] <= 1.0 };
            if goes_right { lo = mid + 1; } else { hi = mid; }
        }";
    remain(0, "n: usize, x: &mut [f32]", chosen);
    // The end itself, what may be beyond it, and two thirds of the sum.
    remain(1, X, &of("(0, x.len())", "(lo + hi + 1) / 2"));
    remain(1, X, &of("(0, x.len() + 1)", "(lo + hi) / 2"));
    remain(1, X, &of("(0, x.len())", "2 * (lo + hi) / 3"));
    remain(0, X, &search("(0, x.len())", "(lo + hi) / 2", "mid + 1"));
    remain(1, X, &search("(0, x.len())", "(lo + hi) / 2", "mid + 2"));
}

#[test]
fn a_midpoint_is_in_its_range() {
    let body = "let mut lo = 0; let mut hi = x.len();
        while lo < hi { let mid = lo + (hi - lo) / 2; if x[mid] < 1.0 { lo = mid + 1; } else { hi = mid; } }";
    remain(0, X, body);
}

#[test]
fn rows_of_a_matrix() {
    let parameters = "h: u32, w: u32, x: &mut [f32]";
    remain(
        0,
        parameters,
        "let h = h as usize; let w = w as usize; let c = global_id(0); let r = global_id(1);
         if r < h && c < w && h * w <= x.len() { x[r * w + c] = 1.0; }",
    );
    remain(
        1,
        "h: usize, w: usize, x: &mut [f32]",
        "let c = global_id(0); let r = global_id(1);
         if r < h && c < w && h * w <= x.len() { x[r * w + c] = 1.0; }",
    );
}

#[test]
fn the_length_of_a_part_is_that_of_its_range() {
    remain(0, X, "let part = &mut x[..]; for i in 0..part.len() { part[i] = 1.0; }");
    remain(1, X, "let part = &mut x[1..]; for i in 0..part.len() { part[i] = 1.0; }");
    remain(
        3,
        "a: usize, b: usize, x: &mut [f32]",
        "let part = &mut x[a..b]; for i in 0..part.len() { part[i] = 1.0; }",
    );
    remain(
        0,
        "a: usize, b: usize, x: &mut [f32]",
        "if a <= b && b <= x.len() { let part = &mut x[a..b]; for i in 0..b - a { part[i] = 1.0; } }",
    );
    remain(
        1,
        "a: usize, b: usize, x: &mut [f32]",
        "if a <= b && b <= x.len() { let part = &mut x[a..b]; for i in 0..b { part[i] = 1.0; } }",
    );
    remain(
        0,
        X,
        "let i = global_id(0) * 4; if i + 4 <= x.len() { let part = &mut x[i..i + 4]; for k in 0..4 { part[k] = 1.0; } }",
    );
    remain(
        1,
        X,
        "let i = global_id(0) * 4; if i + 4 <= x.len() { let part = &mut x[i..i + 4]; for k in 0..5 { part[k] = 1.0; } }",
    );
    remain(
        0,
        X,
        "let mut a = [0.0_f32; 16]; let row = &mut a[4..12]; for k in 0..8 { row[k] = 1.0; } if x.len() > 0 { x[0] = a[5]; }",
    );
    remain(
        0,
        X,
        "let mut a = [[0.0_f32; 4]; 4]; let i = local_id(0) / 4; let row = &mut a[i][..3]; row[2] = 1.0; if x.len() > 0 { x[0] = a[i][2]; }",
    );
}

#[test]
fn a_part_that_may_be_empty_after_a_fault_is_checked() {
    remain(4, X, "let i = global_id(0); let part = &mut x[i..i + 4]; part[0] = 1.0;");
}

#[test]
fn what_a_check_has_asked_for_is_not_asked_for_again() {
    let parameters = "at: &[u32], x: &mut [f32]";
    let start = "let i = global_id(0); if i < at.len() { let t = at[i] as usize;";
    remain(
        1,
        parameters,
        &format!("{start} x[t] += 1.0; x[t] *= 2.0; for k in 0..4 {{ x[t] += k as f32; }} }}"),
    );
    // What only one of two paths has asked for may not hold on the other.
    remain(2, parameters, &format!("{start} if t % 2 == 0 {{ x[t] = 1.0; }} x[t] *= 2.0; }}"));
    remain(
        2,
        parameters,
        &format!("{start} for k in 0..t {{ if k == 3 {{ continue; }} x[t] += 1.0; }} x[t] *= 2.0; }}"),
    );
    remain(2, parameters, &format!("{start} x[t] += 1.0; x[t - 1] *= 2.0; }}"));
    // In each pass it is another one.
    remain(
        2,
        parameters,
        "let mut t = 0; loop { x[t] = 1.0; if t < at.len() { t = at[t] as usize; } else { break; } } x[t] = 2.0;",
    );
    // Where others wait, a work-item goes on without the access.
    remain(2, parameters, &format!("{start} x[t] = 1.0; x[t] = 2.0; }} barrier();"));
}

#[test]
fn lanes_of_vectors_are_elements_like_others() {
    remain(0, "v: f32x4, x: &mut [f32]", "for i in 0..x.len() { x[i] = v[i % 4] + v[i & 3]; }");
    remain(1, "v: f32x4, x: &mut [f32]", "for i in 0..x.len() { x[i] = v[i % 5]; }");
}

#[test]
fn a_row_of_a_matrix_is_a_part_of_it() {
    let parameters = "h: u32, w: u32, x: &mut [f32]";
    let body = |range: &str, end: &str| {
        format!(
            "let h = h as usize; let w = w as usize; let r = global_id(0);
             if r < h && h * w <= x.len() {{ let row = &mut x[{range}]; for c in 0..{end} {{ row[c] = 1.0; }} }}"
        )
    };
    remain(0, parameters, &body("r * w..(r + 1) * w", "w"));
    remain(0, parameters, &body("r * w..r * w + w", "w"));
    remain(1, parameters, &body("r * w..r * w + w", "w + 1"));
    remain(4, parameters, &body("r * w..(r + 2) * w", "w"));
    remain(4, parameters, &body("r * w..(r + 1) * w + 1", "w"));
    remain(4, parameters, &body("r * w + 1..(r + 1) * w + 1", "w"));
    remain(
        0,
        "w: usize, x: &mut [f32]",
        "let r = global_id(0); if w > 0 && r < x.len() / w { let row = &mut x[r * w..(r + 1) * w]; for c in 0..w { row[c] = 1.0; } }",
    );
    remain(
        0,
        X,
        "let r = global_id(0); if r < x.len() / 16 { let row = &mut x[r * 16..][..16]; for c in 0..16 { row[c] = 1.0; } }",
    );
}

#[test]
fn arrays_of_computed_numbers_have_ranges() {
    let parameters = "w: usize, x: &[f32; 8], y: &mut [f32]";
    remain(0, parameters, "for at in [w % 8, 0, w % 4 + 4] { if y.len() > 0 { y[0] += x[at]; } }");
    remain(1, parameters, "for at in [w % 9, 0, w % 4 + 4] { if y.len() > 0 { y[0] += x[at]; } }");
    // What is stored in a branch has the range that it has there, and what is stored in a loop is stored before each look.
    remain(
        0,
        parameters,
        "let mut at = [w % 2, 1]; if w < 8 { at[0] = w; } if y.len() > 0 { y[0] = x[at[0]] + x[at[1]]; }",
    );
    remain(
        0,
        parameters,
        "for r in 0..w { let at = [r % 3, (r + w) % 8]; for k in 0..2 { if y.len() > 0 { y[0] += x[at[k]]; } } }",
    );
    // Elements that are changed after a look may be anything at the next one.
    remain(
        1,
        parameters,
        "let mut at = [w % 2, 1]; for r in 0..w { if y.len() > 0 { y[0] += x[at[r % 2]]; } at[r % 2] = r; }",
    );
    // Others may change what a reference leads to.
    remain(
        1,
        parameters,
        "let mut at = [w % 2, 1]; let f = |at: &mut [usize; 2]| at[w % 2] = w; f(&mut at); if y.len() > 0 { y[0] = x[at[0]]; }",
    );
}

#[test]
fn going_over_elements_needs_no_check() {
    let parameters = "x: &[f32], y: &mut [f32]";
    for body in [
        "for v in y { *v += 1.0; }",
        "for v in y.iter_mut().rev() { *v += 1.0; }",
        "for (i, v) in y.iter_mut().enumerate() { *v += i as f32; }",
        "for (i, v) in x.iter().enumerate() { if i < y.len() { y[i] = *v; } }",
        "for (a, b) in y.iter_mut().zip(x) { *a += b; }",
        "for (i, (a, b)) in y.iter_mut().zip(x).enumerate() { *a += b + x[i]; }",
        "for v in y.iter_mut().skip(3).step_by(2) { *v = 1.0; }",
        "for v in y.iter_mut().skip(global_id(0)).step_by(global_size(0)) { *v = 1.0; }",
        "for part in y.chunks_exact_mut(4) { part[0] = part[3]; }",
        "for part in x.windows(3) { if y.len() > 0 { y[0] += part[0] + part[2]; } }",
        "let s: f32 = x.iter().sum(); if y.len() > 0 { y[0] = s; }",
        "for i in (0..y.len()).rev() { y[i] = 1.0; }",
        "for (i, k) in (0..y.len()).zip(0..x.len()) { y[i] = x[k]; }",
        "for (i, k) in (0..y.len()).enumerate() { y[i] = y[k]; }",
        "for (a, b) in x.chunks_exact(2).zip(y.chunks_exact_mut(2)) { b[1] = a[0] + a[1]; }",
    ] {
        remain(0, parameters, body);
    }
    remain(
        0,
        "n: usize, x: &mut [f32]",
        "if n > 0 { for part in x.chunks_exact_mut(n) { part[n - 1] = 1.0; } }",
    );
    // A part may have fewer elements than the others, and a size may be zero.
    remain(1, "n: u32, x: &mut [f32]", "for part in x.chunks_mut(n as usize + 1) { part[1] = 1.0; }");
    remain(1, "n: usize, x: &mut [f32]", "for v in x.iter_mut().step_by(n) { *v = 1.0; }");
}

#[test]
fn closures_over_elements_need_no_check() {
    let parameters = "x: &[f32], y: &mut [f32]";
    for body in [
        "for v in y.iter_mut().filter(|v| **v > 0.0) { *v = 1.0; }",
        "let s = x.iter().map(|v| v * v).sum::<f32>(); y.iter_mut().for_each(|v| *v = s);",
        "let s = (0..x.len()).map(|i| x[i]).sum::<f32>(); y.fill(s);",
        "let s = x.iter().zip(x.iter().rev()).fold(0.0_f32, |s, (a, b)| s + a * b); y.fill(s);",
        "if x.iter().any(|v| *v > 1.0) { y.reverse(); }",
    ] {
        remain(0, parameters, body);
    }
}

#[test]
fn what_an_option_of_an_element_says_is_known_where_there_is_one() {
    let parameters = "x: &[f32], y: &mut [f32]";
    let i = "let i = global_id(0);";
    remain(
        0,
        parameters,
        &format!("{i} if let (Some(a), Some(b)) = (x.get(i), y.get_mut(i)) {{ *b += a; }}"),
    );
    remain(0, parameters, "if let Some(a) = x.first() && let Some(b) = y.last_mut() { *b = *a; }");
    remain(0, parameters, &format!("{i} let Some(b) = y.get_mut(i) else {{ return; }}; *b = 1.0;"));
    remain(0, parameters, "if let [a, .., b] = x && let [c, ..] = y { *c = a + b; }");
    remain(0, parameters, "if let Some(part) = y.get_mut(2..6) { part[0] = part[3]; }");
    remain(1, parameters, "if let Some(part) = y.get_mut(2..6) { part[0] = part[4]; }");
}

/// A condition that is twice a part of the next one, and so on: nothing is known of it, and that is found in bounded time.
#[test]
fn conditions_that_share_their_parts_are_given_up() {
    let doubled: String = (0..60).map(|i| format!("let c{} = c{i} & c{i};", i + 1)).collect();
    let parameters = "n: usize, m: usize, x: &mut [f32]";
    remain(1, parameters, &format!("let c0 = n < m; {doubled} if c60 && n < x.len() {{ x[n] = 1.0; }}"));
}

#[test]
fn ids_in_groups_are_below_the_sizes() {
    let parameters = "x: &mut [f32]";
    let local = "let mut s = [0.0_f32; 64];";
    remain(0, parameters, &format!("{local} s[subgroup_local_id()] = 1.0;"));
    // 256 work-items are 64 subgroups at most.
    remain(0, parameters, &format!("{local} s[subgroup_id()] = 1.0;"));
    remain(1, parameters, "let mut s = [0.0_f32; 63]; s[subgroup_id()] = 1.0;");
    remain(0, parameters, "if subgroup_size() <= x.len() { x[subgroup_local_id()] = 1.0; }");
    remain(0, parameters, "if subgroup_max_size() <= x.len() { x[subgroup_local_id()] = 1.0; }");
    remain(0, parameters, "if subgroup_count() <= x.len() { x[subgroup_id()] = 1.0; }");
    remain(0, parameters, "if work_group_size() <= x.len() { x[work_group_local_linear_id()] = 1.0; }");
    // The least subgroup is one of a single work-item, which has the number 0.
    remain(0, parameters, "x.fill(subgroup_broadcast(1.0_f32, 0));");
    remain(1, parameters, "x.fill(subgroup_broadcast(1.0_f32, 1));");
}

#[test]
fn double_buffers_and_strides_need_no_check() {
    let parameters = "x: &[f32], y: &[f32], n: u32, z: &mut [f32]";
    remain(
        0,
        parameters,
        "let n = (n as usize).min(x.len()).min(y.len()) as u32;
         let mut sum = 0.0_f32;
         let mut i = global_id(0) as u32;
         while i < n { sum += x[i as usize] * y[i as usize]; i += global_size(0) as u32; }
         z.fill(sum);",
    );
    remain(
        0,
        parameters,
        "let mut buffer = [[0_u32; 256]; 2];
         let l = local_id(0);
         let mut source = 0;
         let mut d = 1;
         while d < 256 {
             let mut v = buffer[source][l];
             if l >= d { v += buffer[source][l - d]; }
             source ^= 1;
             buffer[source][l] = v;
             d <<= 1;
         }
         z.fill(buffer[source][l] as f32);",
    );
}

#[test]
fn numbers_that_are_not_zero_divide() {
    let parameters = "n: i32, m: u32, x: &mut [i32]";
    remain(0, parameters, "if x.len() > 0 && n != 0 { x[0] = 7 / n; }");
    remain(0, parameters, "if x.len() > 0 && 0 != n { x[0] = 7 % n; }");
    remain(
        0,
        parameters,
        "if n == 0 || m == 0 { return; } if x.len() > 0 { x[0] = 7 / n + (7 / m) as i32; }",
    );
    remain(1, parameters, "if x.len() > 0 && n != 1 { x[0] = 7 / n; }");
    remain(1, parameters, "let mut n = n; if x.len() > 0 && n != 0 { n -= 1; x[0] = 7 / n; }");
    remain(0, parameters, "if x.len() > 0 && n != -1 && n != 0 { x[0] = x[0] / n; }");
}

#[test]
fn one_of_several_numbers_is_between_them() {
    let parameters = "mode: u32, x: &mut [u32]";
    let table = "let t = [1, 2, 3]; if x.len() == 0 { return; }";
    remain(0, parameters, &format!("{table} if mode == 1 || mode == 2 {{ x[0] = t[mode as usize]; }}"));
    remain(1, parameters, &format!("{table} if mode == 1 || mode == 3 {{ x[0] = t[mode as usize]; }}"));
    remain(1, parameters, &format!("{table} if mode == 1 || x[0] == 3 {{ x[0] = t[mode as usize]; }}"));
    remain(0, parameters, &format!("{table} if !(mode != 1 && mode != 2) {{ x[0] = t[mode as usize]; }}"));
}

#[test]
fn what_is_known_goes_through_names_and_functions() {
    let two = "x: &[f32], y: &mut [f32]";
    remain(0, two, "let n = x.len().min(y.len()); let i = global_id(0); if i < n { y[i] = x[i]; }");
    remain(0, two, "let n = x.len().min(y.len()); for i in 0..n { y[i] = x[i]; }");
    remain(1, two, "let n = x.len().max(y.len()); for i in 0..n { if i < y.len() { y[i] = x[i]; } }");
    remain(
        0,
        two,
        "let i = global_id(0); let ok = i < x.len() && i < y.len(); if !ok { return; } y[i] = x[i];",
    );
    remain(0, two, "for (y, x) in y.iter_mut().zip(x) { *y = *x; }");
    remain(0, two, "for (i, x) in x.iter().enumerate() { if i < y.len() { y[i] = *x; } }");
    remain(0, two, "let i = global_id(0).min(7); if x.len() > 7 && y.len() >= 8 { y[i] = x[i]; }");
    remain(0, two, "if x.len() != y.len() { return; } for i in 0..y.len() { y[i] = x[i]; }");
    remain(
        0,
        two,
        "let i = global_id(0); if i >= x.len() { return; } let j = i / 2; if y.len() > i { y[j] = x[j]; }",
    );
    remain(0, two, "let i = global_id(0) & 255; if 256 <= x.len().min(y.len()) { y[i] = x[i % 16]; }");
}

#[test]
fn the_start_and_the_length_of_what_is_left_end_where_all_did() {
    let parameters = "x: &[f32], key: f32, y: &mut [u32]";
    let search = |pass: &str| {
        format!(
            "let (mut base, mut len) = (0, x.len()); {pass} if y.len() > 0 {{ y[0] = (base + len) as u32; }}"
        )
    };
    for pass in [
        "while len > 1 { let half = len / 2; if x[base + half] <= key { base += half; } len -= half; }",
        "while len > 0 { let half = len / 2; let mid = base + half; if x[mid] < key { base = mid + 1; len -= half + 1; } else { len = half; } }",
        "while len > 0 { let half = len >> 1; let mid = base + half; if x[mid] < key { len = len - half - 1; base = mid + 1; } else { len = half; } }",
        "while len > 0 { let step = len / 2; let i = base + step; if x[i] < key { base = i + 1; len -= step + 1; } else if x[i] > key { len = step; } else { break; } }",
        "while len > 0 { if x[base] < key { base += 1; } len -= 1; }",
    ] {
        remain(0, parameters, &search(pass));
    }
    // A sum that grows, or that may wrap, says nothing.
    for pass in [
        "while len > 0 { let half = len / 2; if x[base + half] < key { base += half + 2; len -= half + 1; } else { len = half; } }",
        "while len > 1 { let half = len / 2; if x[base + len] <= key { base += half; } len -= half; }",
        "while len > 1 { let half = len / 2; if x[base + half] <= key { base += half; } len -= half - 1; }",
        "while len > 0 { let half = len / 2; if x[base + half] < key { base = base.wrapping_sub(half); } len = half; }",
        "while len > 0 { let half = len / 2; if x[base + half] < key { base += half; len = len.wrapping_sub(len + 1); } else { len = half; } }",
    ] {
        remain(1, parameters, &search(pass));
    }
}
