//! A Level Zero driver that executes SPIR-V kernels on the CPU.
