use kernel_runtime::prelude::*;

#[device]
mod steps {
    pub fn once(x: u32) -> u32 {
        x + 1
    }

    pub fn of_closures(x: u32, i: usize) -> u32 {
        let steps = [|y| y + x; 2];
        steps[i](1)
    }

    pub fn chosen(i: usize) -> fn(u32) -> u32 {
        if i > 1 { once } else { itself }
    }

    pub fn itself(x: u32) -> u32 {
        chosen(x as usize)(x)
    }
}

#[kernel]
fn captured(y: &mut [u32]) {
    let i = global_id(0);
    y[i] = steps::of_closures(y[i], i);
}

#[kernel]
fn recursive(y: &mut [u32]) {
    y[0] = steps::itself(3);
}

#[device]
fn foreign(f: unsafe fn(u32) -> u32) -> u32 {
    unsafe { f(1) }
}

fn main() {}
