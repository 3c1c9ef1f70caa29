//! Which entry point launches take, and that it does not show.

use crate::kernels::hoisted_checks::{
    BY_CONSTANT, BY_FIELDS, GATHER, NEIGHBOURS, PRODUCT, by_constant, by_global_id, product,
};
use kernel_core::KernelDescriptor;
use kernel_runtime::{Device, Error, Queue};

fn queue() -> Queue {
    Device::best().and_then(|device| device.queue()).expect("there is always the CPU device")
}

#[test]
fn launches_go_without_checks_where_none_can_fail() -> Result<(), Error> {
    let queue = queue();
    let (x, mut y) = (queue.upload(&[1_u32; 8])?, queue.zeros::<u32>(7)?);
    assert!(by_global_id(&x, &mut y).goes_without_checks(&queue, 7));
    assert!(!by_global_id(&x, &mut y).goes_without_checks(&queue, 8));
    assert!(!by_global_id(&x, &mut y).with_all_checks().goes_without_checks(&queue, 7));
    assert!(by_constant(1, &x, &mut y).goes_without_checks(&queue, 7));
    assert!(!by_constant(2, &x, &mut y).goes_without_checks(&queue, 7));
    assert!(by_constant(2, &x, &mut y).goes_without_checks(&queue, 4));
    Ok(())
}

#[test]
fn faults_are_those_of_the_kernel_with_all_checks() -> Result<(), Error> {
    let queue = queue();
    let (x, mut y) = (queue.upload(&[1_u32; 8])?, queue.zeros::<u32>(7)?);
    by_global_id(&x, &mut y).launch(&queue, 8)?;
    let chosen = queue.synchronize().expect_err("an index is out of bounds").to_string();
    by_global_id(&x, &mut y).with_all_checks().launch(&queue, 8)?;
    let checked = queue.synchronize().expect_err("an index is out of bounds").to_string();
    assert_eq!(chosen, checked);
    assert!(chosen.contains("hoisted_checks.rs"), "{chosen}");
    Ok(())
}

#[test]
fn conditions_are_in_the_words_of_the_source() {
    let conditions = |kernel: &'static KernelDescriptor| -> Vec<&'static str> {
        let conditions = kernel.hoisted.map_or(&[][..], |hoisted| hoisted.conditions);
        let mut texts: Vec<_> = conditions.iter().map(|condition| condition.text).collect();
        // What makes a launch small, so that its indices have 32 bits, no check asks for.
        texts.retain(|text| {
            !["2147483647", "1073741823", "4294967295"].iter().any(|most| text.ends_with(most))
        });
        texts.sort_unstable();
        texts
    };
    assert_eq!(conditions(&PRODUCT), ["m * k <= a.len()", "m * n <= c.len()", "n * k <= b.len()"]);
    assert_eq!(conditions(&BY_CONSTANT), ["N * global_size(0) <= x.len()", "global_size(0) <= y.len()"]);
    let [by_fields] = conditions(&BY_FIELDS)[..] else { panic!("there is one condition") };
    assert!(
        ["shape.height * shape.width <= y.len()", "shape.width * shape.height <= y.len()"]
            .contains(&by_fields),
        "{by_fields}"
    );
    assert_eq!(
        conditions(&GATHER),
        ["global_size(0) <= index.len()", "global_size(0) <= y.len()"],
        "not the one about `x`"
    );
    assert!(conditions(&NEIGHBOURS).contains(&"d * w * h <= x.len() + 1"));
}

#[test]
fn small_launches_that_may_fail_make_their_checks_in_32_bits() -> Result<(), Error> {
    let queue = queue();
    let (a, b, mut c) = (queue.upload(&[1_u32; 6])?, queue.upload(&[1_u32; 6])?, queue.zeros::<u32>(4)?);
    assert!(PRODUCT.small.is_some(), "its products have 64 bits in launches of any size");
    let launch = |c: &mut _, k, size| {
        let launch = product(&a, &b, c, 2, 2, k);
        (launch.goes_without_checks(&queue, size), launch.makes_small_checks(&queue, size))
    };
    assert_eq!(launch(&mut c, 3, (2, 2)), (true, false));
    assert_eq!(launch(&mut c, 4, (2, 2)), (false, true));
    assert_eq!(launch(&mut c, 1 << 31, (2, 2)), (false, false));
    assert_eq!(launch(&mut c, usize::MAX, (2, 2)), (false, false));
    let checked = product(&a, &b, &mut c, 2, 2, 3).with_all_checks();
    assert!(checked.makes_small_checks(&queue, (2, 2)));
    let any = checked.as_in_any_launch();
    assert!(!any.makes_small_checks(&queue, (2, 2)) && !any.goes_without_checks(&queue, (2, 2)));
    Ok(())
}
