/* SPDX-License-Identifier: BSD-3-Clause */
/* The words of `firma machine`, one file each. */
#pragma once

#include "base/fields.h"
#include "cli/cli.h"
#include "model/machine.h"

extern const Verb machine_show, machine_export, machine_cpu;

/* Of what `machine export` prints, behind the directory. */
extern const FieldList machine_export_fields;

/* The machine model that is the only one of n words. */
bool machine_word_load(Cli *cli, int n, const char *const *words, MachineModel **machine, Err *err);
