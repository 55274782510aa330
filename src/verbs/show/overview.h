/* SPDX-License-Identifier: BSD-3-Clause */
/* A trace at a glance, as users of MPI profilers know it: where the time goes, by call and by
 * process. As text and JSON (docs/FORMATS.md). */
#pragma once

#include "base/fields.h"
#include "signature/profile/profile.h"

typedef struct OverviewView {
    bool all; /* every process and communicator */
    bool color;
} OverviewView;

const char *overview_text(const Profile *profile, const Trace *trace, const OverviewView *view, Arena *arena);
extern const FieldList overview_fields;
json_t *overview_json(const Profile *profile, const Trace *trace, Arena *arena);
