/* SPDX-License-Identifier: BSD-3-Clause */
/* See processor.h. Linux alone: /proc/cpuinfo and sched_getaffinity(). */
#include "base/processor.h"

#include "base/text.h"
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

static bool has_processor(const void *set, size_t n_bytes, size_t number)
{
    return number < 8 * n_bytes && CPU_ISSET_S(number, n_bytes, (const cpu_set_t *)set);
}

const char *processors_text(const void *set, size_t n_bytes, Arena *arena, uint32_t *count)
{
    Text text = {0};
    *count = 0;
    for (size_t first = 0, end; first < 8 * n_bytes; first = end + 1) {
        for (end = first; has_processor(set, n_bytes, end);)
            end++;
        *count += (uint32_t)(end - first);
        if (end > first)
            text_add(&text, "%s%zu", text.bytes.count ? "," : "", first);
        if (end > first + 1)
            text_add(&text, "-%zu", end - 1);
    }
    return text_take(&text, arena);
}
