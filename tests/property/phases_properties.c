/* SPDX-License-Identifier: BSD-3-Clause */
/* The phase finder, compared with a direct implementation of its definition (docs/METHOD.md §3), on
 * random logical traces with loops. Also properties of durations, milestones and loops. */
#include "memory_trace.h"
#include "property/rounds.h"
#include "signature/phases/finder.h"
#include "test.h"

#include <math.h>

enum { N_TRACES = ROUNDS(400), LARGEST_ROW = 4 };

static const PhaseParameters PARAMETERS = PHASE_PARAMETERS_DEFAULT;

typedef struct Row {
    LogicalEvent events[LARGEST_ROW];
    size_t count;
} Row;

typedef struct Rows {
    VEC(Row) all;
    uint32_t n_processes;
    int64_t now_ns;
    uint64_t numbers[LARGEST_ROW];
    ProcessSpan spans[LARGEST_ROW];
} Rows;

typedef struct Expected {
    size_t start, end; /* rows of the first occurrence */
    uint64_t weight;
    double similarity_sum;
} Expected;

typedef struct Reference {
    VEC(Expected) phases;
    VEC(uint32_t) sequence; /* ids */
    VEC(size_t) starts;     /* rows */
} Reference;

/* A row of the program: the receiver of each process's message, and its bytes; 0 bytes: no
 * message. */
typedef struct Pattern {
    uint32_t peers[LARGEST_ROW];
    uint64_t bytes[LARGEST_ROW];
} Pattern;

static void add_row(Rows *rows, const Pattern *pattern, uint64_t *random, bool noisy)
{
    Row row = {.count = 0};
    for (uint32_t p = 0; p < rows->n_processes; p++) {
        if (!pattern->bytes[p])
            continue;
        uint64_t bytes = pattern->bytes[p] + (noisy ? random_below(random, 12) : 0);
        rows->now_ns += 1 + random_below(random, 9);
        row.events[row.count++] = (LogicalEvent){.process = p,
                                                 .type = comm_type_message(TYPE_SEND, pattern->peers[p]),
                                                 .bytes = bytes,
                                                 .number = rows->numbers[p]++,
                                                 .enter_ns = rows->now_ns};
        ProcessSpan *span = &rows->spans[p];
        if (!span->n_send_events++)
            span->first_ns = rows->now_ns;
        span->last_ns = rows->now_ns;
    }
    if (row.count)
        *vec_push(&rows->all) = row;
}

/* A random program: loops of loops of random rows. */
static Rows random_rows(uint64_t seed)
{
    uint64_t random = seed;
    Rows rows = {.n_processes = 1 + random_below(&random, LARGEST_ROW), .now_ns = 100};
    Pattern patterns[12];
    for (int i = 0; i < 12; i++)
        for (uint32_t p = 0; p < LARGEST_ROW; p++) {
            patterns[i].peers[p] = random_below(&random, 3);
            patterns[i].bytes[p] = random_below(&random, 3) ? 100 + 50 * random_below(&random, 3) : 0;
        }
    bool noisy = random_below(&random, 3) == 0;
    for (uint32_t outer = 1 + random_below(&random, seed % 5 ? 12 : 80); outer; outer--) {
        for (uint32_t part = 0, first = 0; part < 3; part++) {
            uint32_t length = 1 + random_below(&random, 4);
            uint64_t repeats = part == 1 ? 5 : 1 + (seed + part) % 7;
            if (random_below(&random, 10) == 0)
                repeats += random_below(&random, 3);
            if (seed % 4)
                length = 1 + (uint32_t)(seed >> part) % 4;
            for (; repeats; repeats--)
                for (uint32_t i = 0; i < length; i++)
                    add_row(&rows, &patterns[(first + i) % 12], &random, noisy);
            first += length;
        }
    }
    for (uint32_t p = 0; p < rows.n_processes; p++) {
        rows.spans[p].end_ns = rows.now_ns + 50;
        if (!rows.spans[p].n_send_events)
            rows.spans[p].first_ns = rows.spans[p].last_ns = rows.spans[p].end_ns;
    }
    return rows;
}

static const LogicalEvent *find_event(const Row *row, uint32_t process)
{
    for (size_t i = 0; i < row->count; i++)
        if (row->events[i].process == process)
            return &row->events[i];
    return NULL;
}

static size_t count_between(const Rows *rows, size_t start, size_t end)
{
    size_t n = 0;
    for (size_t r = start; r < end; r++)
        n += rows->all.items[r].count;
    return n;
}

