/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds versions in the output of programs. */
#pragma once

#include "base/arena.h"

/* The first number with a point in a text, else its first number: "12.2" of "gcc (Debian 12.2.0-14) 12.2.0", "22" of "javac
 * 22"; "" if it has none. */
const char *version_in(const char *text, Arena *arena);

/* The number before its first point: 17 of "17.0.15". */
int version_major(const char *version);
