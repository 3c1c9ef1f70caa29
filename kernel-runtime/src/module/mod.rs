//! Modules: built once for each device, at the first use of their kernel.

mod ahead;
mod attempt;
pub(crate) mod cache;
mod lines;
pub(crate) mod specialized;

use crate::device::Device;
use crate::device::limits::Limits;
use crate::device::platform::list;
use crate::error::driver::call;
use crate::error::last_error::explain;
use crate::error::{BuildError, BuildProblem, DriverError, Error, Feature, MissingFeature, Result};
use crate::library::{self, Library, Module, Updates};
use crate::module::cache::{Directory, Entry};
use crate::module::specialized::Variant;
use core::ffi::{CStr, c_char};
use kernel_core::{KernelDescriptor, RequiredFeature, Scalar};
use level_zero_sys::{
    Api, ze_module_build_log_handle_t, ze_module_constants_t, ze_module_desc_t, ze_module_format_t,
    ze_module_handle_t, ze_module_program_exp_desc_t,
};
use std::collections::HashMap;
use std::ptr;
use std::sync::{Arc, Mutex, PoisonError};

/// The identity of a kernel: the address of its descriptor, of which each is a static of its own, and what the launch chooses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct KernelId(usize, Variant);

impl KernelId {
    pub(crate) fn of(descriptor: &'static KernelDescriptor, variant: Variant) -> Self {
        Self(ptr::from_ref(descriptor).addr(), variant)
    }
}

/// The identity of a module: the address of its words, of which each is a static of its own, and what the launch chooses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct ModuleId(usize, Variant);

/// The modules of a device; they live as long as it does, which is as long as the process.
#[derive(Default)]
pub(crate) struct ModuleCache {
    slots: Mutex<HashMap<ModuleId, Slot>>,
    directory: Directory,
}

/// The place of one module. Its lock is held during the build, so that others wait for it rather than build it
/// again; a failure is not kept, since memory may have been short.
type Slot = Arc<Mutex<Option<Built>>>;

/// A module that was built.
struct Built {
    handle: ze_module_handle_t,
    /// The names of the kernels that the driver has of it.
    kernels: Vec<String>,
}

impl ModuleCache {
    /// The module of a kernel for what a launch chooses, built now if it was not before.
    pub(crate) fn get(
        &self,
        device: &Device,
        descriptor: &'static KernelDescriptor,
        variant: Variant,
    ) -> Result<ze_module_handle_t> {
        has_what_it_needs(device, descriptor, variant)?;
        let spirv = variant.version.module(descriptor);
        let slot = self.slot(ModuleId(spirv.bytes().as_ptr().addr(), variant.of_module()));
        let mut slot = slot.lock().unwrap_or_else(PoisonError::into_inner);
        let module = match &mut *slot {
            Some(module) => module,
            empty => empty.insert(build(device, descriptor, variant)?),
        };
        if module.kernels.iter().any(|name| name == descriptor.name) {
            return Ok(module.handle);
        }
        let problem = BuildProblem::Dropped { present: module.kernels.as_slice().into() };
        Err(failed(device, descriptor, problem, String::new()))
    }

    /// Where native binaries are kept.
    pub(crate) fn directory(&self) -> &Directory {
        &self.directory
    }

    fn slot(&self, module: ModuleId) -> Slot {
        let mut slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
        slots.entry(module).or_default().clone()
    }
}

fn build(device: &Device, descriptor: &'static KernelDescriptor, variant: Variant) -> Result<Built> {
    #[cfg(feature = "tracing")]
    let _span = crate::trace::spans::building(descriptor.name, device.name());
    let (result, log) = create(device, descriptor, &variant)?;
    let handle = result.map_err(|refused| failed(device, descriptor, BuildProblem::Refused(refused), log))?;
    let kernels = kernel_names(device.api(), handle).inspect_err(|_| {
        // SAFETY: the module is live, and nothing was made of it. A failure leaves it behind.
        let _ = unsafe { device.api().zeModuleDestroy(handle) };
    })?;
    Ok(Built { handle, kernels })
}

