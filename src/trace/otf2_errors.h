/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps OTF2's error messages for firma's own errors, so that OTF2 doesn't print them to stderr.
 * Private to trace/. */
#pragma once

#include "base/err.h"
#include <otf2/otf2.h>

/* Makes OTF2 silent in the whole process from here on, and keeps its messages. Forgets earlier
 * ones. */
void otf2_errors_start(void);

/* OTF2's first message since otf2_errors_start(), or "". */
const char *otf2_errors_first(void);

/* The same, or the meaning of the status if OTF2 gave no message. */
const char *otf2_errors_cause(OTF2_ErrorCode status);

/* Sets ERR_INPUT: "PATH: WHAT", with OTF2's first message if it gave one. Returns false. */
bool otf2_errors_set(Err *err, const char *path, const char *what);
