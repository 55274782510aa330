/* SPDX-License-Identifier: BSD-3-Clause */
/* The counters of a source, and the texts that count. Private to this folder. */
#pragma once

#include "cost/count/edits.h"
#include "cost/count/instrument.h"

typedef enum CounterKind {
    COUNTER_CONDITION, /* held; didn't hold */
    COUNTER_LOOP,      /* reached; whether its condition is still to be tested; iterations that it allows */
    COUNTER_SWITCH,    /* jumps to each case, and to none */
    COUNTER_FUNCTION,  /* called; called from elsewhere */
    COUNTER_MEAN,      /* of an argument, or of what a function of the library reads: sum; number */
    COUNTER_MACRO      /* a use of a macro; its conditions held; didn't hold */
} CounterKind;

typedef struct Counter {
    CounterKind kind;
    Stretch at;
    const char *part; /* of an argument, if it isn't all of it */
    size_t first;     /* of its numbers */
} Counter;

typedef struct Counters {
    Arena *arena;
    WrittenFiles files;
    VEC(Edits *) edits;
    VEC(Counter) items;
    size_t n;               /* numbers of all */
    unsigned may, has_made; /* of what may not compile (CountRisk) */
} Counters;

/* Each finds the first number of the counter, and writes what counts when it is first asked for. They return NULL, or
 * why nothing can be written there. */
const char *counters_condition(Counters *counters, const SourceExpression *condition, const SourceExpression *around,
                               const SourceStatement *statement, size_t *first);
/* Each time that the statement is reached. */
const char *counters_loop(Counters *counters, const SourceStatement *loop, size_t *first);
/* The iterations. *is_opposite: the second number counts them. adds_reached: so does the loop's being reached. */
const char *counters_iterations(Counters *counters, const SourceStatement *loop, size_t *first, bool *adds_reached);
/* What the loop's condition allows, as the third number of counters_loop(). */
const char *counters_bound(Counters *counters, const AnalysisCount *count, size_t *first);
/* The conditions of a macro that is used at the place. */
const char *counters_macro(Counters *counters, const SourcePlace *place, size_t *first);
const char *counters_switch(Counters *counters, const SourceStatement *statement, size_t *first);
const char *counters_function(Counters *counters, const SourceFunction *function, size_t *first);
/* An argument, or a part of it. */
const char *counters_argument(Counters *counters, const AnalysisCount *count, size_t *first);
/* The length of the text that a call of the library reads. */
const char *counters_text(Counters *counters, const AnalysisCount *count, size_t *first);

void counters_end(Counters *counters);
