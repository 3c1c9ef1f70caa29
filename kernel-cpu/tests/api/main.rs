//! What the functions of the driver do, of one process that has set nothing.

#[path = "../assemble/mod.rs"]
mod assemble;
mod capabilities;
mod cooperative;
mod counter_events;
#[path = "../driver/mod.rs"]
mod driver;
mod dynamic_linking;
mod handles;
mod image_views;
mod immediate;
mod later;
mod launches;
mod mutable_lists;
mod native_binaries;
mod queues;
mod requirements;
mod sysman;
#[cfg(target_os = "linux")]
mod virtual_memory;
