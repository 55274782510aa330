/* SPDX-License-Identifier: BSD-3-Clause */
/* Processors that the hardware slows down because they are too hot. */
#pragma once

#include <stdint.h>

/* Linux's folder of processors, with thermal_throttle/core_throttle_count in each. */
#define PROCESSORS_FOLDER "/sys/devices/system/cpu"

/* How often the processors that this process may use have been slowed down since the system started,
 * each by itself and with its package. 0: never, or not counted here. */
uint64_t throttle_count(const char *processors_folder);
