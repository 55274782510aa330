/* SPDX-License-Identifier: BSD-3-Clause */
/* Private to signature/: where a signature's occurrences lie in a run, by counting send-like events. For phases of
 * blocks, all of whose occurrences hold the same types in the same order: they can't be recognised by their blocks,
 * whose computation times are another machine's. */
#ifndef FIRMA_SIGNATURE_EXECUTE_COUNTING_H
#define FIRMA_SIGNATURE_EXECUTE_COUNTING_H

#include "signature/phases/phases.h"

/* Occurrences [from, to) of the signature's sequence as far as the run goes; ordered by occurrence, then
 * process. Where the run does something else than the occurrence begins with, `phase` is 0. */
bool counted_starts(const Signature *signature, uint64_t from, uint64_t to, EventSource *source, Arena *arena,
                    const OccurrenceStart **starts, size_t *n_starts, Err *err);

#endif
