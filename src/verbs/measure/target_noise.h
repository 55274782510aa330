/* SPDX-License-Identifier: BSD-3-Clause */
/* measure --machine: the noise of the target, from a machine model. */
#pragma once

#include "cli/cli.h"
#include "model/machine.h"
#include "model/times.h"

/* Loads the model, or sets *machine to NULL if no path is given. ERR_INPUT: it holds no noise. */
bool target_noise_load(Cli *cli, const char *path, MachineModel **machine, Err *err);

/* Puts the noise of the host that was measured into the times. If the model lacks this host, says so. */
void target_noise_add(Cli *cli, const char *path, const MachineModel *machine, PhaseTimes *times);
