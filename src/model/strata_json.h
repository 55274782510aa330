/* SPDX-License-Identifier: BSD-3-Clause */
/* The JSON form of a phase's strata (docs/FORMATS.md). */
#pragma once

#include "base/fields.h"
#include "model/strata.h"

extern const FieldList stratum_fields;      /* of a Stratum */
extern const FieldList kept_stratum_fields; /* the same in a signature's file */

/* Checks that the strata of a phase, at `place`, divide the phase's `weight` occurrences. ERR_INPUT
 * if they don't. */
bool strata_check(const Stratum *strata, uint32_t n_strata, uint64_t weight, const JsonPlace *place, Err *err);
