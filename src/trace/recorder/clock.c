/* SPDX-License-Identifier: BSD-3-Clause */
/* See clock.h. Measures the rate of the processor's tick counter, and decides whether ticks can be
 * used. They can on x86-64 if the kernel itself uses the counter as its clock. The kernel does so
 * only if the counter is steady and equal on all processors. */
#include "trace/recorder/clock.h"
#ifndef RECORDER_SIMULATED /* simulated.c */
#include <fcntl.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Over 5 ms, two readings that are precise to 20 ns give the rate to a few millionths. */
#define BASELINE_NS 5000000
#define TRIES 5
#define BACK_NS 1000000    /* a clock that is back by less is tolerated, because ticks may be a little fast */
#define APART_LIMIT_NS 500 /* longest time between two readings that count as simultaneous */

uint64_t clock_scale;

static const ControlFile not_shifted;
static const ControlFile *control_followed = &not_shifted;
static uint32_t adoptions_seen;
static int64_t missing_ns; /* added to the time, because the clock went back by this much */

int64_t clock_now_ns(void)
{
    return clock_read_ns(CLOCK_MONOTONIC) + __atomic_load_n(&control_followed->clock_shift_ns, __ATOMIC_RELAXED) +
           __atomic_load_n(&missing_ns, __ATOMIC_RELAXED);
}

#ifdef __x86_64__
static ClockAnchor loaded; /* at the time when this library was loaded */

/* Reads both clocks several times, and keeps the tightest pair of readings. The time is
 * CLOCK_MONOTONIC itself, because the shift may change. */
static ClockAnchor read_both(void)
{
    ClockAnchor best = {0};
    uint64_t best_width = UINT64_MAX;
    for (int i = 0; i < TRIES; i++) {
        const uint64_t before = clock_ticks();
        const int64_t time_ns = clock_read_ns(CLOCK_MONOTONIC);
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
    int tsc = PR_TSC_ENABLE;
    if (syscall(SYS_prctl, PR_GET_TSC, &tsc, 0, 0, 0) == 0 && tsc != PR_TSC_SIGSEGV)
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
        __atomic_store_n(&clock_scale,
                         (uint64_t)((double)elapsed_ns / (double)elapsed_ticks * ((uint64_t)1 << CLOCK_SCALE_BITS)),
                         __ATOMIC_RELAXED);
}

/* The process was saved and restored, perhaps on another machine. Ticks can't be used until their
 * rate is measured again. */
static void forget_rate(void)
{
    __atomic_store_n(&clock_scale, 0, __ATOMIC_RELAXED);
    loaded = read_both();
}
#else
void clock_start(void)
{
}

static void forget_rate(void)
{
}
#endif

void clock_follow(const ControlFile *control)
{
    adoptions_seen = control->adoptions;
    control_followed = control;
}

void clock_look_for_adoption(void)
{
    static bool busy;
    const uint32_t adoptions = __atomic_load_n(&control_followed->adoptions, __ATOMIC_RELAXED);
    const bool is_new = adoptions != __atomic_load_n(&adoptions_seen, __ATOMIC_RELAXED);
    if (!is_new && (!adoptions || __atomic_load_n(&clock_scale, __ATOMIC_RELAXED)))
        return;
    if (__atomic_exchange_n(&busy, true, __ATOMIC_ACQUIRE))
        return; /* another thread does it */
    if (adoptions != adoptions_seen) {
        __atomic_store_n(&adoptions_seen, adoptions, __ATOMIC_RELAXED);
        forget_rate();
    } else if (!clock_scale) {
        clock_start();
    }
    __atomic_store_n(&busy, false, __ATOMIC_RELEASE);
}

/* Returns the time. If the clock went back behind earliest_ns by more than BACK_NS, all threads add
 * the difference from now on. */
static int64_t now_not_before(int64_t earliest_ns)
{
    for (;;) {
        int64_t before_ns = __atomic_load_n(&missing_ns, __ATOMIC_RELAXED);
        const int64_t now_ns = clock_now_ns();
        if (now_ns >= earliest_ns - BACK_NS)
            return now_ns;
        __atomic_compare_exchange_n(&missing_ns, &before_ns, before_ns + earliest_ns - now_ns, false, __ATOMIC_RELAXED,
                                    __ATOMIC_RELAXED);
    }
}

/* An interrupt or another process between the two readings would set back all times until the next
 * anchor. So the readings are repeated if they lie too far apart. */
int64_t clock_reanchor(ClockAnchor *anchor, int64_t earliest_ns)
{
    clock_look_for_adoption();
    int64_t now_ns = 0;
    for (int i = 0; i < TRIES; i++) {
        const uint64_t before = clock_ticks();
        now_ns = now_not_before(earliest_ns);
        anchor->ticks = clock_ticks();
        if (clock_ticks_ns(anchor->ticks - before, __atomic_load_n(&clock_scale, __ATOMIC_RELAXED)) < APART_LIMIT_NS)
            break;
    }
    anchor->time_ns = now_ns > earliest_ns ? now_ns : earliest_ns;
    return anchor->time_ns;
}
#endif
