/* SPDX-License-Identifier: BSD-3-Clause */
/* Block similarity, compared with direct, quadratic implementations of its definition
 * (docs/METHOD.md §3), on random sequences and random logical traces. Also properties of the
 * phases' durations. */
#include "memory_trace.h"
#include "property/rounds.h"
#include "signature/phases/block_names.h"
#include "signature/phases/block_phases.h"
#include "signature/phases/finder.h"
#include "signature/phases/repeats.h"
#include "test.h"

#include <math.h>

enum { N_SEQUENCES = ROUNDS(3000), N_TRACES = ROUNDS(300), MOST_PROCESSES = 4 };

typedef VEC(uint32_t) Names;

/* A random sequence with repetitions of all sizes. */
static Names random_names(uint64_t seed)
{
    uint64_t random = seed;
    uint32_t n_letters = 1 + random_below(&random, seed % 3 ? 4 : 30);
    Names names = {0};
    for (uint32_t steps = 1 + random_below(&random, 40); steps; steps--) {
        uint32_t n = names.count ? random_below(&random, (uint32_t)names.count) + 1 : 0;
        if (n && random_below(&random, 3)) {
            size_t from = random_below(&random, (uint32_t)(names.count - n + 1));
            n = n > 20 ? 20 : n;
            for (uint32_t i = 0; i < n; i++) {
                uint32_t name = names.items[from + i];
                *vec_push(&names) = name;
            }
        } else {
            *vec_push(&names) = random_below(&random, n_letters);
        }
    }
    return names;
}

static uint32_t common_letters(const Names *names, size_t a, size_t b)
{
    uint32_t n = 0;
    while (b + n < names->count && names->items[a + n] == names->items[b + n])
        n++;
    return n;
}

static void repeats_are_what_a_comparison_with_every_later_place_finds(void **state)
{
    for (uint64_t seed = 1; seed <= N_SEQUENCES; seed++) {
        Names names = random_names(seed);
        Repeats repeats;
        repeats_init(&repeats, names.items, (uint32_t)names.count, 30);
        for (uint32_t i = 0; i < names.count; i++) {
            uint32_t longest = 0;
            for (size_t j = i + 1; j < names.count; j++) {
                uint32_t n = common_letters(&names, i, j);
                longest = n > longest ? n : longest;
            }
            assert_int_equal(repeats_take(&repeats, i), longest);
        }
        repeats_free(&repeats);
        vec_free(&names);
    }
}

static bool stretches_are_equal(const Names *names, size_t a, size_t b, size_t n)
{
    return b + n <= names->count && a + n <= names->count &&
           memcmp(names->items + a, names->items + b, n * sizeof(uint32_t)) == 0;
}

static bool holds_a_name_twice(const Names *names, size_t from, size_t n)
{
    for (size_t i = from; i < from + n; i++)
        for (size_t j = from; j < i; j++)
            if (names->items[i] == names->items[j])
                return true;
    return false;
}

/* The index of the phase that equals [from, from + n), or the number of phases. */
static size_t phase_of(const BlockPhases *found, const Names *names, size_t from, size_t n)
{
    size_t i = 0;
    while (i < found->phases.count && (found->phases.items[i].n_blocks != n ||
                                       !stretches_are_equal(names, found->phases.items[i].first_block, from, n)))
        i++;
    return i;
}

static bool comes_again(const Names *names, size_t from, size_t n)
{
    for (size_t later = from + n; later + n <= names->count; later++)
        if (stretches_are_equal(names, from, later, n))
            return true;
    return false;
}

static BlockPhases find_by_definition(const Names *names)
{
    BlockPhases found = {0};
    for (size_t at = 0, n; at < names->count; at += n) {
        n = 1;
        for (size_t length = 2; at + length <= names->count && !holds_a_name_twice(names, at, length); length++)
            if (comes_again(names, at, length) || phase_of(&found, names, at, length) < found.phases.count)
                n = length;
        size_t phase = phase_of(&found, names, at, n);
        if (phase == found.phases.count)
            *vec_push(&found.phases) = (BlockPhase){(uint32_t)at, (uint32_t)n, 0};
        found.phases.items[phase].weight++;
        *vec_push(&found.sequence) = (uint32_t)phase;
    }
    return found;
}

