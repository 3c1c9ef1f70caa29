//! Devices: which there are, and what they can do.

pub(crate) mod clock;
pub(crate) mod driver;
pub(crate) mod float_modes;
pub(crate) mod limits;
pub(crate) mod platform;
mod properties;
pub(crate) mod queue_groups;
pub(crate) mod selection;
pub(crate) mod status;

use crate::device::clock::Clock;
use crate::device::driver::{Driver, Reach};
use crate::device::limits::Limits;
use crate::device::properties::Properties;
use crate::device::queue_groups::QueueGroups;
use crate::device::selection::{DEVICE_VARIABLE, Selection, SelectionError};
use crate::device::status::GpuStatus;
use crate::error::driver::call;
use crate::error::{DriverError, Error, Result};
use crate::memory::Allocation;
use crate::memory::image::Samplers;
use crate::memory::import::Imports;
use crate::memory::pool::Pool;
use crate::memory::reclaim::Reclaimer;
use crate::memory::usm::UsmKind;
use crate::module::ModuleCache;
use crate::queue::Queue;
use crate::queue::event::{EventPool, Visible};
use crate::queue::options::QueueOptions;
use crate::queue::queue_set::QueueSet;
use core::fmt;
use level_zero_sys::{Api, Later, ze_context_handle_t, ze_device_handle_t, ze_driver_handle_t};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// What kind of processor a device is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DeviceKind {
    /// A graphics processor.
    Gpu,
    /// The processor that the host program runs on.
    Cpu,
}

impl fmt::Display for DeviceKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Gpu => "gpu",
            Self::Cpu => "cpu",
        })
    }
}

/// A device that runs kernels.
///
/// A clone is another handle of the same device, and cheap. Devices are found once and live as long as the process.
///
#[cfg_attr(feature = "cpu", doc = "```")]
#[cfg_attr(not(feature = "cpu"), doc = "```no_run")]
/// use kernel_runtime::{Device, DeviceKind, Result};
///
/// # fn main() -> Result<()> {
/// for device in Device::all() {
///     println!("{}: {} bytes of local memory", device.name(), device.limits().max_local_memory);
/// }
/// let device = Device::best()?; // The first GPU, or else the processor.
/// if device.kind() == DeviceKind::Cpu {
///     println!("{}", Device::gpu_status()); // Why there is no GPU.
/// }
/// let queue = device.queue()?;
/// assert_eq!(queue.device(), &device);
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Device(Arc<Inner>);

struct Inner {
    driver: Arc<Driver>,
    handle: ze_device_handle_t,
    properties: Properties,
    /// Its sub-devices, once somebody has asked for them.
    parts: Mutex<Option<Vec<Device>>>,
    modules: ModuleCache,
    reclaimer: Reclaimer,
    pool: Pool,
    events: EventPool,
    samplers: Samplers,
}

impl Device {
    /// The device that the environment variable `KERNEL_DEVICE` names, or else the first GPU, or else the CPU device.
    ///
    /// The variable is `cpu`, `gpu`, or one of several such as `gpu:1`, counted from 0. With `cpu` the system's loader is
    /// not even opened. [`Device::gpu_status`] tells why there is no GPU.
    ///
    /// # Errors
    ///
    /// [`Error::Selection`] if the variable names no device that exists; [`Error::NoDevice`] if there is none at
    /// all, which takes this crate without its feature `cpu`; [`Error::Driver`] if a variable of the CPU device has no meaning, such as `KERNEL_CPU_DEVICES=many`.
    pub fn best() -> Result<Self> {
        match std::env::var_os(DEVICE_VARIABLE) {
            Some(value) if !value.is_empty() => Self::named(&value.to_string_lossy()),
            _ => match platform::devices().next() {
                Some(device) => Ok(device.clone()),
                None => Err(match platform::embedded_problem() {
                    Some(problem) => problem.into(),
                    None => Error::NoDevice(Self::gpu_status().clone()),
                }),
            },
        }
    }

    /// All devices, the best first: GPUs, the embedded CPU device, and CPU devices of other drivers.
    #[must_use]
    pub fn all() -> Vec<Self> {
        platform::devices().cloned().collect()
    }

