// Variables outside functions that start as addresses of others, and types that point to themselves.

typedef struct Node {
    int value;
    constant struct Node *next;
} Node;

constant Node third = {30, 0};
constant Node second = {20, &third};
constant Node first = {10, &second};

constant char *constant names[] = {"zero", "one", "two"};

constant int table[4] = {5, 6, 7, 8};
constant struct {
    int number;
    constant int *parts[2];
    short last;
} mixed = {3, {table + 1, &table[3]}, 9};

global int counter = 41;
global int *global where = &counter;

kernel void read(global int *to) {
    int i = get_global_id(0);
    constant char *name = names[i % 3];
    int length = 0;
    while (name[length])
        length++;
    to[i * 4] = length * 1000 + name[0];
    int sum = 0;
    for (constant Node *node = &first; node; node = node->next)
        sum += node->value;
    to[i * 4 + 1] = sum;
    to[i * 4 + 2] = mixed.number * 100 + *mixed.parts[i & 1] * 10 + mixed.last;
    to[i * 4 + 3] = (where == &counter) * 1000 + *where;
}
