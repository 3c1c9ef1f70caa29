typedef struct { float v[4]; } row4;
__kernel void apply_gate(__global float* re, __global float* im, uint qubit, row4 m_re, row4 m_im, uint n) {
    uint i = get_global_id(0);
    if (i < n / 2) {
        uint stride = 1u << qubit, a = i / stride * 2 * stride + i % stride, b = a + stride;
        float ar = re[a], ai = im[a], br = re[b], bi = im[b];
        re[a] = m_re.v[0] * ar - m_im.v[0] * ai + m_re.v[1] * br - m_im.v[1] * bi;
        im[a] = m_re.v[0] * ai + m_im.v[0] * ar + m_re.v[1] * bi + m_im.v[1] * br;
        re[b] = m_re.v[2] * ar - m_im.v[2] * ai + m_re.v[3] * br - m_im.v[3] * bi;
        im[b] = m_re.v[2] * ai + m_im.v[2] * ar + m_re.v[3] * bi + m_im.v[3] * br;
    }
}
