/* SPDX-License-Identifier: BSD-3-Clause */
/* See rendezvous.h. Waiting for the receiver takes a message there and one back. */
#include "model/rendezvous.h"

/* The first border between segments with a step up in cost and in latency. */
bool rendezvous_find(const MachinePath *path, uint64_t *bytes)
{
    static const double clearly_more = 1.5;
    for (uint32_t i = 1; i < path->n_segments; i++) {
        const CostSegment *before = &path->segments[i - 1], *segment = &path->segments[i];
        double step_s = segment->latency_s.value - before->latency_s.value +
                        (double)segment->from_bytes * (segment->s_per_byte.value - before->s_per_byte.value);
        if (segment->latency_s.value > clearly_more * before->latency_s.value && step_s > 0) {
            *bytes = segment->from_bytes;
            return true;
        }
    }
    return false;
}
