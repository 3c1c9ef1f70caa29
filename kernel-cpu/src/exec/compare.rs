//! Runs each launch by native code and by the interpreter, one after the other, and compares what they leave: `KERNEL_CPU_EXECUTOR=both`. So whatever runs a
//! kernel tests native code.
//!
//! Both start from the same memory, and execute the work-groups in the same order on one thread, so that atomic operations and races of a kernel come out
//! alike. Then all bytes that the launch can reach must be the same, and so must the fault. There are three exceptions: after a fault memory is not compared, since
//! the interpreter ends the block first; launches that are stopped before they end are not compared; and one NaN is as good as another, since it is left to
//! the compiler of the interpreter which of two an operation passes on.
//!
//! Launches run one at a time, so that one which waits for another never ends. Memory is set back between the two, so that the host must not write to what a
//! launch can reach as long as it runs. What it can reach is what addresses lead to that stand in its arguments or in other memory that it can reach: a kernel
//! that may use all shared memory of a context leaves that alone which it has no address of.

use super::executor::Executor;
use super::group::Worker;
use super::launch::{Kernel, Launch, Work};
use super::log;
use super::reach::{Reach, is_of};
use crate::fault::{DifferentByte, Fault, FaultKind, FaultReport};
use crate::image::Object;
use crate::memory::Allocation;
use crate::program::Site;
use std::sync::{Mutex, PoisonError};

impl Launch {
    /// Runs all groups on this thread by both executors; returns the first fault, or that they are different.
    pub(super) fn compare(&self, worker: &mut Worker) -> Option<FaultReport> {
        static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
        let kernel = self.work.kernel.as_deref()?;
        // Made before it is this launch's turn, so that code for several is made at a time.
        let native = (!self.work.snapshot.has_read_only())
            .then(|| kernel.compiled.code(&kernel.program, self.work.geometry.group_size).ok())
            .flatten();
        let _one = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(native) = native else {
            return self.run_alone(&Executor::Interpreter, kernel, worker);
        };
        let memory = memory(kernel, &self.work);
        let before = memory.iter().map(|allocation| bytes(allocation)).collect::<Vec<_>>();
        let by_native = self.run_alone(&Executor::Native(native), kernel, worker);
        if self.work.halt.is_raised() {
            return by_native;
        }
        let after = memory.iter().map(|allocation| bytes(allocation)).collect::<Vec<_>>();
        memory.iter().zip(before.iter().zip(&after)).for_each(|(allocation, (before, after))| {
            set_back(allocation, before, after);
        });
        let interpreted = self.run_alone(&Executor::Interpreter, kernel, worker);
        if self.work.halt.is_raised() {
            return interpreted;
        }
        let byte = if interpreted.is_some() {
            None
        } else {
            memory.iter().zip(&after).find_map(|(allocation, after)| different(allocation, after))
        };
        if by_native == interpreted && byte.is_none() {
            return interpreted;
        }
        let fault = Fault { kind: FaultKind::Different { byte }, site: Site(0), lane: 0 };
        let report = FaultReport {
            kernel: kernel.program.name.clone(),
            fault,
            global_id: [0; 3],
            finding: None,
            line: None,
        };
        let ends =
            [by_native, interpreted].map(|end| end.map_or("no fault".into(), |fault| fault.to_string()));
        let around = byte.map_or(String::new(), |byte| around(&memory, &after, byte.address));
        log::line(format_args!("{report}; native: {}; interpreter: {}{around}", ends[0], ends[1]));
        Some(report)
    }
}

/// The memory that a launch can reach.
fn memory<'a>(kernel: &'a Kernel, work: &'a Work) -> Vec<&'a Allocation> {
    let images = work.arguments.objects.iter().filter_map(|object| match object {
        Object::Image(image) => Some(image.texels()),
        _ => None,
    });
    let reach = Reach::of(kernel, work);
    let mut all: Vec<&Allocation> = kernel.data.as_deref().into_iter().chain(images).collect();
    follow(&work.arguments.bytes, work.snapshot.iter().filter(|allocation| reach.has(allocation)), &mut all);
    all.sort_unstable_by_key(|allocation| allocation.id);
    all.dedup_by_key(|allocation| allocation.id);
    all
}

/// Adds the allocations which addresses lead to that stand in the text or in an allocation that is among `all`. Some have no address there, but bytes which look like
/// it: they are added too.
fn follow<'a>(text: &[u8], allocations: impl Iterator<Item = &'a Allocation>, all: &mut Vec<&'a Allocation>) {
    let mut rest: Vec<&Allocation> = allocations.collect();
    let mut text = text.to_vec();
    let mut searched = 0;
    while let Some(last) = rest.last() {
        let between = rest[0].span().start..=last.span().start + last.span().length;
        // Addresses need not be aligned.
        let words = text.windows(8).filter_map(|bytes| bytes.first_chunk()).copied();
        for address in words.map(u64::from_ne_bytes).filter(|address| between.contains(address)) {
            all.extend(rest.extract_if(.., |allocation| is_of(address, allocation)));
        }
        let Some(next) = all.get(searched) else { break };
        text = bytes(next);
        searched += 1;
    }
}

