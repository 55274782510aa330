/* SPDX-License-Identifier: BSD-3-Clause */
/* Options that mean the same in several verbs. A verb includes their tables by SHARED_OPTIONS. The
 * functions read the values after popt has stored them. Without the table, a verb gets the
 * defaults. */
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

/* --order, --memory, --similarity, percentages, and which phases are relevant: how a trace is analysed. */
extern const struct poptOption analysis_option_table[];
bool analysis_options_read(PhaseParameters *parameters, OrderOptions *order, Arena *arena, Err *err);

/* The first given option about the logical order, or about phases. NULL: none is given. */
const char *analysis_options_of_order(void);
const char *analysis_options_of_phases(void);

/* The first given option that says how phases are found. NULL: none is given. */
const char *analysis_options_of_method(void);

/* True if --order or --similarity is given. */
bool analysis_options_name_method(void);

/* --budget and --limit: how much of a program a prefix executes. */
extern const struct poptOption plan_option_table[];
PlanOptions plan_options(void);
const char *plan_options_given(void); /* the first given one, or NULL */

/* --mpi, for verbs that start a launcher. MPI_FLAVOUR_NONE: not given; firma detects the MPI. */
extern const struct poptOption mpi_option_table[];
MpiFlavour mpi_option(void);
