/* SPDX-License-Identifier: BSD-3-Clause */
/* A map from names to numbers. For cost/lang and cost/source. */
#pragma once

#include "base/map.h"

/* The number of a name, or NULL. */
uint64_t *names_get(const Map *names, const char *name);

/* Returns false if the name exists already; it keeps its number. */
bool names_add(Map *names, const char *name, uint64_t number);
