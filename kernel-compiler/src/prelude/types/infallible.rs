// `std::convert::Infallible`, which has no value.

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
enum Infallible {}
