/* SPDX-License-Identifier: BSD-3-Clause */
/* `firma machine cpu`: what operations cost on this machine, into a machine model. */
#ifndef FIRMA_VERBS_MACHINE_CPU_H
#define FIRMA_VERBS_MACHINE_CPU_H

#include "cli/cli.h"

/* NULL: not given. */
typedef struct MachineCpuOptions {
    const char *output, *into, *name, *languages, *time;
} MachineCpuOptions;

bool machine_cpu(Cli *cli, const MachineCpuOptions *options, Err *err);

#endif
