//! Commands of closed lists that the host changes: the extension of mutable command lists, of version 1.9.
//!
//! The host announces with [`next_command_id`](get_next_command_id) that it wants to change the command that it appends next, and gets a number for it. A list keeps of such
//! a command where it is, and of a launch what it was made of, so that it can be made again.

use super::command_list::CommandList;
use super::graph::check_use;
use super::kernel::{Kernel, State, check_arguments};
use super::launch::{check_cooperative, check_local_memory, geometry};
use super::registry::{each, get, insert};
use super::structures::{complete, structures};
use super::{Answer, describe, guard, read, write};
use crate::exec::{Geometry, Launch};
use crate::queue::{Action, Command, Event};
use level_zero_sys::{
    Structure, find_in_chain, ze_base_properties_t, ze_command_list_handle_t, ze_event_handle_t,
    ze_group_count_t, ze_kernel_handle_t, ze_result_t,
};
use std::ffi::c_void;
use std::ops::Range;
use std::sync::Arc;

/// What of a command can be changed: `ze_mutable_command_exp_flag_t`.
pub(super) mod kinds {
    pub(crate) const KERNEL_ARGUMENTS: u32 = 1;
    pub(crate) const GROUP_COUNT: u32 = 1 << 1;
    pub(crate) const GROUP_SIZE: u32 = 1 << 2;
    pub(crate) const GLOBAL_OFFSET: u32 = 1 << 3;
    pub(crate) const SIGNAL_EVENT: u32 = 1 << 4;
    pub(crate) const WAIT_EVENTS: u32 = 1 << 5;
    pub(crate) const KERNEL_INSTRUCTION: u32 = 1 << 6;
    /// All that this driver has; there are no graphs.
    pub(crate) const ALL: u32 = (1 << 7) - 1;
    /// All that the version has.
    pub(crate) const KNOWN: u32 = (1 << 8) - 1;
}

/// What a launch is made of.
#[derive(Clone)]
pub(super) struct MadeOf {
    pub(super) kernel: Arc<Kernel>,
    pub(super) state: State,
    pub(super) groups: ze_group_count_t,
}

impl MadeOf {
    /// The shape of the launch, if it can be one.
    pub(super) fn geometry(&self) -> Answer<Geometry> {
        let program = &self.kernel.kernel.program;
        check_arguments(&self.state)?;
        check_local_memory(program, &self.state)?;
        geometry(self.groups, &self.state, program.subgroup_size)
    }
}

/// A command that can be changed.
#[derive(Clone, Default)]
struct Mutable {
    /// What of it.
    kinds: u32,
    /// The kernels that it may have instead.
    kernels: Vec<Arc<Kernel>>,
    /// The waits before it, and where it is itself: behind them. Nothing before it has been appended.
    place: Option<Range<usize>>,
    /// None if it is no launch.
    made_of: Option<MadeOf>,
}

/// The commands of a list that can be changed; the number of each is its position and one.
#[derive(Clone, Default)]
pub(super) struct Mutables(Vec<Mutable>);

impl Mutables {
    /// Says that the next command will be changed.
    pub(super) fn announce(&mut self, kinds: u32, kernels: Vec<Arc<Kernel>>) -> u64 {
        self.0.push(Mutable { kinds, kernels, ..Mutable::default() });
        self.0.len() as u64
    }

    /// The one that is announced, if one is.
    fn announced(&mut self) -> Option<&mut Mutable> {
        self.0.last_mut().filter(|last| last.place.is_none())
    }

    pub(super) fn is_announced(&self) -> bool {
        self.0.last().is_some_and(|last| last.place.is_none())
    }

    pub(super) fn note(&mut self, made_of: MadeOf) {
        if let Some(announced) = self.announced() {
            announced.made_of = Some(made_of);
        }
    }

    /// Says where the command is that has been announced, if one has.
    pub(super) fn appended(&mut self, place: Range<usize>) {
        if let Some(announced) = self.announced() {
            announced.place = Some(place);
        }
    }

    /// The command with a number, if so much of it can be changed.
    fn find(&mut self, id: u64, kind: u32) -> Answer<&mut Mutable> {
        let index = id.checked_sub(1).and_then(|index| usize::try_from(index).ok());
        let found = index.and_then(|index| self.0.get_mut(index)).filter(|found| found.place.is_some());
        let found = found.ok_or_else(|| {
            describe("the list has no command with this number that could be changed");
            ze_result_t::ZE_RESULT_ERROR_INVALID_ARGUMENT
        })?;
        if found.kinds & kind == 0 {
            describe("it was not said of the command that this of it would be changed");
            return Err(ze_result_t::ZE_RESULT_ERROR_INVALID_ARGUMENT);
        }
        Ok(found)
    }
}

