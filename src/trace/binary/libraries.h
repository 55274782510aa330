/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists the libraries that the dynamic loader loads with an executable on this machine. Private to
 * binary/. */
#pragma once

#include "trace/binary/object.h"

/* Asks the dynamic loader, which knows RPATH, RUNPATH, $ORIGIN, LD_LIBRARY_PATH and its cache. Adds
 * paths to `found`, and names of libraries that don't exist to `missing`. False: the loader can't
 * tell; nothing is added. */
bool libraries_list(const char *program, Arena *arena, Names *found, Names *missing);
