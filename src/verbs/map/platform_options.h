/* SPDX-License-Identifier: BSD-3-Clause */
/* Options that name a machine: --machine, --platform, --configuration, --nodes, --cores and --speed. */
#pragma once

#include "cli/cli.h"
#include "placement/platform/platform.h"

extern const struct poptOption platform_option_table[];

/* ERR_USAGE: options that don't go together. */
bool platform_options_check(Err *err);

/* --platform is given. */
bool platform_options_make_up(void);

/* Neither --machine nor --platform is given. */
bool platform_options_are_absent(void);

/* The first of these options that is given; NULL: none. */
const char *platform_options_given(void);

/* --speed is given for some node. */
bool platform_options_give_speeds(void);

/* The file that is read; NULL: none. It may be a --platform's text. */
const char *platform_options_file(void);

/* Without --machine and --platform, this machine. must_be_here: hwloc must not describe another one. */
bool platform_options_find(Cli *cli, bool must_be_here, Platform **platform, Err *err);