static void phases_are_the_repeated_stretches_of_the_definition(void **state)
{
    for (uint64_t seed = 1; seed <= N_SEQUENCES; seed++) {
        Names names = random_names(seed);
        BlockPhases expected = find_by_definition(&names), found = {0};
        block_phases_find(names.items, (uint32_t)names.count, 30, &found);
        assert_int_equal(found.phases.count, expected.phases.count);
        assert_memory_equal(found.phases.items, expected.phases.items, found.phases.count * sizeof(BlockPhase));
        assert_int_equal(found.sequence.count, expected.sequence.count);
        assert_memory_equal(found.sequence.items, expected.sequence.items, found.sequence.count * sizeof(uint32_t));
        block_phases_free(&expected);
        block_phases_free(&found);
        vec_free(&names);
    }
}

static void expanding_the_phases_gives_the_blocks_each_in_one_occurrence(void **state)
{
    for (uint64_t seed = 1; seed <= N_SEQUENCES; seed++) {
        Names names = random_names(seed);
        BlockPhases found = {0};
        block_phases_find(names.items, (uint32_t)names.count, 30, &found);
        size_t at = 0;
        for (size_t i = 0; i < found.sequence.count; i++) {
            const BlockPhase *phase = &found.phases.items[found.sequence.items[i]];
            assert_true(stretches_are_equal(&names, phase->first_block, at, phase->n_blocks));
            assert_false(holds_a_name_twice(&names, at, phase->n_blocks));
            at += phase->n_blocks;
        }
        assert_int_equal(at, names.count);
        block_phases_free(&found);
        vec_free(&names);
    }
}

/* ---- random logical traces ---- */

typedef struct Tick {
    LogicalEvent events[MOST_PROCESSES];
    size_t count;
} Tick;

typedef struct Ticks {
    VEC(Tick) all;
    uint32_t n_processes;
    ProcessSpan spans[MOST_PROCESSES];
} Ticks;

/* A value around the mean: equal, nearly equal, or up to `percent` away. */
static uint64_t about(uint64_t *random, uint64_t mean, uint32_t percent)
{
    return mean * (100 - percent + random_below(random, 2 * percent + 1)) / 100;
}

static CommType random_type(uint64_t *random)
{
    uint32_t kind = random_below(random, 8);
    if (kind == 0)
        return comm_type_collective(COLLECTIVE_ALLREDUCE, 0, NO_ROOT);
    return comm_type_message(kind % 2 ? TYPE_SEND : TYPE_RECV, random_below(random, 2));
}

static bool is_send_like(const LogicalEvent *event)
{
    return comm_type_kind(event->type) != TYPE_RECV;
}

/* From a process's first send-like event to its last one, as the order stage gives them. */
static void find_spans(Ticks *ticks, int64_t end_ns)
{
    for (uint32_t p = 0; p < ticks->n_processes; p++)
        ticks->spans[p] = (ProcessSpan){.first_ns = end_ns, .last_ns = end_ns, .end_ns = end_ns};
    for (size_t t = ticks->all.count; t-- > 0;)
        for (size_t e = 0; e < ticks->all.items[t].count; e++) {
            const LogicalEvent *event = &ticks->all.items[t].events[e];
            ProcessSpan *span = &ticks->spans[event->process];
            if (!is_send_like(event))
                continue;
            if (span->last_ns == end_ns)
                span->last_ns = event->enter_ns;
            span->first_ns = event->enter_ns;
        }
}

