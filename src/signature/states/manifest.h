/* SPDX-License-Identifier: BSD-3-Clause */
/* states.json, and checks of the files that it names. Private to states/. */
#pragma once

#include "signature/states/states.h"

/* Replaces states.json. ERR_ENVIRONMENT: it can't be written. */
bool manifest_save(const States *states, Err *err);

/* The directory of a state: SIGDIR/number. */
const char *state_path(const char *directory, uint32_t number, Arena *arena);

/* The checksum of all files below a path: their names, sizes and contents (xxHash, 128 bits).
 * *bytes: their size. */
bool state_checksum(const char *path, Arena *arena, const char **checksum, uint64_t *bytes, Err *err);

/* The processor's features, as the kernel lists them. "" if it lists none. */
bool processor_features(Arena *arena, const char **features, Err *err);

/* "Linux 6.1.0-18-amd64" */
const char *kernel_name(Arena *arena);

/* ERR_INPUT: the application's executable, or another mapped program or library, was changed or is
 * missing; this processor lacks a feature of the processor on which the states were saved; or
 * memory pages have another size. */
bool environment_check(const States *states, Arena *arena, Err *err);
