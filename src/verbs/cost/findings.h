/* SPDX-License-Identifier: BSD-3-Clause */
/* What the analysis of a source had to guess or to approximate, for people and as JSON. */
#pragma once

#include "base/fields.h"
#include "cli/cli.h"
#include "cost/source/analyse.h"

extern const FieldList cost_finding_fields; /* of an AnalysisFinding */

/* On standard error, by file and line. Nothing with --quiet. */
void cost_print_findings(const Cli *cli, const AnalysisFinding *findings, size_t n);
