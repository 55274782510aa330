/* SPDX-License-Identifier: BSD-3-Clause */
/* Random changes of a text: bytes changed, cut and doubled. The random numbers are always the same. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A number from 0 to limit - 1. */
uint32_t random_below(uint32_t limit);

/* Changes a text of `length` bytes that has room for `most`; `interesting` are the bytes to put in. Returns its new
 * length. */
size_t mutate(char *text, size_t length, size_t most, const char *interesting, size_t n_interesting);

/* Gives a file new content in place. Emptied first, the file would be written to the disk at each close by some file
 * systems (ext4's auto_da_alloc). False: that failed. */
bool overwrite(const char *path, const void *bytes, size_t length);
