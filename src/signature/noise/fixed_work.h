/* SPDX-License-Identifier: BSD-3-Clause */
/* Measures the noise of this machine: the same piece of work again and again, on all processors that
 * this process may use, at the same time. */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include "base/progress.h"
#include "model/machine.h"

/* Fills in processors, duration, levels and deviations. To be called between interrupts_hold() and
 * interrupts_release(). ERR_NEGATIVE: interrupted. ERR_ENVIRONMENT: no thread can be started, or none
 * got enough time for one level. Result in the arena. */
bool fixed_work_measure(double duration_s, const Progress *progress, Arena *arena, MachineNoise *noise, Err *err);
