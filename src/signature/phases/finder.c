/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of methods that find phases, by the name of their similarity. */
#include "signature/phases/finder.h"
#include <assert.h>

static const PhaseMethod *const METHODS[] = {&phase_method_scan, &phase_method_blocks};

static const PhaseMethod *find_method(const char *name)
{
    for (size_t i = 0; i < sizeof METHODS / sizeof *METHODS; i++)
        if (strcmp(METHODS[i]->name, name) == 0)
            return METHODS[i];
    return NULL;
}

bool phase_similarity_exists(const char *name)
{
    return find_method(name) != NULL;
}

const char *phase_similarity_name(size_t index)
{
    return index < sizeof METHODS / sizeof *METHODS ? METHODS[index]->name : NULL;
}

bool phase_similarity_recognises(const char *name)
{
    const PhaseMethod *method = find_method(name);
    return method && method->recognises;
}

PhaseFinder *phase_finder_new(const PhaseParameters *parameters, uint32_t n_processes, const Phase *known,
                              uint32_t n_known)
{
    const PhaseMethod *method = find_method(parameters->similarity);
    assert(method); /* the caller has asked phase_similarity_exists() */
    PhaseFinder *finder = method->new (parameters, n_processes, known, n_known);
    finder->method = method;
    return finder;
}

void phase_finder_free(PhaseFinder *finder)
{
    if (finder)
        finder->method->free(finder);
}

TickSink *phase_finder_sink(PhaseFinder *finder)
{
    return &finder->sink;
}

void phase_finder_keep_occurrences(PhaseFinder *finder)
{
    finder->durations.keep_starts = true;
}

const OccurrenceStart *phase_finder_occurrences(const PhaseFinder *finder, size_t *count)
{
    *count = finder->durations.starts.count;
    return finder->durations.starts.items;
}

bool phase_finder_finish(PhaseFinder *finder, const OrderReport *report, Arena *arena, Signature *signature, Err *err)
{
    return finder->method->finish(finder, report, arena, signature, err);
}