/* Loops over a few kinds of ticks. Entry times of receives may go back, as in the PAS2P order. */
static Ticks random_ticks(uint64_t seed)
{
    uint64_t random = seed;
    Ticks ticks = {.n_processes = 1 + random_below(&random, MOST_PROCESSES)};
    uint32_t volume_noise = seed % 3 * 4, compute_noise = seed / 3 % 4 * 4;
    Tick kinds[6];
    for (int k = 0; k < 6; k++) {
        kinds[k].count = 0;
        for (uint32_t p = 0; p < ticks.n_processes; p++)
            if (random_below(&random, 4))
                kinds[k].events[kinds[k].count++] = (LogicalEvent){.process = p,
                                                                   .type = random_type(&random),
                                                                   .bytes = 1000 * random_below(&random, 3),
                                                                   .compute_ns = 5000 * random_below(&random, 3)};
    }
    int64_t now_ns = 1000;
    uint32_t length = 1 + random_below(&random, 6), n = 1 + random_below(&random, seed % 5 ? 60 : 400);
    for (uint32_t i = 0; i < n; i++) {
        Tick tick = kinds[random_below(&random, 12) ? i % length : random_below(&random, 6)];
        for (size_t e = 0; e < tick.count; e++) {
            LogicalEvent *event = &tick.events[e];
            event->bytes = about(&random, event->bytes, volume_noise);
            event->compute_ns = (int64_t)about(&random, (uint64_t)event->compute_ns, compute_noise);
            event->enter_ns = now_ns + random_below(&random, is_send_like(event) ? 10 : 30);
        }
        now_ns += 10;
        if (tick.count)
            *vec_push(&ticks.all) = tick;
    }
    find_spans(&ticks, now_ns + 100);
    return ticks;
}

static bool is_within(double a, double b, double tolerance)
{
    return fabs(a - b) <= tolerance * fmax(a, b);
}

static const LogicalEvent *event_of(const Tick *tick, uint32_t process)
{
    for (size_t i = 0; i < tick->count; i++)
        if (tick->events[i].process == process)
            return &tick->events[i];
    return NULL;
}

static bool ends_are_similar(const Tick *a, const Tick *b, uint32_t process, double tolerance)
{
    const LogicalEvent *left = event_of(a, process), *right = event_of(b, process);
    if (!left || !right)
        return !left && !right;
    return left->type == right->type && is_within((double)left->bytes, (double)right->bytes, tolerance);
}

static double computation(const Tick *exit, uint32_t process)
{
    const LogicalEvent *event = event_of(exit, process);
    return event ? (double)event->compute_ns : 0;
}

static bool computations_are_similar(double a_ns, double b_ns, const PhaseParameters *parameters)
{
    return is_within(a_ns, b_ns, parameters->compute_tolerance) ||
           fabs(a_ns - b_ns) <= 1e9 * parameters->compute_floor_s;
}

static bool blocks_are_similar(const Ticks *ticks, size_t a, size_t b, const PhaseParameters *parameters)
{
    const Tick *all = ticks->all.items;
    for (uint32_t p = 0; p < ticks->n_processes; p++)
        if (!ends_are_similar(&all[a], &all[b], p, parameters->volume_tolerance) ||
            !ends_are_similar(&all[a + 1], &all[b + 1], p, parameters->volume_tolerance) ||
            !computations_are_similar(computation(&all[a + 1], p), computation(&all[b + 1], p), parameters))
            return false;
    return true;
}

/* Each block's name: the number of the first similar block among those with a name of their own. */
static Names name_by_definition(const Ticks *ticks, const PhaseParameters *parameters, uint32_t *n_distinct)
{
    Names names = {0};
    VEC(size_t) distinct = {0};
    for (size_t block = 0; block + 1 < ticks->all.count; block++) {
        size_t i = 0;
        while (i < distinct.count && !blocks_are_similar(ticks, distinct.items[i], block, parameters))
            i++;
        if (i == distinct.count)
            *vec_push(&distinct) = block;
        *vec_push(&names) = (uint32_t)i;
    }
    *n_distinct = (uint32_t)distinct.count;
    vec_free(&distinct);
    return names;
}

static PhaseParameters random_parameters(uint64_t seed)
{
    static const double tolerances[] = {0.05, 0, 0.1, 1};
    PhaseParameters parameters = PHASE_PARAMETERS_DEFAULT;
    parameters.similarity = "block";
    parameters.volume_tolerance = tolerances[seed / 7 % 4];
    parameters.compute_tolerance = tolerances[seed / 5 % 4];
    parameters.compute_floor_s = seed % 3 * 100e-9;
    parameters.compute_floor_given = true;
    return parameters;
}

