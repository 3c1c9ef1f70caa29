//! Local memory whose length a launch chooses, beyond what a device has; and such a kernel's code called on the host.

use crate::kernels::local_arguments::reversed_in_local_argument;
use kernel_runtime::{Device, Error, LaunchProblem, Local, LocalLen, Queue};

fn queue() -> Queue {
    Device::best().unwrap().queue().unwrap()
}

/// Launches with so many elements of 4 bytes, and gives the number of bytes that are said to be too many.
fn refused(queue: &Queue, len: usize) -> Option<u64> {
    let x = queue.upload(&[1_u32, 2]).unwrap();
    let mut result = queue.upload(&[0_u32; 2]).unwrap();
    match reversed_in_local_argument(&x, LocalLen(len), &mut result).launch_groups(queue, 1, 2) {
        Ok(()) => {
            assert_eq!(queue.download::<u32>(&result).unwrap(), [2, 1]);
            None
        }
        Err(Error::Launch(error)) => match error.problem {
            LaunchProblem::LocalMemory { bytes, limit } => {
                assert_eq!(limit, queue.device().limits().max_local_memory);
                assert_eq!(queue.download::<u32>(&result).unwrap(), [0, 0], "something was launched");
                Some(bytes)
            }
            problem => panic!("{problem}"),
        },
        Err(error) => panic!("{error}"),
    }
}

#[test]
fn as_much_local_memory_as_the_device_has_can_be_passed_and_no_more() {
    let queue = queue();
    let limit = queue.device().limits().max_local_memory as usize / 4;
    assert_eq!(refused(&queue, limit), None);
    assert_eq!(refused(&queue, limit + 1), Some(limit as u64 * 4 + 4));
    assert_eq!(refused(&queue, usize::MAX), Some(u64::MAX));
}

/// What a kernel does with such an argument, as an ordinary function.
fn ends(tile: &mut Local<[u32]>) -> (usize, Option<u32>) {
    tile.reverse();
    (tile.len(), tile.first().copied())
}

#[test]
fn on_the_host_it_is_a_slice() {
    assert_eq!(ends(Local::from_mut_slice(&mut [1, 2, 3])), (3, Some(3)));
    assert_eq!(ends(Local::from_mut_slice(&mut [])), (0, None));
    assert_eq!(Local::from_slice(&[4, 5])[1], 5);
}
