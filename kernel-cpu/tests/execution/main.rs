//! What kernels compute, instruction by instruction, against host Rust or what the specification says.

#[path = "../assemble/mod.rs"]
mod assemble;
mod atomics;
mod barriers;
mod bfloat16;
mod bit_fields;
mod blocks;
mod clock;
mod control_flow;
mod conversions;
mod copies;
mod dot_products;
#[path = "../driver/mod.rs"]
mod driver;
mod environment;
mod function_pointers;
mod functions;
mod gathers;
mod groups;
mod half_images;
mod hints;
mod image_blocks;
mod instructions;
mod intrinsics;
mod joint_matrix;
mod linking;
mod long_composites;
mod matrices;
mod memory_faults;
mod non_uniform;
mod numbers;
mod opencl_functions;
mod pointers;
mod private_memory;
mod structs;
mod variables;