static double share_of_matches(const Rows *rows, size_t start, size_t end, size_t known_start)
{
    size_t matches = 0;
    for (size_t r = start; r < end; r++)
        for (size_t i = 0; i < rows->all.items[r].count; i++) {
            const LogicalEvent *event = &rows->all.items[r].events[i];
            const LogicalEvent *known = find_event(&rows->all.items[known_start + r - start], event->process);
            if (!known || known->type != event->type)
                continue;
            double larger = (double)(known->bytes > event->bytes ? known->bytes : event->bytes);
            matches += fabs((double)known->bytes - (double)event->bytes) <= 0.05 * larger;
        }
    size_t n = count_between(rows, start, end), n_known = count_between(rows, known_start, known_start + end - start);
    return (double)matches / (double)(n > n_known ? n : n_known);
}

/* Counts an occurrence of a known phase. Returns false if the phase isn't known. */
static bool count_known(Reference *reference, const Rows *rows, size_t start, size_t end)
{
    for (size_t i = 0; i < reference->phases.count; i++) {
        Expected *phase = &reference->phases.items[i];
        if (phase->end - phase->start != end - start)
            continue;
        double share = share_of_matches(rows, start, end, phase->start);
        if (share < 0.8 - 1e-9)
            continue;
        phase->weight++;
        phase->similarity_sum += share;
        *vec_push(&reference->sequence) = (uint32_t)i + 1;
        *vec_push(&reference->starts) = start;
        return true;
    }
    return false;
}

static void count_any(Reference *reference, const Rows *rows, size_t start, size_t end)
{
    if (count_known(reference, rows, start, end))
        return;
    *vec_push(&reference->phases) = (Expected){start, end, 1, 1};
    *vec_push(&reference->sequence) = (uint32_t)reference->phases.count;
    *vec_push(&reference->starts) = start;
}

static size_t earliest_repeated(const Rows *rows, size_t start, size_t here)
{
    for (size_t r = start; r < here; r++)
        for (size_t i = 0; i < rows->all.items[here].count; i++) {
            const LogicalEvent *event = &rows->all.items[here].events[i];
            const LogicalEvent *earlier = find_event(&rows->all.items[r], event->process);
            if (earlier && earlier->type == event->type)
                return r;
        }
    return SIZE_MAX;
}

static Reference find_by_definition(const Rows *rows)
{
    Reference reference = {0};
    for (size_t start = 0, here; start < rows->all.count; start = here) {
        size_t earlier = SIZE_MAX;
        for (here = start + 1; here < rows->all.count && earlier == SIZE_MAX; here++)
            earlier = earliest_repeated(rows, start, here);
        here -= earlier != SIZE_MAX;
        if (count_known(&reference, rows, start, here))
            continue;
        if (earlier == SIZE_MAX || earlier == start) {
            count_any(&reference, rows, start, here);
        } else {
            count_any(&reference, rows, start, earlier);
            count_any(&reference, rows, earlier, here);
        }
    }
    return reference;
}

static void free_reference(Reference *reference)
{
    vec_free(&reference->phases);
    vec_free(&reference->sequence);
    vec_free(&reference->starts);
}

static PhaseFinder *feed(const Rows *rows, const Phase *known, uint32_t n_known, bool keep)
{
    PhaseFinder *finder = phase_finder_new(&PARAMETERS, rows->n_processes, known, n_known);
    if (keep)
        phase_finder_keep_occurrences(finder);
    TickSink *sink = phase_finder_sink(finder);
    Err err;
    for (size_t r = 0; r < rows->all.count; r++)
        assert_true(sink->tick(sink, r, TICK_SEND, rows->all.items[r].events, rows->all.items[r].count, &err));
    return finder;
}

static Signature finish(PhaseFinder *finder, const Rows *rows, Arena *arena)
{
    OrderReport report = {.processes = (ProcessSpan *)rows->spans};
    Signature signature = {0};
    Err err;
    assert_true(phase_finder_finish(finder, &report, arena, &signature, &err));
    return signature;
}

/* Random rows, what the definition finds in them, and what the finder does. */
typedef struct Found {
    Rows rows;
    Reference reference;
    Arena *arena;
    PhaseFinder *finder;
    Signature signature;
} Found;

static Found find_in_random_rows(uint64_t seed, bool keep)
{
    Found found = {.rows = random_rows(seed), .arena = arena_new()};
    found.reference = find_by_definition(&found.rows);
    found.finder = feed(&found.rows, NULL, 0, keep);
    found.signature = finish(found.finder, &found.rows, found.arena);
    return found;
}

