//! The textual form of the representation, for reading.
