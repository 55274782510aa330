/* SPDX-License-Identifier: BSD-3-Clause */
/* Parameters of functions whose arguments data tell. If the function's sub-model counts with one, as in a loop to n, its
 * mean will do. If it only decides there, as in `switch (kind)`, its mean stands for no case; if costs grow with its
 * square, as in two loops to n, those of its mean are less than the mean costs. Then the function gets a sub-model in
 * which nothing is known of it: conditions have a probability, loops mean iterations. Private to cost/source. */
#pragma once

#include "cost/source/values/scope.h"

/* Finds or makes the sub-model with which to call the function. False: failed. */
bool decided_make(Scope *scope, const SourceFunction *function, const SourceExpression *call, const Amount *values,
                  MadeSub *made);
/* Whether conditions in a sub-model depend on this parameter of it. */
bool decided_decides(const Generator *all, const char *sub, size_t parameter);
/* Drops sub-models that the last one doesn't call any more, since it calls others in their place. */
void decided_drop_uncalled(Generator *all);
/* Whether nothing is known of the parameter, or of this part of it, in the sub-model that is made. */
bool decided_is_unknown(const Scope *scope, size_t parameter, const char *part);
