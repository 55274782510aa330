/* SPDX-License-Identifier: BSD-3-Clause */
/* The programs and libraries that a job has in its memory. A state holds only what was changed in them, so it can be
 * restored with these very files alone. Private to checkpoint/. */
#pragma once

#include "base/err.h"
#include "base/vec.h"
#include "signature/checkpoint/job.h"

typedef struct MappedFile {
    const char *path;
    const char *identity; /* "build id 1f2e…", "checksum 90ab…" (xxHash) for a program without one, "" for data */
    bool is_executed;
    uint64_t size_bytes;
} MappedFile;

typedef VEC(MappedFile) MappedFiles;

/* Adds the files that the job's processes map privately, each once; without identity and size yet, as the job stands
 * still meanwhile. What is among the job's paths or in /dev/shm, or was removed, is
 * left out: a state holds it. */
void mapped_find(const Job *job, Arena *arena, MappedFiles *files);

/* Fills in what they are, for mapped_check. ERR_ENVIRONMENT: a file can't be read. */
bool mapped_identify(MappedFiles *files, Arena *arena, Err *err);

/* ERR_INPUT: one of them isn't here any more, or is another now. */
bool mapped_check(const MappedFiles *files, Err *err);
