//! Holds the examples, tests and benchmarks of the kernel crates; it has no code of its own.
