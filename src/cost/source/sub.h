/* SPDX-License-Identifier: BSD-3-Clause */
/* Sub-models of functions. Private to this folder. */
#pragma once

#include "cost/source/values/generator.h"

/* Finds or makes the sub-model of a function. unknown: of these parameters and parts, nothing is known (decided.h); "":
 * none. False: failed. */
bool sub_make(Generator *all, const SourceFunction *function, const SourcePlace *call, const char *unknown,
              MadeSub *made);
