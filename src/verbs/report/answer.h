/* SPDX-License-Identifier: BSD-3-Clause */
/* The answer in sentences: of a page, and at the top of the text of each verb that predicts. */
#pragma once

#include "cli/cli.h"

/* How long the program takes; without a prediction, how long the traced run took. "": neither is known. */
const char *answer_lead(const json_t *documents, Arena *arena);

/* What the other documents say. "": nothing. */
const char *answer_details(const json_t *documents, Arena *arena);

/* Prints the answer that one document gives, and an empty line, before a verb's text; nothing with --json or -q. kind: its name among the
 * documents of a page. Drops the reference. */
void answer_print(const Cli *cli, const char *kind, json_t *document);

/* One of the predictions that firma predict compares: its mapping, or its file of phase times. */
const char *comparison_name(const json_t *prediction, Arena *arena);

/* The efficiencies of the only trace. NULL: there is none, or there are several. */
const json_t *answer_efficiencies(const json_t *documents);

/* By how much the busiest process computes longer than the mean, as a share of the run. */
double answer_imbalance(const json_t *efficiency);