/// The commands of a list while they are changed.
pub(super) struct Changes<'c> {
    pub(super) commands: &'c mut Vec<Command>,
    pub(super) mutable: &'c mut Mutables,
    /// Makes a launch.
    pub(super) launch: &'c dyn Fn(&MadeOf) -> Answer<Arc<Launch>>,
}

impl Changes<'_> {
    /// Changes what a launch is made of, without making it.
    fn launch(
        &mut self,
        id: u64,
        kind: u32,
        change: impl FnOnce(&mut MadeOf, &[Arc<Kernel>]) -> Answer,
    ) -> Answer {
        let found = self.mutable.find(id, kind)?;
        let made_of = found.made_of.as_mut().ok_or_else(|| {
            describe("the command is no launch whose parts could be changed");
            ze_result_t::ZE_RESULT_ERROR_INVALID_ARGUMENT
        })?;
        change(made_of, &found.kernels)
    }

    /// Makes the launches again that these numbers have.
    fn remake(&mut self, ids: &[u64]) -> Answer {
        for &id in ids {
            let found = self.mutable.find(id, kinds::ALL)?;
            if let (Some(place), Some(made_of)) = (&found.place, &found.made_of) {
                let launch = (self.launch)(made_of)?;
                let action = &mut self.commands[place.end].action;
                check_cooperative(matches!(action, Action::Launch(old) if old.is_cooperative()), &launch)?;
                *action = Action::Launch(launch);
            }
        }
        Ok(())
    }
}

structures! {
    /// `ze_mutable_command_list_exp_properties_t`.
    ListProperties = 0x0002_0015 { list_flags: u32 = 0, flags: u32 = 0, }
    /// `ze_mutable_command_list_exp_desc_t`.
    ListDescriptor = 0x0002_0016 { flags: u32 = 0, }
    /// `ze_mutable_command_id_exp_desc_t`.
    CommandId = 0x0002_0017 { flags: u32 = 0, }
    /// `ze_mutable_commands_exp_desc_t`.
    Commands = 0x0002_0018 { flags: u32 = 0, }
    /// `ze_mutable_kernel_argument_exp_desc_t`.
    Argument = 0x0002_0019 { id: u64 = 0, index: u32 = 0, size: usize = 0, value: *const c_void = std::ptr::null(), }
    /// `ze_mutable_group_count_exp_desc_t`.
    GroupCount = 0x0002_001a { id: u64 = 0, groups: *const ze_group_count_t = std::ptr::null(), }
    /// `ze_mutable_group_size_exp_desc_t`.
    GroupSize = 0x0002_001b { id: u64 = 0, size: [u32; 3] = [0; 3], }
    /// `ze_mutable_global_offset_exp_desc_t`.
    GlobalOffset = 0x0002_001c { id: u64 = 0, offset: [u32; 3] = [0; 3], }
}

/// Whether the extensions of the descriptor of a list want one that can be changed.
///
/// # Safety
///
/// The chain must be valid.
pub(super) unsafe fn wants_changes(next: *const c_void) -> bool {
    // SAFETY: the caller vouches for the chain.
    unsafe { find_in_chain::<ListDescriptor>(next).is_some() }
}

/// Says in the properties of the device what can be changed, if they are asked.
///
/// # Safety
///
/// The chain must be valid, and nobody else may look at it meanwhile.
pub(super) unsafe fn fill_properties(next: *const c_void) {
    // SAFETY: the caller vouches for the chain.
    unsafe { complete::<ListProperties>(next, |properties| properties.flags = kinds::ALL) }
}

/// Reads what a descriptor says that will be changed, and writes the number of the next command.
///
/// # Safety
///
/// The pointers must be null or valid, and that of kernels to as many handles.
unsafe fn announce(
    list: ze_command_list_handle_t,
    descriptor: *const CommandId,
    (count, kernels): (u32, *const ze_kernel_handle_t),
    id: *mut u64,
) -> Answer {
    let list = get::<CommandList>(list)?;
    // SAFETY: the caller vouches for the pointer.
    let flags = unsafe { read(descriptor)? }.flags;
    if id.is_null() || count != 0 && kernels.is_null() {
        return Err(ze_result_t::ZE_RESULT_ERROR_INVALID_NULL_POINTER);
    }
    if flags & !kinds::KNOWN != 0 {
        return Err(ze_result_t::ZE_RESULT_ERROR_INVALID_ENUMERATION);
    }
    if flags & !kinds::ALL != 0 {
        return Err(ze_result_t::ZE_RESULT_ERROR_UNSUPPORTED_ENUMERATION);
    }
    // SAFETY: the caller vouches for the array.
    let kernels = unsafe { each::<Kernel>(count, kernels) }.collect::<Answer<Vec<_>>>()?;
    // Without a flag everything may be changed but the kernel.
    let flags = if flags == 0 { kinds::ALL & !kinds::KERNEL_INSTRUCTION } else { flags };
    let next = list.next_command_id(flags, kernels)?;
    // SAFETY: as above.
    unsafe { write(id, next) }
}

