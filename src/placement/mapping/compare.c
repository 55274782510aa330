/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs all mappers on one problem, and judges them by the same simulation. */
#include "placement/mapping/mappers.h"

#include <assert.h>
#include <math.h>
#include <string.h>

bool mapping_problem_new(const Ttig *ttig, const Platform *platform, uint32_t slots, Arena *arena,
                         MappingProblem **problem, Err *err)
{
    uint32_t n = ttig->n_nodes, needed = (n + platform->n_processors - 1) / platform->n_processors;
    if (!n)
        return err_set(err, ERR_INPUT, "the graph has no tasks");
    if (slots && slots < needed) {
        err_set(err, ERR_INPUT, "%u tasks don't fit: the platform has %u processors with %u slots each", n,
                platform->n_processors, slots);
        return err_hint(err, "use --slots %u, or more nodes or cores", needed);
    }
    MappingProblem *made = arena_new_array(arena, MappingProblem, 1);
    *made = (MappingProblem){.ttig = ttig,
                             .tasks = ttig->tasks ? ttig->tasks : mapping_make_tasks(ttig, arena),
                             .platform = platform,
                             .slots_per_processor = slots ? slots : needed};
    if (!simulation_new(made->tasks, platform, arena, &made->simulation, err))
        return false;
    *problem = made;
    return true;
}

/* Most steps for full simulations. Two mappings are simulated in full in any case. */
#define FULL_STEPS_AT_MOST 1e8

static bool is_applicable(const MappingProblem *problem, const Mapper *mapper)
{
    return !mapper->is_applicable || mapper->is_applicable(problem);
}

static bool run_mapper(const MappingProblem *problem, const Mapper *mapper, bool briefly, Arena *arena,
                       Mapping *mapping, Err *err)
{
    uint32_t *processors = arena_new_array(arena, uint32_t, problem->ttig->n_nodes);
    if (!mapper->map(problem, processors, err))
        return false;
    Outcome outcome = (briefly ? simulate_briefly : simulate)(problem->simulation, processors);
    *mapping = (Mapping){
        .mapper = mapper->name, .processors = processors, .completion_s = outcome.completion_s, .outcome = outcome};
    return true;
}

static Mapping improve(const MappingProblem *problem, const Mapping *start, const Progress *progress, Arena *arena)
{
    uint32_t *processors = arena_copy_array(arena, start->processors, problem->ttig->n_nodes, sizeof *processors);
    Outcome outcome = search_improve(problem, processors, &start->outcome, progress);
    return (Mapping){
        .mapper = MAPPING_SEARCH, .processors = processors, .completion_s = outcome.completion_s, .outcome = outcome};
}

static bool run_all(const MappingProblem *problem, bool briefly, const Progress *progress, Arena *arena,
                    Mapping *mappings, uint32_t *n, Err *err)
{
    for (unsigned i = 0; i < n_mappers; i++) {
        if (!is_applicable(problem, &mappers[i]))
            continue;
        progress_report(progress, arena_printf(arena, "mapping: %s", mappers[i].name), i, n_mappers);
        if (!run_mapper(problem, &mappers[i], briefly, arena, &mappings[(*n)++], err))
            return false;
    }
    return true;
}

/* The best mapping, except that of `exhaustive`, after which nothing is left to search. */
static const Mapping *best_of(const Mapping *mappings, uint32_t n)
{
    const Mapping *best = NULL;
    for (uint32_t i = 0; i < n; i++)
        if (strcmp(mappings[i].mapper, "exhaustive") != 0 && (!best || mappings[i].completion_s < best->completion_s))
            best = &mappings[i];
    return best;
}

static void search(const MappingProblem *problem, bool starts_twice, const Progress *progress, Arena *arena,
                   Mapping *mappings, uint32_t *n)
{
    const Mapping *best = best_of(mappings, *n), *ttig = mapping_find(mappings, *n, "ttig");
    assert(best); /* block is always applicable */
    Mapping found = improve(problem, best, progress, arena);
    if (ttig && ttig != best && starts_twice) {
        Mapping other = improve(problem, ttig, progress, arena);
        if (other.completion_s < found.completion_s)
            found = other;
    }
    mappings[(*n)++] = found;
}

