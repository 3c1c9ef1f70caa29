//! What programs are compiled with and tried on.

use super::batch::{self, Executable, Libraries};
use super::consumer::{Consumer, Machine};
use super::rejection::Rejection;
use super::tree::Program;
use super::{Difference, Source, Tally};
use crate::temporary::TemporaryFolder;
use crate::workspace;
use std::collections::BTreeMap;
use std::error::Error;
use std::fs;

/// What programs are compiled with and tried on.
pub(super) struct Workshop {
    libraries: Libraries,
    machine: Machine,
    /// Where programs are compiled, which is gone afterwards.
    folder: TemporaryFolder,
}

/// Programs with their executable.
pub(super) struct Batch {
    programs: Vec<Program>,
    executable: Executable,
}

impl Workshop {
    pub(super) fn open(consumers: &[Consumer], overflow: bool) -> Result<Self, Box<dyn Error>> {
        let machine = Machine::prepare(consumers)?;
        let libraries = Libraries::build(overflow)?;
        let folder = workspace::target().join("random");
        fs::create_dir_all(&folder)?;
        Ok(Self { libraries, machine, folder: TemporaryFolder::new_in(&folder)? })
    }

    /// Compiles programs in a folder that only one batch has at a time.
    pub(super) fn compile(&self, programs: Vec<Program>, folder: &str) -> Result<Batch, Box<dyn Error>> {
        let all: Vec<&Program> = programs.iter().collect();
        let executable = batch::compile(&self.libraries, &all, &self.folder.path().join(folder))?;
        Ok(Batch { programs, executable })
    }

    /// The differences that programs of a batch show, by their positions in it. Of those of one program, the first is kept.
    pub(super) fn differences(
        &self,
        batch: &Batch,
        consumers: &[Consumer],
    ) -> Result<BTreeMap<usize, Difference>, Box<dyn Error>> {
        let mut found = BTreeMap::new();
        for (&index, rejection) in &batch.executable.rejected {
            if let Rejection::Refused(message) = rejection {
                found.insert(index, Difference { source: Source::Compiler, message: message.clone() });
            }
        }
        for consumer in consumers {
            for (index, message) in self.machine.complaints(consumer, &batch.executable)? {
                let source = Source::Consumer(consumer.clone());
                found.entry(index).or_insert(Difference { source, message });
            }
        }
        Ok(found)
    }

    /// What comes of a batch.
    pub(super) fn judge(&self, batch: &Batch, consumers: &[Consumer]) -> Result<Tally, Box<dyn Error>> {
        let mut tally = Tally::default();
        for (&index, rejection) in &batch.executable.rejected {
            if let Rejection::NotRust(message) = rejection {
                tally.not_rust.push((batch.programs[index].seed, message.clone()));
            }
        }
        let found = self.differences(batch, consumers)?.into_iter();
        tally.different = found.map(|(index, found)| (batch.programs[index].clone(), found)).collect();
        tally.equal = batch.programs.len() - tally.failed();
        Ok(tally)
    }
}
