//! What the compiler presumes of launches so that work-items do not race: launches that do not meet it are refused, with the place and the values.

use crate::kernels::counters::{search_level, several_of_each};
use crate::kernels::presumed::{butterflies, halves, relaxed, ring, rows, squares, wavelet};
use kernel_runtime::prelude::*;
use kernel_runtime::{LaunchProblem, Presumed};

/// What a refused launch says, with the line in the place of the whole place.
#[track_caller]
fn refused(result: Result<()>) -> (Presumed, String) {
    refused_in("presumed.rs", result)
}

/// The same of a kernel in a file.
#[track_caller]
fn refused_in(file: &str, result: Result<()>) -> (Presumed, String) {
    let Err(Error::Launch(error)) = result else { panic!("the launch is refused") };
    let LaunchProblem::MayRace { presumption, .. } = &error.problem else { panic!("{error}") };
    let text = error.to_string();
    let (before, rest) = text.split_once(" (").expect("the place is in parentheses");
    let (place, after) = rest.split_once("), since").expect("the place is in parentheses");
    assert!(place.contains(file), "{place}");
    let line = place.split(':').nth(1).expect("the place has a line");
    let vouched = ", or vouch for it if you know that none do: `#[kernel(unsafe(races(..)))]`";
    let after = after.strip_suffix(vouched).expect("the author may vouch");
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
         where `global_size(1)` is 3 and `width` is 9223372036854775808; help: pass smaller numbers"
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
    assert!(
        text.ends_with(
            "where `global_size(1)` is 4 and `width` is 18446744073709551615; help: pass smaller numbers"
        ),
        "{text}"
    );
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
        text.ends_with(
            "since `local_size(0)` is no power of two, where `local_size(0)` is 12; help: choose a power of two"
        ),
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
    assert!(text.ends_with("since `num_groups(1)` is not one, where `num_groups(1)` is 2; help: let it be 1, or let the index depend on that dimension too"), "{text}");
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
fn counters_that_would_come_around() -> Result<()> {
    let queue = Device::best()?.queue()?;
    let x = queue.upload(&[5_u32; 6])?;
    let (count, mut places) = (queue.zeros::<u32>(1)?, queue.zeros::<u32>(2)?);
    let (presumed, text) =
        refused_in("counters.rs", several_of_each(1 << 32, &x, &count, &mut places).launch(&queue, 6));
    assert_eq!(presumed, Presumed::Fits);
    assert!(
        text.ends_with("since `count` may wrap around, where `global_size(0)` is 6 and `n` is 4294967296; help: let the kernel compute it in 64 bits (`usize`, `AtomicUsize`)"),
        "{text}"
    );
    assert_eq!(queue.download(&count)?, [0]);
    several_of_each(2, &x, &count, &mut places).launch(&queue, 6)?;
    assert_eq!((queue.download(&count)?, queue.download::<u32>(&places)?), (vec![12], vec![1; 2]));
    Ok(())
}

#[test]
fn a_counter_among_what_it_counts() -> Result<()> {
    let queue = Device::best()?.queue()?;
    let (starts, edges) = (queue.upload(&[0_u32, 2, 2])?, queue.upload(&[1_u32, 1])?);
    let (front, mut next) = (queue.upload(&[0_u32])?, queue.zeros::<u32>(2)?);
    let levels = queue.upload(&[0, u32::MAX])?;
    let launch = search_level(1, &starts, &edges, &front, &levels, &levels, &mut next);
    let (presumed, text) = refused_in("counters.rs", launch.launch(&queue, 1));
    assert_eq!(presumed, Presumed::Apart);
    assert!(
        text.ends_with("since `levels, count` are not apart; help: pass what has nothing in common"),
        "{text}"
    );
    let count = queue.zeros::<u32>(1)?;
    // A level that says that nobody has been there would let others in again.
    let launch = search_level(u32::MAX, &starts, &edges, &front, &levels, &count, &mut next);
    let (presumed, text) = refused_in("counters.rs", launch.launch(&queue, 1));
    assert_eq!(presumed, Presumed::Apart);
    assert!(text.ends_with("since `level, 4294967295` are not apart, where `level` is 4294967295; help: pass what has nothing in common"), "{text}");
    search_level(1, &starts, &edges, &front, &levels, &count, &mut next).launch(&queue, 1)?;
    assert_eq!((queue.download(&count)?, queue.download(&levels)?), (vec![1], vec![0, 1]));
    Ok(())
}

#[test]
fn a_step_of_zero() -> Result<()> {
    let queue = Device::best()?.queue()?;
    let mut x = queue.upload(&[1.0_f32, 3.0])?;
    let (presumed, text) = refused(wavelet(0, &mut x).launch(&queue, 2));
    assert_eq!(presumed, Presumed::Positive);
    assert!(text.ends_with("since `step` is zero, where `step` is 0; help: pass at least 1"), "{text}");
    wavelet(1, &mut x).launch(&queue, 2)?;
    assert_eq!(queue.download::<f32>(&x)?, [2.0, -1.0]);
    Ok(())
}
