//! Which commands may run at the same time, of a graph or of a queue that is out of order.
//!
//! Two launches may if neither writes memory that the other one uses. Any other command stands alone: it comes after all before it, and all after it
//! come after it.

use kernel_core::Access;

/// Memory that a command uses: the number of the memory or image, and how it is used.
pub(crate) type Used = (usize, Access);

/// What the commands use between which there is no barrier yet.
#[derive(Debug)]
pub(crate) struct Overlap {
    running: Vec<Used>,
    /// How many memories are kept in mind before there is a barrier.
    most_running: usize,
    /// Whether the last command stands alone, and so nothing may run beside it.
    stands_alone: bool,
    /// What the next command uses, if it may run beside others.
    next: Vec<Used>,
    is_declared: bool,
}

impl Overlap {
    /// That of commands which use as many memories as this at most until there is a barrier.
    pub(crate) const fn of_at_most(most_running: usize) -> Self {
        Self { running: Vec::new(), most_running, stands_alone: false, next: Vec::new(), is_declared: false }
    }

    /// Says what the next command uses, which may run beside others that do not conflict.
    pub(crate) fn declare(&mut self, uses: impl Iterator<Item = Used>) {
        self.next.clear();
        self.next.extend(uses);
        self.is_declared = true;
    }

    /// Forgets what was [declared](Self::declare), as of a command that is not appended after all.
    pub(crate) fn withdraw(&mut self) {
        self.is_declared = false;
    }

    /// Whether the next command has to wait for those that may be running.
    pub(crate) fn needs_barrier(&self) -> bool {
        let is_full = self.running.len() + self.next.len() > self.most_running;
        self.stands_alone
            || !self.is_declared
            || is_full
            || self.next.iter().any(|next| self.conflicts(*next))
    }

    /// Notes that all later commands wait for all earlier ones.
    pub(crate) fn is_ordered(&mut self) {
        self.running.clear();
        self.stands_alone = false;
    }

    /// Notes that the next command is appended now.
    pub(crate) fn append(&mut self) {
        if !self.is_declared {
            self.stands_alone = true;
            return;
        }
        self.is_declared = false;
        for used in self.next.drain(..) {
            match self.running.iter_mut().find(|(memory, _)| *memory == used.0) {
                Some((_, access)) if used.1 == Access::ReadWrite => *access = Access::ReadWrite,
                Some(_) => {}
                None => self.running.push(used),
            }
        }
    }

    fn conflicts(&self, (memory, access): Used) -> bool {
        let is_other =
            |(other, others): &Used| *other == memory && (access, *others) != (Access::Read, Access::Read);
        self.running.iter().any(is_other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether there is a barrier before each of some commands, of which those without uses stand alone.
    fn barriers(commands: &[Option<&[Used]>]) -> Vec<bool> {
        let mut overlap = Overlap::of_at_most(64);
        let mut append = |command: &Option<&[Used]>| {
            if let Some(uses) = command {
                overlap.declare(uses.iter().copied());
            }
            let is_needed = overlap.needs_barrier();
            if is_needed {
                overlap.is_ordered();
            }
            overlap.append();
            is_needed
        };
        commands.iter().map(&mut append).collect()
    }

    const READ_1: Used = (1, Access::Read);
    const WRITE_1: Used = (1, Access::ReadWrite);
    const WRITE_2: Used = (2, Access::ReadWrite);
    const WRITE_3: Used = (3, Access::ReadWrite);

    #[test]
    fn readers_of_one_memory_run_side_by_side() {
        let commands: [Option<&[Used]>; 3] =
            [Some(&[READ_1, WRITE_2]), Some(&[READ_1, WRITE_3]), Some(&[READ_1])];
        assert_eq!(barriers(&commands), [false; 3]);
    }

    #[test]
    fn writers_wait_for_readers_and_readers_for_writers() {
        let commands: [Option<&[Used]>; 4] =
            [Some(&[READ_1]), Some(&[WRITE_1]), Some(&[READ_1]), Some(&[WRITE_2])];
        assert_eq!(barriers(&commands), [false, true, true, false]);
        let commands: [Option<&[Used]>; 2] = [Some(&[WRITE_1]), Some(&[WRITE_1])];
        assert_eq!(barriers(&commands), [false, true]);
    }

    #[test]
    fn what_both_read_and_write_is_written() {
        let commands: [Option<&[Used]>; 3] = [Some(&[READ_1]), Some(&[READ_1, WRITE_2]), Some(&[WRITE_2])];
        assert_eq!(barriers(&commands), [false, false, true]);
        let commands: [Option<&[Used]>; 2] = [Some(&[WRITE_1, READ_1]), Some(&[READ_1])];
        assert_eq!(barriers(&commands), [false, true]);
    }

    #[test]
    fn other_commands_stand_alone() {
        let commands: [Option<&[Used]>; 5] =
            [Some(&[WRITE_1]), None, Some(&[WRITE_2]), Some(&[WRITE_3]), None];
        assert_eq!(barriers(&commands), [false, true, true, false, true]);
    }

    #[test]
    fn what_is_withdrawn_was_never_declared() {
        let mut overlap = Overlap::of_at_most(64);
        overlap.declare([WRITE_1].into_iter());
        overlap.withdraw();
        assert!(overlap.needs_barrier());
        overlap.declare([WRITE_1].into_iter());
        assert!(!overlap.needs_barrier());
    }
}
