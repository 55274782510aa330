/* SPDX-License-Identifier: BSD-3-Clause */
/* Recognising a content among many known phases by an index: the result is the same as of comparing
 * with each phase. */
#include "../property/memory_trace.h"
#include "signature/phases/candidates.h"
#include "signature/phases/phases.h"
#include "signature/phases/similarity.h"
#include "test.h"

#include <math.h>

enum { PROCESSES = 6, CONTENTS = 600, LONGEST = 11 };

typedef struct Made {
    Content contents[CONTENTS];
    Places places;
    uint64_t random;
} Made;

static void add_event(Made *made, Content *content, uint32_t process, uint32_t peer)
{
    CommType type = comm_type_message(TYPE_SEND, peer);
    uint32_t tick = (uint32_t)content->tick_starts.count - 1;
    *vec_push(&content->events) = (PhaseEvent){tick, process, type, 100};
    *vec_push(&content->places) = places_find(&made->places, process, type);
}

/* An event in `density` of 10 places. */
static void make_new(Made *made, Content *content, uint64_t density, uint32_t n_peers)
{
    for (uint64_t tick = random_below(&made->random, 8) ? LONGEST : 1 + random_below(&made->random, LONGEST); tick;
         tick--) {
        *vec_push(&content->tick_starts) = (uint32_t)content->events.count;
        for (uint32_t process = 0; process < PROCESSES; process++)
            if (!process || random_below(&made->random, 10) < density)
                add_event(made, content, process, (uint32_t)random_below(&made->random, n_peers));
    }
}

/* A copy of a content in which `changes` of 100 events are missing, of another type, or have
 * another event beside them. */
static void make_changed(Made *made, Content *content, const Content *model, uint64_t changes, uint32_t n_peers)
{
    for (size_t tick = 0; tick < model->tick_starts.count; tick++) {
        size_t i = model->tick_starts.items[tick], end = content_tick_end(model, tick);
        *vec_push(&content->tick_starts) = (uint32_t)content->events.count;
        for (uint32_t process = 0; process < PROCESSES; process++) {
            bool is_there = i < end && model->events.items[i].process == process;
            bool changed = random_below(&made->random, 100) < changes;
            if (is_there && !changed)
                add_event(made, content, process, comm_type_peer(model->events.items[i].type));
            else if (changed && random_below(&made->random, 3))
                add_event(made, content, process, (uint32_t)random_below(&made->random, n_peers));
            i += is_there;
        }
    }
}

static void make_all(Made *made, uint64_t seed)
{
    made->random = seed;
    places_init(&made->places, PROCESSES);
    uint32_t n_peers = 2 + (uint32_t)random_below(&made->random, 30);
    uint64_t density = 1 + random_below(&made->random, 10);
    for (uint32_t i = 0; i < CONTENTS; i++) {
        made->contents[i] = (Content){0};
        if (i < 20 || random_below(&made->random, 2))
            make_new(made, &made->contents[i], density, n_peers);
        else
            make_changed(made, &made->contents[i], &made->contents[random_below(&made->random, i)],
                         random_below(&made->random, 40), n_peers);
    }
}

static void free_all(Made *made)
{
    for (uint32_t i = 0; i < CONTENTS; i++)
        content_free(&made->contents[i]);
    places_free(&made->places);
}

static uint64_t place_of(const PhaseEvent *event)
{
    return (uint64_t)event->tick << 32 | event->process;
}

/* Counts the events of both in the same tick and process, with the same type, and volumes within
 * the tolerance. */
static uint32_t count_matches(const Content *a, const Content *b, double volume_tolerance)
{
    uint32_t n = 0;
    for (size_t i = 0, k = 0; i < a->events.count; i++) {
        const PhaseEvent *left = &a->events.items[i];
        while (k < b->events.count && place_of(&b->events.items[k]) < place_of(left))
            k++;
        const PhaseEvent *right = &b->events.items[k];
        double more = (double)(k < b->events.count && right->bytes > left->bytes ? right->bytes : left->bytes);
        n += k < b->events.count && place_of(right) == place_of(left) && right->type == left->type &&
             fabs((double)left->bytes - (double)right->bytes) <= volume_tolerance * more;
    }
    return n;
}