static uint32_t name_tick(BlockNames *names, const Rows *rows, uint32_t entry, uint32_t exit,
                          const LogicalEvent *events, size_t n)
{
    float times[64];
    assert_true(n <= sizeof times / sizeof *times);
    for (size_t i = 0; i < n; i++)
        times[i] = events[i].compute_ns > 0 ? (float)events[i].compute_ns : 0;
    return block_names_find(names, rows, entry, exit, times);
}

static void blocks_are_named_after_the_first_similar_one(void **state)
{
    for (uint64_t seed = 1; seed <= N_TRACES; seed++) {
        Ticks ticks = random_ticks(seed);
        PhaseParameters parameters = random_parameters(seed);
        uint32_t n_distinct, row = NO_ROW;
        Names expected = name_by_definition(&ticks, &parameters, &n_distinct);
        Rows rows = {0};
        BlockNames names;
        block_names_init(&names, &parameters, 1e9 * parameters.compute_floor_s);
        for (size_t t = 0; t < ticks.all.count; t++) {
            const Tick *tick = &ticks.all.items[t];
            uint32_t entry = row;
            row = rows_find(&rows, entry, tick->events, tick->count);
            if (t)
                assert_int_equal(name_tick(&names, &rows, entry, row, tick->events, tick->count),
                                 expected.items[t - 1]);
        }
        assert_int_equal(names.distinct.count, n_distinct);
        assert_int_equal(names.n_cut_short, 0);
        block_names_free(&names);
        rows_free(&rows);
        vec_free(&expected);
        vec_free(&ticks.all);
    }
}

/* The times of many processes scatter by about the tolerance, so the tree prunes little. */
static void blocks_of_one_name_are_similar_even_if_the_search_was_cut_short(void **state)
{
    enum { N = 12, N_TICKS = 6000 };
    PhaseParameters parameters = PHASE_PARAMETERS_DEFAULT;
    BlockNames names;
    Rows rows = {0};
    block_names_init(&names, &parameters, 0);
    int64_t(*times)[N] = memory_zeroed(N_TICKS, sizeof *times);
    VEC(uint32_t) first = {0}; /* tick at which the block of a name ends */
    uint64_t random = 1;
    uint32_t row = NO_ROW;
    for (size_t t = 0; t < N_TICKS; t++) {
        LogicalEvent events[N];
        for (uint32_t p = 0; p < N; p++) {
            times[t][p] = (int64_t)about(&random, 100000, 12);
            events[p] = (LogicalEvent){
                .process = p, .type = comm_type_message(TYPE_SEND, 0), .bytes = 8, .compute_ns = times[t][p]};
        }
        uint32_t entry = row;
        row = rows_find(&rows, entry, events, N);
        if (!t)
            continue;
        uint32_t name = name_tick(&names, &rows, entry, row, events, N);
        assert_true(name <= first.count);
        if (name == first.count)
            *vec_push(&first) = (uint32_t)t;
        for (uint32_t p = 0; p < N; p++)
            assert_true(is_within((double)times[t][p], (double)times[first.items[name]][p], 0.05));
    }
    assert_true(names.n_cut_short > 0);
    block_names_free(&names);
    rows_free(&rows);
    vec_free(&first);
    free(times);
}

/* ---- the whole finder ---- */

static PhaseFinder *feed(const Ticks *ticks, const PhaseParameters *parameters)
{
    PhaseFinder *finder = phase_finder_new(parameters, ticks->n_processes, NULL, 0);
    TickSink *sink = phase_finder_sink(finder);
    Err err;
    for (size_t t = 0; t < ticks->all.count; t++)
        assert_true(sink->tick(sink, t, TICK_MIXED, ticks->all.items[t].events, ticks->all.items[t].count, &err));
    return finder;
}

static Signature *finish(PhaseFinder *finder, const Ticks *ticks, Arena *arena)
{
    OrderReport report = {.processes = (ProcessSpan *)ticks->spans};
    Signature *signature = arena_new_array(arena, Signature, 1);
    signature->application.n_processes = ticks->n_processes;
    Err err;
    assert_true(phase_finder_finish(finder, &report, arena, signature, &err));
    return signature;
}

/* Random ticks, what the definition finds in them, and what the finder does. */
typedef struct Found {
    Ticks ticks;
    uint32_t n_distinct;
    Names names;
    BlockPhases expected;
    Arena *arena;
    PhaseFinder *finder;
    const Signature *signature;
} Found;

