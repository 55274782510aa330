/* SPDX-License-Identifier: BSD-3-Clause */
/* Growing files inside somebody else's program: every trouble is an error code, never a signal. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Makes [offset, offset + size) part of the file, on disk. 0 or an errno. */
int file_allocate(int file, uint64_t offset, size_t size_bytes);

/* Writes all of it to an open file. 0 or an errno. */
int file_write_at(int file, uint64_t offset, const void *content, size_t size_bytes);

/* Writes all of it at the end of the file `path`, which is made if absent. 0 or an errno. */
int file_append(const char *path, const void *content, size_t size_bytes);
