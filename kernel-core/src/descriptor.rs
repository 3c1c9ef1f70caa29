//! What a compiled kernel tells the runtime about itself.

use crate::element::ElementType;
use crate::fault::FaultRecord;
use crate::fault_sites::FaultSites;
use crate::hoisted::{HoistedChecks, SmallLaunches};
use crate::image::{ImageType, SamplerType};
use crate::places::AccessPlaces;
use crate::presumption::Presumption;
use crate::print::PrintSite;
use crate::scalar::Scalar;
use core::fmt;

/// How a kernel uses a slice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Access {
    /// `&[T]`: only read.
    Read,
    /// `&mut [T]`: read and written.
    ReadWrite,
}

/// The kind of one argument, which fixes what the device receives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ArgumentKind {
    /// Something by value: one device argument of the type's size.
    ///
    /// The scalars `bool` and `f64` travel as integers of their size, since the environment allows neither as an argument
    /// (Level Zero SPIR-V environment, "Kernel Arguments"). Structs and arrays travel as their bytes.
    Value(ElementType),
    /// A slice: two device arguments, a CrossWorkgroup pointer and a `u64` count of elements.
    Slice {
        /// The element type.
        element: ElementType,
        /// Whether the kernel may write to it.
        access: Access,
    },
    /// A reference to a single element, for which the host passes a buffer that has one: a CrossWorkgroup pointer.
    Reference {
        /// The type of the element.
        element: ElementType,
        /// Whether the kernel may write to it.
        access: Access,
    },
    /// A raw pointer to memory of the device: a CrossWorkgroup pointer, of which nothing is known.
    Pointer {
        /// The type of what it points to.
        element: ElementType,
        /// Whether the kernel may write to it.
        access: Access,
    },
    /// Local memory for as many elements as the launch says: two device arguments, a Workgroup pointer and a `u64` count of elements.
    Local {
        /// The element type.
        element: ElementType,
    },
    /// A reference to an image: one device argument, a handle.
    Image(ImageType),
    /// A sampler: one device argument, a handle.
    Sampler(SamplerType),
}

impl ArgumentKind {
    /// How many device arguments this one takes.
    #[must_use]
    pub const fn device_arguments(self) -> u32 {
        match self {
            Self::Value(_)
            | Self::Reference { .. }
            | Self::Pointer { .. }
            | Self::Image(_)
            | Self::Sampler(_) => 1,
            Self::Slice { .. } | Self::Local { .. } => 2,
        }
    }

    /// Returns whether there are raw pointers in the value, or behind the address.
    #[must_use]
    pub const fn holds_pointers(self) -> bool {
        match self {
            Self::Value(ty)
            | Self::Slice { element: ty, .. }
            | Self::Reference { element: ty, .. }
            | Self::Pointer { element: ty, .. } => ty.has_pointers(),
            Self::Local { .. } | Self::Image(_) | Self::Sampler(_) => false,
        }
    }

    /// How many bytes its device arguments have together.
    #[must_use]
    pub const fn bytes(self) -> u64 {
        match self {
            Self::Value(ty) => ty.layout().size,
            Self::Slice { .. } | Self::Local { .. } => 16,
            Self::Reference { .. } | Self::Pointer { .. } | Self::Image(_) | Self::Sampler(_) => 8,
        }
    }
}

impl fmt::Display for ArgumentKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Value(ty) => ty.fmt(f),
            Self::Slice { element, access: Access::Read } => write!(f, "&[{element}]"),
            Self::Slice { element, access: Access::ReadWrite } => write!(f, "&mut [{element}]"),
            Self::Local { element } => write!(f, "&mut Local<[{element}]>"),
            Self::Reference { element, access: Access::Read } => write!(f, "&{element}"),
            Self::Reference { element, access: Access::ReadWrite } => write!(f, "&mut {element}"),
            Self::Pointer { element, access: Access::Read } => write!(f, "*const {element}"),
            Self::Pointer { element, access: Access::ReadWrite } => write!(f, "*mut {element}"),
            Self::Image(image) => write!(f, "{}{image}", if image.access.writes() { "&mut " } else { "&" }),
            Self::Sampler(sampler) => sampler.fmt(f),
        }
    }
}

/// One argument of a kernel, in the order of the Rust signature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Argument {
    /// The parameter's name in the source.
    pub name: &'static str,
    /// What is passed.
    pub kind: ArgumentKind,
    /// Whether the kernel shares what it changes there, by atomics: `&[AtomicU32]`. What it changes otherwise is its own.
    pub atomic: bool,
}