fn bytes(allocation: &Allocation) -> Vec<u8> {
    let mut bytes = vec![0; allocation.span().length as usize];
    // SAFETY: the allocation has so many bytes, and is borrowed. If the host races with the launch it gets what it gets.
    unsafe { bytes.as_mut_ptr().copy_from_nonoverlapping(allocation.start(), bytes.len()) };
    bytes
}

/// Sets the bytes back that are not as before.
fn set_back(allocation: &Allocation, before: &[u8], after: &[u8]) {
    for (place, (&before, &after)) in before.iter().zip(after).enumerate() {
        if before != after {
            // SAFETY: the allocation has as many bytes as were read from it.
            unsafe { allocation.start().add(place).write(before) };
        }
    }
}

/// The first byte that the interpreter has left otherwise than native code did.
fn different(allocation: &Allocation, native: &[u8]) -> Option<DifferentByte> {
    let interpreted = bytes(allocation);
    if interpreted == native {
        return None;
    }
    let place = (0..native.len()).find(|&place| {
        let is_nan = |size: usize, exponent: u64| {
            let start = place / size * size;
            let word = |of: &[u8]| {
                let mut word = [0; 8];
                word[..size].copy_from_slice(of.get(start..start + size)?);
                // Without the sign.
                Some(u64::from_le_bytes(word) & (u64::MAX >> (65 - 8 * size)))
            };
            [native, &interpreted].into_iter().all(|of| word(of).is_some_and(|bits| bits > exponent))
        };
        native[place] != interpreted[place] && !is_nan(4, 0x7f80_0000) && !is_nan(8, 0x7ff0_0000_0000_0000)
    })?;
    let address = allocation.span().start + place as u64;
    Some(DifferentByte { address, native: native[place], interpreted: interpreted[place] })
}

/// What both have left around an address.
fn around(memory: &[&Allocation], native: &[Vec<u8>], address: u64) -> String {
    let Some(number) = memory.iter().position(|allocation| allocation.span().contains(address, 1)) else {
        return String::new();
    };
    let start = (address - memory[number].span().start) as usize / 16 * 16;
    let end = native[number].len().min(start + 16);
    let interpreted = bytes(memory[number]);
    format!(
        "; {:02x?} instead of {:02x?} from byte {start} on",
        &native[number][start..end],
        &interpreted[start..end]
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::Usage;

    /// Where two executors differ that leave these words.
    fn first_difference(native: [u32; 2], interpreted: [u32; 2]) -> Option<u64> {
        let to_bytes = |words: [u32; 2]| words.map(u32::to_le_bytes).concat();
        let allocation = Allocation::new(8, 8, Usage::Shared).unwrap();
        set_back(&allocation, &to_bytes(interpreted), &[0; 8]);
        assert_eq!(bytes(&allocation), to_bytes(interpreted));
        different(&allocation, &to_bytes(native)).map(|byte| byte.address - allocation.span().start)
    }

    #[test]
    fn bytes_are_different_unless_all_are_of_nans() {
        assert_eq!(first_difference([1, 2], [1, 2]), None);
        assert_eq!(first_difference([1, 2], [1, 0x0302]), Some(5));
        assert_eq!(first_difference([0x7fc0_0000, 0], [0xffc0_0001, 0]), None);
        assert_eq!(first_difference([0x7fc0_0000, 0], [0x7f80_0000, 0]), Some(2));
        assert_eq!(first_difference([0, 0x7ff8_0000], [0, 0xfff8_0000]), None);
        assert_eq!(first_difference([1, 0x7ff0_0000], [0, 0x7ff0_0000]), Some(0));
    }

    #[test]
    fn what_no_address_leads_to_is_left_alone() {
        let allocations = [(); 4].map(|()| Allocation::new(24, 8, Usage::Shared).unwrap());
        let mut table: Vec<&Allocation> = allocations.iter().collect();
        table.sort_by_key(|allocation| allocation.span().start);
        let [first, second, third, _other] = table[..] else { panic!("there are four") };
        let write = |to: &Allocation, place: usize, address: u64| {
            let mut new = [0; 24];
            new[place..place + 8].copy_from_slice(&address.to_ne_bytes());
            set_back(to, &new, &bytes(to));
        };
        write(first, 3, third.span().start + 5);
        write(third, 16, second.span().start + 24);
        let reached = |argument: u64| {
            let mut all = Vec::new();
            follow(&argument.to_ne_bytes(), table.iter().copied(), &mut all);
            all.iter().map(|allocation| allocation.id).collect::<Vec<_>>()
        };
        assert_eq!(reached(first.span().start), [first.id, third.id, second.id]);
        assert_eq!(reached(third.span().start), [third.id, second.id]);
        assert_eq!(reached(second.span().start + 1), [second.id]);
        assert_eq!(reached(7), []);
    }
}
