/* SPDX-License-Identifier: BSD-3-Clause */
/* The programs for synthetic_archive: the records that a rank makes in an iteration. */
#pragma once

#include <otf2/otf2.h>
#include <stdbool.h>
#include <stdint.h>

enum { INIT, FINALIZE, ISEND, IRECV, WAITALL, ALLREDUCE, SENDRECV, BARRIER, SEND, RECV, BCAST, REDUCE, N_REGIONS };

/* The most ranks that the pattern "phases" can send to in a phase. */
#define MOST_PHASE_RANKS (1u << 20)

typedef struct Rank {
    OTF2_EvtWriter *writer;
    uint64_t time, request, random, n_records;
    uint32_t rank, n_ranks;
    uint32_t phase_length, n_phases; /* of the pattern "phases" */
    bool failed;
} Rank;

/* A rank's records in an iteration. */
typedef struct Pattern {
    const char *name;
    void (*iterate)(Rank *rank, uint64_t iteration);
} Pattern;

/* The pattern with this name, or NULL. */
const Pattern *pattern_find(const char *name);

/* The columns of the grid of ranks in a stencil. */
uint32_t grid_columns(uint32_t n_ranks);

void record_init(Rank *rank);
void record_finalize(Rank *rank);
