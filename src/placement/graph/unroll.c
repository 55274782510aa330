/* SPDX-License-Identifier: BSD-3-Clause */
/* Builds a task's steps (unroll.h). */
#include "placement/graph/unroll.h"

/* By this factor the computation after a loop must differ from that of the loop's other iterations,
 * so that it isn't averaged in. */
#define CLEARLY 1.5

/* An item of the folded sequence at one place, with the sum of its computation over all runs. */
typedef struct Place {
    const Loop *loop;
    double all_ns;   /* of a message: after it, over all iterations and runs */
    double exits_ns; /* after the last message of each run */
    double runs;
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

/* Reads one run of the place. *last_ns: the computation after its last message. */
static bool read_run(Unrolling *unrolling, Place *place, double *last_ns, Err *err)
{
    place->runs++;
    for (uint64_t i = 0; i < place->loop->count; i++) {
        for (uint32_t k = 0; k < place->loop->n_body; k++)
            if (!read_run(unrolling, &place->body[k], last_ns, err))
                return false;
        if (place->loop->n_body)
            continue;
        int64_t compute_ns = 0;
        bool is_there;
        if (!spool_read(unrolling->spool, &compute_ns, &is_there, err))
            return false;
        if (!is_there)
            return err_set(err, ERR_BUG, "a message's computation is missing");
        *last_ns = (double)compute_ns;
        place->all_ns += *last_ns;
    }
    place->exits_ns += *last_ns;
    return true;
}

/* Sum of the computation after the last message of each iteration. */
static double ends_ns(const Place *place)
{
    return place->loop->n_body ? place->body[place->loop->n_body - 1].exits_ns : place->all_ns;
}

/* Computation at the end of each iteration but the last of each run. */
static double others_ns(const Place *place)
{
    double runs = place->runs * (double)(place->loop->count - 1);
    return (ends_ns(place) - place->exits_ns) / runs;
}

/* Adds one iteration of the place, with end_ns of computation after its last message. */
static void add_iteration(Unrolling *unrolling, const Place *place, double end_ns, StepList *list);

static void add_loop(Unrolling *unrolling, const Place *place, uint64_t times, double end_ns, StepList *list)
{
    StepList body = {0};
    if (times == 1) {
        add_iteration(unrolling, place, end_ns, list);
    } else {
        add_iteration(unrolling, place, end_ns, &body);
        steps_add_loop(list, times, &body, unrolling->arena);
    }
}

/* Adds one run of the place, with end_ns of computation after its last message. */
static void add_run(Unrolling *unrolling, const Place *place, double end_ns, StepList *list)
{
    uint64_t n = place->loop->count;
    double other_ns = n > 1 ? others_ns(place) : end_ns;
    if (end_ns > CLEARLY * other_ns) {
        add_loop(unrolling, place, n, other_ns, list);
        steps_add_compute(list, 1e-9 * (end_ns - other_ns));
    } else if (n > 1 && other_ns > CLEARLY * end_ns) {
        add_loop(unrolling, place, n - 1, other_ns, list);
        add_iteration(unrolling, place, end_ns, list);
    } else {
        add_loop(unrolling, place, n, other_ns + (end_ns - other_ns) / (double)n, list);
    }
}

static void add_iteration(Unrolling *unrolling, const Place *place, double end_ns, StepList *list)
{
    uint32_t n = place->loop->n_body;
    for (uint32_t i = 0; i < n; i++)
        add_run(unrolling, &place->body[i], i + 1 == n ? end_ns : place->body[i].exits_ns / place->body[i].runs, list);
    if (!n) {
        *vec_push(&list->steps) = unrolling->messages[place->loop->phase];
        steps_add_compute(list, 1e-9 * end_ns);
    }
}

bool unroll_steps(const Loop *loop, const Step *messages, Spool *spool, Arena *arena, StepList *list, Err *err)
{
    Unrolling unrolling = {messages, spool, arena, arena_new()};
    Place root;
    double last_ns = 0;
    make_places(&unrolling, &root, loop);
    spool_start(spool, 0);
    bool ok = read_run(&unrolling, &root, &last_ns, err);
    if (ok)
        add_run(&unrolling, &root, root.exits_ns, list);
    arena_free(unrolling.scratch);
    return ok;
}
