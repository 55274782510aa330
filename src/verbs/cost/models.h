/* SPDX-License-Identifier: BSD-3-Clause */
/* Models of an application's tasks, from their sources. */
#pragma once

#include "cli/cli.h"
#include "cost/lang/pamela.h"
#include "cost/lang/pasl.h"

/* [n_batches]. for_context: with what matters in compiled code (AnalysisOptions). A line on stderr tells if the analysis had to name parameters, or to approximate. */
bool cost_analyse_batches(Cli *cli, const PaslApplication *application, bool for_context,
                          const PamelaModel *const **models, Err *err);
