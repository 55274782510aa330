/* What models for compiled code also count: bytes of allocations, elements whose index data tell, steps that wait for
 * the iteration before, and no steps to objects that a loop doesn't change, nor to neighbours. */
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

int from_neighbour_to_neighbour(struct node *nodes, int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        nodes[i].next = i + 1 < n ? &nodes[(i + 1) % n] : NULL;
    for (const struct node *at = nodes; at; at = at->next)
        sum += at->value;
    return sum;
}

int from_object_to_another(struct node *nodes, int n)
{
    const struct node *at = nodes;
    for (int i = 0; i < n; i++)
        nodes[i].next = &nodes[(5 * i + 1) % n];
    for (int i = 0; i < n; i++)
        at = at->next;
    return at->value;
}

int from_new_to_new(int n)
{
    struct node *head = NULL, *node;
    int sum = 0;
    for (int i = 0; i < n; i++) {
        node = malloc(sizeof *node);
        node->value = i;
        node->next = head;
        head = node;
    }
    for (node = head; node; node = node->next)
        sum += node->value;
    return sum;
}

int sorted_in(struct node *head, int n)
{
    struct node **at = &head;
    int sum = 0;
    for (int i = 0; i < n; i++) {
        struct node *node = malloc(sizeof *node);
        node->value = i * 7 % n;
        while (*at && (*at)->value < node->value)
            at = &(*at)->next;
        node->next = *at;
        *at = node;
    }
    for (const struct node *from = head; from; from = from->next)
        sum += from->value;
    return sum;
}

typedef struct Table {
    int *keys, n;
} Table;

static int look(const Table *table, int i)
{
    return table->keys[i];
}

/* The one table is near. */
int looks(int *keys, int n)
{
    Table table = {keys, n};
    return look(&table, 1) + look(&table, n - 1);
}

static int look_all(const Table *table)
{
    return look(table, 0);
}

/* Of many tables, each may be far. */
int looks_at_all(const Table *tables, int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += look_all(tables + i);
    return sum;
}
