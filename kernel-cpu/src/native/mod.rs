//! Native code of the processor for kernels, made when a kernel is first launched with a size of work-groups.
//!
//! | module | what it does |
//! |---|---|
//! | `improve` | the program made shorter |
//! | `analyse` | what can be known of a program: loops, where lanes part and meet, how values differ between lanes |
//! | `select` | the program → machine code over variables |
//! | `lir` | that code → what the processor has (`legalise`) → registers (by `regalloc2`) → bytes |
//! | `target` | the generations of processors: AVX-512, AVX2 |
//! | `encode` | the instructions of the processor, a row each |
//! | `context`, `ids` | what native code finds in memory |
//! | `code`, `thunk` | memory for code, and the way from there to functions of the driver |
//! | `hashing` | hash maps for numbers |
//! | `switches` | what can be left out, so that tests can tell whose fault something is |
//!
//! Values and addresses are those of the interpreter, bit by bit, and so are faults: an instruction without native code, and an access that its check does
//! not let pass, is executed by the interpreter's own function on the interpreter's register file. Whatever a program has that makes no native code is
//! [`Refused`], and the interpreter runs the kernel.

mod analyse;
mod code;
mod context;
mod encode;
mod hashing;
mod ids;
mod improve;
mod lir;
mod select;
mod switches;
mod target;
#[cfg(test)]
mod tests;
mod thunk;

pub(crate) use context::{Context, Layout, Limit, Surface, TOGETHER};
pub(crate) use ids::Record;
use lir::Effort;
pub(crate) use lir::Refused;
pub(crate) use select::{BarrierPlace, Checked, EVENTS, Event, Indices, UsedImage};
use switches::Switch;
pub(crate) use switches::Switches;
pub(crate) use target::Target;

use crate::dump;
use crate::exec::Code;
use crate::program::{Inst, LANES, Program};
use code::Executable;
use ids::Ids;
use std::collections::BTreeMap;
use std::mem::offset_of;

/// The native code of a kernel for one size of work-groups.
#[derive(Debug)]
pub(crate) struct Native {
    executable: Executable,
    /// How many instructions registers have been chosen for.
    pub(crate) instructions: usize,
    /// The bytes of a context, with its limits and the variables that are kept in memory.
    pub(crate) context_bytes: usize,
    thunk: u64,
    ids: Ids,
    /// The program for the interpreter, whose instructions the code calls.
    pub(crate) code: Code,
    pub(crate) limits: Vec<Checked>,
    /// The images whose surfaces it wants.
    pub(crate) images: Vec<UsedImage>,
    /// The instruction and the number of each limit, in the order of the instructions.
    limits_by_op: Vec<(u32, usize)>,
    pub(crate) events: Vec<Event>,
    pub(crate) barriers: Vec<BarrierPlace>,
    /// Whether the code runs one subgroup at a time, rather than all of the group.
    pub(crate) is_stepwise: bool,
    /// Whether it runs groups one after the other.
    pub(crate) runs_groups: bool,
    /// The instructions that the interpreter always executes.
    interpreted: Vec<Inst>,
}

/// Where so many limits end in a context, as a multiple of 64.
fn limits_end(limits: usize) -> i32 {
    (Limit::offset(limits) as u32).next_multiple_of(64) as i32
}

impl Native {
    /// Makes code that is fast, or if that is too much work, code that has more in memory, which is still much faster than the interpreter. So a kernel takes some seconds at
    /// most, whatever it says; for one that is too large even then, there is no native code.
    pub(crate) fn new(
        program: &Program,
        group_size: [u32; 3],
        target: Target,
        switches: Switches,
    ) -> Result<Self, Refused> {
        let efforts = [Effort::FAST, Effort::LITTLE, Effort::LEAST];
        let efforts = if switches.has(Switch::Registers) { &efforts } else { &efforts[2..] };
        Self::within(efforts, program, group_size, target, switches)
    }

