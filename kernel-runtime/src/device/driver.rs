//! A driver, and what its devices have in common: memory that some of them share is made in one context, and their queues wait for each other.

use crate::device::platform::Functions;
use crate::error::DriverError;
use crate::error::driver::call;
use crate::memory::import::Imports;
use crate::queue::event::EventPool;
use crate::queue::queue_set::QueueSet;
use level_zero_sys::{
    ze_context_desc_t, ze_context_handle_t, ze_device_handle_t, ze_device_p2p_properties_t,
    ze_device_p2p_property_flags_t, ze_driver_handle_t, ze_result_t,
};
use std::sync::{Arc, Mutex, PoisonError};

/// A driver with the devices that it has.
pub(crate) struct Driver {
    functions: Functions,
    handle: ze_driver_handle_t,
    context: Mutex<Option<ze_context_handle_t>>,
    /// The queues of all of its devices.
    queues: QueueSet,
    /// Events of one device for which queues of the others wait.
    events: EventPool,
    peers: Mutex<Vec<Peers>>,
    /// Memory of the program that it has.
    imports: Imports,
}

/// What a device can do with the memory of another one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Reach {
    /// Whether kernels and copies can read and write it.
    pub(crate) access: bool,
    /// Whether atomics work there.
    pub(crate) atomics: bool,
}

/// Two devices of which the driver has been asked.
struct Peers {
    device: ze_device_handle_t,
    other: ze_device_handle_t,
    reach: Reach,
}

impl Driver {
    pub(crate) fn new(functions: Functions, handle: ze_driver_handle_t) -> Arc<Self> {
        let (context, queues, events) = (Mutex::default(), QueueSet::default(), EventPool::default());
        let (peers, imports) = (Mutex::default(), Imports::default());
        Arc::new(Self { functions, handle, context, queues, events, peers, imports })
    }

    pub(crate) fn functions(&self) -> Functions {
        self.functions
    }

    pub(crate) fn handle(&self) -> ze_driver_handle_t {
        self.handle
    }

    pub(crate) fn queues(&self) -> &QueueSet {
        &self.queues
    }

    pub(crate) fn imports(&self) -> &Imports {
        &self.imports
    }

    pub(crate) fn events(&self) -> &EventPool {
        &self.events
    }

    /// The one context in which everything of its devices is made; it lives as long as the process.
    pub(crate) fn context(&self) -> Result<ze_context_handle_t, DriverError> {
        let mut context = self.context.lock().unwrap_or_else(PoisonError::into_inner);
        match *context {
            Some(context) => Ok(context),
            None => Ok(*context.insert(self.create_context()?)),
        }
    }

    fn create_context(&self) -> Result<ze_context_handle_t, DriverError> {
        let (api, _) = self.functions;
        let descriptor = ze_context_desc_t::default();
        let mut context = ze_context_handle_t::NULL;
        // SAFETY: the driver handle is valid for the whole process, and both pointers are to live variables.
        unsafe { call!(api, zeContextCreate(self.handle, &descriptor, &mut context)) }?;
        #[cfg(feature = "cpu")]
        kernel_cpu::context_lasts(context);
        Ok(context)
    }

    /// What one of its devices can do with the memory of another one. A driver without the function has no two devices that can.
    pub(crate) fn reach(
        &self,
        device: ze_device_handle_t,
        other: ze_device_handle_t,
    ) -> Result<Reach, DriverError> {
        let mut peers = self.peers.lock().unwrap_or_else(PoisonError::into_inner);
        let known = peers.iter().find(|known| (known.device, known.other) == (device, other));
        if let Some(known) = known {
            return Ok(known.reach);
        }
        let (api, _) = self.functions;
        let mut value = 0;
        // SAFETY: both devices are the driver's, and the pointer is to a live variable.
        let reach = match unsafe { call!(api, zeDeviceCanAccessPeer(device, other, &mut value)) } {
            Ok(()) if value != 0 => Reach { access: true, atomics: self.has_atomics(device, other) },
            Ok(()) => Reach::default(),
            Err(error) if error.is(ze_result_t::ZE_RESULT_ERROR_UNSUPPORTED_FEATURE) => Reach::default(),
            Err(error) => return Err(error),
        };
        peers.push(Peers { device, other, reach });
        Ok(reach)
    }

    /// Whether atomics of a device work in the memory of another one. A driver that does not say has none.
    fn has_atomics(&self, device: ze_device_handle_t, other: ze_device_handle_t) -> bool {
        let (api, _) = self.functions;
        let mut properties = ze_device_p2p_properties_t::default();
        // SAFETY: both devices are the driver's, and the pointer is to a live variable.
        let asked = unsafe { call!(api, zeDeviceGetP2PProperties(device, other, &mut properties)) };
        asked.is_ok()
            && properties.flags.contains(ze_device_p2p_property_flags_t::ZE_DEVICE_P2P_PROPERTY_FLAG_ATOMICS)
    }
}
