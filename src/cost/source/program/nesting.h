/* SPDX-License-Identifier: BSD-3-Clause */
/* Refuses sources that are nested so deep that a compiler would take minutes or gigabytes. Private
 * to cost/source. */
#pragma once

#include "base/err.h"

/* ERR_INPUT, with file and line: brackets, or prefix operators such as `- - -n`, are nested too
 * deep; or the file isn't readable text. */
bool nesting_check(const char *file, Err *err);
