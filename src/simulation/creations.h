/* SPDX-License-Identifier: BSD-3-Clause */
/* How communicators are made in a trace. Private to the folder. */
#pragma once

#include "simulation/work.h"

enum { CREATION_BYTES = 8 }; /* a colour and a key */

/* Describes each creation of a communicator in its event. `bytes` becomes what the first member gathers from each
 * other one: CREATION_BYTES, as in MPI_Comm_split; or 0 if that member waited for nobody. `tag` becomes the number
 * of the communicator that it makes; NO_COMM if the process isn't a member of any (MPI_UNDEFINED); or that of the
 * old one if the trace doesn't tell. */
void creations_prepare(Work *work);
