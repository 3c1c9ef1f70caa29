// One of two modules that need each other: the kernels, and a function that the other one calls.

typedef struct {
    float scale;
    int step;
} Options;

float noise(float x, const global float *table, const Options *options);
int count(int n);

float twice(float x) { return 2.0f * x; }

kernel void apply(const global float *table, global float *y, int n) {
    size_t i = get_global_id(0);
    Options options = {0.5f, n};
    y[i] = noise(y[i], table, &options);
}

kernel void counted(global int *y) { y[get_global_id(0)] = count(y[get_global_id(0)]); }
