// `std::slice::GetDisjointMutError`.

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum GetDisjointMutError {
    IndexOutOfBounds,
    OverlappingIndices,
}
