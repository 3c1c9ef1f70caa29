//! Conditions of kernels: launches that do not meet them are refused, with the condition, its place and the values.

use crate::kernels::conditions::{self, Part};
use crate::kernels::{conditions_of_size, fast_functions};
use kernel_core::image::shapes;
use kernel_runtime::prelude::*;
use kernel_runtime::{FaultKind, Launch, LaunchArgument, LaunchError, LaunchProblem, LocalLen};

const FORMAT: ImageFormat = ImageFormat::new(ChannelOrder::Rgba, ChannelType::Uint32);

/// What a refused launch says, without the name of the file.
#[track_caller]
fn refused(result: Result<()>) -> String {
    match result {
        Err(Error::Launch(error)) => {
            let text = error.to_string();
            assert!(text.contains("tests/kernels/conditions"), "{text}");
            let (before, rest) = text.split_once(" (").expect("the place is in parentheses");
            let (place, after) = rest.split_once(')').expect("the place is in parentheses");
            let line = place.split(':').nth(1).expect("the place has a line");
            format!("{before} at {line}{after}")
        }
        other => panic!("the launch is refused, not {other:?}"),
    }
}

#[test]
fn every_index_is_unchecked() {
    for kernel in conditions::WITHOUT_CHECKS.into_iter().chain(conditions_of_size::WITHOUT_CHECKS) {
        let mut kinds = kernel.fault_sites.iter().map(|site| site.kind);
        assert!(!kinds.any(|kind| kind == FaultKind::IndexOutOfBounds), "{kernel:?}");
    }
}

#[test]
fn lengths() -> Result<()> {
    let queue = Device::best()?.queue()?;
    let x = queue.zeros::<f32>(3)?;
    let mut y = queue.zeros::<f32>(4)?;
    assert_eq!(
        refused(conditions::of_same_length(1.0, &x, &mut y).launch(&queue, 4)),
        "cannot launch the kernel `of_same_length`: it requires `x.len() >= y.len()` at 6, but `x.len()` is 3 and `y.len()` is 4"
    );
    let mut y = queue.zeros::<f32>(3)?;
    conditions::of_same_length(1.0, &x, &mut y).launch(&queue, 4)?;
    queue.synchronize()
}

#[test]
fn sizes() -> Result<()> {
    let queue = Device::best()?.queue()?;
    let x = queue.zeros::<f32>(4)?;
    let mut y = queue.zeros::<f32>(3)?;
    assert_eq!(
        refused(conditions_of_size::for_each_element(1.0, &x, &mut y).launch(&queue, 4)),
        "cannot launch the kernel `for_each_element`: it requires `global_size(0) <= y.len()` at 6, but `global_size(0)` is 4 and `y.len()` is 3"
    );
    let groups = conditions_of_size::for_each_element(1.0, &x, &mut y).launch_groups(&queue, usize::MAX, 2);
    assert!(
        groups.unwrap_err().to_string().contains("18446744073709551615 work-groups in dimension 0 are over")
    );
    conditions_of_size::for_each_element(1.0, &x, &mut y).launch_groups(&queue, 1, 3)?;
    let mut to = queue.zeroed_image::<shapes::D3, u32>(FORMAT, (2, 3, 4))?;
    let (x, mut sums) = (queue.upload(&[1_u32; 4])?, queue.zeros::<u32>(3)?);
    let text = refused(conditions_of_size::for_each_group(&x, &mut sums).launch_groups(&queue, 4, 4));
    assert!(text.ends_with("but `num_groups(0)` is 4 and `sums.len()` is 3"), "{text}");
    let text = refused(conditions_of_size::for_each_group(&x, &mut sums).launch_groups(&queue, 2, 8));
    assert!(text.ends_with("but `local_size(0)` is 8 and `x.len()` is 4"), "{text}");
    conditions_of_size::for_each_group(&x, &mut sums).launch_groups(&queue, 3, 4)?;
    assert_eq!(queue.download::<u32>(&sums)?, [4, 8, 12]);
    let text = refused(conditions_of_size::for_each_voxel(&mut to).launch(&queue, (2, 3, 5)));
    assert!(text.ends_with("but `global_size(2)` is 5 and `to.depth()` is 4"), "{text}");
    let mut to = queue.zeroed_image::<shapes::D1Array, u32>(FORMAT, (5, 3))?;
    let text = refused(conditions_of_size::for_each_layer(&mut to).launch(&queue, (8, 4)));
    assert!(text.ends_with("but `global_size(1)` is 4 and `to.layers()` is 3"), "{text}");
    queue.synchronize()
}

#[test]
fn products_that_overflow() -> Result<()> {
    let queue = Device::best()?.queue()?;
    let x = queue.zeros::<u32>(4)?;
    let mut y = queue.zeros::<u32>(4)?;
    let text = refused(conditions::of_a_matrix(&x, &mut y, 2, 3).launch(&queue, (2, 3)));
    assert!(text.ends_with("at 16, but `width` is 2 and `height` is 3 and `x.len()` is 4"), "{text}");
    let part = Part::new(usize::MAX, 2);
    assert_eq!(
        refused(conditions::of_a_part(part, &x, &mut y).launch(&queue, 4)),
        "cannot launch the kernel `of_a_part`: it requires `part.start + part.count <= x.len()` at 62, where arithmetic overflows, \
         but `part.start` is 18446744073709551615 and `part.count` is 2 and `x.len()` is 4"
    );
    Ok(())
}

