/* SPDX-License-Identifier: BSD-3-Clause */
/* All mappers on one problem, judged alike. */
#include "mapping/mappers.h"

#include <stdlib.h>
#include <string.h>

bool mapping_problem_new(const Ttig *ttig, const Platform *platform, uint32_t slots, Arena *arena,
                         MappingProblem **problem, Err *err)
{
    uint32_t n = ttig->n_nodes, needed = (n + platform->n_processors - 1) / platform->n_processors;
    if (!n)
        return err_set(err, ERR_INPUT, "the graph has no tasks");
    if (slots && slots < needed) {
        err_set(err, ERR_INPUT, "%u tasks don't fit: the platform has %u processors of %u slots", n,
                platform->n_processors, slots);
        return err_hint(err, "give each processor %u slots with --slots, or take more hosts or cores", needed);
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

static bool run_mapper(const MappingProblem *problem, const Mapper *mapper, Arena *arena, Mapping *mapping, Err *err)
{
    uint32_t *processors = arena_new_array(arena, uint32_t, problem->ttig->n_nodes);
    if (!mapper->map(problem, processors, err))
        return false;
    Outcome outcome = simulate(problem->simulation, processors);
    *mapping = (Mapping){mapper->name, processors, outcome.completion_s, outcome};
    return true;
}

static Mapping improve(const MappingProblem *problem, const Mapping *start, const Progress *progress, Arena *arena)
{
    uint32_t n = problem->ttig->n_nodes, *processors = arena_new_array(arena, uint32_t, n);
    memcpy(processors, start->processors, n * sizeof *processors);
    Outcome outcome = search_improve(problem, processors, progress);
    return (Mapping){MAPPING_SEARCH, processors, outcome.completion_s, outcome};
}

static bool run_all(const MappingProblem *problem, Arena *arena, Mapping *mappings, uint32_t *n, Err *err)
{
    for (unsigned i = 0; i < n_mappers; i++)
        if (!mappers[i].is_applicable || mappers[i].is_applicable(problem))
            if (!run_mapper(problem, &mappers[i], arena, &mappings[(*n)++], err))
                return false;
    return true;
}

static const Mapping *find(const Mapping *mappings, uint32_t n, const char *name)
{
    for (uint32_t i = 0; i < n; i++)
        if (strcmp(mappings[i].mapper, name) == 0)
            return &mappings[i];
    return NULL;
}

/* The best, other than by exhaustive enumeration: there would be nothing left to search. */
static const Mapping *best_of(const Mapping *mappings, uint32_t n)
{
    const Mapping *best = NULL;
    for (uint32_t i = 0; i < n; i++)
        if (strcmp(mappings[i].mapper, "exhaustive") != 0 && (!best || mappings[i].completion_s < best->completion_s))
            best = &mappings[i];
    return best;
}

static void search(const MappingProblem *problem, const Progress *progress, Arena *arena, Mapping *mappings,
                   uint32_t *n)
{
    const Mapping *best = best_of(mappings, *n), *ttig = find(mappings, *n, "ttig");
    Mapping found = improve(problem, best, progress, arena);
    if (ttig && ttig != best) {
        Mapping other = improve(problem, ttig, progress, arena);
        if (other.completion_s < found.completion_s)
            found = other;
    }
    mappings[(*n)++] = found;
}

/* Stable, as there are few. */
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

bool mapping_compare(const MappingProblem *problem, const Progress *progress, Arena *arena, const Mapping **mappings,
                     uint32_t *n, Err *err)
{
    Mapping *list = arena_new_array(arena, Mapping, n_mappers + 1);
    uint32_t count = 0;
    if (!run_all(problem, arena, list, &count, err))
        return false;
    search(problem, progress, arena, list, &count);
    sort(list, count);
    *mappings = list;
    *n = count;
    return true;
}

bool mapping_by_name(const MappingProblem *problem, const char *name, Arena *arena, Mapping *mapping, Err *err)
{
    Mapping start;
    const char *names[16];
    unsigned n = 0;
    for (unsigned i = 0; i < n_mappers; i++) {
        const Mapper *mapper = &mappers[i];
        names[n++] = mapper->name;
        if (strcmp(mapper->name, name) != 0)
            continue;
        if (mapper->is_applicable && !mapper->is_applicable(problem))
            return err_set(err, ERR_INPUT, "the mapper \"%s\" is for a few tasks; these mappings are too many", name);
        return run_mapper(problem, mapper, arena, mapping, err);
    }
    if (strcmp(name, MAPPING_SEARCH) == 0) {
        if (!mapping_by_name(problem, "ttig", arena, &start, err))
            return false;
        *mapping = improve(problem, &start, NULL, arena);
        return true;
    }
    names[n++] = MAPPING_SEARCH;
    err_set(err, ERR_USAGE, "no mapper is called \"%s\"", name);
    return err_hint(err, "mappers: %s", arena_join(arena, names, n));
}
