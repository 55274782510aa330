/* SPDX-License-Identifier: BSD-3-Clause */
/* A trace at a glance, as users of MPI profilers know it: where the time goes, by call and by
 * process. As text, JSON (docs/FORMATS.md) and picture. */
#pragma once

#include "base/fields.h"
#include "signature/profile/profile.h"
#include "signature/profile/waits.h"

typedef struct OverviewView {
    bool all; /* every process and communicator */
    bool color;
} OverviewView;

const char *overview_text(const Profile *profile, const Trace *trace, const OverviewView *view, Arena *arena);
extern const FieldList overview_fields;
json_t *overview_json(const Profile *profile, const Trace *trace, Arena *arena);

/* A script for plot_draw: each process's time; name: of the application. waits: of the same trace; NULL: not known. */
const char *overview_picture(const Profile *profile, const Waits *waits, const char *name, Arena *arena);