    /// What the search for GPUs came to, and so why there is none.
    #[must_use]
    pub fn gpu_status() -> &'static GpuStatus {
        &platform::system().status
    }

    /// The device that a value of `KERNEL_DEVICE` names.
    fn named(value: &str) -> Result<Self> {
        let selection = Selection::parse(value);
        let found = selection.and_then(|Selection { kind, index }| match kind {
            DeviceKind::Cpu if index < platform::embedded().len() => platform::embedded().get(index),
            _ => platform::devices().filter(|device| device.kind() == kind).nth(index),
        });
        let problem = || match selection {
            Some(Selection { kind: DeviceKind::Cpu, .. }) => platform::embedded_problem(),
            _ => None,
        };
        found.cloned().ok_or_else(|| match problem() {
            Some(problem) => problem.into(),
            None => Error::Selection(Self::selection_error(value, selection)),
        })
    }

    fn selection_error(value: &str, selection: Option<Selection>) -> SelectionError {
        let (mut gpus, mut cpus) = (0.., 0..);
        let devices = platform::devices().filter_map(|device| {
            let indices = if device.kind() == DeviceKind::Gpu { &mut gpus } else { &mut cpus };
            Some((format!("{}:{}", device.kind(), indices.next()?), device.name().to_owned()))
        });
        let wants_gpu = selection.is_none_or(|selection| selection.kind == DeviceKind::Gpu);
        SelectionError {
            value: value.to_owned(),
            well_formed: selection.is_some(),
            devices: devices.collect(),
            gpu_status: wants_gpu.then(|| Self::gpu_status().clone()),
        }
    }

    /// Makes a queue on this device.
    ///
    /// # Errors
    ///
    /// [`Error::Driver`] if the driver does not make one.
    pub fn queue(&self) -> Result<Queue> {
        self.queue_with(QueueOptions::new())
    }

    /// Makes a queue with a priority, or for copies alone.
    ///
    /// # Errors
    ///
    /// [`Error::Driver`] if the driver does not make one.
    pub fn queue_with(&self, options: QueueOptions) -> Result<Queue> {
        Queue::new(self, options)
    }

    /// The parts of the device that can be used by themselves, such as the tiles of a GPU that has several (`zeDeviceGetSubDevices`). Most devices have none.
    ///
    /// A sub-device is a device with memory, queues and buffers of its own, and shares the processors with the whole: what is launched on the whole may run on
    /// each part.
    /// `ZE_FLAT_DEVICE_HIERARCHY=FLAT` has drivers show the tiles as devices instead, in [`all`](Self::all).
    ///
    #[cfg_attr(feature = "cpu", doc = "```")]
    #[cfg_attr(not(feature = "cpu"), doc = "```no_run")]
    /// use kernel_runtime::{Device, Queue, Result};
    ///
    /// # fn main() -> Result<()> {
    /// let device = Device::best()?;
    /// let parts = device.sub_devices()?;
    /// // A queue for each tile, or else one for the whole.
    /// let devices = if parts.is_empty() { vec![device] } else { parts };
    /// let queues: Vec<Queue> = devices.iter().map(Device::queue).collect::<Result<_>>()?;
    /// assert_eq!(queues.len(), devices.len());
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`Error::Driver`] if the driver fails.
    pub fn sub_devices(&self) -> Result<Vec<Self>> {
        let mut parts = self.0.parts.lock().unwrap_or_else(PoisonError::into_inner);
        match &*parts {
            Some(parts) => Ok(parts.clone()),
            None => Ok(parts.insert(self.find_parts()?).clone()),
        }
    }

    /// Asks the driver for the parts of the device.
    fn find_parts(&self) -> Result<Vec<Self>, DriverError> {
        // SAFETY: the device handle is the driver's; `list` passes null, or an array as long as the count says.
        let handles: Vec<ze_device_handle_t> = platform::list(|count, parts| unsafe {
            call!(self.api(), zeDeviceGetSubDevices(self.handle(), count, parts))
        })?;
        let parts = handles.into_iter().filter(|handle| !handle.is_null());
        parts.filter_map(|handle| Self::describe(&self.0.driver, handle).transpose()).collect()
    }

    /// Whether kernels and copies of this device can use memory of another one as it is (`zeDeviceCanAccessPeer`).
    ///
    /// Where they can, launches and copies take buffers of the other device like those of their own, over what connects the two; that is for data which is used once, or little.
    /// Where they cannot, it is refused with an error, and [`Queue::copy`] copies through the host. Devices of two drivers never can.
    ///
    #[cfg_attr(feature = "cpu", doc = "```")]
    #[cfg_attr(not(feature = "cpu"), doc = "```no_run")]
    /// use kernel_runtime::{Device, Result};
    ///
    /// # fn main() -> Result<()> {
    /// for device in Device::all() {
    ///     for other in Device::all() {
    ///         println!("{} and {}: {}", device.name(), other.name(), device.can_access(&other)?);
    ///     }
    /// }
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`Error::Driver`] if the driver fails.
    pub fn can_access(&self, other: &Self) -> Result<bool> {
        Ok(self.reach(other)?.access)
    }

    /// What it can do with memory of another one.
    pub(crate) fn reach(&self, other: &Self) -> Result<Reach, DriverError> {
        if self == other {
            return Ok(Reach { access: true, atomics: true });
        }
        match Arc::ptr_eq(&self.0.driver, &other.0.driver) {
            true => self.0.driver.reach(self.handle(), other.handle()),
            false => Ok(Reach::default()),
        }
    }

    /// What it can do with some memory. That of the host is within reach of all devices of a driver.
    pub(crate) fn reach_of(&self, memory: &Allocation) -> Result<Reach, DriverError> {
        let is_host = memory.kind() == UsmKind::Host;
        match is_host && Arc::ptr_eq(&self.0.driver, &memory.device().0.driver) {
            true => Ok(Reach { access: true, atomics: true }),
            false => self.reach(memory.device()),
        }
    }

    /// The name that the driver gives the device.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.0.properties.name
    }

    /// What kind of processor it is.
    #[must_use]
    pub fn kind(&self) -> DeviceKind {
        self.0.properties.kind
    }

    /// What it can do.
    #[must_use]
    pub fn limits(&self) -> &Limits {
        &self.0.properties.limits
    }

    /// What tells it from all others, on this machine and elsewhere: the same each time a program runs, and in each process.
    #[must_use]
    pub fn uuid(&self) -> [u8; 16] {
        self.0.properties.uuid
    }

    /// The version of its driver, a number whose meaning the vendor decides.
    #[must_use]
    pub fn driver_version(&self) -> u32 {
        self.0.properties.driver_version
    }

    /// The version of Level Zero that its driver implements, as (major, minor).
    #[must_use]
    pub fn api_version(&self) -> (u16, u16) {
        self.0.properties.api_version
    }

    /// Whether the driver knows command lists whose commands run in order.
    pub(crate) fn knows_in_order_lists(&self) -> bool {
        self.0.properties.in_order_lists
    }

    /// The bytes of dropped buffers that are kept for later ones of the same size, a sixteenth of the device's memory at most.
    #[must_use]
    pub fn kept_bytes(&self) -> usize {
        self.pool().bytes()
    }

    /// Gives the memory back to the driver that is kept for later buffers ([`kept_bytes`](Self::kept_bytes)), for other programs to use. An allocation
    /// for which there is not enough memory does so by itself.
    pub fn release_kept_memory(&self) {
        crate::memory::trim(self);
    }

    /// Asks a driver about one of its devices; `None` if it is neither a GPU nor a CPU.
    pub(crate) fn describe(
        driver: &Arc<Driver>,
        handle: ze_device_handle_t,
    ) -> Result<Option<Self>, DriverError> {
        let (api, _) = driver.functions();
        let Some(properties) = Properties::query(api, driver.handle(), handle)? else { return Ok(None) };
        Ok(Some(Self(Arc::new(Inner {
            driver: Arc::clone(driver),
            handle,
            properties,
            parts: Mutex::default(),
            modules: ModuleCache::default(),
            reclaimer: Reclaimer::default(),
            pool: Pool::default(),
            events: EventPool::default(),
            samplers: Samplers::default(),
        }))))
    }

    /// The functions of its driver.
    pub(crate) fn api(&self) -> &'static Api {
        self.0.driver.functions().0
    }

    /// Those of newer versions.
    pub(crate) fn later(&self) -> &'static Later {
        self.0.driver.functions().1
    }

    pub(crate) fn driver(&self) -> ze_driver_handle_t {
        self.0.driver.handle()
    }

    pub(crate) fn handle(&self) -> ze_device_handle_t {
        self.0.handle
    }

    /// The groups of command queues.
    pub(crate) fn queue_groups(&self) -> &QueueGroups {
        &self.0.properties.queue_groups
    }

    /// How many threads its processors have; 0 if the driver does not say.
    pub(crate) fn hardware_threads(&self) -> u32 {
        self.limits().compute_units.saturating_mul(self.limits().threads_per_unit)
    }

    pub(crate) fn modules(&self) -> &ModuleCache {
        &self.0.modules
    }

    /// The queues of all devices of its driver.
    pub(crate) fn queues(&self) -> &QueueSet {
        self.0.driver.queues()
    }

    pub(crate) fn samplers(&self) -> &Samplers {
        &self.0.samplers
    }

    /// What its clock shows at a time; `None` if the driver does not say.
    pub(crate) fn now(&self) -> Option<(Instant, u64)> {
        let (mut host, mut ticks) = (0, 0);
        let before = Instant::now();
        // SAFETY: the device handle is the driver's, and both pointers are to live variables.
        unsafe { call!(self.api(), zeDeviceGetGlobalTimestamps(self.0.handle, &mut host, &mut ticks)) }
            .ok()?;
        Some((before + before.elapsed() / 2, ticks))
    }

    /// The numbers of its vendor and of its kind.
    pub(crate) fn ids(&self) -> (u32, u32) {
        self.0.properties.ids
    }

    /// How it counts time.
    pub(crate) fn clock(&self) -> Clock {
        self.0.properties.clock
    }

    /// The events that are seen there.
    pub(crate) fn events(&self, visible: Visible) -> &EventPool {
        match visible {
            Visible::Device => &self.0.events,
            Visible::Driver => self.0.driver.events(),
        }
    }

    pub(crate) fn imports(&self) -> &Imports {
        self.0.driver.imports()
    }

    pub(crate) fn pool(&self) -> &Pool {
        &self.0.pool
    }

    pub(crate) fn reclaimer(&self) -> &Reclaimer {
        &self.0.reclaimer
    }

    /// The context in which everything of its driver is made.
    pub(crate) fn context(&self) -> Result<ze_context_handle_t, DriverError> {
        self.0.driver.context()
    }
}

/// Two handles are equal if they are of the same device.
impl PartialEq for Device {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Device {}

impl fmt::Debug for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Device")
            .field("name", &self.name())
            .field("kind", &self.kind())
            .finish_non_exhaustive()
    }
}
