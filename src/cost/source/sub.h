/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions to sub-models. Private to the folder. */
#ifndef FIRMA_COST_SOURCE_SUB_H
#define FIRMA_COST_SOURCE_SUB_H

#include "cost/source/generator.h"

/* The sub-model of the function; false: failed, or deeper than recursion is followed. */
bool sub_make(Generator *all, const SourceFunction *function, const SourcePlace *call, MadeSub *made);

#endif
