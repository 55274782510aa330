/* SPDX-License-Identifier: BSD-3-Clause */
/* Formulas that are files: T(n, p) of a flow file (.pasl) or a model (.pamela). */
#pragma once

#include "cli/cli.h"
#include "model/machine.h"
#include "scaling/formula.h"

/* Whether the text, perhaps with "name = " before it, names such a file. */
bool model_file_is(const char *text);

/* T in terms of n, p, ts, tw, costs of operations (t_sum_double) and parameters. n is the parameter
 * `n`, or else `N`; p is `P`. Parameters and operations get the values of the file and of the machine
 * model, unless is_set says that the user gives one. machine: NULL: none. */
bool model_file_read(Cli *cli, ExprSpace *space, const char *text, const MachineModel *machine,
                     bool (*is_set)(const char *name), Formula *formula, Err *err);
