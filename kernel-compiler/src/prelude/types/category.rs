// `std::num::FpCategory`.

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum FpCategory {
    Nan,
    Infinite,
    Zero,
    Subnormal,
    Normal,
}
