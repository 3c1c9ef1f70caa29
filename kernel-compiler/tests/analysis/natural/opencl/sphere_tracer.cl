__kernel void sphere_tracer(__global const float4* spheres, __global uint* image, uint w, uint h, uint n) {
    uint x = get_global_id(0), y = get_global_id(1);
    if (x < w && y < h) {
        float dx = ((float)x - (float)w / 2.0f) / (float)w, dy = ((float)y - (float)h / 2.0f) / (float)w;
        float inv = 1.0f / sqrt(dx * dx + dy * dy + 1.0f);
        dx *= inv; dy *= inv; float dz = inv;
        float nearest = FLT_MAX; uint hit = 0;
        for (uint s = 0; s < n; s++) {
            float4 c = spheres[s];
            float b = c.x * dx + c.y * dy + c.z * dz, q = b * b - (c.x * c.x + c.y * c.y + c.z * c.z - c.w * c.w);
            if (q > 0) { float t = b - sqrt(q); if (t > 0 && t < nearest) { nearest = t; hit = s; } }
        }
        image[y * w + x] = nearest < FLT_MAX ? (uint)(255.0f * spheres[hit].w / nearest) : 0;
    }
}
