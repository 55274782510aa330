/* SPDX-License-Identifier: BSD-3-Clause */
/* Private to signature/: the analysis of `firma phases` over what ran, with the signature's phases known beforehand. So
 * what is measured is recognised by its communication, not by counting. */
#ifndef FIRMA_SIGNATURE_EXECUTE_EXECUTED_H
#define FIRMA_SIGNATURE_EXECUTE_EXECUTED_H

#include "base/progress.h"
#include "base/vec.h"
#include "signature/execute/windows.h"

typedef struct Executed {
    ExecutedRun run;
    Signature *signature; /* run.executed */
    VEC(OccurrenceStart) starts;
    uint64_t *n_dropped;
} Executed;

/* Of the run in the archive, the occurrences [from, to], and of each process its last one before. A state's history
 * can be much longer than what is measured of it. */
bool executed_read(const Signature *signature, const char *archive, uint64_t from, uint64_t to,
                   const Progress *progress, Arena *arena, Executed *executed, Err *err);
void executed_free(Executed *executed);

#endif
