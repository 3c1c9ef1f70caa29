//! What is spelled by one word in the text, as it is written and as it is read.

use crate::ir::{
    Aliasing, Among, AtomicOp, Class, Combine, Extent, Fast, FloatMode, FormatQuery, Group, LoadControl,
    MemoryOrder, Query, Scope, StoreControl,
};
use kernel_core::image::{AddressMode, FilterMode};
use kernel_core::semantics::BinaryOp;
use kernel_core::{FaultKind, ImageAccess, ImageShape, Memory, PrintStream};

/// One of a few things, each with a word for it.
pub(crate) trait Word: Copy + 'static {
    /// All of them.
    const ALL: &'static [Self];

    /// Its word.
    fn word(self) -> &'static str;

    /// The one with this word.
    fn from_word(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|one| one.word() == word)
    }
}

/// The variants of enums; one that is not listed is an error of rustc's.
macro_rules! words {
    ($($name:ident { $($variant:ident = $word:literal),* $(,)? })*) => {$(
        impl Word for $name {
            const ALL: &'static [Self] = &[$(Self::$variant),*];

            fn word(self) -> &'static str {
                match self {
                    $(Self::$variant => $word,)*
                }
            }
        }
    )*};
}

words! {
    AddressMode {
        None = "none", ClampToEdge = "clamp_to_edge", ClampToBorder = "clamp_to_border", Repeat = "repeat",
        MirroredRepeat = "mirrored_repeat",
    }
    AtomicOp {
        Exchange = "exchange", Add = "add", Sub = "sub", Min = "min", Max = "max", And = "and", Or = "or", Xor = "xor",
    }
    BinaryOp {
        Add = "+", Sub = "-", Mul = "*", Div = "/", Rem = "%", And = "&", Or = "|", Xor = "^", Shl = "<<", Shr = ">>",
        Eq = "==", Ne = "!=", Lt = "<", Le = "<=", Gt = ">", Ge = ">=",
    }
    Class {
        Nan = "nan", Infinite = "infinite", Finite = "finite", Normal = "normal", SignNegative = "negative",
    }
    Combine {
        Add = "add", Mul = "mul", Min = "min", Max = "max", And = "and", Or = "or", Xor = "xor",
    }
    Extent { All = "all", Inclusive = "inclusive", Exclusive = "exclusive" }
    Fast {
        Cos = "cos", Divide = "divide", Exp = "exp", Exp2 = "exp2", Exp10 = "exp10", Log = "log", Log2 = "log2",
        Log10 = "log10", Powr = "powr", Recip = "recip", Rsqrt = "rsqrt", Sin = "sin", Sqrt = "sqrt", Tan = "tan",
    }
    FilterMode { Nearest = "nearest", Linear = "linear" }
    FloatMode { Strict = "strict", Contract = "contract", OpenCl = "opencl", Fast = "fast" }
    FormatQuery { Order = "order", Type = "type" }
    Among { Launch = "launch", WorkGroup = "work_group" }
    Group { WorkGroup = "work_group", Subgroup = "subgroup" }
    LoadControl {
        Uncached = "uncached", Cached = "cached", Streaming = "streaming", InvalidateAfterRead = "invalidate_after_read",
        ConstCached = "const_cached",
    }
    MemoryOrder {
        Relaxed = "relaxed", Acquire = "acquire", Release = "release", AcquireRelease = "acquire_release",
        SequentiallyConsistent = "sequentially_consistent",
    }
    PrintStream { Output = "stdout", Error = "stderr" }
    Query {
        GlobalId = "global_id", GlobalSize = "global_size", LocalId = "local_id", LocalSize = "local_size",
        GroupId = "group_id", NumGroups = "num_groups", LocalLinearId = "local_linear_id",
        WorkGroupSize = "work_group_size", SubgroupId = "subgroup_id", NumSubgroups = "num_subgroups",
        SubgroupLocalId = "subgroup_local_id", SubgroupSize = "subgroup_size", MaxSubgroupSize = "max_subgroup_size",
    }
    Scope {
        Subgroup = "subgroup", WorkGroup = "work_group", Device = "device", AllDevices = "all_devices",
    }
    Aliasing { Unknown = "shared", ReadOnly = "unchanged", Exclusive = "exclusive" }
    StoreControl {
        Uncached = "uncached", WriteThrough = "write_through", WriteBack = "write_back", Streaming = "streaming",
    }
}

/// The same where the words are the names of the variants.
macro_rules! named {
    ($($name:ident { $($variant:ident)* })*) => {$(
        impl Word for $name {
            const ALL: &'static [Self] = &[$(Self::$variant),*];

            fn word(self) -> &'static str {
                match self {
                    $(Self::$variant => stringify!($variant),)*
                }
            }
        }
    )*};
}

named! {
    FaultKind {
        IndexOutOfBounds DivisionByZero RemainderByZero DivisionOverflow RemainderOverflow ZeroStep RangeStart RangeEnd
        RangeOrder Split ZeroChunk ZeroWindow CopyLengths RotateLeft RotateRight AdditionOverflow SubtractionOverflow
        MultiplicationOverflow NegationOverflow LeftShiftOverflow RightShiftOverflow ClampOrder FloatClampOrder
        NegativeSquareRoot LogarithmOfNonPositive LogarithmBase UnwrapNone UnwrapErr UnwrapOk Panic ComparedBool
        ComparedUnsigned ComparedSigned ComparedF32 ComparedF64
    }
}

/// The same for types that know names of theirs.
macro_rules! known {
    ($($name:ident: $all:expr, $word:expr;)*) => {$(
        impl Word for $name {
            const ALL: &'static [Self] = &$all;

            fn word(self) -> &'static str {
                $word(self)
            }
        }
    )*};
}

known! {
    ImageShape: Self::ALL, Self::name;
    ImageAccess: [Self::ReadOnly, Self::WriteOnly, Self::ReadWrite], Self::name;
    Memory: [Self::LOCAL, Self::GLOBAL, Self::IMAGE], kind_of_memory;
}

/// The word for one kind of memory.
fn kind_of_memory(memory: Memory) -> &'static str {
    match memory {
        Memory::LOCAL => "local",
        Memory::GLOBAL => "global",
        _ => "image",
    }
}
