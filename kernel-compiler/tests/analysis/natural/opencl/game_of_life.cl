kernel void game_of_life(global const uchar* restrict cells, ulong cn, global uchar* restrict next, ulong nn, uint w_, uint h_) {
    size_t w = w_, h = h_, i = get_global_id(0);
    if (i >= w * h) return;
    size_t x = i % w, y = i / w;
    uchar alive = 0;
    for (int a = -1; a <= 1; a++)
        for (int b = -1; b <= 1; b++)
            if (a != 0 || b != 0) alive += cells[(y + h + a) % h * w + (x + w + b) % w];
    next[i] = alive == 3 || (alive == 2 && cells[i] == 1);
}
