//! Raw pointers in what a case passes: addresses that are known only once there is memory.
//!
//! In the bytes of a case such a pointer is a distance from the start of the memory that it leads to. Whoever executes the case
//! adds the address of that memory, and takes it off again from what the kernel left there; a null pointer stays null.

use super::{Argument, Case, Typed, bytes};
use kernel_core::Element;

/// A pointer in an argument.
#[derive(Clone, Copy, Debug)]
pub struct Link {
    /// The position of the argument that holds the pointer.
    pub from: usize,
    /// Where in its bytes the pointer is.
    pub offset: usize,
    /// The position of the argument to whose memory it leads.
    pub to: usize,
}

impl Link {
    /// Makes the distance in these bytes an address.
    pub fn set(self, bytes: &mut [u8], address: u64) {
        self.change(bytes, |distance| distance.wrapping_add(address));
    }

    /// Makes the address in these bytes a distance, unless it is null.
    pub fn take(self, bytes: &mut [u8], address: u64) {
        self.change(bytes, |pointer| if pointer == 0 { 0 } else { pointer.wrapping_sub(address) });
    }

    fn change(self, bytes: &mut [u8], change: impl FnOnce(u64) -> u64) {
        let pointer = bytes[self.offset..].first_chunk_mut::<8>().expect("a pointer has eight bytes");
        *pointer = change(u64::from_ne_bytes(*pointer)).to_ne_bytes();
    }
}

impl Case {
    /// Has memory that is no argument, but that pointers in arguments may lead to, with what it holds before and after the launch.
    /// It counts as an argument in links.
    pub fn elsewhere<T: Element>(mut self, before: &[T], after: &[T]) -> Self {
        let (before, after) = (bytes::of(before), bytes::of(after));
        self.arguments.push(Argument::Elsewhere { typed: Typed::of::<T>(), before, after });
        self
    }

    /// Lets the pointer at an offset of an argument lead into the memory of another.
    pub fn link(mut self, from: usize, offset: usize, to: usize) -> Self {
        self.links.push(Link { from, offset, to });
        self
    }

    /// The pointers in the arguments, by the positions of these in the case.
    pub fn links(&self) -> &[Link] {
        &self.links
    }

    /// The pointers in the arguments, by the positions of these among those of [`device_arguments`](Self::device_arguments).
    pub fn device_links(&self) -> Vec<Link> {
        let position =
            |argument: usize| -> usize { self.arguments[..argument].iter().map(Argument::on_device).sum() };
        let moved = |link: &Link| Link { from: position(link.from), to: position(link.to), ..*link };
        self.links.iter().map(moved).collect()
    }
}

impl Argument {
    /// How many arguments of the entry point it is.
    fn on_device(&self) -> usize {
        match self {
            Self::Slice { .. } | Self::Local { .. } => 2,
            Self::Value { .. }
            | Self::Address { .. }
            | Self::Elsewhere { .. }
            | Self::Image { .. }
            | Self::Sampler(..) => 1,
        }
    }
}
