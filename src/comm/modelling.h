/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes a machine model of a measurement, by fitting each series. The model shares the
 * measurement's strings and hosts. */
#pragma once

#include "base/arena.h"
#include "model/comm.h"
#include "model/machine.h"

MachineModel *modelling_make(const CommMeasurement *measurement, CommStatistic statistic, Arena *arena);
