/* SPDX-License-Identifier: BSD-3-Clause */
/* See findings.h. */
#include "verbs/cost/findings.h"

void cost_print_findings(const Cli *cli, const AnalysisFinding *findings, size_t n)
{
    for (size_t i = 0; i < n && !cli->quiet; i++) {
        const AnalysisFinding *finding = &findings[i];
        cli_print_aside("%s:%u: %s%s%s\n", finding->place.file, finding->place.line,
                        finding->parameter ? finding->parameter : "", finding->parameter ? ": " : "", finding->message);
    }
}

const FieldList cost_finding_fields =
    FIELDS(AnalysisFinding, FIELD_AS(AnalysisFinding, place.file, "file", "of the source"),
           FIELD_AS(AnalysisFinding, place.line, "line", "from 1"),
           FIELD_AS(AnalysisFinding, place.column, "column", "from 1"),
           FIELD(AnalysisFinding, parameter, "its name in the model; null: none", .flags = FIELD_NULL),
           FIELD(AnalysisFinding, message, "what became a parameter, or was approximated, and why"));