/* False: there are fewer ticks, and nothing to free. */
static bool find_in_random_ticks(uint64_t seed, size_t least_ticks, Found *found)
{
    *found = (Found){.ticks = random_ticks(seed)};
    if (found->ticks.all.count < least_ticks) {
        vec_free(&found->ticks.all);
        return false;
    }
    const PhaseParameters parameters = random_parameters(seed);
    if (found->ticks.all.count > 1) {
        found->names = name_by_definition(&found->ticks, &parameters, &found->n_distinct);
        found->expected = find_by_definition(&found->names);
    }
    found->arena = arena_new();
    found->finder = feed(&found->ticks, &parameters);
    found->signature = finish(found->finder, &found->ticks, found->arena);
    return true;
}

static void free_found(Found *found)
{
    phase_finder_free(found->finder);
    arena_free(found->arena);
    block_phases_free(&found->expected);
    vec_free(&found->names);
    vec_free(&found->ticks.all);
}

/* Entry of the process's first send-like event from a tick on; behind its last event, the entry of
 * the last one. */
static int64_t comes_to(const Ticks *ticks, size_t tick, uint32_t process)
{
    for (size_t t = tick; t < ticks->all.count; t++) {
        const LogicalEvent *event = event_of(&ticks->all.items[t], process);
        if (event && is_send_like(event))
            return event->enter_ns;
    }
    return ticks->spans[process].last_ns;
}

static uint64_t count_sends(const Ticks *ticks, size_t from, size_t to, uint32_t process)
{
    uint64_t n = 0;
    for (size_t t = from; t < to; t++) {
        const LogicalEvent *event = event_of(&ticks->all.items[t], process);
        n += event && is_send_like(event);
    }
    return n;
}

/* The end of an occurrence's ticks. The last occurrence also has the trace's last tick. */
static size_t end_of(const Ticks *ticks, const BlockPhase *phase, size_t start)
{
    return start + phase->n_blocks + (start + phase->n_blocks + 1 == ticks->all.count);
}

static void durations_and_startpoints_are_those_of_the_definition(void **state)
{
    for (uint64_t seed = 1; seed <= N_TRACES; seed++) {
        Found found;
        if (!find_in_random_ticks(seed, 2, &found))
            continue;
        assert_int_equal(found.signature->n_phases, found.expected.phases.count);
        assert_int_equal(found.signature->n_occurrences, found.expected.sequence.count);
        assert_int_equal(found.signature->n_blocks, found.names.count);
        assert_int_equal(found.signature->n_distinct_blocks, found.n_distinct);
        int64_t(*total_ns)[MOST_PROCESSES] = memory_zeroed(found.expected.phases.count, sizeof *total_ns);
        uint64_t *weights = memory_zeroed(found.expected.phases.count, sizeof *weights);
        size_t start = 0;
        for (size_t o = 0; o < found.expected.sequence.count; o++) {
            uint32_t number = found.expected.sequence.items[o];
            const Phase *phase = &found.signature->phases[number];
            size_t end = end_of(&found.ticks, &found.expected.phases.items[number], start);
            weights[number]++;
            for (uint32_t p = 0; p < found.ticks.n_processes; p++) {
                if (count_sends(&found.ticks, start, end, p))
                    total_ns[number][p] += comes_to(&found.ticks, end, p) - comes_to(&found.ticks, start, p);
                if (weights[number] == (phase->weight > 1 ? 2 : 1)) {
                    assert_int_equal(phase->places[0].startpoint[p], count_sends(&found.ticks, 0, start, p));
                    assert_int_equal(phase->places[0].endpoint[p], count_sends(&found.ticks, 0, end, p));
                }
            }
            start = end;
        }
        assert_int_equal(start, found.ticks.all.count);
        for (uint32_t i = 0; i < found.signature->n_phases; i++)
            for (uint32_t p = 0; p < found.ticks.n_processes; p++)
                assert_true(fabs(found.signature->phases[i].processes[p].total_s - 1e-9 * (double)total_ns[i][p]) <
                            1e-12);
        free(total_ns);
        free(weights);
        free_found(&found);
    }
}

