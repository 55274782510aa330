/* SPDX-License-Identifier: BSD-3-Clause */
/* See allocate.h. */
#include "cost/predict/allocate.h"

#include "base/vec.h"
#include <math.h>
#include <stdbool.h>

typedef struct Share {
    double remainder;
    size_t worker;
} Share;

static int by_remainder(const void *a, const void *b)
{
    const Share *x = a, *y = b;
    if (x->remainder != y->remainder)
        return x->remainder > y->remainder ? -1 : 1;
    return (x->worker > y->worker) - (x->worker < y->worker);
}

void allocate_tasks(uint64_t n_tasks, const double *performance, size_t n_workers, uint64_t *counts)
{
    VEC(Share) shares = {0};
    double total = 0;
    uint64_t given = 0;
    bool is_sorted = true;
    for (size_t i = 0; i < n_workers; i++)
        total += performance[i];
    for (size_t i = 0; i < n_workers; i++) {
        /* n · p / total rounds once, n · (p / total) twice: whole shares must stay whole. */
        double exact = (double)n_tasks * performance[i] / total;
        double whole = floor(exact + 1e-9);
        counts[i] = (uint64_t)whole;
        if (counts[i] > n_tasks - given)
            counts[i] = n_tasks - given;
        given += counts[i];
        is_sorted = is_sorted && (i == 0 || exact - whole <= shares.items[i - 1].remainder);
        *vec_push(&shares) = (Share){exact - whole, i};
    }
    if (!is_sorted)
        qsort(shares.items, n_workers, sizeof(Share), by_remainder);
    for (size_t i = 0; given < n_tasks && n_workers; i = (i + 1) % n_workers, given++)
        counts[shares.items[i].worker]++;
    vec_free(&shares);
}
