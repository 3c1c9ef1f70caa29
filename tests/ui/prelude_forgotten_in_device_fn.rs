use kernel_runtime::device;

#[device]
fn index() -> usize {
    global_id(0) * 2
}

fn main() {}
