// `std::ops::ControlFlow`.

#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
enum ControlFlow<B, C = ()> {
    Continue(C),
    Break(B),
}

impl<B, C> ControlFlow<B, C> {
    fn is_break(&self) -> bool {
        match self {
            ControlFlow::Continue(_) => false,
            ControlFlow::Break(_) => true,
        }
    }

    fn is_continue(&self) -> bool {
        match self {
            ControlFlow::Continue(_) => true,
            ControlFlow::Break(_) => false,
        }
    }

    fn break_value(self) -> Option<B> {
        match self {
            ControlFlow::Continue(_) => None,
            ControlFlow::Break(value) => Some(value),
        }
    }

    fn continue_value(self) -> Option<C> {
        match self {
            ControlFlow::Continue(value) => Some(value),
            ControlFlow::Break(_) => None,
        }
    }

    fn map_break<T, F: FnOnce(B) -> T>(self, f: F) -> ControlFlow<T, C> {
        match self {
            ControlFlow::Continue(value) => ControlFlow::Continue(value),
            ControlFlow::Break(value) => ControlFlow::Break(f(value)),
        }
    }

    fn map_continue<T, F: FnOnce(C) -> T>(self, f: F) -> ControlFlow<B, T> {
        match self {
            ControlFlow::Continue(value) => ControlFlow::Continue(f(value)),
            ControlFlow::Break(value) => ControlFlow::Break(value),
        }
    }
}
