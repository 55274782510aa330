/* SPDX-License-Identifier: BSD-3-Clause */
/* The words of `firma machine`, one file each. */
#pragma once

#include "base/fields.h"
#include "cli/cli.h"
#include "model/machine.h"

extern const Verb machine_show, machine_export, machine_cpu, machine_noise;

/* What `machine export` prints after the directory. */
extern const FieldList machine_export_fields;

/* Loads the machine model that the only word names; a usage error unless n is 1. */
bool machine_word_load(Cli *cli, int n, const char *const *words, MachineModel **machine, Err *err);
