__kernel void bayes_classes(__global const uint* counts, __global const float* log_likelihoods, __global const float* log_priors, __global uint* classes, uint words,
                            uint documents, uint class_count) {
    uint document = get_global_id(0);
    if (document >= documents) return;
    uint best = 0;
    float greatest = -MAXFLOAT;
    for (uint c = 0; c < class_count; c++) {
        float score = log_priors[c];
        for (uint w = 0; w < words; w++) {
            uint count = counts[document * words + w];
            if (count > 0) score += (float)count * log_likelihoods[c * words + w];
        }
        if (score > greatest) {
            greatest = score;
            best = c;
        }
    }
    classes[document] = best;
}
