/* SPDX-License-Identifier: BSD-3-Clause */
/* Arrays of a fixed size, whose memory isn't allocated by a call. Private to cost/source. */
#pragma once

#include "cost/source/values/generator.h"

/* The bytes of those that the entry, or a function that it reaches, uses: global ones and local ones, each once. Those
 * smaller than a page are left out. Of C; 0: none. */
double arrays_bytes(Generator *all, const SourceFunction *entry);
