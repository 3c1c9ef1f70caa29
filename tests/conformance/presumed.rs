//! What the compiler presumes of launches so that work-items do not race: launches that do not meet it are refused, with the place and the values.

use crate::kernels::presumed::{butterflies, halves, relaxed, ring, rows, squares, wavelet};
use kernel_runtime::prelude::*;
use kernel_runtime::{LaunchProblem, Presumed};

/// What a refused launch says, with the line in the place of the whole place.
#[track_caller]
fn refused(result: Result<()>) -> (Presumed, String) {
    let Err(Error::Launch(error)) = result else { panic!("the launch is refused") };
    let LaunchProblem::MayRace { presumption, .. } = &error.problem else { panic!("{error}") };
    let text = error.to_string();
    let (before, rest) = text.split_once(" (").expect("the place is in parentheses");
    let (place, after) = rest.split_once("), since").expect("the place is in parentheses");
    assert!(place.contains("presumed.rs:"), "{place}");
    let line = place.split(':').nth(1).expect("the place has a line");
    (presumption.presumed, format!("{before} at {line}, since{after}"))
}

#[test]
fn a_row_that_would_wrap_around() -> Result<()> {
    let queue = Device::best()?.queue()?;
    let mut y = queue.zeros::<u32>(6)?;
    let (presumed, text) = refused(rows(1 << 63, &mut y).launch(&queue, (3, 3)));
    assert_eq!(presumed, Presumed::Fits);
    assert_eq!(
        text,
        "cannot launch the kernel `rows`: its work-items could access one element at a time at 11, since `global_id(1) * width` may wrap around, \
         where `global_size(1)` is 3 and `width` is 9223372036854775808"
    );
    // Nothing was launched, and what does not wrap is.
    assert_eq!(queue.download::<u32>(&y)?, [0; 6]);
    rows(3, &mut y).launch(&queue, (3, 2))?;
    assert_eq!(queue.download::<u32>(&y)?, [1, 1, 1, 2, 2, 2]);
    // Where there is one row, no width is too large.
    rows(1 << 63, &mut y).launch(&queue, (6, 1))?;
    assert_eq!(queue.download::<u32>(&y)?, [1; 6]);
    Ok(())
}

#[test]
fn quotients_are_computed_as_the_kernel_does() -> Result<()> {
    let queue = Device::best()?.queue()?;
    let mut y = queue.zeros::<u32>(6)?;
    let (presumed, text) = refused(halves(usize::MAX, &mut y).launch(&queue, (3, 4)));
    assert_eq!(presumed, Presumed::Fits);
    assert!(text.ends_with("where `global_size(1)` is 4 and `width` is 18446744073709551615"), "{text}");
    halves(5, &mut y).launch(&queue, (4, 3))?;
    assert_eq!(queue.download::<u32>(&y)?, [1; 6]);
    Ok(())
}

#[test]
fn a_size_that_is_no_power_of_two() -> Result<()> {
    let queue = Device::best()?.queue()?;
    let mut y = queue.zeros::<u32>(24)?;
    let (presumed, text) = refused(ring(LocalLen(12), &mut y).launch_groups(&queue, 2, 12));
    assert_eq!(presumed, Presumed::PowerOfTwo);
    assert!(
        text.ends_with("since `local_size(0)` is no power of two, where `local_size(0)` is 12"),
        "{text}"
    );
    ring(LocalLen(8), &mut y).launch_groups(&queue, 3, 8)?;
    assert_eq!(queue.download::<u32>(&y)?, [5, 6, 7, 0, 1, 2, 3, 4].repeat(3));
    // Which size the runtime chooses is not known.
    assert!(matches!(ring(LocalLen(8), &mut y).launch(&queue, 8), Err(Error::Launch(_))));
    Ok(())
}

#[test]
fn a_second_row_of_groups() -> Result<()> {
    let queue = Device::best()?.queue()?;
    let mut y = queue.zeros::<u32>(32)?;
    let (presumed, text) = refused(squares(&mut y).launch(&queue, (4, 8)));
    assert_eq!(presumed, Presumed::One);
    assert!(text.ends_with("since `num_groups(1)` is not one, where `num_groups(1)` is 2"), "{text}");
    squares(&mut y).launch(&queue, (8, 4))?;
    assert_eq!(queue.download::<u32>(&y)?[21], 11);
    Ok(())
}

#[test]
fn butterflies_of_any_size() -> Result<()> {
    let queue = Device::best()?.queue()?;
    let mut y = queue.upload(&[5_u32, 4, 3, 2, 1, 0, 9, 8])?;
    butterflies(1, &mut y).launch(&queue, 4)?;
    assert_eq!(queue.download::<u32>(&y)?, [9, 1, 5, 1, 1, 1, 17, 1]);
    Ok(())
}

#[test]
fn guards_say_what_numbers_are_at_least() -> Result<()> {
    let queue = Device::best()?.queue()?;
    let mut u = queue.zeros::<f32>(36)?;
    // Where a cell has neighbours, `y * w + x - w` is not negative.
    relaxed(6, 6, 1, &mut u).launch(&queue, (6, 6))?;
    let (presumed, text) = refused(relaxed(1 << 63, 6, 1, &mut u).launch(&queue, (6, 6)));
    assert_eq!(presumed, Presumed::Fits);
    assert!(text.contains("may wrap around"), "{text}");
    Ok(())
}

#[test]
fn a_step_of_zero() -> Result<()> {
    let queue = Device::best()?.queue()?;
    let mut x = queue.upload(&[1.0_f32, 3.0])?;
    let (presumed, text) = refused(wavelet(0, &mut x).launch(&queue, 2));
    assert_eq!(presumed, Presumed::Positive);
    assert!(text.ends_with("since `step` is zero, where `step` is 0"), "{text}");
    wavelet(1, &mut x).launch(&queue, 2)?;
    assert_eq!(queue.download::<f32>(&x)?, [2.0, -1.0]);
    Ok(())
}