static void free_found(Found *found)
{
    phase_finder_free(found->finder);
    arena_free(found->arena);
    free_reference(&found->reference);
    vec_free(&found->rows.all);
}

typedef VEC(uint32_t) Ids;

static void expand(const Loop *loop, Ids *ids)
{
    for (uint64_t i = 0; i < loop->count; i++) {
        if (loop->phase)
            *vec_push(ids) = loop->phase;
        for (uint32_t b = 0; b < loop->n_body; b++)
            expand(&loop->body[b], ids);
    }
}

static void check_sequence(const Signature *signature, const Reference *reference)
{
    Ids ids = {0};
    expand(&signature->sequence, &ids);
    assert_int_equal(ids.count, reference->sequence.count);
    assert_memory_equal(ids.items, reference->sequence.items, ids.count * sizeof(uint32_t));
    assert_int_equal(signature->n_occurrences, ids.count);
    vec_free(&ids);
}

static void check_content(const Phase *phase, const Expected *expected, const Rows *rows)
{
    uint32_t e = 0;
    for (size_t r = expected->start; r < expected->end; r++)
        for (size_t i = 0; i < rows->all.items[r].count; i++, e++) {
            const LogicalEvent *event = &rows->all.items[r].events[i];
            assert_int_equal(phase->events[e].tick, r - expected->start);
            assert_int_equal(phase->events[e].process, event->process);
            assert_int_equal(phase->events[e].type, event->type);
            assert_int_equal(phase->events[e].bytes, event->bytes);
        }
    assert_int_equal(phase->n_events, e);
}

static void finds_the_phases_of_the_definition(void **state)
{
    for (uint64_t seed = 1; seed <= N_TRACES; seed++) {
        Found found = find_in_random_rows(seed, false);
        assert_int_equal(found.signature.n_phases, found.reference.phases.count);
        for (uint32_t i = 0; i < found.signature.n_phases; i++) {
            const Phase *phase = &found.signature.phases[i];
            const Expected *expected = &found.reference.phases.items[i];
            assert_int_equal(phase->id, i + 1);
            assert_int_equal(phase->n_ticks, expected->end - expected->start);
            assert_int_equal(phase->weight, expected->weight);
            assert_true(fabs(phase->similarity - expected->similarity_sum / (double)expected->weight) < 1e-9);
            check_content(phase, expected, &found.rows);
        }
        check_sequence(&found.signature, &found.reference);
        free_found(&found);
    }
}

static uint64_t events_before(const Rows *rows, size_t row, uint32_t process)
{
    uint64_t n = 0;
    for (size_t r = 0; r < row; r++)
        n += find_event(&rows->all.items[r], process) != NULL;
    return n;
}

/* Entry of the process's first event at or behind a row; behind its last event, the entry of the
 * last one. */
static int64_t time_at(const Rows *rows, size_t row, uint32_t process)
{
    for (size_t r = row; r < rows->all.count; r++)
        if (find_event(&rows->all.items[r], process))
            return find_event(&rows->all.items[r], process)->enter_ns;
    return rows->spans[process].last_ns;
}

static void milestones_are_cuts_of_the_trace(void **state)
{
    for (uint64_t seed = 1; seed <= N_TRACES; seed++) {
        Found found = find_in_random_rows(seed, false);
        double startup_s = 0;
        for (uint32_t p = 0; p < found.rows.n_processes; p++)
            startup_s += found.signature.startup_s[p] / found.rows.n_processes;
        assert_int_equal(found.signature.milestones[0].occurrence, 0);
        assert_int_equal(found.signature.milestones[found.signature.n_milestones - 1].occurrence,
                         found.signature.n_occurrences);
        for (uint32_t m = 0; m < found.signature.n_milestones; m++) {
            const Milestone *milestone = &found.signature.milestones[m];
            size_t row = milestone->occurrence < found.reference.starts.count
                             ? found.reference.starts.items[milestone->occurrence]
                             : found.rows.all.count;
            double time_s = 0, phases_s = 0, weight = 0;
            for (uint32_t p = 0; p < found.rows.n_processes; p++) {
                assert_int_equal(milestone->send_events[p], events_before(&found.rows, row, p));
                time_s += 1e-9 * (double)time_at(&found.rows, row, p) / found.rows.n_processes;
            }
            for (uint32_t i = 0; i < found.signature.n_phases; i++) {
                phases_s += milestone->phase_time_s[i];
                weight += milestone->phase_weight[i];
            }
            assert_true(fabs(milestone->time_s - time_s) < 1e-12);
            assert_true(fabs(startup_s + phases_s - milestone->time_s) < 1e-12);
            assert_true(fabs(weight - (double)milestone->occurrence) < 0.5);
        }
        free_found(&found);
    }
}

