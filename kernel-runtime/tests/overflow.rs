//! Overflow in kernels that are defined in bodies, which are compiled as their crate is built: with `overflow-checks`.
#![cfg(feature = "cpu")]

use kernel_runtime::prelude::*;
use kernel_runtime::{FaultKind, KernelFault};

fn fault(result: Result<()>) -> KernelFault {
    match result {
        Err(Error::Fault(fault)) => *fault,
        other => panic!("there is a fault, not {other:?}"),
    }
}

#[test]
fn in_a_body() -> Result<()> {
    #[device]
    const FACTOR: u32 = 2;

    #[kernel]
    fn scale(x: &mut [u32]) {
        x[global_id(0)] *= FACTOR;
    }

    let queue = Device::best()?.queue()?;
    let mut x = queue.upload(&[3, u32::MAX])?;
    scale(&mut x).launch(&queue, 2)?;
    let fault = fault(queue.synchronize());
    assert_eq!((fault.kind, fault.values), (FaultKind::MultiplicationOverflow, [u32::MAX.into(), 2]));
    assert!(fault.to_string().contains(":\nattempt to multiply with overflow\nfirst in"), "{fault}");
    assert_eq!(queue.download::<u32>(&x)?, [6, u32::MAX]);
    Ok(())
}

#[test]
fn in_a_body_that_wraps() -> Result<()> {
    #[kernel(overflow = "wrap")]
    fn scale(x: &mut [u32]) {
        x[global_id(0)] *= 2;
    }

    let queue = Device::best()?.queue()?;
    let mut x = queue.upload(&[3, u32::MAX])?;
    scale(&mut x).launch(&queue, 2)?;
    assert_eq!(queue.download::<u32>(&x)?, [6, u32::MAX - 1]);
    Ok(())
}
