// Included where the attribute is in scope, and `square` too.

#[device]
fn fourth(x: f32) -> f32 {
    square(square(x)) + OFFSET
}

mod deeper {
    use super::*;

    #[device]
    pub fn eighth(x: f32) -> f32 {
        square(fourth(x))
    }
}