fn has_what_it_needs(device: &Device, descriptor: &'static KernelDescriptor, variant: Variant) -> Result<()> {
    library::check_imports(descriptor, variant.library)?;
    let modules = variant.library.map_or(&[][..], Library::modules);
    if let Some(feature) = missing_feature(descriptor, device.limits(), modules) {
        let (kernel, device) = (descriptor.name, device.name().into());
        let import = descriptor.imports.first().map(|import| import.at);
        let line = required(&feature).and_then(|feature| descriptor.requirements.line_of(feature));
        let at = line.or(import.filter(|_| is_linked(&feature, descriptor)));
        return Err(MissingFeature { kernel, device, feature, at }.into());
    }
    Ok(())
}

fn failed(device: &Device, descriptor: &KernelDescriptor, problem: BuildProblem, log: String) -> Error {
    let (kernel, device) = (descriptor.name, device.name().into());
    Error::Build(BuildError { kernel, device, problem, log: log.into() })
}

/// What the kernel, or a module that is linked with it, needs and the device does not have; the first, if there are several.
fn missing_feature(descriptor: &KernelDescriptor, limits: &Limits, modules: &[Module]) -> Option<Feature> {
    let needs = &descriptor.requirements;
    if !modules.is_empty() && !limits.module_programs {
        return Some(Feature::ModulePrograms);
    }
    let versions = modules.iter().map(Module::version);
    let (needed, supported) = (versions.fold(needs.spirv_version, Ord::max), limits.spirv_version);
    if needed > supported {
        return Some(Feature::Spirv { needed, supported });
    }
    let any_declares = |capability| modules.iter().any(|module| module.declares(capability));
    if (needs.fp64 || any_declares(capability::FLOAT64)) && !limits.fp64 {
        return Some(Feature::Fp64);
    }
    if (needs.fp16 || any_declares(capability::FLOAT16)) && !limits.fp16 {
        return Some(Feature::Fp16);
    }
    if (needs.int64_atomics || any_declares(capability::INT64_ATOMICS)) && !limits.int64_atomics {
        return Some(Feature::Int64Atomics);
    }
    let own = Updates::of(needs);
    let updates = modules.iter().map(Module::float_atomics).fold(own, Updates::union);
    // Those of the kernel itself first, whose line is known.
    let missing = [own, updates].into_iter().find_map(|updates| missing_float_atomics(updates, limits));
    if let Some(feature) = missing {
        return Some(feature);
    }
    let images = crate::memory::image::missing(limits, needs.capabilities);
    if images.is_some() || limits.images.is_none() && any_declares(capability::IMAGE_BASIC) {
        return Some(Feature::Images);
    }
    let (needed, supported) = (descriptor.argument_bytes(), limits.max_argument_bytes);
    if needed > u64::from(supported) {
        return Some(Feature::ArgumentBytes { needed, supported });
    }
    let needed = descriptor.subgroup_size.filter(|size| !limits.subgroup_sizes.contains(size))?;
    Some(Feature::SubgroupSize { needed, supported: limits.subgroup_sizes.as_slice().into() })
}

/// The capabilities that not all devices have, by their numbers in SPIR-V.
mod capability {
    pub(super) const FLOAT16: u32 = 9;
    pub(super) const FLOAT64: u32 = 10;
    pub(super) const INT64_ATOMICS: u32 = 12;
    pub(super) const IMAGE_BASIC: u32 = 13;
}

/// Whether a feature is needed for what a kernel is linked with, and not by the kernel itself.
fn is_linked(feature: &Feature, descriptor: &KernelDescriptor) -> bool {
    let needs = &descriptor.requirements;
    match feature {
        Feature::ModulePrograms => true,
        Feature::Fp64 => !needs.fp64,
        Feature::Fp16 => !needs.fp16,
        Feature::Int64Atomics => !needs.int64_atomics,
        Feature::Images => !needs.capabilities.contains(&"ImageBasic"),
        Feature::FloatAtomics { scalar, updates } => {
            let own = Updates::of(needs);
            let own = match scalar {
                Scalar::F16 => own.fp16,
                Scalar::F64 => own.fp64,
                _ => own.fp32,
            };
            !own.contains(*updates)
        }
        Feature::Spirv { needed, .. } => *needed > needs.spirv_version,
        _ => false,
    }
}

/// The atomic updates of floats that are needed and that the device lacks, for the first such type.
fn missing_float_atomics(needs: Updates, limits: &Limits) -> Option<Feature> {
    let types = [
        (Scalar::F16, needs.fp16, limits.fp16_atomics),
        (Scalar::F32, needs.fp32, limits.fp32_atomics),
        (Scalar::F64, needs.fp64, limits.fp64_atomics),
    ];
    types.into_iter().find_map(|(scalar, needed, supported)| {
        let updates = needed.first_beyond(supported)?;
        Some(Feature::FloatAtomics { scalar, updates })
    })
}

