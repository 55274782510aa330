/* SPDX-License-Identifier: BSD-3-Clause */
/* The actions of one process, on their way into its file. Private to ti.c and ti_collectives.c. */
#pragma once

#include "formats/text_file.h"
#include "formats/ti.h"
#include "formats/walk.h"

typedef struct TiWriter {
    ActionSink sink; /* first member */
    double flops_per_s;
    uint64_t n_actions;
    uint64_t n_created;      /* communicators, windows and files: barriers */
    uint64_t n_proportional; /* calls of MPI_Alltoallv and MPI_Alltoallw */
    uint64_t oversized;      /* a message too large for a replay; 0: none */
    uint32_t process;        /* the current one */
    TextFile text;
} TiWriter;

/* Begins an action's line: "RANK NAME". */
void ti_action(TiWriter *writer, const char *name);
void ti_end_action(TiWriter *writer);

/* Sizes up to most_bytes are counted in elements of so many bytes: more than an int can count needs larger ones. Then
 * ti_types() names them at the line's end. */
uint64_t ti_elements(TiWriter *writer, double most_bytes);
void ti_count(TiWriter *writer, double bytes, uint64_t element_bytes);
void ti_types(TiWriter *writer, uint64_t element_bytes, int times);

/* See ActionSink. */
bool ti_collective(ActionSink *sink, const WorldCollective *collective);
