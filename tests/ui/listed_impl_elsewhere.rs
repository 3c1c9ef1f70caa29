use kernel_runtime::prelude::*;

mod a {
    use kernel_runtime::prelude::*;

    #[device(impl, impl Add)]
    #[derive(Clone, Copy)]
    pub struct Point {
        pub x: f32,
    }
}

mod b {
    use super::a::Point;
    use kernel_runtime::prelude::*;

    #[device]
    impl Point {
        fn twice(self) -> f32 {
            self.x * 2.0
        }
    }
}

#[kernel]
fn run(y: &mut [f32]) {
    let p = a::Point { x: y[0] };
    y[0] = p.x;
}

fn main() {}
