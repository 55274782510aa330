/* SPDX-License-Identifier: BSD-3-Clause */
/* Packets of Perfetto's format, one after another. Private to the folder. */
#pragma once

#include "formats/text_file.h"
#include <stdint.h>

typedef struct Packets {
    TextFile file;
    uint64_t n;
    uint8_t *buffer;
    size_t capacity;
} Packets; /* zero-initialise, and open the file */

void packets_free(Packets *packets);

/* The names that slices have, by their numbers from 1 on. To be called first. */
void packets_put_names(Packets *packets, const char *const *names, size_t n);

/* A track below another one; parent 0: it is a process, with this number. */
void packets_put_process(Packets *packets, uint64_t track, int32_t pid, const char *name);
void packets_put_track(Packets *packets, uint64_t track, uint64_t parent, const char *name);

/* What a slice shows when it is chosen. */
typedef struct SliceFact {
    const char *name;
    uint64_t number;
} SliceFact;

enum { SLICE_FACTS = 4 };

typedef struct Slice {
    uint64_t track, name;
    const char *category;
    SliceFact facts[SLICE_FACTS];
    size_t n_facts;
    uint64_t *begins, *ends; /* messages that leave from it, and that arrive: the same number at both ends */
    size_t n_begins, n_ends;
} Slice;

void packets_begin_slice(Packets *packets, int64_t time_ns, const Slice *slice);
void packets_end_slice(Packets *packets, int64_t time_ns, uint64_t track);