/// A missing feature as the descriptor names it.
fn required(feature: &Feature) -> Option<RequiredFeature> {
    Some(match feature {
        Feature::Fp16 => RequiredFeature::Fp16,
        Feature::Fp64 => RequiredFeature::Fp64,
        Feature::Int64Atomics => RequiredFeature::Int64Atomics,
        Feature::Images => RequiredFeature::Images,
        Feature::SubgroupSize { .. } | Feature::Spirv { .. } => RequiredFeature::SubgroupSize,
        Feature::FloatAtomics { scalar, updates } => RequiredFeature::FloatAtomics(*scalar, *updates),
        _ => return None,
    })
}

/// What the driver's compiler is to do otherwise than OpenCL would have it.
fn build_flags(descriptor: &KernelDescriptor) -> &'static CStr {
    match (descriptor.correctly_rounded, lines::has_files(descriptor)) {
        (true, false) => c"-ze-fp32-correctly-rounded-divide-sqrt",
        (false, false) => c"",
        // What debuggers need is embedded, so it is meant to reach them.
        (true, true) => c"-ze-fp32-correctly-rounded-divide-sqrt -g",
        (false, true) => c"-g",
    }
}

/// Hands the module, with those that it is linked with, to the driver; the outcome comes with the build log.
fn create(
    device: &Device,
    descriptor: &KernelDescriptor,
    Variant { specialized, library, version }: &Variant,
) -> Result<(Result<ze_module_handle_t, DriverError>, String), DriverError> {
    let spirv = &*lines::module(descriptor, *version);
    let (ids, mut values) = (specialized.ids(), specialized.addresses());
    let constants = ze_module_constants_t {
        numConstants: ids.len() as u32,
        pConstantIds: ids.as_ptr(),
        pConstantValues: values.as_mut_ptr(),
    };
    let constants = if ids.is_empty() { ptr::null() } else { &raw const constants };
    let flags = build_flags(descriptor).as_ptr();
    let module_descriptor = ze_module_desc_t {
        format: ze_module_format_t::ZE_MODULE_FORMAT_IL_SPIRV,
        inputSize: spirv.len(),
        pInputModule: spirv.as_ptr(),
        pBuildFlags: flags,
        pConstants: constants,
        ..Default::default()
    };
    let Some(library) = library else {
        let entry = Entry::new(device, spirv, build_flags(descriptor), specialized.values());
        return create_alone(device, &module_descriptor, entry.as_ref());
    };
    let all: Vec<&[u8]> = std::iter::once(spirv).chain(library.modules().iter().map(Module::bytes)).collect();
    let sizes: Vec<usize> = all.iter().map(|module| module.len()).collect();
    let mut starts: Vec<*const u8> = all.iter().map(|module| module.as_ptr()).collect();
    let mut flags = vec![flags; all.len()];
    let mut each_constants = vec![ptr::null(); all.len()];
    each_constants[0] = constants;
    let program = ze_module_program_exp_desc_t {
        count: all.len() as u32,
        inputSizes: sizes.as_ptr(),
        pInputModules: starts.as_mut_ptr(),
        pBuildFlags: flags.as_mut_ptr(),
        pConstants: each_constants.as_mut_ptr(),
        ..Default::default()
    };
    let descriptor = ze_module_desc_t {
        format: ze_module_format_t::ZE_MODULE_FORMAT_IL_SPIRV,
        pNext: (&raw const program).cast(),
        ..Default::default()
    };
    create_from(device, &descriptor)
}

/// Hands one module to the driver: its native binary, if one is kept and the driver takes it, or else what the descriptor says, whose native binary is kept
/// then.
fn create_alone(
    device: &Device,
    descriptor: &ze_module_desc_t,
    entry: Option<&Entry>,
) -> Result<(Result<ze_module_handle_t, DriverError>, String), DriverError> {
    let Some(entry) = entry else { return create_from(device, descriptor) };
    if let Some(binary) = entry.read() {
        let native = ze_module_desc_t {
            format: ze_module_format_t::ZE_MODULE_FORMAT_NATIVE,
            inputSize: binary.len(),
            pInputModule: binary.as_ptr(),
            ..Default::default()
        };
        let loaded = create_from(device, &native)?;
        if loaded.0.is_ok() {
            return Ok(loaded);
        }
    }
    let built = create_from(device, descriptor)?;
    if let Ok(module) = built.0
        && let Ok(binary) = cache::native_binary(device, module)
    {
        entry.write(&binary);
    }
    Ok(built)
}

