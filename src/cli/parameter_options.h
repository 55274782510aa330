/* SPDX-License-Identifier: BSD-3-Clause */
/* How a trace is analysed: the options that are the same in every verb that finds phases. */
#ifndef FIRMA_CLI_PARAMETER_OPTIONS_H
#define FIRMA_CLI_PARAMETER_OPTIONS_H

#include "base/err.h"
#include "model/signature.h"
#include <popt.h>

extern const struct poptOption parameter_option_table[];

#define PARAMETER_OPTIONS                                                                                              \
    {                                                                                                                  \
        NULL, '\0', POPT_ARG_INCLUDE_TABLE, (void *)parameter_option_table, 0, NULL, NULL                              \
    }

/* What the options say, after popt has read them. */
bool parameter_options_read(PhaseParameters *parameters, Err *err);

/* Whether --order or --similarity is given. */
bool parameter_options_name_method(void);

#endif
