/* SPDX-License-Identifier: BSD-3-Clause */
/* See shares.h. The longest process comes first. Each process goes to the member that would finish
 * it earliest. */
#include "trace/team/shares.h"

#include "base/arena.h"
#include <stdlib.h>

/* Costs per record, relative to the cost of reading a record (measured by bench/scale.py): ordering
 * and finding phases, sending, receiving. */
static const double ORDER_COST = 0.4, SEND_COST = 0.1, RECEIVE_COST = 0.15;

typedef struct Share {
    uint64_t n_records;
    uint32_t process;
} Share;

static int longer_first(const void *a, const void *b)
{
    const Share *x = a, *y = b;
    if (x->n_records != y->n_records)
        return x->n_records > y->n_records ? -1 : 1;
    return (x->process > y->process) - (x->process < y->process);
}

/* The member that would finish a process earliest. Receiving all records is already counted for
 * rank 0, so a process that rank 0 reads itself costs 1 - RECEIVE_COST. */
static uint32_t earliest_done(const double *busy, uint32_t team_size, double n_records)
{
    uint32_t best = 0;
    double best_end = busy[0] + (1 - RECEIVE_COST) * n_records;
    for (uint32_t rank = 1; rank < team_size; rank++) {
        double end = busy[rank] + (1 + SEND_COST) * n_records;
        if (end < best_end) {
            best = rank;
            best_end = end;
        }
    }
    return best;
}

uint32_t shares_divide(const Archive *archive, uint32_t n_processes, uint32_t team_size, uint32_t rank, uint32_t *owner)
{
    Share *shares = memory_zeroed(n_processes, sizeof *shares);
    double *busy = memory_zeroed(team_size, sizeof *busy);
    uint32_t n_own = 0;
    double n_total = 0;
    for (uint32_t i = 0; i < n_processes; i++) {
        shares[i] = (Share){archive_process_records(archive, i), i};
        n_total += (double)shares[i].n_records;
    }
    qsort(shares, n_processes, sizeof *shares, longer_first);
    busy[0] = (ORDER_COST + RECEIVE_COST) * n_total;
    for (uint32_t i = 0; i < n_processes; i++) {
        double n_records = (double)shares[i].n_records;
        uint32_t reader = earliest_done(busy, team_size, n_records);
        busy[reader] += (reader ? 1 + SEND_COST : 1 - RECEIVE_COST) * n_records;
        owner[shares[i].process] = reader;
        n_own += reader == rank;
    }
    free(shares);
    free(busy);
    return n_own;
}
