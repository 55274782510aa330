/* SPDX-License-Identifier: BSD-3-Clause */
/* A machine model as a platform of SimGrid, with the options of SMPI that reproduce the measured costs. */
#ifndef FIRMA_COMM_SIMGRID_H
#define FIRMA_COMM_SIMGRID_H

#include "base/err.h"
#include "model/machine.h"

/* Of one configuration (middleware, transport; packing may be NULL): DIRECTORY/platform.xml, hostfile, and smpi.cfg,
 * one `--cfg=…` a line, which a header comment says how to use. Loopback paths (two processes on one host) and paths
 * between hosts both count. ERR_INPUT: the model has no path of that configuration, or one that isn't linear. */
bool simgrid_export(const MachineModel *machine, const char *middleware, const char *transport, const char *directory,
                    Err *err);

#endif
