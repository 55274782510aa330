/* SPDX-License-Identifier: BSD-3-Clause */
/* What operations cost in their context: costs of classes of operations, by which the predicted
 * times of kernels come as near as possible to the measured ones. Private to this folder. Source:
 * docs/METHOD.md, section 17. */
#pragma once

#include "base/err.h"
#include "model/cpu.h"

/* Operations that an optimising compiler treats alike. */
typedef enum ContextClass {
    CONTEXT_SCALAR,   /* loads and stores of variables */
    CONTEXT_WHOLE,    /* whole numbers: all but products and quotients */
    CONTEXT_PRODUCT,  /* of whole numbers */
    CONTEXT_FLOATING, /* floating-point: all but quotients */
    CONTEXT_ELEMENT,
    CONTEXT_STRAY,
    CONTEXT_FIELD,
    CONTEXT_REFERENCE, /* loads of references from fields: lists, trees */
    CONTEXT_BRANCH,
    CONTEXT_SURPRISE,
    CONTEXT_WAIT,
    CONTEXT_WAIT_FLOATING, /* in Java: of a floating-point variable */
    CONTEXT_CALL,
    CONTEXT_BYTE, /* of an allocation: a page that is touched first is cleared */
    CONTEXT_LONG, /* quotients, functions, allocation: as measured one by one, times a factor */
    /* Loads and stores once more, times the doublings of the data beyond a cache. */
    CONTEXT_ELEMENT_FAR,
    CONTEXT_STRAY_FAR,
    CONTEXT_REFERENCE_FAR,
    CONTEXT_SURPRISE_FAR, /* in Java: on few data, a processor learns branches that come again */
    /* Of code whose loops were found in the compiled code. */
    CONTEXT_CYCLE,
    /* Distances, as measured one by one, times a factor. */
    CONTEXT_STREAM,
    CONTEXT_LEAP,
    CONTEXT_ROAM_FAR,
    CONTEXT_FOLLOW_FAR,
    CONTEXT_CLASSES
} ContextClass;

ContextClass context_class(const char *language, CpuOperation operation, CpuType type);

/* A run of a kernel: its time, and how many operations of each class it executes. For CONTEXT_LONG
 * and distances in compiled code, not their number, but their seconds. */
typedef struct ContextRun {
    unsigned kernel; /* runs of the same code on other data have the same number */
    double time_s;   /* where memory was used before */
    double new_s;    /* in a process of its own; 0: not measured, as in Java */
    double bytes;    /* that it allocates, of C */
    double amounts[CONTEXT_CLASSES];
} ContextRun;

typedef struct ContextFit {
    double costs[CONTEXT_CLASSES]; /* seconds each; a factor where amounts are seconds */
    /* A kernel's time over its predicted time: the low end without what may be none, the high end with it.
     * CONTEXT_SHARE lie inside. */
    Interval spread;
} ContextFit;

#define CONTEXT_SHARE 0.9

/* Whether the fit of compiled code finds this class's cost. */
bool context_is_of_compiled(ContextClass class);

/* Whether what the class counts may be none, so that it costs 0 at the low end: where data tell what is next, it may be
 * close by, as in lists whose elements lie in their order; and a processor learns branches that go the same ways again. */
bool context_may_be_none(ContextClass class);

/* Minimises the squares of the logarithms of measured over predicted times. Each class is also drawn to an
 * expected cost relative to the others, so that classes of which the kernels say little keep it. The spread is
 * that of kernels which didn't take part in the fit: each is left out once.
 *
 * operations: NULL, or the fit of operations alone. Then the runs' amounts are those of compiled code, and
 * classes that aren't of compiled code keep their costs. surprise_s: what a surprise costs by itself; in kernels it costs
 * less on the average, since branches are also learnt in part, so this is the cost at the high end. ERR_ENVIRONMENT: fewer than four kernels, or times that
 * aren't above 0. */
bool context_fit(const ContextRun *runs, size_t n, const ContextFit *operations, double surprise_s, ContextFit *fit,
                 Err *err);

/* By what the ends of the spread are multiplied, so that CONTEXT_SHARE of these runs lie inside: of kernels whose
 * amounts are counted with assumed probabilities. */
Interval context_guess(const ContextRun *assumed, size_t n, const ContextFit *fit);
