/* SPDX-License-Identifier: BSD-3-Clause */
/* Random changes of a text: bytes changed, cut and doubled. The random numbers are always the
 * same, unless FIRMA_FUZZ_SEED is another seed than 42. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A number from 0 to limit - 1. */
uint32_t random_below(uint32_t limit);

/* Changes a text of `length` bytes with room for `most` bytes. `interesting` are the bytes to
 * insert. Returns the new length. */
size_t mutate(char *text, size_t length, size_t most, const char *interesting, size_t n_interesting);

/* Gives a file new content in place. (If the file were emptied first, some file systems would write
 * it to the disk at each close: ext4's auto_da_alloc.) Returns false on failure. */
bool overwrite(const char *path, const void *bytes, size_t length);
