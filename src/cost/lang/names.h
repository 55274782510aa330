/* SPDX-License-Identifier: BSD-3-Clause */
/* Names to numbers, for as many names as a text may hold. For cost/lang and cost/source. */
#pragma once

#include "base/map.h"

/* The number of a name, or NULL. */
uint64_t *names_get(const Map *names, const char *name);

/* False: the name is there already, and keeps its number. */
bool names_add(Map *names, const char *name, uint64_t number);
