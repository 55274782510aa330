/* SPDX-License-Identifier: BSD-3-Clause */
/* Builds a task's steps (unroll.h). */
#include "placement/graph/unroll.h"

/* By this factor the computation after a loop must be longer than in the loop's other iterations,
 * so that the rest is put after the loop. */
#define CLEARLY_LONGER 1.5

/* An item of the folded sequence at one place, with the sum of its computation over all runs. */
typedef struct Place {
    const Loop *loop;
    double seconds; /* of a message: after it, over all iterations and runs */
    double exits_s; /* after the last message of each run */
    struct Place *body;
} Place;

typedef struct Unrolling {
    const Step *messages;
    Spool *spool;
    Arena *arena;   /* for the steps */
    Arena *scratch; /* for the places */
} Unrolling;

static void make_places(Unrolling *unrolling, Place *place, const Loop *loop)
{
    *place = (Place){.loop = loop, .body = arena_new_array(unrolling->scratch, Place, loop->n_body)};
    for (uint32_t i = 0; i < loop->n_body; i++)
        make_places(unrolling, &place->body[i], &loop->body[i]);
}

/* Reads one run of the place. *last_s: the computation after its last message. */
static bool read_run(Unrolling *unrolling, Place *place, double *last_s, Err *err)
{
    for (uint64_t i = 0; i < place->loop->count; i++) {
        for (uint32_t k = 0; k < place->loop->n_body; k++)
            if (!read_run(unrolling, &place->body[k], last_s, err))
                return false;
        if (place->loop->n_body)
            continue;
        int64_t compute_ns = 0;
        bool is_there;
        if (!spool_read(unrolling->spool, &compute_ns, &is_there, err))
            return false;
        if (!is_there)
            return err_set(err, ERR_BUG, "a message's computation is missing");
        *last_s = 1e-9 * (double)compute_ns;
        place->seconds += *last_s;
    }
    place->exits_s += *last_s;
    return true;
}

/* Sum of the computation after the last message of each iteration. */
static double ends_s(const Place *place)
{
    return place->loop->n_body ? place->body[place->loop->n_body - 1].exits_s : place->seconds;
}

/* How much longer the last computation of a run is than those of its other iterations. Of the sum
 * of all last ones, taken_s is already after an outer loop. */
static double beyond_s(const Place *place, double runs, double taken_s)
{
    if (place->loop->count < 2)
        return 0;
    double others_s = (ends_s(place) - place->exits_s) / (runs * (double)(place->loop->count - 1));
    double last_s = (place->exits_s - taken_s) / runs;
    return last_s > CLEARLY_LONGER * others_s ? last_s - others_s : 0;
}

static void add_iteration(Unrolling *unrolling, const Place *place, double runs, double taken_s, StepList *list);

static void add_place(Unrolling *unrolling, const Place *place, double runs, double taken_s, StepList *list)
{
    if (place->loop->count == 1) {
        add_iteration(unrolling, place, runs, taken_s, list);
        return;
    }
    StepList body = {0};
    double extra_s = beyond_s(place, runs, taken_s);
    add_iteration(unrolling, place, runs * (double)place->loop->count, taken_s + extra_s * runs, &body);
    steps_add_loop(list, place->loop->count, &body, unrolling->arena);
    steps_add_compute(list, extra_s);
}

static void add_iteration(Unrolling *unrolling, const Place *place, double runs, double taken_s, StepList *list)
{
    uint32_t n = place->loop->n_body;
    for (uint32_t i = 0; i < n; i++)
        add_place(unrolling, &place->body[i], runs, i + 1 == n ? taken_s : 0, list);
    if (!n) {
        *vec_push(&list->steps) = unrolling->messages[place->loop->phase];
        steps_add_compute(list, (place->seconds - taken_s) / runs);
    }
}

bool unroll_steps(const Loop *loop, const Step *messages, Spool *spool, Arena *arena, StepList *list, Err *err)
{
    Unrolling unrolling = {messages, spool, arena, arena_new()};
    Place root;
    double last_s = 0;
    make_places(&unrolling, &root, loop);
    spool_start(spool, 0);
    bool ok = read_run(&unrolling, &root, &last_s, err);
    if (ok)
        add_place(&unrolling, &root, 1, 0, list);
    arena_free(unrolling.scratch);
    return ok;
}