/// A constant of a kernel that is set when its module is built for a launch: an `OpSpecConstant` whose SpecId is its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Specialization {
    /// The name of the generic parameter in the source.
    pub name: &'static str,
    /// Its type, an integer or `bool`.
    pub ty: Scalar,
}

impl Specialization {
    /// What each is in the module, unless it is set.
    pub const DEFAULT: u64 = 1;
}

/// The most such constants that a kernel can have.
pub const MAX_SPECIALIZATIONS: usize = 4;

/// A condition on the arguments of a kernel, `#[kernel(requires(…))]`, which its launcher evaluates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Condition {
    /// The condition as it is written.
    pub text: &'static str,
    /// Where it is written.
    pub at: SourceLine,
}

/// What a kernel needs of the device, the least that its code allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Requirements {
    /// The SPIR-V version of the module as (major, minor).
    pub spirv_version: (u8, u8),
    /// The names of the capabilities that the module declares, sorted.
    pub capabilities: &'static [&'static str],
    /// The names of the SPIR-V extensions that the module declares, sorted.
    pub extensions: &'static [&'static str],
    /// The device must have double precision (`ZE_DEVICE_MODULE_FLAG_FP64`).
    pub fp64: bool,
    /// The device must have half precision (`ZE_DEVICE_MODULE_FLAG_FP16`).
    pub fp16: bool,
    /// The device must have 64-bit atomics (`ZE_DEVICE_MODULE_FLAG_INT64_ATOMICS`).
    pub int64_atomics: bool,
    /// The atomic updates of `f16` that the device must have.
    pub fp16_atomics: FloatAtomics,
    /// The atomic updates of `f32` that the device must have.
    pub fp32_atomics: FloatAtomics,
    /// The atomic updates of `f64` that the device must have.
    pub fp64_atomics: FloatAtomics,
    /// Where in the source each of these optional features is needed first.
    pub lines: &'static [RequiredAt],
}

impl Requirements {
    /// Where in the source a feature is needed first, if that is known.
    #[must_use]
    pub fn line_of(&self, feature: RequiredFeature) -> Option<SourceLine> {
        self.lines.iter().find(|line| line.feature == feature).map(|line| line.at)
    }
}

/// An optional feature of a device that code needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RequiredFeature {
    /// Half precision.
    Fp16,
    /// Double precision.
    Fp64,
    /// 64-bit atomics.
    Int64Atomics,
    /// Images.
    Images,
    /// The size that the kernel requires of its subgroups, for which alone a module is of SPIR-V 1.1.
    SubgroupSize,
    /// An atomic update of floats of a type.
    FloatAtomics(Scalar, FloatAtomics),
}

/// Where in the source a feature is needed first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RequiredAt {
    /// The feature.
    pub feature: RequiredFeature,
    /// Where it is needed.
    pub at: SourceLine,
}

/// A place in the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SourceLine {
    /// The file.
    pub file: &'static str,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
}

impl fmt::Display for SourceLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

/// Atomic updates of floats of one type: the bits of `ze_device_fp_atomic_ext_flags_t`, which Level Zero has for each type.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct FloatAtomics(pub u32);

impl FloatAtomics {
    /// None.
    pub const NONE: Self = Self(0);
    /// Sums in global memory (`ZE_DEVICE_FP_ATOMIC_EXT_FLAG_GLOBAL_ADD`).
    pub const GLOBAL_ADD: Self = Self(1 << 1);
    /// Minima and maxima in global memory (`ZE_DEVICE_FP_ATOMIC_EXT_FLAG_GLOBAL_MIN_MAX`).
    pub const GLOBAL_MIN_MAX: Self = Self(1 << 2);
    /// Sums in local memory (`ZE_DEVICE_FP_ATOMIC_EXT_FLAG_LOCAL_ADD`).
    pub const LOCAL_ADD: Self = Self(1 << 17);
    /// Minima and maxima in local memory (`ZE_DEVICE_FP_ATOMIC_EXT_FLAG_LOCAL_MIN_MAX`).
    pub const LOCAL_MIN_MAX: Self = Self(1 << 18);

    /// Each of them by itself.
    pub const ALL: [Self; 4] = [Self::GLOBAL_ADD, Self::GLOBAL_MIN_MAX, Self::LOCAL_ADD, Self::LOCAL_MIN_MAX];

    /// Both together.
    #[must_use]
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Returns whether all of the others are among these.
    #[must_use]
    pub const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// The first of these that is not among the others.
    #[must_use]
    pub fn first_beyond(self, other: Self) -> Option<Self> {
        Self::ALL.into_iter().find(|one| self.contains(*one) && !other.contains(*one))
    }
}

