/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds firma's own shared libraries and helper programs. firma preloads some libraries into user
 * programs, loads others itself, and runs the helper programs. */
#pragma once

#include "base/arena.h"

/* The resolved path of the library `name`, or NULL. Searched are, in this order: the directory
 * FIRMA_LIBDIR; `build_folder` in the build tree, relative to src/; the installation's directory.
 * If the whole installation was moved, it is found relative to firma's binary. */
const char *libraries_find(const char *name, const char *build_folder, Arena *arena);

/* The same for a helper program. Installed programs are in libexecdir. */
const char *libraries_find_program(const char *name, const char *build_folder, Arena *arena);

/* The directory of firma's own binary. */
const char *libraries_own_directory(Arena *arena);

/* The same for a file beside these programs that another program compiles or reads. The file need
 * not be executable. */
const char *libraries_find_source(const char *name, const char *build_folder, Arena *arena);
