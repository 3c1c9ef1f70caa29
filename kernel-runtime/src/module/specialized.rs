//! What a launch chooses that goes into the module: the constants of the kernel, and who has the functions that it imports.

use crate::library::Library;
use core::ffi::c_void;
use kernel_core::descriptor::Spirv;
use kernel_core::{AccessPlaces, KernelDescriptor, MAX_SPECIALIZATIONS};
use std::hash::{Hash, Hasher};

/// What a module is built of besides the kernel, by the choice of a launch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Variant {
    /// The constants.
    pub(crate) specialized: Specialized,
    /// Who has the functions that the kernel imports; none for a kernel that imports nothing.
    pub(crate) library: Option<Library>,
    /// Which of its versions it is.
    pub(crate) version: Version,
}

/// A version of a kernel, in the order of how much a launch has to meet to take it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Version {
    /// With all checks, for any launch.
    #[default]
    Complete,
    /// With all checks, for small launches, in a module of its own.
    Small,
    /// Without the checks that the host makes, in the module of the first.
    Hoisted,
}

impl Version {
    /// The module that has it.
    pub(crate) fn module(self, descriptor: &KernelDescriptor) -> Spirv {
        match descriptor.small {
            Some(small) if self == Self::Small => small.spirv,
            _ => descriptor.spirv,
        }
    }

    /// The entry points in its module, each with where its accesses to memory are written.
    pub(crate) fn entry_points(
        self,
        descriptor: &KernelDescriptor,
    ) -> impl Iterator<Item = (&'static str, AccessPlaces)> {
        let small = descriptor.small.filter(|_| self == Self::Small);
        let places = small.map_or(descriptor.access_places, |small| small.access_places);
        let hoisted = descriptor.hoisted.filter(|_| small.is_none());
        let hoisted = hoisted.map(|hoisted| (hoisted.entry_point, hoisted.access_places));
        [(descriptor.name, places)].into_iter().chain(hoisted)
    }

    /// The first version of those in its module.
    fn first_of_module(self) -> Self {
        if self == Self::Small { Self::Small } else { Self::Complete }
    }
}

impl Variant {
    /// What its module is built for, which has more than one version.
    pub(crate) fn of_module(self) -> Self {
        Self { version: self.version.first_of_module(), ..self }
    }

    /// The same with a library, if the kernel imports anything.
    pub(crate) fn linked(self, descriptor: &KernelDescriptor, library: Library) -> Self {
        Self { library: (!descriptor.imports.is_empty()).then_some(library), ..self }
    }
}

/// The bit patterns of the constants that a launch sets, in the order of the kernel's.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Specialized {
    /// Those that are not set are zero.
    values: [u64; MAX_SPECIALIZATIONS],
    /// How many have been given, which may be more than any kernel has.
    count: usize,
}

impl Specialized {
    pub(crate) const NONE: Self = Self { values: [0; MAX_SPECIALIZATIONS], count: 0 };

    pub(crate) fn new(given: &[u64]) -> Self {
        let mut values = [0; MAX_SPECIALIZATIONS];
        values.iter_mut().zip(given).for_each(|(value, given)| *value = *given);
        Self { values, count: given.len() }
    }

    /// How many have been given.
    pub(crate) fn count(&self) -> usize {
        self.count
    }

    pub(crate) fn values(&self) -> &[u64] {
        &self.values[..self.count.min(MAX_SPECIALIZATIONS)]
    }

    /// The number of each constant in the module.
    pub(crate) fn ids(&self) -> Vec<u32> {
        (0..).take(self.values().len()).collect()
    }

    /// The address of each value, as `zeModuleCreate` takes them: the first bytes are those of a narrower type.
    pub(crate) fn addresses(&self) -> Vec<*const c_void> {
        self.values().iter().map(|value| std::ptr::from_ref(value).cast()).collect()
    }
}

// Most kernels have no such constants, and should not pay for them at each launch.
impl PartialEq for Specialized {
    fn eq(&self, other: &Self) -> bool {
        self.count == other.count && (self.count == 0 || self.values == other.values)
    }
}

impl Eq for Specialized {}

impl Hash for Specialized {
    fn hash<H: Hasher>(&self, state: &mut H) {
        for value in self.values() {
            value.hash(state);
        }
    }
}
