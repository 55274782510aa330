/* SPDX-License-Identifier: BSD-3-Clause */
/* See clock.h. */
#include "comm/worker/harness/clock.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { READINGS = 2000 };

double clock_resolution_s(void)
{
    int64_t start = clock_now_ns(), last = start, least = INT64_MAX;
    for (int i = 0; i < READINGS; i++) {
        int64_t now = clock_now_ns();
        if (now > last && now - last < least)
            least = now - last;
        last = now;
    }
    /* Equal readings take less than a tick; then the clock's own statement of its tick counts. */
    struct timespec tick = {.tv_nsec = 1};
    clock_getres(CLOCK_MONOTONIC, &tick);
    int64_t tick_ns = tick.tv_sec * INT64_C(1000000000) + tick.tv_nsec;
    return 1e-9 * (double)(least == INT64_MAX || least < tick_ns ? tick_ns : least);
}

const char *clock_machine(Arena *arena)
{
    char boot[64] = "";
    FILE *file = fopen("/proc/sys/kernel/random/boot_id", "r");
    if (file && !fgets(boot, sizeof boot, file))
        boot[0] = '\0';
    if (file)
        fclose(file);
    return arena_strndup(arena, boot, strcspn(boot, "\n"));
}

const char *clock_identity(Arena *arena)
{
    char space[64] = "";
    const char *boot = clock_machine(arena);
    /* Kernels without time namespaces have one monotonic clock. */
    if (readlink("/proc/self/ns/time", space, sizeof space - 1) < 0)
        strcpy(space, "time");
    return boot[0] ? arena_printf(arena, "%s %s", boot, space) : "";
}
