/* Guards: sides that give up are assumed not to be taken, and cost nothing else. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct Node {
    int key;
    struct Node *left, *right;
} Node;

_Noreturn void die(const char *message);

static void usage(void)
{
    fprintf(stderr, "usage\n");
    exit(2);
}

static int open_all(const int *files, int n)
{
    for (int i = 0; i < n; i++)
        if (files[i] < 0)
            return -1;
    return 0;
}

/* Two allocations, each with a guard. */
double *sums(int n)
{
    double *a = malloc((size_t)n * sizeof *a);
    if (!a)
        return NULL;
    double *b = malloc((size_t)n * sizeof *b);
    if (b == NULL) {
        fprintf(stderr, "no memory\n");
        free(a);
        return NULL;
    }
    for (int i = 0; i < n; i++)
        a[i] = b[i] + 1;
    free(b);
    return a;
}

int passes_errors_on(const int *files, int n)
{
    int status = open_all(files, n);
    if (status != 0)
        return status;
    if (!open_all(files, n))
        return 0;
    assert(files[0] < n);
    for (int i = 0; i < n; i++) {
        if (files[i] == 7)
            die("seven");
        if (files[i] == 8)
            usage();
    }
    switch (files[0]) {
    case 1:
        return n;
    case 2:
        n++;
        break;
    default:
        abort();
    }
    return files[1] ? n : (usage(), 0);
}

/* No guards: a comparison's results, the end of a recursion, the end of an endless loop, a branch
 * that goes on. */
int compare(const int *a, const int *b)
{
    if (*a < *b)
        return -1;
    return *a > *b ? 1 : 0;
}

int height(const Node *node)
{
    if (node == NULL)
        return 0;
    int left = height(node->left);
    return left + 1;
}

Node *find(Node *node, int key)
{
    for (;;) {
        if (node == NULL)
            return NULL;
        if (node->key == key)
            return node;
        node = node->left;
    }
}

int first(const int *a, int n, int key)
{
    for (int i = 0; i < n; i++)
        if (a[i] == key)
            return i;
    return -1;
}

/* Guards with several sides, also asserted. */
int either(const int *a, const int *b, int n)
{
    if (!a || !b || n < 0)
        return -1;
    assert(a[0] && b[0]);
    return a[0] + b[0];
}

/* A case that falls through into an exit; exit(0) isn't a failure. */
int falls_through(int kind, const int *a)
{
    switch (kind) {
    case 1:
        return a[1];
    case 2:
        fprintf(stderr, "two\n");
    default:
        exit(1);
    }
}

int succeeds(const int *a)
{
    if (a[0])
        exit(0);
    return a[1];
}

/* Jumps to where everything is freed. */
int cleans_up(int n)
{
    int status = -1;
    double *b = NULL, *a = malloc((size_t)n * sizeof *a);
    if (!a)
        goto done;
    b = malloc((size_t)n * sizeof *b);
    if (!b)
        goto done;
    for (int i = 0; i < n; i++) {
        if (a[i] < 0) {
            status = -2;
            goto done;
        }
        a[i] = b[i];
    }
    status = 0;
done:
    free(a);
    free(b);
    return status;
}

/* Early exits whose probabilities aren't multiplied out. */
int many(const int *a, int n)
{
    for (int i = 0; i < n; i++) {
        if (a[i] == 1)
            return 1;
        if (a[i] == 2)
            return 2;
        if (a[i] == 3)
            return 3;
        if (a[i] == 4)
            return 4;
    }
    return a[n];
}

/* A hint to the compiler. */
int hinted(const int *a, const int *b)
{
    if (__builtin_expect(!a || !b, 0))
        return -1;
    return a[0] + b[0];
}

/* Where a ray meets a ball; -1 is an answer, not an error. */
double distance(const double *a)
{
    double root = a[0] * a[0] - a[1];
    if (root < 0)
        return -1;
    return a[0] - root;
}

typedef struct List {
    int *items, n, room;
} List;

static void grow(List *list)
{
    int *items = malloc(2 * (size_t)list->room * sizeof *items);
    for (int i = 0; i < list->n; i++)
        items[i] = list->items[i];
    free(list->items);
    list->items = items;
    list->room *= 2;
}

/* A list that grows; every hundredth item is put twice, which tells nothing of room. */
void append(List *list, int item)
{
    if (list->n == list->room)
        grow(list);
    list->items[list->n++] = item;
    if (item % 100 == 0)
        list->items = realloc(list->items, (size_t)list->room * sizeof *list->items);
}

/* Floating-point numbers are seldom equal. */
double scaled(const double *a, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) {
        if (a[i] != 0.0)
            sum += 1 / a[i];
        sum += a[i] == a[0] ? 2 : 3;
    }
    return sum;
}

typedef struct Buffer {
    char bytes[64];
    int filled;
} Buffer;

/* One in 64 bytes fills the buffer. */
int blocks(Buffer *buffer, const char *bytes, int n)
{
    int count = 0;
    for (int i = 0; i < n; i++) {
        buffer->bytes[buffer->filled++] = bytes[i];
        if (buffer->filled == 64) {
            count++;
            buffer->filled = 0;
        }
    }
    return count;
}
