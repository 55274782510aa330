/* SPDX-License-Identifier: BSD-3-Clause */
/* Builds lists of steps (steps.h). */
#include "placement/graph/steps.h"

void steps_add_compute(StepList *list, double seconds)
{
    size_t n = list->steps.count;
    if (!(seconds > 0))
        return;
    if (n && list->steps.items[n - 1].kind == STEP_COMPUTE)
        list->steps.items[n - 1].seconds += seconds;
    else
        *vec_push(&list->steps) = (Step){.kind = STEP_COMPUTE, .seconds = seconds, .times = 1};
}

void steps_add_loop(StepList *list, uint64_t times, StepList *body, Arena *arena)
{
    bool computes_only = body->steps.count == 1 && body->steps.items[0].kind == STEP_COMPUTE;
    if (computes_only) {
        steps_add_compute(list, body->steps.items[0].seconds * (double)times);
        vec_free(&body->steps);
    } else if (body->steps.count) {
        Step *loop = vec_push(&list->steps);
        *loop = (Step){.kind = STEP_LOOP, .times = times};
        loop->body = steps_take(body, arena, &loop->n_body);
    }
}

const Step *steps_take(StepList *list, Arena *arena, uint32_t *n_steps)
{
    const Step *steps = vec_copy(&list->steps, arena);
    *n_steps = (uint32_t)list->steps.count;
    vec_free(&list->steps);
    return steps;
}
