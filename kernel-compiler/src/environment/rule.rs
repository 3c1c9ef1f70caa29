//! The rules by name, and what is reported when one is broken.

use rspirv::binary::Disassemble;
use rspirv::dr::Instruction;
use std::fmt;

/// Defines the rules: name, code, section of the guide, and text.
macro_rules! rules {
    ($($name:ident = $code:literal, $section:literal, $text:literal;)*) => {
        /// A rule of the environment.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Rule {
            $(#[doc = $text] #[doc = concat!("(", $section, ")")] $name,)*
        }

        impl Rule {
            /// Every rule.
            pub const ALL: &[Self] = &[$(Self::$name),*];

            /// The code of the rule, which does not change between versions.
            #[must_use]
            pub const fn code(self) -> &'static str {
                match self { $(Self::$name => $code,)* }
            }

            /// The section of the Level Zero SPIR-V programming guide.
            #[must_use]
            pub const fn section(self) -> &'static str {
                match self { $(Self::$name => $section,)* }
            }

            /// What the rule demands.
            #[must_use]
            pub const fn text(self) -> &'static str {
                match self { $(Self::$name => $text,)* }
            }
        }
    };
}

rules! {
    ExecutionModel = "ENV01", "Validation Rules", "The execution model of every entry point is Kernel.";
    AddressingModel = "ENV02", "Validation Rules", "The addressing model is Physical64.";
    MemoryModel = "ENV03", "Validation Rules", "The memory model is OpenCL.";
    ExtendedInstructionSet = "ENV04", "Extended Instruction Sets", "The only extended instruction set is OpenCL.std.";
    Capability = "ENV05", "Required Capabilities", "Every capability is one that the environment names.";
    IntegerSignedness = "ENV06", "Validation Rules", "The signedness of every integer type is 0.";
    IntegerWidth = "ENV07", "Basic Scalar and Vector Types", "Integers have 8, 16, 32 or 64 bits.";
    FloatWidth = "ENV08", "Basic Scalar and Vector Types", "Floats have 16, 32 or 64 bits.";
    VectorComponent = "ENV09", "Basic Scalar and Vector Types", "The components of vectors are scalars.";
    VectorCount = "ENV10", "Basic Scalar and Vector Types", "Vectors have 2, 3, 4, 8 or 16 components.";
    SupportedType = "ENV11", "Supported Types", "Every type is of a supported kind.";
    KernelResult = "ENV12", "Kernel Return Types", "A kernel returns nothing.";
    KernelArgumentType = "ENV13", "Kernel Arguments", "Kernel arguments are integers, floats, structs, vectors, pointers, samplers or images.";
    KernelArgumentFloat = "ENV14", "Kernel Arguments", "Float arguments of kernels have 16 or 32 bits.";
    KernelArgumentStruct = "ENV15", "Kernel Arguments", "The members of struct arguments of kernels are integers, floats, structs, vectors or pointers.";
    KernelArgumentPointer = "ENV16", "Kernel Arguments", "Pointer arguments of kernels point to CrossWorkgroup, Workgroup or UniformConstant memory, or are structs by value.";
    Recursion = "ENV17", "Validation Rules", "The static call graph has no cycles.";
    AtomicType = "ENV18", "Validation Rules", "Atomic instructions work on integers of 32 or 64 bits, or on floats where the extensions for these say so.";
    AtomicPointer = "ENV19", "Validation Rules", "Atomic instructions work on Function, Workgroup, CrossWorkgroup or Generic memory.";
    CopyScope = "ENV20", "Validation Rules", "Asynchronous copies execute in the scope of the work-group.";
    ExecutionScope = "ENV21", "Validation Rules", "Scopes of execution are Workgroup or Subgroup.";
    MemoryScope = "ENV22", "Validation Rules", "Scopes of memory are CrossDevice, Device, Workgroup, Subgroup or Invocation.";
    ImageSampledType = "ENV23", "Validation Rules", "The sampled type of every image is void.";
    ImageSampled = "ENV24", "Validation Rules", "Whether an image is sampled is left open (0).";
    ImageMultisampled = "ENV25", "Validation Rules", "Images are single-sampled.";
    ImageArrayed = "ENV26", "Validation Rules", "Only images of dimension 1D and 2D are arrayed.";
    ImageDimensions = "ENV27", "Image-Related Data Types", "Images are 1D, 2D, 3D or buffers, and only 2D ones are depth images.";
    ImageFormat = "ENV28", "Validation Rules", "The format of every image is Unknown.";
    ImageAccess = "ENV29", "Validation Rules", "Every image type has an access qualifier.";
    ImageWriteOperands = "ENV30", "Validation Rules", "Image writes have no optional image operands.";
    ImageReadOffset = "ENV31", "Validation Rules", "Image reads and samples have no ConstOffset.";
    Extension = "ENV32", "Extensions", "Every extension is one that the environment names.";
    ExtensionOfCapability = "ENV33", "Extensions", "The extension of every capability is declared.";
    ShuffleType = "ENV34", "SPV_INTEL_subgroups", "Shuffled are integers of 16, 32 and 64 bits, floats, and vectors of 2, 4, 8 or 16 integers of 16 or 32 bits or floats of 32.";
    FloatAtomicPointer = "ENV35", "Floating-Point Atomics", "Floats are added and compared by atomics in Workgroup or CrossWorkgroup memory.";
    BlockData = "ENV36", "SPV_INTEL_subgroups", "Block reads and writes are of integers of 16 or 32 bits, or of vectors of 2, 4 or 8 of these.";
    BlockPointer = "ENV37", "SPV_INTEL_subgroups", "Block reads and writes are of CrossWorkgroup memory.";
    BlockImage = "ENV38", "SPV_INTEL_subgroups", "Block reads and writes of images are of 2D images that are neither depths nor arrays and have one sample.";
    BlockCoordinate = "ENV39", "SPV_INTEL_subgroups", "Blocks of images are at two integers of 32 bits.";
    LinkageCapability = "ENV40", "Required Capabilities", "What is imported or exported needs the capability Linkage.";
    ImportedBody = "ENV41", "Required Capabilities", "A function without a body is imported, and one with a body is not.";
    LinkedKernel = "ENV42", "Validation Rules", "A kernel is an entry point, and neither imported nor exported.";
    CacheControlPointer = "ENV43", "SPV_INTEL_cache_controls", "Cache controls are of pointers to CrossWorkgroup, Function or Generic memory, those of loads also to UniformConstant memory.";
    CacheControlLevel = "ENV44", "SPV_INTEL_cache_controls", "For each pointer a level of cache has at most one control of loads and one of stores.";
}

/// A place where a module breaks a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The broken rule.
    pub rule: Rule,
    /// The instruction that breaks it, disassembled.
    pub instruction: String,
}

impl Violation {
    pub(super) fn new(rule: Rule, instruction: &Instruction) -> Self {
        Self { rule, instruction: instruction.disassemble() }
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { rule, instruction } = self;
        write!(f, "{} ({}): {} `{instruction}`", rule.code(), rule.section(), rule.text())
    }
}
