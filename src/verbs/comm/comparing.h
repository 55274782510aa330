/* SPDX-License-Identifier: BSD-3-Clause */
/* firma comm --compare: what differs between two measurements. */
#pragma once

#include "cli/cli.h"
#include "model/comm.h"

typedef struct CompareOptions {
    int compare;
    char **configurations; /* one for A and B, or one each; ends with NULL, or NULL */
    const char *statistic; /* NULL: the shortest times if a host was busy, else medians */
    bool all;
} CompareOptions;

/* `words` are A and B: files of `firma comm`, or directories with a comm.json. A alone is also B. ERR_NEGATIVE: their
 * times differ. */
bool compare_run(Cli *cli, const CompareOptions *options, int n, const char *const *words, Err *err);
