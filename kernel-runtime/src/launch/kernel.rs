//! A kernel object: the driver's, of which each queue has its own, since its arguments are state.

use crate::device::Device;
use crate::device::limits::Limits;
use crate::error::driver::call;
use crate::error::last_error::explain;
use crate::error::{DriverError, InternalError, LaunchProblem, Result};
use crate::fault::records::RecordIndex;
use crate::launch::dispatch::{Dispatch, LaunchSize, Manner, Part};
use crate::launch::local::LocalLen;
use crate::launch::set_arguments::{Differing, SetArguments};
use crate::launch::{LaunchArgument, Value};
use crate::memory::usage::QueueMask;
use crate::memory::usm::UsmKind;
use crate::module::specialized::{Variant, Version};
use crate::queue::event::Event;
use crate::queue::graph::ClosedList;
use crate::queue::print_buffer::PrintArguments;
use crate::queue::stream::Stream;
use crate::trace::{self, Label};
use core::ffi::c_void;
use kernel_core::{ArgumentKind, KernelDescriptor, LaunchStep};
use level_zero_sys::{
    Api, ze_command_list_handle_t, ze_event_handle_t, ze_kernel_desc_t, ze_kernel_handle_t,
    ze_kernel_indirect_access_flags_t, ze_kernel_properties_t,
};
use std::ffi::CString;
use std::ptr;

/// A kernel of one queue.
pub(crate) struct Kernel {
    api: &'static Api,
    device: Device,
    descriptor: &'static KernelDescriptor,
    /// Whether the last argument of the entry point is a fault record.
    has_fault_record: bool,
    handle: ze_kernel_handle_t,
    /// The size of the last launch and what came of it, because most launches repeat it.
    last: Option<(LaunchSize, Dispatch)>,
    /// Whether the driver may have another offset than zero for the next launch. Then there is no last one.
    has_offset: bool,
    record: Option<RecordIndex>,
    /// The arguments, one for each of the descriptor's.
    arguments: SetArguments,
    /// What was said of the last launch besides its size and arguments, if everything about it was checked.
    checked: Option<Said>,
    /// Whether what is passed by value decides whether the kernel can be launched, or by which entry point.
    values_matter: bool,
    /// Whether there is neither a fault record nor a print buffer.
    leaves_nothing: bool,
}

/// What a launch says besides its size and arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Said {
    /// What the module is built for; the entry point follows from the rest.
    pub(crate) variant: Variant,
    /// Whether someone vouches for the raw pointers in the arguments.
    pub(crate) is_vouched: bool,
    /// The last of the kernel's versions that the launch may take.
    pub(crate) last: Version,
}

/// What of a launch is to be set before it is appended.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Unset {
    /// Its size, and the arguments that differ; keep in mind what was said if everything about it was checked.
    Any(LaunchSize, Option<Said>),
    /// These arguments: it says the same as the last one otherwise.
    Only(Differing),
}

impl Kernel {
    /// Creates the kernel object, from the module that the device has built or builds now.
    pub(crate) fn new(
        device: &Device,
        descriptor: &'static KernelDescriptor,
        variant: Variant,
    ) -> Result<Self> {
        let module = device.modules().get(device, descriptor, variant)?;
        let hoisted = descriptor.hoisted.filter(|_| variant.version == Version::Hoisted);
        let name = hoisted.map_or(descriptor.name, |hoisted| hoisted.entry_point);
        let name = CString::new(name)
            .map_err(|_| InternalError::new(format!("the name {name:?} contains a NUL")))?;
        let kernel_descriptor = ze_kernel_desc_t { pKernelName: name.as_ptr(), ..Default::default() };
        let mut handle = ze_kernel_handle_t::NULL;
        let api = device.api();
        // SAFETY: the module lives as long as the device, and the descriptor points to a name that ends with NUL.
        unsafe { call!(api, zeKernelCreate(module, &kernel_descriptor, &mut handle)) }
            .map_err(|error| explain(device, error))?;
        let has_fault_record = hoisted.map_or(descriptor.has_fault_record(), |hoisted| hoisted.can_fault);
        let device = device.clone();
        let arguments = SetArguments::of(descriptor);
        let (last, record) = (None, None);
        let kernel = Self {
            api,
            device,
            descriptor,
            has_fault_record,
            handle,
            last,
            has_offset: false,
            record,
            arguments,
            checked: None,
            values_matter: values_matter(descriptor),
            leaves_nothing: !has_fault_record && !descriptor.prints(),
        };
        kernel.check_arguments()?;
        kernel.allow_indirect_access()?;
        Ok(kernel)
    }

