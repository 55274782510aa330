/* SPDX-License-Identifier: BSD-3-Clause */
/* Recognises runs whose prediction says little: one process, a very short run, no repetition,
 * processes that share processors. */
#pragma once

#include "base/fields.h"
#include "model/signature.h"
#include "trace/archive.h"

enum { STUDY_LIMITS = 5 };

typedef struct StudyLimit {
    const char *limit; /* its name in JSON */
    const char *text;  /* a sentence: what it means for the prediction */
} StudyLimit;

typedef struct StudyLimits {
    StudyLimit items[STUDY_LIMITS];
    uint32_t n;
    bool are_tables_empty; /* tables of phases would be meaningless */
} StudyLimits;

extern const FieldList study_limit_fields;

/* measures: the prediction is measured here, by a part of the run; not simulated. */
StudyLimits study_find_limits(const Signature *signature, const ArchiveSummary *summary, bool measures, Arena *arena);

/* The sentences, a line each. */
const char *study_limits_text(const StudyLimits *limits, Arena *arena);
