/* SPDX-License-Identifier: BSD-3-Clause */
/* Options that mean the same in several verbs: tables that a verb includes by SHARED_OPTIONS, and what they say once
 * popt has read them. A verb that doesn't include a table gets its defaults. */
#pragma once

#include "model/signature.h"
#include "signature/execute/measure.h"
#include "signature/order/order.h"
#include "trace/segment.h"
#include <popt.h>

#define SHARED_OPTIONS(table)                                                                                          \
    {                                                                                                                  \
        NULL, '\0', POPT_ARG_INCLUDE_TABLE, (void *)(table), 0, NULL, NULL                                             \
    }

/* How a trace is analysed: --order, --memory, --similarity and the shares. */
extern const struct poptOption analysis_option_table[];
bool analysis_options_read(PhaseParameters *parameters, OrderOptions *order, Err *err);

/* The first of them that is given, or NULL: of those of the logical order, and of those that phases are found by. */
const char *analysis_options_of_order(void);
const char *analysis_options_of_phases(void);

/* --order or --similarity is given. */
bool analysis_options_name_method(void);

/* --budget and --limit of verbs that execute a prefix. */
extern const struct poptOption plan_option_table[];
bool plan_options_read(PlanOptions *plan, Err *err);
const char *plan_options_given(void); /* the first that is, or NULL */

/* --mpi of verbs that start a launcher. MPI_FLAVOUR_NONE: not given, and to be found out. */
extern const struct poptOption mpi_option_table[];
bool mpi_option_read(MpiFlavour *flavour, Err *err);