    /// Makes code by the first of some efforts that is enough.
    fn within(
        efforts: &[Effort],
        program: &Program,
        group_size: [u32; 3],
        target: Target,
        switches: Switches,
    ) -> Result<Self, Refused> {
        // Their coordinates and texels wait in variables that strips would share.
        if program.subgroup_size as usize > LANES && program.has_images() {
            return Err(Refused("images in subgroups of more work-items than vectors have lanes"));
        }
        let original = program;
        let ids = Ids::new(group_size, program.subgroup_size);
        let program = &improve::improve(program, &ids, switches)?;
        let mut code = Code::new(program).map_err(|_| Refused("too many values"))?;
        let mut selected = select::select(program, &code, &ids, target, switches)?;
        let thunk_place = offset_of!(Context, thunk) as i32;
        let behind = limits_end(selected.limits.len());
        let finished =
            selected.function.finish(target, &mut selected.constants, thunk_place, behind, efforts)?;
        dump::code(original, group_size, &finished.bytes, &finished.listed);
        code.reserve(selected.saved_bytes, selected.private_bytes);
        let mut limits_by_op: Vec<(u32, usize)> =
            selected.limits.iter().enumerate().map(|(number, checked)| (checked.op, number)).collect();
        limits_by_op.sort_unstable();
        let no_memory = || Refused("the system gives no memory for code");
        Ok(Self {
            executable: Executable::new(&finished.bytes).ok_or_else(no_memory)?,
            instructions: finished.instructions,
            context_bytes: behind as usize + finished.homes,
            thunk: thunk::address(target).ok_or_else(no_memory)?,
            ids,
            code,
            limits: selected.limits,
            images: selected.images,
            limits_by_op,
            events: selected.events,
            barriers: selected.barriers,
            is_stepwise: selected.is_stepwise,
            runs_groups: !selected.is_stepwise && switches.has(Switch::Groups),
            interpreted: selected.interpreted,
        })
    }

    /// The instructions that the interpreter always executes, by their forms, and how many there are of each.
    pub(crate) fn interpreted(&self) -> BTreeMap<String, usize> {
        let mut counts = BTreeMap::new();
        for inst in &self.interpreted {
            *counts.entry(inst.form()).or_default() += 1;
        }
        counts
    }

    /// The bytes of the code and its constants.
    pub(crate) fn code_bytes(&self) -> usize {
        self.executable.length()
    }

    /// The code and its constants.
    pub(crate) fn machine_code(&self) -> &[u8] {
        self.executable.bytes()
    }

    /// The strips of the subgroups of a work-group.
    pub(crate) fn records(&self) -> &[Record] {
        &self.ids.records
    }

    /// The limits of the instruction with a number, and their own numbers.
    pub(crate) fn limits_of(&self, op: u32) -> impl Iterator<Item = (usize, &Checked)> {
        let start = self.limits_by_op.partition_point(|&(of, _)| of < op);
        let own = self.limits_by_op[start..].iter().take_while(move |&&(of, _)| of == op);
        own.map(|&(_, number)| (number, &self.limits[number]))
    }

    /// The address of the code that calls `helper` of a context.
    pub(crate) fn thunk(&self) -> u64 {
        self.thunk
    }

    /// Runs what the context says: a subgroup until it stops, or groups until they are done.
    ///
    /// # Safety
    ///
    /// The context must be filled in for this code, with the limits behind it, and for the launch.
    pub(crate) unsafe fn run(&self, context: *mut Context) {
        // SAFETY: the code was made as a function with this argument, for a processor with these instructions.
        let function: unsafe extern "sysv64" fn(*mut Context) =
            unsafe { std::mem::transmute(self.executable.start()) };
        // SAFETY: the caller says so.
        unsafe { function(context) }
    }
}

/// Whether there is code for this processor.
#[cfg(test)]
pub(crate) fn is_available() -> bool {
    Target::detect().is_some()
}