/// Hands to the driver what a descriptor says, which refers to live modules of the stated lengths, and to constants of 8 bytes each.
fn create_from(
    device: &Device,
    descriptor: &ze_module_desc_t,
) -> Result<(Result<ze_module_handle_t, DriverError>, String), DriverError> {
    let (api, context) = (device.api(), device.context()?);
    let mut module = ze_module_handle_t::NULL;
    let mut log = ze_module_build_log_handle_t::NULL;
    // SAFETY: context and device are live handles of one driver, the callers in this file keep what the descriptor points to, and the
    // other pointers are to live variables.
    let result =
        unsafe { call!(api, zeModuleCreate(context, device.handle(), descriptor, &mut module, &mut log)) };
    let result = result.map(|()| module).map_err(|error| explain(device, error));
    Ok((result, take_log(api, log)))
}

/// Reads a build log and destroys it; one that cannot be read is as good as empty.
fn take_log(api: &Api, log: ze_module_build_log_handle_t) -> String {
    if log.is_null() {
        return String::new();
    }
    let mut size = 0;
    let mut bytes = Vec::<u8>::new();
    // SAFETY: the log handle is live until it is destroyed here; the first call asks for the size, and the second gets
    // an array of that size.
    unsafe {
        if call!(api, zeModuleBuildLogGetString(log, &mut size, ptr::null_mut())).is_ok() {
            bytes.resize(size, 0);
            let read = call!(api, zeModuleBuildLogGetString(log, &mut size, bytes.as_mut_ptr().cast()));
            bytes.truncate(if read.is_ok() { size } else { 0 });
        }
        let _ = api.zeModuleBuildLogDestroy(log);
    }
    let text = bytes.split(|&byte| byte == 0).next().unwrap_or_default();
    String::from_utf8_lossy(text).into_owned()
}

/// The names of the kernels that a module has on the device.
fn kernel_names(api: &Api, module: ze_module_handle_t) -> Result<Vec<String>, DriverError> {
    let names: Vec<Name> = list(|count, names: *mut Name| {
        // SAFETY: the module is live; `list` passes null, or an array as long as the count says, and `Name` is a
        // transparent pointer.
        unsafe { call!(api, zeModuleGetKernelNames(module, count, names.cast())) }
    })?;
    Ok(names.iter().filter_map(|name| name.to_string()).collect())
}

/// A name that the driver owns.
#[derive(Clone)]
#[repr(transparent)]
struct Name(*const c_char);

impl Default for Name {
    fn default() -> Self {
        Self(ptr::null())
    }
}

