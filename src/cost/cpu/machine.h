/* SPDX-License-Identifier: BSD-3-Clause */
/* CRES: measures what operations of a language cost on this machine, per operation and type an interval, and how long
 * the set of benchmarks takes that relative performance comes from. What each benchmark does: docs/METHOD.md, 17.
 * Source: spec 2 §2.1, §2.3. */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include "base/progress.h"
#include "model/cpu.h"
#include <jansson.h>

typedef struct CpuRequest {
    const char *name; /* of the kind */
    double budget_s;  /* of all languages; each has at least three rounds, and the JVM compiles them first */
    size_t n_languages;
    const char *const *languages;
    bool must_have_all;  /* false: a language that can't be measured here is left out */
    const char *command; /* that asked for it */
} CpuRequest;

/* What was left out, and why; NULL: nothing. */
typedef struct CpuLeftOut {
    const char *language, *why;
} CpuLeftOut;

/* ERR_ENVIRONMENT: a language can't be measured, or none. ERR_NEGATIVE: interrupted; then nothing is given back. */
bool cpu_measure(const CpuRequest *request, const Progress *progress, Arena *arena, CpuModel *cpu, CpuLeftOut *left_out,
                 Err *err);

/* Puts a kind into the document of a machine model, and leaves all else as it is: a kind of this name keeps its hosts,
 * and the languages that weren't measured now. */
void cpu_put(json_t *root, const CpuModel *cpu);

/* A machine model with nothing in it yet, not even kinds. */
json_t *cpu_new_document(void);
