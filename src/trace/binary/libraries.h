/* SPDX-License-Identifier: BSD-3-Clause */
/* Private to binary/: the libraries that an executable is loaded with on this machine. */
#pragma once

#include "trace/binary/object.h"

/* Asks the dynamic loader, which knows about RPATH, RUNPATH, $ORIGIN, LD_LIBRARY_PATH and its cache, and lists what it
 * would load. `found` gets paths, `missing` names. False: the loader can't tell; nothing is added. */
bool libraries_list(const char *program, Arena *arena, Names *found, Names *missing);
