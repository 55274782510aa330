/* SPDX-License-Identifier: BSD-3-Clause */
/* Where firma's own shared libraries and helper programs are: libraries that are preloaded into programs, or that it
 * loads itself, and programs that it runs. */
#pragma once

#include "base/arena.h"

/* The resolved path of the library `name`: in the directory that FIRMA_LIBDIR names, in the build tree (in
 * `build_folder`, relative to src/), where it was installed, also when all of it was moved since. NULL: nowhere. */
const char *libraries_find(const char *name, const char *build_folder, Arena *arena);

/* The same for a program that firma itself runs: installed ones are in libexecdir. */
const char *libraries_find_program(const char *name, const char *build_folder, Arena *arena);

/* The folder of firma's own binary. */
const char *libraries_own_directory(Arena *arena);

/* The same for a file beside these that needn't be executable: what another program compiles or reads. */
const char *libraries_find_source(const char *name, const char *build_folder, Arena *arena);