impl fmt::Display for FloatAtomics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = "";
        let named = [
            (Self::GLOBAL_ADD, "sums in global memory"),
            (Self::GLOBAL_MIN_MAX, "minima and maxima in global memory"),
            (Self::LOCAL_ADD, "sums in local memory"),
            (Self::LOCAL_MIN_MAX, "minima and maxima in local memory"),
        ];
        for (_, name) in named.into_iter().filter(|(one, _)| self.contains(*one)) {
            write!(f, "{separator}{name}")?;
            separator = ", ";
        }
        Ok(())
    }
}

/// A function that a kernel calls and another module has: `#[device(import = "name")]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Import {
    /// The name by which the other module exports it.
    pub name: &'static str,
    /// Where it is called first.
    pub at: SourceLine,
}

/// A device function as a module of its own, for kernels and functions of other modules to call.
///
/// `#[device(export = "scale")] fn scale(…)` defines one as the static `SCALE`. The module has no kernel, so that it runs only as part of a library that a
/// kernel is linked with.
#[derive(Clone, Copy, Debug)]
pub struct ExportDescriptor {
    /// The name by which other modules call it.
    pub name: &'static str,
    /// The SPIR-V module, in the byte order of the host and aligned to 4 bytes.
    pub spirv: Spirv,
    /// The functions that it calls and other modules have.
    pub imports: &'static [Import],
    /// Whether it goes without the checks of indices, ranges, lengths and divisors, since its author has vouched for them by
    /// `#[device(export = "…", unsafe(unchecked))]`.
    pub unchecked: bool,
    /// What the device must have.
    pub requirements: Requirements,
}

/// A compiled kernel: its module and everything that the runtime must know to launch it.
///
/// `#[kernel] fn saxpy(…)` defines one as the public static `SAXPY`.
#[derive(Clone, Copy, Debug)]
pub struct KernelDescriptor {
    /// The name of the entry point.
    pub name: &'static str,
    /// The SPIR-V module, in the byte order of the host and aligned to 4 bytes.
    pub spirv: Spirv,
    /// The constants that each launch sets, in the order of the generic parameters.
    pub specializations: &'static [Specialization],
    /// The functions that it calls and other modules have; a launch links these.
    pub imports: &'static [Import],
    /// The arguments in the order of the Rust signature.
    pub arguments: &'static [Argument],
    /// The number of dimensions whose ids the kernel uses, 1 to 3; a launch must have size 1 in the others.
    pub rank: u8,
    /// The work-group size that the kernel requires, if it does.
    pub group_size: Option<[u32; 3]>,
    /// The subgroup size that the kernel requires, if it does.
    pub subgroup_size: Option<u32>,
    /// Whether the kernel can tell how a launch divides its work-items into work-groups and subgroups, or how many there are. Where it cannot, the work-groups of
    /// a launch may have several sizes, and it may be made in parts.
    pub depends_on_groups: bool,
    /// The bytes of local memory that each work-group takes.
    pub local_memory: u32,
    /// Whether single-precision `/` and `sqrt` must be rounded as IEEE 754 says, which OpenCL leaves to an option of the
    /// build: all kernels want that but those with `fp = "opencl"` or `"fast"`.
    pub correctly_rounded: bool,
    /// Whether it follows raw pointers that it finds in memory or in what it gets by value, so that it uses memory which is no argument.
    pub indirect: bool,
    /// Whether the kernel goes without the checks of indices, ranges, lengths and divisors, since its author has vouched for them by
    /// `#[kernel(unsafe(unchecked))]` or, for all kernels of a module, `#[kernels(unsafe(unchecked))]`.
    pub unchecked: bool,
    /// The arguments and variables in local memory that work-items may access without an order, since the author has vouched for it by
    /// `#[kernel(unsafe(races(y)))]` or, for all of them, `#[kernel(unsafe(races))]`.
    pub races: &'static [&'static str],
    /// Where its author promises by `assume_distinct` that work-items get different numbers.
    pub assumes_distinct: &'static [SourceLine],
    /// What the device must have.
    pub requirements: Requirements,
    /// What every launch must meet, since the kernel was compiled with the knowledge of it.
    pub conditions: &'static [Condition],
    /// What else every launch must meet, since otherwise work-items could race; the compiler has derived it.
    pub presumptions: &'static [Presumption],
    /// The places that can fault; where there are any, a pointer to a [`FaultRecord`] is the
    /// last device argument.
    pub fault_sites: FaultSites,
    /// The places that print; where there are any, there are a pointer to a print buffer and the number of the kernel among
    /// the device arguments, after the kernel's own.
    pub print_sites: &'static [PrintSite],
    /// Where its accesses to memory are written, for drivers that report some of them.
    pub access_places: AccessPlaces,
    /// The entry point without the checks that the host can make for the whole launch, if there are any: it takes the same arguments, but for the fault record
    /// if it cannot fault, and is to be launched where its conditions hold.
    pub hoisted: Option<HoistedChecks>,
    /// The module for launches that do not meet these conditions and are small, if it is another one. What it needs of a device is no more.
    pub small: Option<SmallLaunches>,
    /// The text of its intermediate representation as the analysis gets it, for tools: of kernels in crates that are compiled with `--cfg kernel_ir`.
    pub ir: Option<&'static str>,
}

