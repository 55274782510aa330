/* SPDX-License-Identifier: BSD-3-Clause */
/* A machine's noise as text. */
#pragma once

#include "base/arena.h"
#include "model/machine.h"
#include <stdbool.h>

const char *noise_text(const MachineNoise *noise, bool color, Arena *arena);
