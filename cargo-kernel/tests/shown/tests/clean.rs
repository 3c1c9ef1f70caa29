//! A launch with no races.

use kernel_runtime::prelude::*;
use shown::saxpy;

#[test]
fn elements_are_added() -> Result<()> {
    let queue = Device::best()?.queue()?;
    let x = queue.upload(&[1.0_f32; 64])?;
    let mut y = queue.upload(&[2.0_f32; 64])?;
    saxpy(3.0, &x, &mut y).launch(&queue, y.len())?;
    assert_eq!(queue.download(&y)?, [5.0; 64]);
    Ok(())
}
