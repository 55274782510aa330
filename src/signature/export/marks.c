/* SPDX-License-Identifier: BSD-3-Clause */
/* Chooses markers, and finds their times (marks.h). */
#include "signature/export/marks.h"

#include <assert.h>

/* Goes through one iteration of each loop. `at`: the loop's first occurrence. */
static void choose(Marks *marks, const Signature *signature, const uint32_t *phase_of_id, const Loop *loop, uint64_t at)
{
    if (loop->phase) {
        uint32_t phase = phase_of_id[loop->phase];
        if (!signature->phases[phase].relevant)
            return;
        assert(!marks->marks.count || marks->marks.items[marks->marks.count - 1].occurrence < at);
        if (marks->marks.count == MARK_LIMIT)
            marks->n_more++;
        else
            *vec_push(&marks->marks) = (Mark){at, phase, loop->count, INT64_MAX};
        return;
    }
    for (uint32_t i = 0; i < loop->n_body; i++) {
        choose(marks, signature, phase_of_id, &loop->body[i], at);
        at += loop_length(&loop->body[i]);
    }
}

void marks_choose(Marks *marks, const Signature *signature, const uint32_t *phase_of_id)
{
    *marks = (Marks){.n_more = 0};
    choose(marks, signature, phase_of_id, &signature->sequence, 0);
}

void marks_free(Marks *marks)
{
    vec_free(&marks->marks);
}

void marks_note(Marks *marks, uint64_t occurrence, int64_t time_ns)
{
    size_t at = 0;
    vec_bisect(at, marks->marks.count, marks->marks.items[at].occurrence < occurrence);
    if (at == marks->marks.count || marks->marks.items[at].occurrence != occurrence)
        return;
    if (time_ns < marks->marks.items[at].time_ns)
        marks->marks.items[at].time_ns = time_ns;
}
