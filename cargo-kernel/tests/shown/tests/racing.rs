//! A launch with races, which are only seen by who looks for them.

use kernel_runtime::prelude::*;
use shown::count;

#[test]
fn keys_are_counted() -> Result<()> {
    let queue = Device::best()?.queue()?;
    let keys = queue.upload(&[1_u32; 64])?;
    let mut counts = queue.zeros::<u32>(2)?;
    count(&keys, &mut counts).launch(&queue, keys.len())?;
    assert_eq!(queue.download(&counts)?[0], 0);
    Ok(())
}
