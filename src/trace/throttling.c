/* SPDX-License-Identifier: BSD-3-Clause */
/* See throttling.h. */
#include "trace/throttling.h"

#include <inttypes.h>
#include <sched.h>
#include <stdio.h>

static uint64_t read_count(const char *processors_folder, int processor, const char *name)
{
    char path[4096];
    uint64_t count = 0;
    snprintf(path, sizeof path, "%s/cpu%d/thermal_throttle/%s", processors_folder, processor, name);
    FILE *file = fopen(path, "re");
    if (!file)
        return 0;
    if (fscanf(file, "%" SCNu64, &count) != 1)
        count = 0;
    fclose(file);
    return count;
}

uint64_t throttle_count(const char *processors_folder)
{
    cpu_set_t mine;
    CPU_ZERO(&mine);
    if (sched_getaffinity(0, sizeof mine, &mine) != 0)
        return 0;
    uint64_t count = 0;
    for (int i = 0; i < CPU_SETSIZE; i++)
        if (CPU_ISSET(i, &mine))
            count += read_count(processors_folder, i, "core_throttle_count") +
                     read_count(processors_folder, i, "package_throttle_count");
    return count;
}