    /// Says that the kernel may use memory that is no argument of it: of each kind that the device has.
    fn allow_indirect_access(&self) -> Result<(), DriverError> {
        if !self.descriptor.indirect {
            return Ok(());
        }
        let kinds = [
            (UsmKind::Device, ze_kernel_indirect_access_flags_t::ZE_KERNEL_INDIRECT_ACCESS_FLAG_DEVICE),
            (UsmKind::Host, ze_kernel_indirect_access_flags_t::ZE_KERNEL_INDIRECT_ACCESS_FLAG_HOST),
            (UsmKind::Shared, ze_kernel_indirect_access_flags_t::ZE_KERNEL_INDIRECT_ACCESS_FLAG_SHARED),
        ];
        let usm = &self.device.limits().usm;
        let usable = kinds.into_iter().filter(|(kind, _)| usm.of(*kind).read_write);
        let flags = usable.fold(ze_kernel_indirect_access_flags_t::empty(), |all, (_, flag)| all | flag);
        // SAFETY: the handle is live and used by this thread alone.
        unsafe { call!(self.api, zeKernelSetIndirectAccess(self.handle, flags)) }
    }

    /// Checks that the module takes as many arguments as the descriptor states.
    fn check_arguments(&self) -> Result<()> {
        let mut properties = ze_kernel_properties_t::default();
        // SAFETY: the handle is live, and the structure is tagged and live.
        unsafe { call!(self.api, zeKernelGetProperties(self.handle, &mut properties)) }?;
        let (stated, actual) = (self.device_arguments(), properties.numKernelArgs);
        if stated != actual {
            return Err(InternalError::new(format!(
                "the kernel `{}` has {actual} arguments in its module, but {stated} in its descriptor",
                self.descriptor.name
            ))
            .into());
        }
        Ok(())
    }

    /// How many arguments the entry point has.
    fn device_arguments(&self) -> u32 {
        let is_without = self.descriptor.has_fault_record() && !self.has_fault_record;
        self.descriptor.device_arguments() - u32::from(is_without)
    }

