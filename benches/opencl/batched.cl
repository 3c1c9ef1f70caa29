// Many products of matrices of four by four.
kernel void batched(global const float *restrict a, ulong a_len, global const float *restrict b, ulong b_len,
                    global float *restrict c, ulong c_len)
{
    size_t i = get_global_id(0);
    if (i < a_len && i < b_len && i < c_len) {
        float left[4][4], right[4][4], product[4][4] = {{0.0f}};
        for (int row = 0; row < 4; row++)
            for (int column = 0; column < 4; column++) {
                left[row][column] = a[16 * i + 4 * row + column];
                right[row][column] = b[16 * i + 4 * row + column];
            }
        for (int row = 0; row < 4; row++)
            for (int column = 0; column < 4; column++)
                for (int k = 0; k < 4; k++)
                    product[row][column] += left[row][k] * right[k][column];
        for (int row = 0; row < 4; row++)
            for (int column = 0; column < 4; column++)
                c[16 * i + 4 * row + column] = product[row][column];
    }
}
