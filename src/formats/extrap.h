/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes measurements for Extra-P, which fits laws in the number of processes p: its JSON format (Extra-P's
 * file-formats.md). Call paths are the whole run, its computation, its MPI calls by kind, and its phases:
 *
 *     main                  time
 *     main->computation     time
 *     main->MPI->allreduce  time, visits, bytes
 *     main->phase 1         time, visits
 *
 * All values are means over the processes. Phases are matched by their numbers. So they are left out if the traces
 * have different numbers of them. */
#pragma once

#include "base/err.h"
#include "formats/notes.h"
#include "model/signature.h"
#include "signature/profile/profile.h"

/* What was measured of one run. */
typedef struct ExtrapRun {
    Profile profile;
    const Signature *signature;
} ExtrapRun;

typedef struct ExtrapSummary {
    uint64_t n_measurements;
    uint32_t n_points; /* different numbers of processes */
} ExtrapSummary;

/* Writes the file. ERR_ENVIRONMENT: it can't be written. */
bool extrap_write(const ExtrapRun *runs, size_t n_runs, const char *path, Notes *notes, ExtrapSummary *summary,
                  Err *err);
