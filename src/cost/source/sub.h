/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions to sub-models. Private to the folder. */
#pragma once

#include "cost/source/generator.h"

/* The sub-model of the function; false: failed, or deeper than recursion is followed. */
bool sub_make(Generator *all, const SourceFunction *function, const SourcePlace *call, MadeSub *made);
