/* SPDX-License-Identifier: BSD-3-Clause */
/* CRES: measures the costs of a language's operations on this machine, as an interval for each
 * operation and type. Also measures the time of the benchmarks that define relative performance.
 * Source and each benchmark: docs/METHOD.md, section 17. */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include "base/progress.h"
#include "model/cpu.h"
#include <jansson.h>

typedef struct CpuRequest {
    const char *name; /* name of the kind of machine */
    /* For all languages together. Each has at least three rounds, and the JVM compiles kernels
     * first. */
    double budget_s;
    size_t n_languages;
    const char *const *languages;
    bool must_have_all;  /* false: languages that can't be measured here are left out */
    const char *command; /* the command line, for the document */
} CpuRequest;

/* A language that was left out, and why. NULL: none. */
typedef struct CpuLeftOut {
    const char *language, *why;
} CpuLeftOut;

/* Measures all languages. ERR_ENVIRONMENT: a language that must be measured can't be, or none can.
 * ERR_NEGATIVE: interrupted; there is no result then. */
bool cpu_measure(const CpuRequest *request, const Progress *progress, Arena *arena, CpuModel *cpu, CpuLeftOut *left_out,
                 Err *err);

/* Puts a kind of machine into the document of a machine model. An existing kind of this name keeps
 * its hosts, and the languages that weren't measured now. Nothing else changes. */
void cpu_put(json_t *root, const CpuModel *cpu);

/* An empty machine model. */
json_t *cpu_new_document(void);
