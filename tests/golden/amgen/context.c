/* What models for compiled code also count: bytes of allocations, elements whose index data tell, steps that wait for
 * the iteration before, and no steps to objects that a loop doesn't change. */
#include <stdlib.h>

struct heap {
    int *keys;
    int size;
};

struct node {
    struct node *next;
    int value;
};

long allocates(int n)
{
    double *values = malloc(sizeof *values * n), *more = calloc(n, sizeof *more);
    return values && more;
}

int gathers(const int *values, const int *indexes, int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += values[indexes[i]];
    return sum;
}

int array_of_an_object(const struct heap *heap, int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += heap->keys[i];
    return sum;
}

int from_object_to_object(const struct node *at, int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++) {
        sum += at->value;
        at = at->next;
    }
    return sum;
}
