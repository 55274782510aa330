/* SPDX-License-Identifier: BSD-3-Clause */
/* The programs and libraries that a job has mapped. A state holds only what was changed in them. So
 * it can be restored only with exactly these files. Private to checkpoint/. */
#pragma once

#include "base/err.h"
#include "base/vec.h"
#include "signature/checkpoint/job.h"

typedef struct MappedFile {
    const char *path;
    const char *identity; /* "build id 1f2e…", "checksum 90ab…" (xxHash) without one, "" for data */
    bool is_executed;
    uint64_t size_bytes;
} MappedFile;

typedef VEC(MappedFile) MappedFiles;

/* Adds each file that the job's processes map privately. Identity and size are left for
 * mapped_identify(), because the job stands still meanwhile. Leaves out the job's own paths, files
 * in /dev/shm, and removed files: a state holds these. */
void mapped_find(const Job *job, Arena *arena, MappedFiles *files);

/* Fills in identity and size. ERR_ENVIRONMENT: a file can't be read. */
bool mapped_identify(MappedFiles *files, Arena *arena, Err *err);

/* ERR_INPUT: one of the files is missing or different. */
bool mapped_check(const MappedFiles *files, Err *err);
