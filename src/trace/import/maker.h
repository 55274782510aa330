/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the files of a recording (segment.h) outside of the recorded program. Private to
 * trace/import. */
#pragma once

#include "base/err.h"
#include "base/vec.h"
#include "trace/segment.h"
#include <stdbool.h>
#include <stdio.h>

/* Times in a recording are the foreign trace's times + 1, because 0 means "not known" there. The
 * archive has the foreign trace's times again. */
#define MADE_SHIFT_NS 1

/* The records of one thread. */
typedef struct SegmentMaker {
    char path[4096];
    FILE *file;
    uint64_t stored_bytes;
    uint32_t thread;
    size_t n;        /* records in the current half */
    Record *records; /* [SEGMENT_HALF_BYTES / RECORD_BYTES] the current half */
} SegmentMaker;

bool segment_make(SegmentMaker *maker, const char *recording, uint32_t rank, uint32_t thread, Err *err);
bool segment_put(SegmentMaker *maker, const Record *record, Err *err);

/* Writes what is left, unless `ok` is false. Returns `ok`, and false if writing failed. */
bool segment_finish(SegmentMaker *maker, bool ok, Err *err);

typedef struct MadeComm {
    uint32_t n_members;
    const uint32_t *members; /* [n_members] world ranks; NULL: 0, 1, 2 … */
} MadeComm;

/* Writes a process's file. `process` has rank, n_processes, host, times and counts; the rest is
 * filled in here.
 * `comms` are the process's communicators behind MPI_COMM_WORLD and MPI_COMM_SELF: they get the
 * numbers 2, 3 …. */
bool process_make(const char *recording, ProcessFile *process, const MadeComm *comms, uint32_t n_comms, Err *err);

typedef VEC(char *) MadeNotes;

/* Adds a sentence for the user. notes_make() writes them, and frees them. */
void note_add(MadeNotes *notes, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool notes_make(const char *recording, MadeNotes *notes, bool ok, Err *err);
