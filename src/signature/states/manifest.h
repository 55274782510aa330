/* SPDX-License-Identifier: BSD-3-Clause */
/* states.json, and whether what it names is what was written. Private to states/. */
#pragma once

#include "signature/states/states.h"

bool manifest_save(const States *states, Err *err);

/* SIGDIR/number. */
const char *state_path(const char *directory, uint32_t number, Arena *arena);

/* The checksum of all files below a path: their names, sizes and contents (xxHash, 128 bits). */
bool state_checksum(const char *path, Arena *arena, const char **checksum, uint64_t *bytes, Err *err);

/* The processor's features, sorted, as the kernel lists them. */
bool processor_features(Arena *arena, const char **features, Err *err);

const char *kernel_name(Arena *arena);

/* ERR_INPUT if the application's executable, or another program or library that was mapped, isn't what it was; if this
 * processor lacks a feature of the one that the states were saved on; if memory pages have another size. */
bool environment_check(const States *states, Arena *arena, Err *err);
