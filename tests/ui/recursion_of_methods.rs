use kernel_runtime::prelude::*;

#[device]
mod walk {
    #[derive(Clone, Copy)]
    pub struct Node(pub i32);

    impl Node {
        pub fn left(self) -> i32 {
            if self.0 > 9 { self.0 } else { Node(self.0 + 1).right() }
        }

        pub fn right(self) -> i32 {
            Node(self.0 * 2).left()
        }
    }
}

#[kernel]
fn run(y: &mut [i32]) {
    y[0] = walk::Node(1).left();
}

fn main() {}
