/* SPDX-License-Identifier: BSD-3-Clause */
/* The words of a launcher's command line. Private to trace/. */
#pragma once

#include "trace/launch.h"

/* For a program that communicates nothing. */
#define LAUNCH_WITHOUT_MPI_HINT                                                                                        \
    "firma predicts message-passing programs; `firma cost` estimates others from their source"

/* Whether a word has the name of an MPI's launcher. */
bool launch_is_launcher(const char *word);

/* The index of the first word whose executable is linked with MPI, with which and with what
 * library; -1: none. */
int launch_find_linked(char *const argv[], Arena *arena, MpiFlavour *flavour, const char **library);