/* A stable insertion sort, since there are few mappings. */
static void sort(Mapping *mappings, uint32_t n)
{
    for (uint32_t i = 1; i < n; i++) {
        Mapping mapping = mappings[i];
        uint32_t k = i;
        for (; k && mappings[k - 1].completion_s > mapping.completion_s; k--)
            mappings[k] = mappings[k - 1];
        mappings[k] = mapping;
    }
}

/* mappings: judged briefly, best first. Keeps the default and the best n_kept - 1 others, and
 * simulates these in full. Lists the other mappers in left_out. */
static void keep_best(const MappingProblem *problem, uint32_t n_kept, const Progress *progress, Mapping *mappings,
                      uint32_t *n, const char **left_out)
{
    uint32_t count = 0, n_left_out = 0, n_others = 0;
    for (uint32_t i = 0; i < *n; i++) {
        bool is_default = strcmp(mappings[i].mapper, MAPPING_DEFAULT) == 0;
        if (!is_default && ++n_others >= n_kept) {
            left_out[n_left_out++] = mappings[i].mapper;
            continue;
        }
        progress_report(progress, "simulating", count, n_kept);
        mappings[count] = mappings[i];
        mappings[count].outcome = simulate(problem->simulation, mappings[i].processors);
        mappings[count].completion_s = mappings[count].outcome.completion_s;
        count++;
    }
    *n = count;
}

bool mapping_compare(const MappingProblem *problem, const Progress *progress, Arena *arena, const Mapping **mappings,
                     uint32_t *n, const char *const **left_out, Err *err)
{
    Mapping *list = arena_new_array(arena, Mapping, n_mappers + 1);
    const char **names = arena_new_array(arena, const char *, n_mappers + 1);
    double steps = problem->full_steps > 0 ? problem->full_steps : FULL_STEPS_AT_MOST;
    double affordable = steps / fmax(1, simulation_steps(problem->simulation));
    bool is_dear = affordable < n_mappers;
    uint32_t count = 0;
    if (!run_all(problem, is_dear, progress, arena, list, &count, err))
        return false;
    if (is_dear) {
        sort(list, count);
        keep_best(problem, (uint32_t)fmax(2, affordable), progress, list, &count, names);
    }
    search(problem, !is_dear, progress, arena, list, &count);
    sort(list, count);
    mapping_find_gains(problem, list, count);
    *mappings = list;
    *n = count;
    *left_out = names;
    return true;
}

bool mapping_by_name(const MappingProblem *problem, const char *name, const Progress *progress, Arena *arena,
                     Mapping *mapping, Err *err)
{
    Mapping start;
    const char *names[16];
    assert(n_mappers < sizeof names / sizeof *names);
    unsigned n = 0;
    for (unsigned i = 0; i < n_mappers; i++) {
        const Mapper *mapper = &mappers[i];
        names[n++] = mapper->name;
        if (strcmp(mapper->name, name) != 0)
            continue;
        if (!is_applicable(problem, mapper))
            return err_set(err, ERR_INPUT,
                           "the mapper \"%s\" can map only a few tasks; this graph has too many mappings", name);
        return run_mapper(problem, mapper, false, arena, mapping, err);
    }
    if (strcmp(name, MAPPING_SEARCH) == 0) {
        if (!mapping_by_name(problem, "ttig", progress, arena, &start, err))
            return false;
        *mapping = improve(problem, &start, progress, arena);
        return true;
    }
    names[n++] = MAPPING_SEARCH;
    err_set(err, ERR_USAGE, "unknown mapper: \"%s\"", name);
    return err_hint(err, "choose one of: %s", arena_join(arena, names, n));
}
