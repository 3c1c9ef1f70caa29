//! The rules that a diagnostic can be about, each with its code.

macro_rules! catalogue {
    ($($(#[$doc:meta])* $variant:ident = $name:literal,)*) => {
        /// A rule of the kernel language.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Code {
            $($(#[$doc])* $variant,)*
        }

        impl Code {
            /// Every code, in order.
            pub const ALL: &'static [Self] = &[$(Self::$variant),*];

            /// The name by which users find the rule in the documentation.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                }
            }

            /// Returns whether it is about what many work-items do together, of which rustc knows nothing.
            #[must_use]
            pub const fn is_beyond_rustc(self) -> bool {
                matches!(self, Self::Divergence | Self::Race)
            }
        }
    };
}

catalogue! {
    /// The compiler and rustc do not agree about the types of a program; only shown where rustc accepts it.
    Disagreement = "K0001",
    /// The attribute is on something that is not a function (or, for `#[device]`, a constant, a static, a type and so on), or its own arguments are wrong.
    Attribute = "K0002",
    /// A function with a form that a device cannot have: `async`, `extern`, generic and so on.
    Signature = "K0003",
    /// A parameter of a kernel or a device function of a type that cannot be one.
    ParameterType = "K0004",
    /// A kernel that returns something.
    KernelResult = "K0005",
    /// A type that the language does not have.
    UnsupportedType = "K0006",
    /// An expression that the language does not have.
    UnsupportedExpression = "K0007",
    /// A statement or an item in a body that the language does not have.
    UnsupportedStatement = "K0008",
    /// A pattern that the language does not have.
    UnsupportedPattern = "K0009",
    /// A macro in a body.
    UnsupportedMacro = "K0010",
    /// A method that device code does not have.
    UnknownMethod = "K0011",
    /// A path that names nothing that device code has.
    UnknownPath = "K0012",
    /// A function that calls itself.
    Recursion = "K0013",
    /// The dimension of an id or a size is not a constant 0, 1 or 2.
    Dimension = "K0014",
    /// Local memory declared elsewhere than at the top level of a kernel.
    LocalPlacement = "K0015",
    /// A constant was needed.
    NotConstant = "K0016",
    /// An array that is empty or too large.
    ArrayLength = "K0017",
    /// A slice or a mutable reference used as a value that can change or be stored.
    SliceValue = "K0018",
    /// An attribute inside of a function that would change what the function means.
    InnerAttribute = "K0019",
    /// A literal that the language does not have.
    UnsupportedLiteral = "K0020",
    /// A use of an intrinsic or a device item that is not its call.
    ItemAsValue = "K0021",
    /// A kernel or a device function that calls a kernel.
    KernelCall = "K0022",
    /// A kernel that is too large once its calls are replaced by their bodies.
    TooLarge = "K0023",
    /// A type of the user's own that host and device cannot share, since its layout is not fixed.
    NotShared = "K0024",
    /// A function that is imported from, or exported to, other modules in a way that these cannot have.
    Linkage = "K0025",
    /// A barrier, or a function that the work-items of a group call together, where not all of them may come.
    Divergence = "K0030",
    /// Accesses of two work-items to one element, of which one writes and nothing orders them.
    Race = "K0031",
    /// An ordering or a scope that an access to an atomic, or a fence, cannot have, or that is not written there.
    AtomicOrder = "K0040",
}