static void a_processs_phases_tile_its_time(void **state)
{
    for (uint64_t seed = 1; seed <= N_TRACES; seed++) {
        Found found;
        if (!find_in_random_ticks(seed, 1, &found))
            continue;
        for (uint32_t p = 0; p < found.ticks.n_processes; p++) {
            double total_s = found.signature->startup_s[p] + found.signature->shutdown_s[p];
            for (uint32_t i = 0; i < found.signature->n_phases; i++)
                total_s += found.signature->phases[i].processes[p].total_s;
            assert_true(fabs(total_s - 1e-9 * (double)found.ticks.spans[p].end_ns) < 1e-12);
        }
        free_found(&found);
    }
}

static void a_phases_content_is_that_of_its_first_occurrence(void **state)
{
    for (uint64_t seed = 1; seed <= N_TRACES; seed++) {
        Found found;
        if (!find_in_random_ticks(seed, 2, &found))
            continue;
        for (uint32_t i = 0; i < found.signature->n_phases; i++) {
            const Phase *phase = &found.signature->phases[i];
            size_t start = found.expected.phases.items[i].first_block, e = 0;
            assert_int_equal(phase->id, i + 1);
            assert_int_equal(phase->weight, found.expected.phases.items[i].weight);
            assert_int_equal(phase->n_ticks, end_of(&found.ticks, &found.expected.phases.items[i], start) - start);
            for (uint32_t t = 0; t < phase->n_ticks; t++)
                for (size_t j = 0; j < found.ticks.all.items[start + t].count; j++, e++) {
                    const LogicalEvent *event = &found.ticks.all.items[start + t].events[j];
                    assert_int_equal(phase->events[e].tick, t);
                    assert_int_equal(phase->events[e].process, event->process);
                    assert_int_equal(phase->events[e].type, event->type);
                    assert_int_equal(phase->events[e].bytes, event->bytes);
                }
            assert_int_equal(phase->n_events, e);
        }
        free_found(&found);
    }
}

static void a_trace_of_one_tick_is_one_phase(void **state)
{
    Ticks ticks = {.n_processes = 1, .spans = {{.end_ns = 100}}};
    *vec_push(&ticks.all) = (Tick){{{.type = comm_type_message(TYPE_SEND, 0), .enter_ns = 40}}, 1};
    PhaseParameters parameters = random_parameters(0);
    Arena *arena = arena_new();
    PhaseFinder *finder = feed(&ticks, &parameters);
    const Signature *signature = finish(finder, &ticks, arena);
    assert_int_equal(signature->n_phases, 1);
    assert_int_equal(signature->phases[0].n_ticks, 1);
    assert_int_equal(signature->n_blocks, 0);
    phase_finder_free(finder);
    arena_free(arena);
    vec_free(&ticks.all);
}

static void a_trace_without_events_is_refused(void **state)
{
    PhaseParameters parameters = random_parameters(0);
    Ticks ticks = {.n_processes = 2};
    PhaseFinder *finder = feed(&ticks, &parameters);
    OrderReport report = {.processes = ticks.spans};
    Arena *arena = arena_new();
    Signature signature;
    Err err;
    assert_false(phase_finder_finish(finder, &report, arena, &signature, &err));
    assert_int_equal(err.kind, ERR_INPUT);
    phase_finder_free(finder);
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(repeats_are_what_a_comparison_with_every_later_place_finds),
        cmocka_unit_test(phases_are_the_repeated_stretches_of_the_definition),
        cmocka_unit_test(expanding_the_phases_gives_the_blocks_each_in_one_occurrence),
        cmocka_unit_test(blocks_are_named_after_the_first_similar_one),
        cmocka_unit_test(blocks_of_one_name_are_similar_even_if_the_search_was_cut_short),
        cmocka_unit_test(durations_and_startpoints_are_those_of_the_definition),
        cmocka_unit_test(a_processs_phases_tile_its_time),
        cmocka_unit_test(a_phases_content_is_that_of_its_first_occurrence),
        cmocka_unit_test(a_trace_of_one_tick_is_one_phase),
        cmocka_unit_test(a_trace_without_events_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