impl Name {
    fn to_string(&self) -> Option<String> {
        if self.0.is_null() {
            return None;
        }
        // SAFETY: `zeModuleGetKernelNames` gives strings that end with NUL and live as long as the module, which is
        // still live here.
        Some(unsafe { CStr::from_ptr(self.0) }.to_string_lossy().into_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::__private::INVALID;
    use kernel_core::{FloatAtomics, Requirements};

    fn check(change: impl FnOnce(&mut KernelDescriptor), expected: Option<Feature>) {
        let mut descriptor = INVALID;
        change(&mut descriptor);
        assert_eq!(missing_feature(&descriptor, &Limits::example(), &[]), expected);
    }

    #[test]
    fn what_the_device_has_is_not_missing() {
        check(|_| (), None);
        check(|kernel| kernel.subgroup_size = Some(16), None);
        check(|kernel| kernel.requirements = Requirements { fp16: true, ..kernel.requirements }, None);
        check(|kernel| kernel.requirements.int64_atomics = true, None);
        check(|kernel| kernel.requirements.fp32_atomics = FloatAtomics::GLOBAL_ADD, None);
        check(|kernel| kernel.requirements.spirv_version = (1, 2), None);
    }

    #[test]
    fn what_the_device_lacks_is_named() {
        check(|kernel| kernel.requirements.fp64 = true, Some(Feature::Fp64));
        check(|kernel| kernel.requirements.capabilities = &["ImageBasic"], Some(Feature::Images));
        let bare = Limits { fp16: false, int64_atomics: false, ..Limits::example() };
        let mut half = INVALID;
        half.requirements.fp16 = true;
        assert_eq!(missing_feature(&half, &bare, &[]), Some(Feature::Fp16));
        let mut long = INVALID;
        long.requirements.int64_atomics = true;
        assert_eq!(missing_feature(&long, &bare, &[]), Some(Feature::Int64Atomics));
        let both = FloatAtomics::GLOBAL_ADD.union(FloatAtomics::LOCAL_ADD);
        let local = Feature::FloatAtomics { scalar: Scalar::F32, updates: FloatAtomics::LOCAL_ADD };
        check(|kernel| kernel.requirements.fp32_atomics = both, Some(local));
        let double = Feature::FloatAtomics { scalar: Scalar::F64, updates: FloatAtomics::GLOBAL_MIN_MAX };
        check(|kernel| kernel.requirements.fp64_atomics = FloatAtomics::GLOBAL_MIN_MAX, Some(double));
        let spirv = Feature::Spirv { needed: (1, 3), supported: (1, 2) };
        check(|kernel| kernel.requirements.spirv_version = (1, 3), Some(spirv));
        let subgroup = Feature::SubgroupSize { needed: 64, supported: [8, 16, 32].into() };
        check(|kernel| kernel.subgroup_size = Some(64), Some(subgroup));
    }

    #[test]
    fn what_is_linked_has_needs_too() {
        let module = |words: &[u32]| {
            let header = [0x0723_0203, 0x0001_0000, 0, 10, 0];
            let words: Vec<u8> = header.iter().chain(words).flat_map(|word| word.to_ne_bytes()).collect();
            [Module::read(&words).unwrap()]
        };
        let declares = |capability| module(&[2 << 16 | 17, capability]);
        let bare = Limits { fp16: false, int64_atomics: false, ..Limits::example() };
        let check = |capability, expected| {
            let found = missing_feature(&INVALID, &bare, &declares(capability));
            assert_eq!(found, expected);
            assert!(found.is_none_or(|feature| is_linked(&feature, &INVALID)));
        };
        check(capability::FLOAT64, Some(Feature::Fp64));
        check(capability::FLOAT16, Some(Feature::Fp16));
        check(capability::INT64_ATOMICS, Some(Feature::Int64Atomics));
        check(capability::IMAGE_BASIC, Some(Feature::Images));
        check(6, None);
        // A sum of `f32` behind a parameter that leads to local memory (4) or global memory (5).
        let sum = |class| {
            let types = [3 << 16 | 22, 1, 32, 4 << 16 | 32, 2, class, 1];
            module(&[&types[..], &[3 << 16 | 55, 2, 3], &[7 << 16 | 6035, 1, 4, 3, 5, 6, 7]].concat())
        };
        let updates = FloatAtomics::LOCAL_ADD;
        let missing = Feature::FloatAtomics { scalar: Scalar::F32, updates };
        assert_eq!(missing_feature(&INVALID, &bare, &sum(5)), None, "the device has these");
        assert_eq!(missing_feature(&INVALID, &bare, &sum(4)), Some(missing.clone()));
        assert!(is_linked(&missing, &INVALID));
        let mut own = INVALID;
        own.requirements.fp32_atomics = updates;
        assert!(!is_linked(&missing, &own), "the line is the kernel's");
        let older = Limits { module_programs: false, ..Limits::example() };
        assert_eq!(missing_feature(&INVALID, &older, &module(&[])), Some(Feature::ModulePrograms));
        assert_eq!(missing_feature(&INVALID, &older, &[]), None);
        let old = Limits { spirv_version: (0, 9), ..Limits::example() };
        let spirv = Feature::Spirv { needed: (1, 0), supported: (0, 9) };
        let mut kernel = INVALID;
        kernel.requirements.spirv_version = (0, 9);
        assert_eq!(missing_feature(&kernel, &old, &module(&[])), Some(spirv));
    }

    #[test]
    fn versions_are_compared_as_numbers() {
        let mut limits = Limits::example();
        limits.spirv_version = (1, 10);
        let mut descriptor = INVALID;
        descriptor.requirements.spirv_version = (1, 9);
        assert_eq!(missing_feature(&descriptor, &limits, &[]), None);
    }
}
