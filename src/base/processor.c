/* SPDX-License-Identifier: BSD-3-Clause */
/* See processor.h. Linux alone: /proc/cpuinfo and sched_getaffinity(). */
#include "base/processor.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PROCESSORS_LIMIT = 8192 }; /* the most that a Linux kernel can be configured for */

const char *processor_model(Arena *arena)
{
    char *line = NULL;
    size_t capacity = 0;
    const char *model = "";
    FILE *file = fopen("/proc/cpuinfo", "r");
    while (file && !*model && getline(&line, &capacity, file) > 0) {
        const char *colon = strncmp(line, "model name", strlen("model name")) == 0 ? strchr(line, ':') : NULL;
        if (colon)
            model = arena_strndup(arena, colon + 2, strcspn(colon + 2, "\n"));
    }
    free(line);
    if (file)
        fclose(file);
    return model;
}

uint32_t processor_count(void)
{
    cpu_set_t sets[PROCESSORS_LIMIT / CPU_SETSIZE];
    if (sched_getaffinity(0, sizeof sets, sets) != 0)
        return 1;
    return (uint32_t)CPU_COUNT_S(sizeof sets, sets);
}
