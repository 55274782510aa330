/* SPDX-License-Identifier: BSD-3-Clause */
/* From a trace to its signature, with a progress bar: what the verbs phases and study share. */
#ifndef FIRMA_CLI_ANALYSIS_H
#define FIRMA_CLI_ANALYSIS_H

#include "cli/cli.h"
#include "model/signature.h"
#include "order/order.h"

bool analysis_run(Cli *cli, const char *trace, const PhaseParameters *parameters, const OrderOptions *options,
                  Signature **signature, OrderReport *report, Err *err);

#endif