static void durations_tile_each_process_and_add_up_by_definition(void **state)
{
    for (uint64_t seed = 1; seed <= N_TRACES; seed++) {
        Found found = find_in_random_rows(seed, false);
        double *slowest_s = arena_new_array(found.arena, double, found.signature.n_phases), share = 0;
        for (size_t o = 0; o < found.reference.starts.count; o++) {
            size_t start = found.reference.starts.items[o];
            size_t end =
                o + 1 < found.reference.starts.count ? found.reference.starts.items[o + 1] : found.rows.all.count;
            int64_t slowest_ns = 0;
            for (uint32_t p = 0; p < found.rows.n_processes; p++) {
                if (events_before(&found.rows, end, p) == events_before(&found.rows, start, p))
                    continue;
                int64_t stay_ns = time_at(&found.rows, end, p) - time_at(&found.rows, start, p);
                slowest_ns = slowest_ns > stay_ns ? slowest_ns : stay_ns;
            }
            slowest_s[found.reference.sequence.items[o] - 1] += 1e-9 * (double)slowest_ns;
        }
        for (uint32_t i = 0; i < found.signature.n_phases; i++) {
            assert_true(fabs(found.signature.phases[i].slowest_total_s - slowest_s[i]) < 1e-12);
            share += found.signature.phases[i].share;
        }
        assert_true(share <= 1 + 1e-9);
        for (uint32_t p = 0; p < found.rows.n_processes; p++) {
            double total_s = found.signature.startup_s[p] + found.signature.shutdown_s[p];
            for (uint32_t i = 0; i < found.signature.n_phases; i++)
                total_s += found.signature.phases[i].processes[p].total_s;
            assert_true(fabs(total_s - 1e-9 * (double)(found.rows.spans[p].end_ns - found.rows.spans[p].begin_ns)) <
                        1e-12);
        }
        free_found(&found);
    }
}

static void kept_occurrences_start_where_the_definition_has_them(void **state)
{
    for (uint64_t seed = 1; seed <= N_TRACES; seed++) {
        Found found = find_in_random_rows(seed, true);
        size_t n, i = 0;
        const OccurrenceStart *starts = phase_finder_occurrences(found.finder, &n);
        for (size_t o = 0; o < found.reference.starts.count; o++) {
            size_t start = found.reference.starts.items[o];
            size_t end =
                o + 1 < found.reference.starts.count ? found.reference.starts.items[o + 1] : found.rows.all.count;
            for (uint32_t p = 0; p < found.rows.n_processes; p++) {
                uint64_t before = events_before(&found.rows, start, p);
                if (events_before(&found.rows, end, p) == before)
                    continue;
                assert_true(i < n);
                assert_int_equal(starts[i].occurrence, o);
                assert_int_equal(starts[i].process, p);
                assert_int_equal(starts[i].phase, found.reference.sequence.items[o]);
                assert_int_equal(starts[i].send_event, before);
                assert_int_equal(starts[i].enter_ns, time_at(&found.rows, start, p));
                i++;
            }
        }
        assert_int_equal(i, n);
        free_found(&found);
    }
}

static void known_phases_are_found_again_under_their_ids(void **state)
{
    for (uint64_t seed = 1; seed <= N_TRACES; seed++) {
        Rows rows = random_rows(seed);
        Arena *arena = arena_new();
        PhaseFinder *first = feed(&rows, NULL, 0, false), *second;
        Signature signature = finish(first, &rows, arena);
        second = feed(&rows, signature.phases, signature.n_phases, false);
        Signature again = finish(second, &rows, arena);
        uint64_t weight = 0;
        for (uint32_t i = 0; i < signature.n_phases; i++) {
            assert_int_equal(again.phases[i].id, signature.phases[i].id);
            assert_int_equal(again.phases[i].n_events, signature.phases[i].n_events);
        }
        for (uint32_t i = 0; i < again.n_phases; i++)
            weight += again.phases[i].weight;
        assert_int_equal(weight, again.n_occurrences);
        phase_finder_free(first);
        phase_finder_free(second);
        arena_free(arena);
        vec_free(&rows.all);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_the_phases_of_the_definition),
        cmocka_unit_test(milestones_are_cuts_of_the_trace),
        cmocka_unit_test(durations_tile_each_process_and_add_up_by_definition),
        cmocka_unit_test(kept_occurrences_start_where_the_definition_has_them),
        cmocka_unit_test(known_phases_are_found_again_under_their_ids),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