    pub(crate) fn descriptor(&self) -> &'static KernelDescriptor {
        self.descriptor
    }

    /// Whether the entry point can fault, and so has a fault record.
    pub(crate) fn has_fault_record(&self) -> bool {
        self.has_fault_record
    }

    /// Sets the fault record, which is the last argument and stays the same for most launches.
    pub(crate) fn set_record(
        &mut self,
        record: RecordIndex,
        address: *mut c_void,
    ) -> Result<(), DriverError> {
        if self.record == Some(record) {
            return Ok(());
        }
        self.set_argument(self.device_arguments() - 1, &address)?;
        self.record = Some(record);
        Ok(())
    }

    /// Sets the print buffer and the number of the kernel in it, which stay the same for all launches.
    pub(crate) fn set_print(&mut self, arguments: &PrintArguments) -> Result<(), DriverError> {
        let number = self.device_arguments() - u32::from(self.has_fault_record) - 1;
        self.set_argument(number - 1, &arguments.buffer)?;
        self.set_argument_bytes(number, &arguments.kernel.to_ne_bytes())
    }

    /// The functions of its driver.
    pub(crate) fn api(&self) -> &'static Api {
        self.api
    }

    #[inline]
    pub(crate) fn handle(&self) -> ze_kernel_handle_t {
        self.handle
    }

    #[inline]
    pub(crate) fn record(&self) -> Option<RecordIndex> {
        self.record
    }

    /// Which arguments of a launch must be set, because what is passed by value differs, which it may where nothing depends on it: if the launch needs no
    /// check, because it says the same as the last one otherwise, of which everything was checked, and whose memory no other queue uses.
    #[inline]
    pub(crate) fn repeated(
        &self,
        mask: QueueMask,
        (descriptor, said): (&'static KernelDescriptor, &Said),
        size: &LaunchSize,
        arguments: &[LaunchArgument],
    ) -> Option<Differing> {
        let (last, _) = self.last.as_ref()?;
        let is_same = ptr::eq(self.descriptor, descriptor)
            && last.is(size)
            && self.checked.as_ref().is_some_and(|checked| checked == said);
        if !is_same {
            return None;
        }
        self.arguments.differing(mask, arguments, self.values_matter)
    }

    /// The work-groups of the last launch.
    #[inline]
    pub(crate) fn last_dispatch(&self) -> Option<Dispatch> {
        self.last.as_ref().map(|(_, dispatch)| *dispatch)
    }

    /// Whether a launch is nothing but its command: nobody looks at what the kernel has left behind.
    #[inline]
    pub(crate) fn leaves_nothing(&self) -> bool {
        self.leaves_nothing
    }

    /// Sets what a launch needs.
    #[inline]
    pub(crate) fn set_for(
        &mut self,
        unset: Unset,
        dispatch: Dispatch,
        arguments: &[LaunchArgument],
    ) -> Result<(), DriverError> {
        match unset {
            Unset::Any(size, said) => {
                self.set((size, dispatch), arguments)?;
                self.checked = said;
                Ok(())
            }
            Unset::Only(differing) => self.set_differing(differing, arguments),
        }
    }

    /// The work-groups for a size; `None` if it is of no work-items.
    pub(crate) fn dispatch(
        &self,
        limits: &Limits,
        size: LaunchSize,
    ) -> Result<Option<Dispatch>, LaunchProblem> {
        match self.last {
            Some((last, dispatch)) if last == size => Ok(Some(dispatch)),
            _ => Dispatch::new(self.descriptor, limits, size),
        }
    }

    /// Sets group size and arguments.
    pub(crate) fn set(
        &mut self,
        (size, dispatch): (LaunchSize, Dispatch),
        arguments: &[LaunchArgument],
    ) -> Result<(), DriverError> {
        self.checked = None;
        self.set_group_size(size, dispatch)?;
        self.set_arguments(arguments)
    }

    /// Appends the launch, whose group size and arguments have been set.
    #[inline]
    pub(crate) fn launch(
        &mut self,
        stream: &mut Stream,
        dispatch: Dispatch,
        arguments: &[LaunchArgument],
        Manner { signal, cooperative, groups_at }: Manner<'_>,
    ) -> Result<(), DriverError> {
        let bytes =
            if trace::is_active() { arguments.iter().map(LaunchArgument::buffer_bytes).sum() } else { 0 };
        let label = Label::kernel(self.descriptor.name, bytes);
        if let Some(rest) = dispatch.rest() {
            return self.launch_in_parts(stream, [dispatch.main(), rest], label, signal);
        }
        let groups = dispatch.main().group_count();
        // SAFETY: kernel and list are live and used by this thread alone; the arguments are those that the kernel takes;
        // the memory that they point to is kept by `Reclaimer` until the launch is complete.
        stream.append(label, signal, |api, list, event| unsafe {
            let (kernel, none) = (self.handle, ptr::null_mut());
            if let Some(groups) = groups_at {
                return call!(
                    api,
                    zeCommandListAppendLaunchKernelIndirect(list, kernel, groups.address, event, 0, none)
                );
            }
            match cooperative {
                false => self.append_part(list, dispatch.main(), event, &mut []),
                true => {
                    call!(
                        api,
                        zeCommandListAppendLaunchCooperativeKernel(list, kernel, &groups, event, 0, none)
                    )
                }
            }
        })
    }

    /// Appends a launch in two parts, of which the first has been set with the arguments. Where this fails, the first may run all the same.
    fn launch_in_parts(
        &mut self,
        stream: &mut Stream,
        [main, rest]: [Part; 2],
        label: Label,
        signal: Option<&Event>,
    ) -> Result<(), DriverError> {
        let last = self.last.take();
        stream.append_in_parts(label, signal, |list, [begun, done]| {
            let after = &mut [begun][..usize::from(begun != ze_event_handle_t::NULL)];
            // SAFETY: kernel, list and events are live and used by this thread alone; the arguments are those that the kernel takes; the memory that they
            // point to and the events are kept by `Reclaimer` until the launch is complete.
            unsafe {
                self.append_part(list, main, begun, &mut [])?;
                self.set_part(rest)?;
                self.append_part(list, rest, done, after)
            }
        })?;
        if self.set_part(main).is_ok() {
            self.last = last;
        }
        Ok(())
    }

    /// Appends the launch, whose group size and arguments have been set, to a stream that takes commands alone.
    #[inline]
    pub(crate) fn launch_alone(&self, stream: &mut Stream, dispatch: Dispatch) -> Result<(), DriverError> {
        // SAFETY: as for `launch`.
        stream.append_alone(|_, list| unsafe {
            self.append_part(list, dispatch.main(), ze_event_handle_t::NULL, &mut [])
        })
    }

    /// Appends the launch, whose group size and arguments have been set, to a list that is executed later.
    pub(crate) fn record_launch(&mut self, list: &ClosedList, dispatch: Dispatch) -> Result<(), DriverError> {
        let append = |kernel: &Self, part| {
            // SAFETY: the kernel is live and used by this thread alone, and the list is live and open; the arguments are those that the kernel takes, and the
            // owner of the list keeps the memory that they point to, and the queue whose kernel this is.
            list.append(|_, list| unsafe { kernel.append_part(list, part, ze_event_handle_t::NULL, &mut []) })
        };
        append(self, dispatch.main())?;
        if let Some(rest) = dispatch.rest() {
            let last = self.last.take();
            self.set_part(rest)?;
            append(self, rest)?;
            self.set_part(dispatch.main())?;
            self.last = last;
        }
        Ok(())
    }

    /// Appends a part of a launch, which has been set with the arguments. It signals an event, which may be null, and waits for others.
    ///
    /// # Safety
    ///
    /// That of `zeCommandListAppendLaunchKernel`.
    #[inline]
    unsafe fn append_part(
        &self,
        list: ze_command_list_handle_t,
        part: Part,
        signal: ze_event_handle_t,
        after: &mut [ze_event_handle_t],
    ) -> Result<(), DriverError> {
        let (groups, count) = (part.group_count(), after.len() as u32);
        let after = if after.is_empty() { ptr::null_mut() } else { after.as_mut_ptr() };
        // SAFETY: the caller's.
        unsafe {
            call!(self.api, zeCommandListAppendLaunchKernel(list, self.handle, &groups, signal, count, after))
        }
    }

    fn set_group_size(&mut self, size: LaunchSize, dispatch: Dispatch) -> Result<(), DriverError> {
        let previous = self.last.take().map(|(_, dispatch)| dispatch.group_size);
        if previous != Some(dispatch.group_size) {
            self.set_part(dispatch.main())?;
        }
        self.last = Some((size, dispatch));
        Ok(())
    }

    /// Sets group size and offset of a part of a launch.
    fn set_part(&mut self, Part { offset, group_size, .. }: Part) -> Result<(), DriverError> {
        let ([x, y, z], [first_x, first_y, first_z]) = (group_size, offset);
        // SAFETY: the handle is live and used by this thread alone.
        unsafe { call!(self.api, zeKernelSetGroupSize(self.handle, x, y, z)) }?;
        if self.has_offset || offset != [0; 3] {
            self.has_offset = true;
            // SAFETY: as above.
            unsafe { call!(self.api, zeKernelSetGlobalOffsetExp(self.handle, first_x, first_y, first_z)) }?;
            self.has_offset = offset != [0; 3];
        }
        Ok(())
    }

    fn set_arguments(&mut self, arguments: &[LaunchArgument]) -> Result<(), DriverError> {
        for (position, argument) in arguments.iter().enumerate() {
            if !self.arguments.is_set(position, argument) {
                self.set_argument_at(position, argument)?;
            }
        }
        Ok(())
    }

    /// Sets arguments of which it is known that they differ.
    #[inline]
    pub(crate) fn set_differing(
        &mut self,
        differing: Differing,
        arguments: &[LaunchArgument],
    ) -> Result<(), DriverError> {
        differing.positions().try_for_each(|position| self.set_argument_at(position, &arguments[position]))
    }

    #[inline]
    fn set_argument_at(&mut self, position: usize, argument: &LaunchArgument) -> Result<(), DriverError> {
        // What the driver has after a failure is not known.
        let index = self.arguments.forget(position);
        self.set_value(index, argument)?;
        self.arguments.note(position, argument);
        Ok(())
    }

    /// Sets what an argument of a launch comes to, from an index on.
    fn set_value(&self, index: u32, argument: &LaunchArgument) -> Result<(), DriverError> {
        match argument.value() {
            Value::Bytes(bytes) => self.set_argument_bytes(index, bytes.as_slice()),
            Value::Memory { memory, start, len, .. } => {
                self.set_argument(index, &memory.address().wrapping_byte_add(*start))?;
                match argument.kind() {
                    ArgumentKind::Slice { .. } => {
                        self.set_argument_bytes(index + 1, &(*len as u64).to_ne_bytes())
                    }
                    _ => Ok(()),
                }
            }
            Value::Pointer(pointer) => self.set_argument(index, pointer),
            Value::Image(texels) => self.set_argument(index, &texels.handle().0),
            Value::Local(LocalLen(len)) => {
                self.set_local_argument(index, argument.local_memory().map_or(1, |memory| memory.size))?;
                self.set_argument_bytes(index + 1, &(*len as u64).to_ne_bytes())
            }
            Value::Sampler(state) => {
                let sampler = self.device.samplers().get(&self.device, *state)?;
                self.set_argument(index, &sampler.0)
            }
        }
    }

    /// Sets an argument to a pointer.
    fn set_argument(&self, index: u32, address: &*mut c_void) -> Result<(), DriverError> {
        // SAFETY: the handle is live and used by this thread alone; the driver copies the pointer before it returns.
        unsafe {
            call!(
                self.api,
                zeKernelSetArgumentValue(
                    self.handle,
                    index,
                    size_of::<*mut c_void>(),
                    ptr::from_ref(address).cast()
                )
            )
        }
    }

    /// Sets an argument to local memory of so many bytes, which the device has.
    fn set_local_argument(&self, index: u32, bytes: u64) -> Result<(), DriverError> {
        let bytes = usize::try_from(bytes).unwrap_or(usize::MAX);
        // SAFETY: the handle is live and used by this thread alone; without an address the driver reads none.
        unsafe { call!(self.api, zeKernelSetArgumentValue(self.handle, index, bytes, ptr::null())) }
    }

    /// Sets an argument to bytes that are passed by value.
    #[inline]
    fn set_argument_bytes(&self, index: u32, bytes: &[u8]) -> Result<(), DriverError> {
        // SAFETY: the handle is live and used by this thread alone; the driver copies the bytes before it returns.
        unsafe {
            call!(self.api, zeKernelSetArgumentValue(self.handle, index, bytes.len(), bytes.as_ptr().cast()))
        }
    }
}

/// Whether what is passed by value decides whether a kernel can be launched, or as which version.
fn values_matter(descriptor: &KernelDescriptor) -> bool {
    let mut presumed = descriptor.presumptions.iter().flat_map(|presumption| presumption.parts);
    let hoisted = descriptor.hoisted.map_or(&[][..], |hoisted| hoisted.conditions);
    let small = descriptor.small.map_or(&[][..], |small| small.conditions);
    let mut steps = hoisted.iter().chain(small).flat_map(|condition| condition.steps);
    presumed.any(|part| matches!(part, kernel_core::Part::Value { .. }))
        || steps.any(|step| matches!(step, LaunchStep::Value { .. }))
}

impl Drop for Kernel {
    fn drop(&mut self) {
        // SAFETY: the owner has waited for all launches, and nobody else has the handle. A failure leaves it behind.
        let _ = unsafe { self.api.zeKernelDestroy(self.handle) };
    }
}
