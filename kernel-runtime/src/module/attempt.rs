//! Whether a device can run a module that was made by whatever compiler.

use super::{create_from, failed, kernel_names, missing_feature};
use crate::__private::kernel_with;
use crate::device::Device;
use crate::device::limits::Limits;
use crate::error::{BuildProblem, LibraryError, MissingFeature, Result};
use crate::library::Module;
use kernel_core::KernelDescriptor;
use kernel_core::descriptor::Spirv;
use level_zero_sys::{ze_module_desc_t, ze_module_format_t};

/// Stands for the module in errors.
static THE_MODULE: KernelDescriptor = {
    fn missing() -> ! {
        unreachable!("nobody asks for the module")
    }
    KernelDescriptor { name: "(the module)", ..kernel_with(Spirv::missing(missing)) }
};

impl Device {
    /// Finds out whether the device can run a module of SPIR-V, from whatever compiler, by what it declares to need and by having the driver build it. Returns
    /// the names of its kernels on the device; nothing is launched.
    ///
    #[cfg_attr(feature = "cpu", doc = "```")]
    #[cfg_attr(not(feature = "cpu"), doc = "```no_run")]
    /// use kernel_runtime::prelude::*;
    ///
    /// #[kernel]
    /// fn negate(x: &mut [f32]) {
    ///     if let Some(x) = x.get_mut(global_id(0)) {
    ///         *x = -*x;
    ///     }
    /// }
    ///
    /// # fn main() -> Result<()> {
    /// let module = NEGATE.spirv.bytes();
    /// // SAFETY: the compiler of this crate has made it.
    /// let kernels = unsafe { Device::best()?.try_module(module) }?;
    /// assert!(kernels.contains(&"negate".to_owned()));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`Error::Library`](crate::Error::Library) if the bytes are no SPIR-V, [`Error::MissingFeature`](crate::Error::MissingFeature) if it needs what the device
    /// does not have, [`Error::Build`](crate::Error::Build) with the driver's log if it cannot be built, [`Error::Driver`](crate::Error::Driver) if the driver
    /// fails otherwise.
    ///
    /// # Safety
    ///
    /// The module is valid by the SPIR-V environment of Level Zero. No driver needs to check that (the CPU driver does).
    pub unsafe fn try_module(&self, module: &[u8]) -> Result<Vec<String>> {
        let module = Module::read(module).map_err(|problem| LibraryError { module: 0, problem })?;
        // It is built by itself.
        let limits = Limits { module_programs: true, ..self.limits().clone() };
        if let Some(feature) = missing_feature(&THE_MODULE, &limits, std::slice::from_ref(&module)) {
            let device = self.name().into();
            return Err(MissingFeature { kernel: THE_MODULE.name, device, feature, at: None }.into());
        }
        let spirv = module.bytes();
        let descriptor = ze_module_desc_t {
            format: ze_module_format_t::ZE_MODULE_FORMAT_IL_SPIRV,
            inputSize: spirv.len(),
            pInputModule: spirv.as_ptr(),
            ..Default::default()
        };
        let (built, log) = create_from(self, &descriptor)?;
        let built =
            built.map_err(|refused| failed(self, &THE_MODULE, BuildProblem::Refused(refused), log))?;
        let names = kernel_names(self.api(), built);
        // SAFETY: the module is live, and nothing was made of it. A failure leaves it behind.
        let _ = unsafe { self.api().zeModuleDestroy(built) };
        Ok(names?)
    }
}