/// `zeCommandListGetNextCommandIdExp` of version 1.9.
pub(super) unsafe extern "C" fn get_next_command_id(
    list: ze_command_list_handle_t,
    descriptor: *const CommandId,
    id: *mut u64,
) -> ze_result_t {
    guard(|| {
        // SAFETY: the host passes valid pointers or null.
        unsafe {
            if !descriptor.is_null() && (*descriptor).flags & kinds::KERNEL_INSTRUCTION != 0 {
                describe(
                    "the kernels that a command may have instead are told to zeCommandListGetNextCommandIdWithKernelsExp",
                );
                return Err(ze_result_t::ZE_RESULT_ERROR_INVALID_ENUMERATION);
            }
            announce(list, descriptor, (0, std::ptr::null()), id)
        }
    })
}

/// `zeCommandListGetNextCommandIdWithKernelsExp` of version 1.10: the command may have one of these kernels instead.
pub(super) unsafe extern "C" fn get_next_command_id_with_kernels(
    list: ze_command_list_handle_t,
    descriptor: *const CommandId,
    count: u32,
    kernels: *mut ze_kernel_handle_t,
    id: *mut u64,
) -> ze_result_t {
    // SAFETY: the host passes valid pointers or null, and an array of `count` handles.
    guard(|| unsafe { announce(list, descriptor, (count, kernels), id) })
}

/// The most changes in one chain, so that one which leads back to itself ends.
const MAX_CHANGES: usize = 1 << 16;

/// `zeCommandListUpdateMutableCommandsExp` of version 1.9: changes what launches are made of, all of them or none.
pub(super) unsafe extern "C" fn update_commands(
    list: ze_command_list_handle_t,
    descriptor: *const Commands,
) -> ze_result_t {
    guard(|| {
        let list = get::<CommandList>(list)?;
        // SAFETY: the host passes a valid pointer or null.
        let descriptor = unsafe { read(descriptor)? };
        list.change(|changes| {
            let (mut next, mut ids) = (descriptor.next, Vec::new());
            while !next.is_null() {
                if ids.len() == MAX_CHANGES {
                    return Err(ze_result_t::ZE_RESULT_ERROR_INVALID_ARGUMENT);
                }
                // SAFETY: the host passes a valid chain.
                unsafe {
                    ids.push(apply(changes, next)?);
                    next = next.cast::<ze_base_properties_t>().read().pNext;
                }
            }
            ids.sort_unstable();
            ids.dedup();
            changes.remake(&ids)
        })
    })
}

/// Makes one change of a chain; returns the number of the command.
///
/// # Safety
///
/// The pointer must be to a structure that is what its type announces.
unsafe fn apply(changes: &mut Changes<'_>, change: *const c_void) -> Answer<u64> {
    // SAFETY: the caller vouches for the structure, whichever it is.
    unsafe {
        match change.cast::<ze_base_properties_t>().read().stype {
            Argument::TYPE => {
                let Argument { id, index, size, value, .. } = change.cast::<Argument>().read();
                changes.launch(id, kinds::KERNEL_ARGUMENTS, |made_of, _| {
                    made_of.kernel.set_argument_in(&mut made_of.state, index, size, value)
                })?;
                Ok(id)
            }
            GroupCount::TYPE => {
                let GroupCount { id, groups, .. } = change.cast::<GroupCount>().read();
                let groups = read(groups)?;
                changes.launch(id, kinds::GROUP_COUNT, |made_of, _| {
                    made_of.groups = groups;
                    Ok(())
                })?;
                Ok(id)
            }
            GroupSize::TYPE => {
                let GroupSize { id, size, .. } = change.cast::<GroupSize>().read();
                changes.launch(id, kinds::GROUP_SIZE, |made_of, _| {
                    made_of.state.group_size = made_of.kernel.check_group_size(size)?;
                    Ok(())
                })?;
                Ok(id)
            }
            GlobalOffset::TYPE => {
                let GlobalOffset { id, offset, .. } = change.cast::<GlobalOffset>().read();
                changes.launch(id, kinds::GLOBAL_OFFSET, |made_of, _| {
                    made_of.state.offset = offset;
                    Ok(())
                })?;
                Ok(id)
            }
            _ => {
                describe("the chain has a structure that is no change of a command");
                Err(ze_result_t::ZE_RESULT_ERROR_INVALID_ARGUMENT)
            }
        }
    }
}

/// An event that a command may have, which one of a graph that is being captured may not be.
fn usable(event: ze_event_handle_t) -> Answer<Arc<Event>> {
    let event = get::<Event>(event)?;
    check_use(&event)?;
    Ok(event)
}

