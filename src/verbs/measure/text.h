/* SPDX-License-Identifier: BSD-3-Clause */
/* Phase times as text and as JSON (docs/FORMATS.md), however the signature was executed. */
#pragma once

#include "base/arena.h"
#include "model/signature.h"
#include "model/times.h"
#include <jansson.h>

/* The relevant phases, a row each. */
const char *times_table(const Signature *signature, const PhaseTimes *times, bool color, Arena *arena);

/* All phases that were measured. */
json_t *times_phases_json(const PhaseTimes *times);