#[test]
fn the_first_that_does_not_hold_is_named() -> Result<()> {
    let queue = Device::best()?.queue()?;
    let x = queue.zeros::<i32>(4)?;
    let mut y = queue.zeros::<i32>(4)?;
    let mut launch = |n, step, mode, limit| {
        refused(conditions::of_numbers(&x, &mut y, n, step, mode, limit).launch(&queue, 4))
    };
    let text = launch(0, 1, 3, 4);
    assert!(text.contains("`n > 0 && step != 0` at 32, but `n` is 0 and `step` is 1"), "{text}");
    let text = launch(1, 1, 3, 4);
    assert!(text.contains("`mode == 1 || mode == 2` at 34, but `mode` is 3"), "{text}");
    let text = launch(1, 1, 2, 5);
    assert!(text.contains("`!(limit < 2) && limit <= TILE as u32` at 35, but `limit` is 5"), "{text}");
    let text = launch(1, -8, 2, 4);
    assert!(text.contains("`-8 < step` at 36, but `step` is -8"), "{text}");
    Ok(())
}

#[test]
fn local_memory_and_constants() -> Result<()> {
    let queue = Device::best()?.queue()?;
    let mut x = queue.zeros::<u32>(8)?;
    let text = refused(conditions::of_local_memory(&mut x, LocalLen(7)).launch(&queue, 8));
    assert!(text.ends_with("but `tile.len()` is 7"), "{text}");
    let mut y = queue.zeros::<u32>(8)?;
    let text = refused(conditions::of_a_constant::<u32>(8, &x, &mut y).launch(&queue, 8));
    assert!(text.ends_with("`RADIUS < x.len()` at 82, but `RADIUS` is 8 and `x.len()` is 8"), "{text}");
    Ok(())
}

/// Arguments that do not come by the kernel's function have not been looked at.
#[test]
fn launches_by_hand() -> Result<()> {
    let queue = Device::best()?.queue()?;
    let (x, mut y) = (queue.zeros::<f32>(1)?, queue.zeros::<f32>(9)?);
    let arguments =
        [LaunchArgument::by_value(1.0_f32), LaunchArgument::slice(&x), LaunchArgument::slice_mut(&mut y)];
    // SAFETY: the descriptor is that of the kernel.
    let launch = unsafe { Launch::new(&conditions::OF_SAME_LENGTH, arguments) };
    let result = launch.launch(&queue, 9);
    let expected = LaunchError { kernel: "of_same_length", problem: LaunchProblem::ConditionsUnknown };
    match result {
        Err(Error::Launch(error)) => assert_eq!(error, expected),
        other => panic!("the launch is refused, not {other:?}"),
    }
    Ok(())
}

/// What a kernel takes for itself by `&mut` is no other argument, which rustc sees to in the kernel's own function.
#[test]
fn what_is_exclusive_is_given_once() -> Result<()> {
    let queue = Device::best()?.queue()?;
    let [x, z] = [queue.upload(&[2.0_f32; 4])?, queue.upload(&[2.0_f32; 4])?];
    let mut y = queue.upload(&[1.0_f32; 4])?;
    let launch = |arguments| {
        // SAFETY: the descriptor is that of the kernel.
        unsafe { Launch::new(&fast_functions::NATIVE_OF_TWO, arguments) }.launch(&queue, 4)
    };
    let refused = |arguments, exclusive, other| {
        let Err(Error::Launch(error)) = launch(arguments) else { panic!("the launch is refused") };
        let problem = LaunchProblem::NotExclusive { exclusive, other };
        assert_eq!(error, LaunchError { kernel: "native_of_two", problem });
        error.to_string()
    };
    let read = LaunchArgument::slice;
    let mut power = queue.zeros::<f32>(4)?;
    let first =
        [read(&y), read(&x), LaunchArgument::slice_mut(&mut y), LaunchArgument::slice_mut(&mut power)];
    let text = refused(first, "quotient", "x");
    let end = "the same memory is given as `quotient`, which the kernel takes for itself by `&mut`, and as `x`; help: pass two buffers";
    assert!(text.ends_with(end), "{text}");
    let twice = [LaunchArgument::slice_mut(&mut y), LaunchArgument::slice_mut(&mut y)];
    let [one, other] = twice;
    refused([read(&x), read(&z), one, other], "quotient", "power");
    // Nor is it given twice as atomics, which may be.
    let atomics = LaunchArgument::atomic_slice;
    let Err(Error::Launch(error)) = launch([read(&x), read(&z), atomics(&y), atomics(&y)]) else {
        panic!("the launch is refused")
    };
    let problem = LaunchProblem::NotAtomic { argument: "quotient" };
    assert_eq!(error, LaunchError { kernel: "native_of_two", problem });
    // What is only read may be given twice.
    let arguments =
        [read(&x), read(&x), LaunchArgument::slice_mut(&mut y), LaunchArgument::slice_mut(&mut power)];
    launch(arguments)?;
    assert_eq!(queue.download(&y)?, [1.0; 4]);
    Ok(())
}
