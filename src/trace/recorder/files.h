/* SPDX-License-Identifier: BSD-3-Clause */
/* Growing files inside the user's program: every failure is an error code, never a signal. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Allocates the bytes [offset, offset + size) of the file on its disk. Returns 0 or an errno. */
int file_allocate(int file, uint64_t offset, size_t size_bytes);

/* Writes the whole content to an open file. Returns 0 or an errno. */
int file_write_at(int file, uint64_t offset, const void *content, size_t size_bytes);

/* Writes the whole content to the file `path`; creates it if absent. Returns 0 or an errno. */
int file_put(const char *path, uint64_t offset, const void *content, size_t size_bytes);
