__kernel void bitonic_step(__global uint* keys, uint j, uint k, uint n) {
    uint t = get_global_id(0), i = t / j * 2 * j + t % j;
    if (i + j < n) {
        uint a = keys[i], b = keys[i + j];
        bool ascending = (i & k) == 0;
        if ((a > b) == ascending) { keys[i] = b; keys[i + j] = a; }
    }
}
