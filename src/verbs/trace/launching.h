/* SPDX-License-Identifier: BSD-3-Clause */
/* What the verbs that start a program share: the names of results, and how big they are. */
#pragma once

#include "base/arena.h"
#include <stdbool.h>
#include <stdint.h>

/* The name of the program in a launcher's command line, without directory: what results are called after. */
const char *program_name(char *const *command, Arena *arena);

/* Bytes of all files below a directory. */
uint64_t directory_bytes(const char *path);
