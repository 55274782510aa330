/* SPDX-License-Identifier: BSD-3-Clause */
/* What OTF2 says when something fails, kept for our own error instead of going to stderr. Private to trace/. */
#pragma once

#include "base/err.h"
#include <otf2/otf2.h>

/* From here on OTF2 is silent (in the whole process), and what it says is kept. Forgets what was kept before. */
void otf2_errors_start(void);

/* The first thing that OTF2 complained of since otf2_errors_start, or "" . */
const char *otf2_errors_first(void);

/* The same, or, if OTF2 did not complain, what the status means. */
const char *otf2_errors_cause(OTF2_ErrorCode status);

/* ERR_INPUT: "PATH: WHAT", and what OTF2 first complained of, if it did. Returns false. */
bool otf2_errors_set(Err *err, const char *path, const char *what);
