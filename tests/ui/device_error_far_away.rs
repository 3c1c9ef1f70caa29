use kernel_runtime::prelude::*;

mod maths {
    use kernel_runtime::prelude::*;

    #[device]
    fn far<T: Number>(x: T) -> T {
        let text = c"far";
        x + x
    }

    #[device]
    fn step_0(x: f32) -> f32 {
        let next = if x > 0.5 { x - 0.25 } else { x * 1.125 };
        far(next)
    }

    #[device]
    fn step_1(x: f32) -> f32 {
        let next = if x > 1.5 { x - 0.25 } else { x * 1.125 };
        step_0(next)
    }

    #[device]
    fn step_2(x: f32) -> f32 {
        let next = if x > 2.5 { x - 0.25 } else { x * 1.125 };
        step_1(next)
    }

    #[device]
    fn step_3(x: f32) -> f32 {
        let next = if x > 3.5 { x - 0.25 } else { x * 1.125 };
        step_2(next)
    }

    #[device]
    fn step_4(x: f32) -> f32 {
        let next = if x > 4.5 { x - 0.25 } else { x * 1.125 };
        step_3(next)
    }

    #[device]
    fn step_5(x: f32) -> f32 {
        let next = if x > 5.5 { x - 0.25 } else { x * 1.125 };
        step_4(next)
    }

    #[device]
    fn step_6(x: f32) -> f32 {
        let next = if x > 6.5 { x - 0.25 } else { x * 1.125 };
        step_5(next)
    }

    #[device]
    fn step_7(x: f32) -> f32 {
        let next = if x > 7.5 { x - 0.25 } else { x * 1.125 };
        step_6(next)
    }

    #[device]
    fn step_8(x: f32) -> f32 {
        let next = if x > 8.5 { x - 0.25 } else { x * 1.125 };
        step_7(next)
    }

    #[device]
    fn step_9(x: f32) -> f32 {
        let next = if x > 9.5 { x - 0.25 } else { x * 1.125 };
        step_8(next)
    }

    #[device]
    fn step_10(x: f32) -> f32 {
        let next = if x > 10.5 { x - 0.25 } else { x * 1.125 };
        step_9(next)
    }

    #[device]
    fn step_11(x: f32) -> f32 {
        let next = if x > 11.5 { x - 0.25 } else { x * 1.125 };
        step_10(next)
    }

    #[device]
    fn step_12(x: f32) -> f32 {
        let next = if x > 12.5 { x - 0.25 } else { x * 1.125 };
        step_11(next)
    }

    #[device]
    fn step_13(x: f32) -> f32 {
        let next = if x > 13.5 { x - 0.25 } else { x * 1.125 };
        step_12(next)
    }

    #[device]
    fn step_14(x: f32) -> f32 {
        let next = if x > 14.5 { x - 0.25 } else { x * 1.125 };
        step_13(next)
    }

    #[device]
    fn step_15(x: f32) -> f32 {
        let next = if x > 15.5 { x - 0.25 } else { x * 1.125 };
        step_14(next)
    }

    #[device]
    fn step_16(x: f32) -> f32 {
        let next = if x > 16.5 { x - 0.25 } else { x * 1.125 };
        step_15(next)
    }

    #[device]
    fn step_17(x: f32) -> f32 {
        let next = if x > 17.5 { x - 0.25 } else { x * 1.125 };
        step_16(next)
    }

    #[device]
    fn step_18(x: f32) -> f32 {
        let next = if x > 18.5 { x - 0.25 } else { x * 1.125 };
        step_17(next)
    }

    #[device]
    pub fn step_19(x: f32) -> f32 {
        let next = if x > 19.5 { x - 0.25 } else { x * 1.125 };
        step_18(next)
    }
}

#[kernel]
fn run(y: &mut [f32]) {
    y[0] = maths::step_19(y[0]);
}

fn main() {}
