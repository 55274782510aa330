/* SPDX-License-Identifier: BSD-3-Clause */
/* The laws of scaling: their terms, and the candidates among which firma chooses. docs/METHOD.md,
 * section 19. Private to the folder. */
#pragma once

#include "scaling/laws.h"

typedef struct LawParameter {
    const char *name;
    double over[LINEAR_TERMS_LIMIT], under[LINEAR_TERMS_LIMIT];
    bool is_ratio;
} LawParameter;

typedef struct Law {
    const char *name;
    const char *formula; /* NULL: law_formula() makes it */
    uint32_t n_terms;
    void (*terms)(const LawFit *law, double n, double p, double *x);
    LawParameter parameters[LAW_PARAMETERS_LIMIT]; /* at most as many as terms */
} Law;

extern const Law law_table[LAW_COUNT];

uint32_t law_n_terms(const LawFit *law);
const char *law_formula(const LawFit *law, Arena *arena);

/* At least as many as the candidates of a family. */
uint32_t law_candidates_limit(LawFamily family);

/* The candidates for these numbers of processes, not fitted yet. only: of one kind; LAW_COUNT: of
 * all. laws: room for law_candidates_limit(). Returns their number. */
uint32_t law_candidates(LawFamily family, LawKind only, const LawPoint *points, uint32_t n, LawFit *candidates);
