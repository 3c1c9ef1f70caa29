__kernel void hough_votes(__global const uchar* restrict edges, __global const float* restrict sines, __global const float* restrict cosines, __global uint* restrict votes,
                          uint width, uint height, uint bins, uint angles) {
    uint x = get_global_id(0), y = get_global_id(1);
    if (x < width && y < height && edges[y * width + x] != 0)
        for (uint t = 0; t < angles; t++) {
            float rho = (float)x * cosines[t] + (float)y * sines[t];
            uint bin = convert_uint_sat(rho + (float)bins * 0.5f);
            if (bin < bins) atomic_inc(&votes[t * bins + bin]);
        }
}
