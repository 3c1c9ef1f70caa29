//! Handles of newer versions of the API than the generated types are of.

#![allow(non_camel_case_types, reason = "the types have their names of the specification")]

use crate::abi::c_handles;

// Of version 1.17: what is captured from immediate lists, and what is made of it to be executed.
c_handles! {
    ze_graph_handle_t
    ze_executable_graph_handle_t
}
