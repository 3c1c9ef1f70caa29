//! Holds the examples beside it; it has no code of its own.