static bool are_similar(const Content *a, const Content *b, const PhaseParameters *parameters)
{
    size_t larger = a->events.count > b->events.count ? a->events.count : b->events.count;
    return a->tick_starts.count == b->tick_starts.count &&
           (double)count_matches(a, b, parameters->volume_tolerance) >=
               parameters->least_match * (double)larger - 1e-9 * (double)larger;
}

/* The first similar phase, by comparing with each phase's content. */
static uint32_t first_similar(const Made *made, const uint32_t *phases, uint32_t n, const Content *content,
                              const PhaseParameters *parameters)
{
    for (uint32_t i = 0; i < n; i++)
        if (are_similar(&made->contents[phases[i]], content, parameters))
            return i;
    return NO_PHASE;
}

static void recognises_the_first_similar_of_many_phases(void **state)
{
    static const double least_matches[] = {0.8, 0.9, 0.5, 0.75, 1, 0.2, 0.99};
    static Made made;
    static uint32_t phases[CONTENTS];
    for (uint64_t seed = 0; seed < 7; seed++) {
        PhaseParameters parameters = PHASE_PARAMETERS_DEFAULT;
        parameters.least_match = least_matches[seed % 7];
        make_all(&made, seed);
        Library library;
        library_init(&library, &parameters, PROCESSES);
        uint32_t n_phases = 0;
        for (uint32_t i = 0; i < CONTENTS; i++) {
            const Content *content = &made.contents[i];
            Recognised recognised = library_recognise(&library, content);
            assert_int_equal(recognised.phase, first_similar(&made, phases, n_phases, content, &parameters));
            if (recognised.phase != NO_PHASE)
                continue;
            library_add(&library, content, recognised.verdict, 0);
            phases[n_phases++] = i;
        }
        library_free(&library);
        free_all(&made);
    }
}

static void every_similar_content_is_a_candidate(void **state)
{
    static Made made;
    uint32_t n_searches = 0;
    for (uint64_t seed = 100; seed < 110; seed++) {
        PhaseParameters parameters = PHASE_PARAMETERS_DEFAULT;
        parameters.least_match = seed % 2 ? 0.8 : 0.7;
        make_all(&made, seed);
        Candidates candidates;
        candidates_init(&candidates, parameters.least_match);
        for (uint32_t i = 0; i < CONTENTS; i++)
            candidates_add(&candidates, &made.contents[i]);
        for (uint32_t i = 0; i < CONTENTS; i += 7) {
            if (!candidates_find(&candidates, &made.contents[i], i / 2))
                continue;
            n_searches++;
            size_t at = 0;
            for (uint32_t other = i / 2; other < CONTENTS; other++) {
                bool found = at < candidates.found.count && candidates.found.items[at] == other;
                at += found;
                assert_true(found || !are_similar(&made.contents[i], &made.contents[other], &parameters));
            }
            assert_int_equal(at, candidates.found.count);
        }
        candidates_free(&candidates);
        free_all(&made);
    }
    assert_true(n_searches > 100);
}

/* 20 events, each alone in its group. The other content has 5 more events, beside the five
 * rarest. */
