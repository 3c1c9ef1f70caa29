use kernel_runtime::prelude::*;

#[kernel(load_cache(z = [cached], n = [cached], tile = [cached], image = [cached], x = [cached], x = [uncached]))]
fn run(x: &[f32], n: u32, tile: &mut Local<[f32]>, image: &Image2d<f32>, y: &mut [f32]) {
    y[0] = x[0];
}

#[kernel(store_cache(x = [write_back], weights = [streaming]), unsafe(load_cache(y = [const_cached])))]
fn direction(x: &[f32], weights: &Constant<[f32]>, y: &mut [f32]) {
    y[0] = x[0] + weights[0];
}

#[kernel(nontemporal(x, y), load_cache(x = [streaming]), store_cache(y = [uncached, uncached]))]
fn both(x: &[f32], y: &mut [f32]) {
    y[0] = x[0];
}

#[kernel(load_cache(x = [write_back]))]
fn of_stores(x: &[f32]) {}

#[kernel(store_cache(x = [cached]))]
fn of_loads(x: &mut [f32]) {}

#[kernel(load_cache(x = [cached, const_cached]))]
fn asserted(x: &[f32]) {}

#[kernel(load_cache(x = [invalidate_after_read]))]
fn asserted_too(x: &[f32]) {}

#[kernel(unsafe(store_cache(x = [uncached])))]
fn nothing_to_vouch_for(x: &mut [f32]) {}

#[kernel(load_cache)]
fn bare(x: &[f32]) {}

#[kernel(load_cache())]
fn of_none(x: &[f32]) {}

#[kernel(load_cache(x))]
fn untold(x: &[f32]) {}

#[kernel(load_cache(x = cached))]
fn of_no_level(x: &[f32]) {}

#[kernel(load_cache(x = []))]
fn of_no_control(x: &[f32]) {}

#[kernel(load_cache(x = ["cached"]))]
fn of_text(x: &[f32]) {}

fn main() {}
