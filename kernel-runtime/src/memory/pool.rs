//! Memory that is kept for the next buffer of the same size.
//!
//! Drivers take microseconds for an allocation, and the pages of new memory are first touched by whoever uses it. Programs ask for the same sizes again
//! and again. What is kept is given for exactly the size that it was made for, so that a driver which looks for accesses beyond the end of an
//! allocation finds them.

use crate::memory::Address;
use crate::memory::usm::UsmKind;
use crate::sync::{Mutex, MutexGuard};
use std::collections::HashMap;
use std::sync::PoisonError;

/// What memory is as good as other memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Block {
    pub(crate) kind: UsmKind,
    pub(crate) bytes: usize,
    pub(crate) alignment: usize,
}

/// How many bytes an allocation takes at least, as far as it matters for how many are kept.
const PAGE: usize = 4096;

impl Block {
    /// The bytes that it counts for.
    fn cost(self) -> usize {
        self.bytes.max(PAGE)
    }
}

/// The memory of a device that nobody uses and that was not given back to the driver.
#[derive(Debug, Default)]
pub(crate) struct Pool(Mutex<Kept>);

#[derive(Debug, Default)]
struct Kept {
    blocks: HashMap<Block, Vec<Address>>,
    bytes: usize,
}

impl Pool {
    /// Takes memory that is as good as a new allocation.
    pub(crate) fn take(&self, block: Block) -> Option<Address> {
        let mut kept = self.lock();
        let of_block = kept.blocks.get_mut(&block)?;
        let address = of_block.pop();
        if of_block.is_empty() {
            kept.blocks.remove(&block);
        }
        kept.bytes -= block.cost();
        address
    }

    /// Keeps memory that nothing uses; returns what has to be given back to the driver, so that no more than `limit` bytes are kept.
    pub(crate) fn keep(&self, block: Block, address: Address, limit: u64) -> Vec<Address> {
        let mut kept = self.lock();
        let is_full = |kept: &Kept| (kept.bytes + block.cost()) as u64 > limit;
        // Rather what is needed now than what was once.
        let mut given_back = if is_full(&kept) { kept.take_others(block) } else { Vec::new() };
        if is_full(&kept) {
            given_back.push(address);
        } else {
            kept.bytes += block.cost();
            kept.blocks.entry(block).or_default().push(address);
        }
        given_back
    }

    /// Takes all that is kept, to be given back to the driver.
    pub(crate) fn take_all(&self) -> Vec<Address> {
        self.lock().take_all()
    }

    /// How many bytes are kept.
    pub(crate) fn bytes(&self) -> usize {
        self.lock().bytes
    }

    fn lock(&self) -> MutexGuard<'_, Kept> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Kept {
    /// Takes what is not as good as a block.
    fn take_others(&mut self, block: Block) -> Vec<Address> {
        let as_good = self.blocks.remove_entry(&block);
        let others = self.take_all();
        if let Some((block, addresses)) = as_good {
            self.bytes = block.cost() * addresses.len();
            self.blocks.insert(block, addresses);
        }
        others
    }

    fn take_all(&mut self) -> Vec<Address> {
        self.bytes = 0;
        self.blocks.drain().flat_map(|(_, addresses)| addresses).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGES: Block = Block { kind: UsmKind::Device, bytes: 2 * PAGE, alignment: 64 };

    fn address(number: usize) -> Address {
        Address::at(number)
    }

    #[test]
    fn memory_is_taken_for_what_it_was_made_for() {
        let pool = Pool::default();
        assert!(pool.keep(PAGES, address(1), u64::MAX).is_empty());
        for other in [
            Block { bytes: PAGES.bytes + 4, ..PAGES },
            Block { kind: UsmKind::Host, ..PAGES },
            Block { alignment: 128, ..PAGES },
        ] {
            assert!(pool.take(other).is_none());
        }
        assert_eq!(pool.bytes(), PAGES.bytes);
        assert_eq!(pool.take(PAGES), Some(address(1)));
        assert_eq!((pool.take(PAGES), pool.bytes()), (None, 0));
    }

    #[test]
    fn no_more_is_kept_than_the_limit() {
        let (pool, limit) = (Pool::default(), 5 * PAGE as u64);
        assert_eq!(pool.keep(PAGES, address(1), PAGE as u64), [address(1)]);
        assert_eq!(pool.bytes(), 0);
        assert!(pool.keep(PAGES, address(1), limit).is_empty());
        assert!(pool.keep(PAGES, address(2), limit).is_empty());
        let small = Block { bytes: 4, ..PAGES };
        assert!(pool.keep(small, address(3), limit).is_empty(), "it counts for a page");
        assert_eq!(pool.keep(small, address(4), limit), [address(1), address(2)], "of other sizes");
        assert_eq!(pool.bytes(), 2 * PAGE);
        assert_eq!(
            pool.keep(small, address(5), 2 * PAGE as u64),
            [address(5)],
            "there are enough of this one"
        );
        assert_eq!(pool.take_all(), [address(3), address(4)]);
        assert_eq!(pool.bytes(), 0);
    }
}
