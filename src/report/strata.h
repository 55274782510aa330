/* SPDX-License-Identifier: BSD-3-Clause */
/* Describes a phase's strata in words: "1 900 occurrences of 1.20 ms, 100 of 14.1 ms (every 20th
 * from the 20th)". */
#pragma once

#include "base/arena.h"
#include "model/signature.h"

/* The places of a stratum: "every 20th from the 20th", "the first 5", "the 501st and later",
 * separated by commas. "others" for the base. */
const char *stratum_places_text(const Phase *phase, uint32_t stratum, Arena *arena);

/* All strata on one line. The phase must have strata. */
const char *strata_text(const Phase *phase, Arena *arena);
