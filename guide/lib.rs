//! The guide: each chapter is the documentation of an item, so that `cargo test` compiles and runs the programs in it.
//!
//! `mdbook build guide` makes the book in `target/guide`.

/// Names the chapters by their files.
macro_rules! chapters {
    ($($file:literal $item:ident),* $(,)?) => {
        /// The files of the chapters, in the order of the book.
        pub const CHAPTERS: &[&str] = &[$($file),*];

        $(
            #[cfg(doctest)]
            #[doc = include_str!(concat!("src/", $file))]
            pub struct $item;
        )*
    };
}

chapters! {
    "introduction.md" Introduction,
    "install.md" Install,
    "first_kernel.md" FirstKernel,
    "how_it_works.md" HowItWorks,
    "memory_and_queues.md" MemoryAndQueues,
    "local_memory.md" LocalMemory,
    "races.md" Races,
    "faults.md" Faults,
    "images.md" Images,
    "subgroups.md" Subgroups,
    "generics.md" Generics,
    "libraries.md" Libraries,
    "testing.md" Testing,
    "profiling.md" Profiling,
    "reduction.md" Reduction,
    "performance.md" Performance,
    "measurements.md" Measurements,
    "several_devices.md" SeveralDevices,
    "porting.md" Porting,
    "gallery.md" Gallery,
    "limits.md" Limits,
    "faq.md" Faq,
}

/// The documentation of the attributes, whose programs need the runtime.
#[cfg(doctest)]
pub mod attributes {
    #[doc = include_str!("../kernel-macros/src/kernel.md")]
    pub struct Kernel;

    #[doc = include_str!("../kernel-macros/src/kernels.md")]
    pub struct Kernels;

    #[doc = include_str!("../kernel-macros/src/device.md")]
    pub struct Device;
}
