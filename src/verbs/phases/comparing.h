/* SPDX-License-Identifier: BSD-3-Clause */
/* firma phases --compare: every order with every similarity, on one trace. */
#pragma once

#include "cli/cli.h"
#include "model/signature.h"
#include "signature/order/order.h"
#include "verbs/phases/comparison.h"

/* Tolerances, least match and relevance are those of *parameters. measured: another trace of the program, or NULL. */
bool comparing_run(Cli *cli, const char *trace, const char *measured, const PhaseParameters *parameters,
                   const OrderOptions *options, Comparison *comparison, Err *err);
