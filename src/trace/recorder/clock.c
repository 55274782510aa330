/* SPDX-License-Identifier: BSD-3-Clause */
/* How fast the processor's counter of ticks goes, and whether it may be used: on x86-64, where the kernel itself keeps
 * time with it, thus has found it steady and the same on all processors. */
#include "trace/recorder/clock.h"
#ifndef RECORDER_SIMULATED /* simulated.c */
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#define BASELINE_NS 5000000 /* two readings, each good to 20 ns or so, give the rate to a few millionths */
#define TRIES 5
#define APART_LIMIT_NS 500 /* two readings of which one follows the other at once */

uint64_t clock_scale;

#ifdef __x86_64__
static ClockAnchor loaded; /* when this library was loaded */

/* The reading of both that was interrupted least. */
static ClockAnchor read_both(void)
{
    ClockAnchor best = {0};
    uint64_t best_width = UINT64_MAX;
    for (int i = 0; i < TRIES; i++) {
        const uint64_t before = clock_ticks();
        const int64_t time_ns = clock_now_ns();
        const uint64_t width = clock_ticks() - before;
        if (width < best_width) {
            best_width = width;
            best = (ClockAnchor){.ticks = before + width / 2, .time_ns = time_ns};
        }
    }
    return best;
}

__attribute__((constructor)) static void mark_load(void)
{
    loaded = read_both();
}

static bool kernel_uses_ticks(void)
{
    char name[8] = "";
    const int file = open("/sys/devices/system/clocksource/clocksource0/current_clocksource", O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return false;
    const ssize_t n = read(file, name, sizeof name - 1);
    close(file);
    return n > 0 && !strcmp(name, "tsc\n");
}

void clock_start(void)
{
    const ClockAnchor now = read_both();
    const int64_t elapsed_ns = now.time_ns - loaded.time_ns, elapsed_ticks = (int64_t)(now.ticks - loaded.ticks);
    if (loaded.ticks && elapsed_ns > BASELINE_NS && elapsed_ticks > 0 && kernel_uses_ticks())
        clock_scale = (uint64_t)((double)elapsed_ns / (double)elapsed_ticks * ((uint64_t)1 << CLOCK_SCALE_BITS));
}
#else
void clock_start(void)
{
}
#endif

/* What comes between the two readings (an interrupt, another process) would set all times until the next anchor back.
 */
int64_t clock_reanchor(ClockAnchor *anchor, int64_t earliest_ns)
{
    int64_t now_ns = 0;
    for (int i = 0; i < TRIES; i++) {
        const uint64_t before = clock_ticks();
        now_ns = clock_now_ns();
        anchor->ticks = clock_ticks();
        if (clock_ticks_ns(anchor->ticks - before) < APART_LIMIT_NS)
            break;
    }
    anchor->time_ns = now_ns > earliest_ns ? now_ns : earliest_ns;
    return anchor->time_ns;
}
#endif
