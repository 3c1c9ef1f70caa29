// `std::marker::PhantomData`, of whatever type.

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug, Hash)]
struct PhantomData;
