/* SPDX-License-Identifier: BSD-3-Clause */
/* Measurement to machine model: fits each series. Texts and hosts of the model are the measurement's. */
#pragma once

#include "base/arena.h"
#include "model/comm.h"
#include "model/machine.h"

MachineModel *modelling_make(const CommMeasurement *measurement, Arena *arena);
