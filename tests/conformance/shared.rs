//! Buffers that atomics change behind shared references.

use crate::kernels::atomics::occurrences;
use kernel_runtime::{Device, Error, LaunchProblem};

#[test]
fn a_buffer_is_not_read_while_atomics_change_it() {
    let queue = Device::best().unwrap().queue().unwrap();
    let [x, counts] = [[1_u32, 1, 0], [0; 3]].map(|values| queue.upload(&values).unwrap());
    let error = occurrences(&x, &x).launch(&queue, 3).unwrap_err();
    let Error::Launch(error) = error else { panic!("{error}") };
    let expected = LaunchProblem::ReadAndChanged { read: "values", changed: "counts" };
    assert_eq!(error.problem, expected);
    // Nothing was launched.
    assert_eq!(queue.download::<u32>(&x).unwrap(), [1, 1, 0]);
    occurrences(&x, &counts).launch(&queue, 3).unwrap();
    assert_eq!(queue.download::<u32>(&counts).unwrap(), [1, 2, 0]);
}
