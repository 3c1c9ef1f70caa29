// The other one: functions that the kernels call, one of which calls back, and a table.

typedef struct {
    float scale;
    int step;
} Options;

float twice(float x);

constant int primes[8] = {2, 3, 5, 7, 11, 13, 17, 19};

float noise(float x, const global float *table, const Options *options) {
    int i = (int)x & 3;
    return twice(x) * options->scale + table[(i + options->step) & 3];
}

int count(int n) {
    switch (n) {
    case 1: return primes[n];
    case 7: return 70;
    case 100000: return 5;
    default: break;
    }
    int sum = 0;
    for (int i = 0; i < n; i++) sum += primes[i & 7];
    return sum;
}