static void what_only_the_other_content_has_hides_no_candidate(void **state)
{
    Made made = {.random = 1};
    places_init(&made.places, 20);
    Candidates candidates;
    candidates_init(&candidates, 0.8);
    Content sought = {0}, larger = {0};
    for (uint32_t tick = 0; tick < 3; tick++) {
        *vec_push(&sought.tick_starts) = (uint32_t)sought.events.count;
        *vec_push(&larger.tick_starts) = (uint32_t)larger.events.count;
        for (uint32_t process = 0; process < 20 && tick < 2; process++) {
            if (tick == 0)
                add_event(&made, &sought, process, 1);
            if (tick == 0 || process < 5)
                add_event(&made, &larger, process, 1);
        }
    }
    candidates_add(&candidates, &larger);
    for (uint32_t i = 0; i < 600; i++) {
        Content other = {0};
        *vec_push(&other.tick_starts) = 0;
        add_event(&made, &other, 5 + i % 15, 1);
        *vec_push(&other.tick_starts) = 1;
        *vec_push(&other.tick_starts) = 1;
        candidates_add(&candidates, &other);
        content_free(&other);
    }
    assert_true(candidates_find(&candidates, &sought, 0));
    assert_true(candidates.found.count > 0 && candidates.found.items[0] == 0);
    candidates_free(&candidates);
    content_free(&sought);
    content_free(&larger);
    places_free(&made.places);
}

static void contents_that_no_trace_has_are_not_searched(void **state)
{
    Made made = {.random = 1};
    places_init(&made.places, PROCESSES);
    Content twice = {0}, once = {0};
    for (int tick = 0; tick < LONGEST; tick++) {
        *vec_push(&twice.tick_starts) = (uint32_t)twice.events.count;
        *vec_push(&once.tick_starts) = (uint32_t)once.events.count;
        add_event(&made, &once, 0, 1);
        add_event(&made, &twice, 0, 1);
        add_event(&made, &twice, 0, 2); /* the same process in the same tick again */
    }
    Candidates candidates;
    candidates_init(&candidates, 0.8);
    for (int i = 0; i < 100; i++)
        candidates_add(&candidates, &once);
    assert_false(candidates_find(&candidates, &twice, 0));
    candidates_add(&candidates, &twice);
    assert_false(candidates_find(&candidates, &once, 0));
    candidates_free(&candidates);
    content_free(&twice);
    content_free(&once);
    places_free(&made.places);
}

/* A step of two processes: each sends to the other, and a barrier follows. Process 1 receives before
 * it sends, or behind the barrier. */
static void add_step(MemoryTrace *trace, bool early, uint64_t bytes)
{
    add_send(trace, 0, 1, 0, 100);
    if (early)
        add_recv(trace, 1, 0, 0, 100);
    add_send(trace, 1, 0, 0, bytes);
    for (uint32_t p = 0; p < 2; p++)
        add_collective(trace, p, 0, COLLECTIVE_BARRIER, 0);
    add_recv(trace, 0, 1, 0, bytes);
    if (!early)
        add_recv(trace, 1, 0, 0, 100);
}

static void the_moment_at_which_messages_are_received_makes_no_other_phase(void **state)
{
    enum { STEPS = 60 };
    MemoryTrace *trace = memory_trace_new(2);
    PhaseParameters parameters = PHASE_PARAMETERS_DEFAULT;
    for (int i = 0; i < STEPS; i++)
        add_step(trace, i * i % 7 < 3, i % 10 == 5 ? 200 : 100);
    Signature *signature;
    OrderReport report;
    Err err;
    assert_true(
        phases_find(memory_trace_source(trace), &parameters, NULL, NULL, trace->arena, &signature, &report, &err));
    assert_true(signature->n_ticks > 2 * STEPS); /* some steps have three ticks */
    assert_int_equal(signature->n_phases, 2);    /* other volumes make another phase */
    assert_int_equal(signature->phases[0].weight, STEPS - 6);
    assert_int_equal(signature->phases[1].weight, 6);
    memory_trace_free(trace);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_moment_at_which_messages_are_received_makes_no_other_phase),
        cmocka_unit_test(recognises_the_first_similar_of_many_phases),
        cmocka_unit_test(every_similar_content_is_a_candidate),
        cmocka_unit_test(what_only_the_other_content_has_hides_no_candidate),
        cmocka_unit_test(contents_that_no_trace_has_are_not_searched),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
