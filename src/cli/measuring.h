/* SPDX-License-Identifier: BSD-3-Clause */
/* Measurements at the same time disturb each other, so verbs that measure take turns. */
#pragma once

#include "cli/cli.h"

/* To be called when a verb has checked its inputs, before it measures. If another firma of this user
 * measures on this host, and may use some of the same processors, prints a note that names it, and
 * waits until it has ended. Doesn't wait for a firma that runs this one, nor if the command (NULL:
 * none) starts its program by srun, on other hosts. Lasts until measuring_end(), which main calls. */
void measuring_begin(const Cli *cli, char *const *command);

void measuring_end(void);
