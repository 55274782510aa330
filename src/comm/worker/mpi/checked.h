/* SPDX-License-Identifier: BSD-3-Clause */
/* What the parts of the MPI worker share. */
#pragma once

#include "base/err.h"

/* Turns a failed call into an error, if the library returns from it. */
bool mpi_checked(int status, const char *call, Err *err);
