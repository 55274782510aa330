/* SPDX-License-Identifier: BSD-3-Clause */
/* Chooses where markers stand: at the first occurrence of each run of a relevant phase in the
 * folded sequence; in a loop, only in the first iteration. So 25×(2 500×3) has two markers. Private
 * to export/. */
#pragma once

#include "base/vec.h"
#include "model/signature.h"

enum { MARK_LIMIT = 1000 };

typedef struct Mark {
    uint64_t occurrence;
    uint32_t phase;  /* index into Signature.phases */
    uint64_t count;  /* occurrences in the run */
    int64_t time_ns; /* the earliest process's time; INT64_MAX: not known yet */
} Mark;

typedef struct Marks {
    VEC(Mark) marks; /* by occurrence; at most MARK_LIMIT */
    uint64_t n_more; /* number of further ones */
} Marks;

/* phase_of_id: index into Signature.phases, by id. */
void marks_choose(Marks *marks, const Signature *signature, const uint32_t *phase_of_id);
void marks_free(Marks *marks);

/* A process reaches an occurrence at this time. */
void marks_note(Marks *marks, uint64_t occurrence, int64_t time_ns);
