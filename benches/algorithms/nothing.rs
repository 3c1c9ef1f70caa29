//! A package has a library or a program; this one is for its benchmark alone.
