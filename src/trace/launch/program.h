/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds launcher and program in a launcher's command line. Private to trace/. */
#pragma once

#include "trace/launch.h"

/* The hint for a program without communication. */
#define LAUNCH_WITHOUT_MPI_HINT                                                                                        \
    "firma predicts message-passing programs; `firma cost` estimates others from their source"

#define LAUNCH_STATIC_PVM_HINT                                                                                         \
    "link it with libpvm3.so instead of libpvm3.a, or add `pkg-config --libs firma-pvm` before -lpvm3"

/* True if a word has the name of an MPI's launcher. */
bool launch_is_launcher(const char *word);

/* The index of the first word whose executable is linked with MPI, or -1. *flavour and *library
 * become the MPI and its library's name. */
int launch_find_linked(char *const argv[], Arena *arena, MpiFlavour *flavour, const char **library);
