// The mean of the texels around each, by binomial weights.
constant sampler_t pixels = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;

kernel void image_blur(read_only image2d_t src, write_only image2d_t dst)
{
    int2 at = (int2)(get_global_id(0), get_global_id(1));
    float4 sum = (float4)(0.0f);
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++) {
            float weight = (float)((2 - abs(dx)) * (2 - abs(dy))) * 0.0625f;
            sum += read_imagef(src, pixels, at + (int2)(dx, dy)) * weight;
        }
    write_imagef(dst, at, sum);
}
