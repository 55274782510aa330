/* SPDX-License-Identifier: BSD-3-Clause */
/* The JSON form of a phase's strata (docs/FORMATS.md), read from and written to signatures. */
#ifndef FIRMA_MODEL_STRATA_JSON_H
#define FIRMA_MODEL_STRATA_JSON_H

#include "base/arena.h"
#include "base/err.h"
#include "model/strata.h"
#include <jansson.h>

/* An array, empty where there are no strata. */
json_t *strata_to_json(const Stratum *strata, uint32_t n_strata);

/* `path` is that of the phase in the file, for errors. ERR_INPUT also if counts and ranges disagree. */
bool strata_from_json(const json_t *array, const char *file, const char *path, uint64_t weight, Arena *arena,
                      const Stratum **strata, uint32_t *n_strata, Err *err);

#endif