impl KernelDescriptor {
    /// How many arguments the entry point has on the device.
    #[must_use]
    pub fn device_arguments(&self) -> u32 {
        let own: u32 = self.arguments.iter().map(|argument| argument.kind.device_arguments()).sum();
        own + if self.prints() { 2 } else { 0 } + u32::from(self.has_fault_record())
    }

    /// How many words follow the fault record: those of the longest message.
    #[must_use]
    pub fn fault_words(&self) -> u32 {
        self.fault_sites.words()
    }

    /// The bytes of the fault record with what follows it.
    #[must_use]
    pub fn fault_record_bytes(&self) -> usize {
        size_of::<FaultRecord>() + self.fault_words() as usize * size_of::<u32>()
    }

    /// The bytes of all arguments of the entry point on the device together.
    #[must_use]
    pub fn argument_bytes(&self) -> u64 {
        let own: u64 = self.arguments.iter().map(|argument| argument.kind.bytes()).sum();
        own + if self.prints() { 12 } else { 0 } + if self.has_fault_record() { 8 } else { 0 }
    }

    /// Returns whether there are a pointer to a print buffer and the number of the kernel among the device arguments.
    #[must_use]
    pub const fn prints(&self) -> bool {
        !self.print_sites.is_empty()
    }

    /// Returns whether the last device argument is a pointer to a fault record.
    #[must_use]
    pub const fn has_fault_record(&self) -> bool {
        !self.fault_sites.is_empty()
    }
}

/// The bytes of a SPIR-V module, aligned as its words.
#[derive(Clone, Copy)]
pub struct Spirv {
    bytes: &'static [u8],
    /// Where there is no module: what keeps it out of every program.
    missing: Option<fn() -> !>,
}

impl Spirv {
    /// Wraps an embedded module.
    ///
    /// # Safety
    ///
    /// The bytes are a valid module for the environment of Level Zero. Drivers compile a module without checking that.
    ///
    /// # Panics
    ///
    /// At compile time, if the length is not a multiple of 4, or if there is nothing.
    #[must_use]
    pub const unsafe fn new<const N: usize>(module: &'static AlignedBytes<N>) -> Self {
        assert!(N > 0 && N.is_multiple_of(4), "a SPIR-V module is a sequence of 32-bit words");
        Self { bytes: &module.0, missing: None }
    }

    /// Wraps the words of a module, such as one that is made while the program runs.
    ///
    /// # Safety
    ///
    /// As for [`new`](Self::new).
    ///
    /// # Panics
    ///
    /// If there are no words.
    #[must_use]
    pub unsafe fn from_words(module: &'static [u32]) -> Self {
        assert!(!module.is_empty(), "a SPIR-V module has a header");
        Self { bytes: bytemuck::cast_slice(module), missing: None }
    }

    /// The module of code that did not compile, so that its errors are all that the user sees.
    ///
    /// It is not for programs to have. So it takes a function that no program can have either: a generic one whose body is the panic of a constant, which rustc
    /// computes once it generates code, and only if it has found no error before.
    #[doc(hidden)]
    #[must_use]
    pub const fn missing(cannot_be_built: fn() -> !) -> Self {
        static NOTHING: AlignedBytes<0> = AlignedBytes([]);
        Self { bytes: &NOTHING.0, missing: Some(cannot_be_built) }
    }

    /// The module as bytes, which is how `zeModuleCreate` takes it.
    #[must_use]
    pub const fn bytes(self) -> &'static [u8] {
        self.bytes
    }

    /// The module as words.
    #[must_use]
    pub fn words(self) -> &'static [u32] {
        bytemuck::cast_slice(self.bytes)
    }
}

impl fmt::Debug for Spirv {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.missing {
            Some(_) => write!(f, "Spirv(missing)"),
            None => write!(f, "Spirv({} words)", self.bytes.len() / 4),
        }
    }
}

/// Bytes that are aligned as 32-bit words.
#[repr(C, align(4))]
#[derive(Clone, Copy, Debug)]
pub struct AlignedBytes<const N: usize>(pub [u8; N]);