/// `zeCommandListUpdateMutableCommandSignalEventExp` of version 1.9.
pub(super) unsafe extern "C" fn update_signal_event(
    list: ze_command_list_handle_t,
    id: u64,
    event: ze_event_handle_t,
) -> ze_result_t {
    guard(|| {
        let list = get::<CommandList>(list)?;
        let event = if event.is_null() { None } else { Some(usable(event)?) };
        list.change(|changes| {
            let place = changes.mutable.find(id, kinds::SIGNAL_EVENT)?.place.clone();
            let at = place.ok_or(ze_result_t::ZE_RESULT_ERROR_INVALID_ARGUMENT)?.end;
            changes.commands[at].signal = event.map(|event| event.to_signal());
            Ok(())
        })
    })
}

/// `zeCommandListUpdateMutableCommandWaitEventsExp` of version 1.9: as many events as the command waited for when it was appended, of which null is none. Without an array it waits for
/// nothing.
pub(super) unsafe extern "C" fn update_wait_events(
    list: ze_command_list_handle_t,
    id: u64,
    count: u32,
    events: *mut ze_event_handle_t,
) -> ze_result_t {
    guard(|| {
        let list = get::<CommandList>(list)?;
        let event = |index| -> Answer<Option<Arc<Event>>> {
            // SAFETY: the host passes an array of `count` handles.
            let event = unsafe { events.add(index).read() };
            if event.is_null() { Ok(None) } else { usable(event).map(Some) }
        };
        let events: Option<Vec<_>> = match events.is_null() {
            true => None,
            false => Some((0..count as usize).map(event).collect::<Answer<_>>()?),
        };
        list.change(|changes| {
            let place = changes.mutable.find(id, kinds::WAIT_EVENTS)?.place.clone();
            let waits = place.ok_or(ze_result_t::ZE_RESULT_ERROR_INVALID_ARGUMENT)?;
            let events = events.unwrap_or_else(|| vec![None; waits.len()]);
            if waits.len() != events.len() {
                describe("a command waits for as many events as it did when it was appended");
                return Err(ze_result_t::ZE_RESULT_ERROR_INVALID_SIZE);
            }
            for (command, event) in changes.commands[waits].iter_mut().zip(&events) {
                command.action = match event {
                    Some(event) => Action::Wait(event.to_wait_for()),
                    None => Action::Nothing,
                };
            }
            Ok(())
        })
    })
}

/// `zeCommandListUpdateMutableCommandKernelsExp` of version 1.10: gives launches other kernels, whose arguments and sizes have to be set anew.
pub(super) unsafe extern "C" fn update_kernels(
    list: ze_command_list_handle_t,
    count: u32,
    ids: *mut u64,
    kernels: *mut ze_kernel_handle_t,
) -> ze_result_t {
    guard(|| {
        let list = get::<CommandList>(list)?;
        if ids.is_null() || kernels.is_null() {
            return Err(ze_result_t::ZE_RESULT_ERROR_INVALID_NULL_POINTER);
        }
        // SAFETY: the host passes arrays of `count` numbers and handles.
        let (ids, kernels) = unsafe {
            let kernels = each::<Kernel>(count, kernels).collect::<Answer<Vec<_>>>()?;
            ((0..count as usize).map(|index| ids.add(index).read()).collect::<Vec<_>>(), kernels)
        };
        list.change(|changes| {
            for (&id, kernel) in ids.iter().zip(&kernels) {
                changes.launch(id, kinds::KERNEL_INSTRUCTION, |made_of, allowed| {
                    let is_same = |other: &Arc<Kernel>| Arc::ptr_eq(other, kernel);
                    if !is_same(&made_of.kernel) && !allowed.iter().any(is_same) {
                        describe("the kernel is none of those that the command may have");
                        return Err(ze_result_t::ZE_RESULT_ERROR_INVALID_KERNEL_HANDLE);
                    }
                    *made_of = MadeOf {
                        kernel: Arc::clone(kernel),
                        state: State::new(&kernel.kernel.program),
                        groups: made_of.groups,
                    };
                    Ok(())
                })?;
            }
            Ok(())
        })
    })
}

/// `zeCommandListCreateCloneExp` of version 1.9: a list with the same commands, which is closed too.
pub(super) unsafe extern "C" fn create_clone(
    list: ze_command_list_handle_t,
    clone: *mut ze_command_list_handle_t,
) -> ze_result_t {
    guard(|| {
        let list = get::<CommandList>(list)?;
        // SAFETY: the host passes a valid pointer or null.
        unsafe {
            write(clone, ze_command_list_handle_t::NULL)?;
            write(clone, insert(Arc::new(list.copy()?))?)
        }
    })
}
