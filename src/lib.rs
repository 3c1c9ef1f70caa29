//! Holds the tests of what users are told, `tests/ui`; it has no code of its own.
