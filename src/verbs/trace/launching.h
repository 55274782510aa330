/* SPDX-License-Identifier: BSD-3-Clause */
/* What the verbs that start a program share: names and sizes of results. */
#pragma once

#include "base/arena.h"
#include <stdbool.h>
#include <stdint.h>

/* The program's name in a launcher's command line, without its directory. Results are named after
 * it. */
const char *program_name(char *const *command, Arena *arena);

/* Bytes of all files below a directory. */
uint64_t directory_bytes(const char *path);
