//! Result codes of newer versions of the API than the generated types are of.

use crate::ze_result_t;

/// Lists codes with what they say.
macro_rules! codes {
    ($($name:ident = $value:literal: $explanation:literal;)*) => {
        impl ze_result_t {
            $(
                #[doc = concat!("Of a newer version: ", $explanation, ".")]
                pub const $name: Self = Self($value);
            )*

            /// The C name of a code that only newer versions have.
            pub(crate) const fn later_name(self) -> Option<&'static str> {
                match self {
                    $(Self::$name => Some(stringify!($name)),)*
                    _ => None,
                }
            }

            /// What such a code says.
            pub(crate) const fn later_explanation(self) -> Option<&'static str> {
                match self {
                    $(Self::$name => Some($explanation),)*
                    _ => None,
                }
            }
        }
    };
}

codes! {
    ZE_RESULT_ERROR_INVALID_KERNEL_HANDLE = 0x7800_001c: "the kernel is none that is allowed here";
    ZE_RESULT_EXT_ERROR_OPERANDS_INCOMPATIBLE = 0x7800_001f: "what is compared does not suit each other";
    ZE_RESULT_ERROR_ADDRESS_NOT_FOUND = 0x7800_0021: "the context has nothing at this address";
    ZE_RESULT_QUERY_TRUE = 0x7800_0022: "it is so";
    ZE_RESULT_QUERY_FALSE = 0x7800_0023: "it is not so";
    ZE_RESULT_ERROR_INVALID_GRAPH = 0x7800_0024: "the graph is not valid";
    ZE_RESULT_ERROR_GRAPH_CAPTURE_UNSUPPORTED = 0x7800_0025: "this cannot be done while a graph is captured";
    ZE_RESULT_ERROR_GRAPH_CAPTURE_INVALIDATED = 0x7800_0026: "the capture of a graph has become invalid";
    ZE_RESULT_ERROR_GRAPH_CAPTURE_MERGE_ATTEMPT = 0x7800_0027: "two captures of graphs would become one";
    ZE_RESULT_ERROR_COMMAND_LIST_NOT_CAPTURING = 0x7800_0028: "the command list captures no graph";
    ZE_RESULT_ERROR_GRAPH_UNJOINED_FORKS = 0x7800_0029: "the graph has a branch that nothing waits for";
    ZE_RESULT_ERROR_GRAPH_INTERNAL_EVENT = 0x7800_002a: "an event of a graph is used outside of it";
}
