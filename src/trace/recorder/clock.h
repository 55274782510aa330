/* SPDX-License-Identifier: BSD-3-Clause */
/* The recorder's two clocks: wall-clock time and CPU time.
 *
 * Wall-clock time is CLOCK_MONOTONIC. Reading it takes 20 ns, twice a call, which is half of the
 * cost of a call's record. Reading the processor's tick counter takes half of that. So short
 * stretches are measured in ticks, from an anchor at which both were read:
 *
 *     anchor …call] gap [call] gap [call]      long gap      anchor[call …
 *
 * A new anchor is set at the end of a gap or a call that is longer than CPU_GAP_NS or seems to go
 * back, and at each full half of a segment. There the recorder reads CLOCK_MONOTONIC. Less than a
 * second passes between two anchors; over this time, the rate of the ticks is precise to a
 * microsecond. After a machine was suspended, or a process was migrated, recording goes on with an
 * anchor.
 *
 * A process that is saved and restored later finds other clocks, and perhaps another rate. firma
 * tells it how much to add to CLOCK_MONOTONIC, so that time goes on (ControlFile.clock_shift_ns).
 * If the sum would still go back, the recorder adds the difference from then on.
 *
 * Computation between two MPI calls must not include time in which the process waited for a
 * processor. But reading CLOCK_THREAD_CPUTIME_ID is a system call, ten times as expensive as
 * reading CLOCK_MONOTONIC. At every call, it would be most of the recorder's cost. So the recorder
 * reads the CPU clock only where it can make a difference. A thread that loses its processor to
 * another rank loses it for a time slice. Then either the gap between two MPI calls or an MPI call
 * is long:
 *
 *     …call] short gap [call] short gap [call  long  ]CPU  short gap [call]      long gap      CPU[call…
 *
 * The recorder reads the CPU clock at the entry after a gap longer than CPU_GAP_NS, and at the
 * return of a call that took longer. Between two readings, the reader of the records takes short
 * gaps as spent on the processor. A long gap has a reading at its end, and usually one shortly
 * before its beginning. So the difference of the readings bounds the CPU time in a long gap. */
#pragma once

#include "trace/segment.h"
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#define CPU_GAP_NS 50000

static inline int64_t clock_read_ns(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

int64_t clock_now_ns(void);

#ifdef RECORDER_SIMULATED
/* Simulated time advances only when the simulator lets it. Each process has a processor of its own,
 * and all processes have the same clock (simulated.c). */
static inline int64_t clock_cpu_ns(void)
{
    return clock_now_ns();
}

static inline int64_t clock_process_ns(void)
{
    return 0;
}

static inline int64_t clock_offset_ns(void)
{
    return 0;
}

/* The recorder's own work takes no simulated time. */
static inline int64_t clock_work_ns(void)
{
    return 0;
}
#else
/* The thread's CPU time. */
static inline int64_t clock_cpu_ns(void)
{
    return clock_read_ns(CLOCK_THREAD_CPUTIME_ID);
}

/* The CPU time of all threads of the process. Simulated: 0. */
static inline int64_t clock_process_ns(void)
{
    return clock_read_ns(CLOCK_PROCESS_CPUTIME_ID);
}

/* The difference between the recorder's time and the time that processes of different hosts have in
 * common. */
static inline int64_t clock_offset_ns(void)
{
    return clock_read_ns(CLOCK_REALTIME) - clock_now_ns();
}

/* For timing the recorder's own work. */
static inline int64_t clock_work_ns(void)
{
    return clock_cpu_ns();
}
#endif

typedef struct ClockAnchor {
    uint64_t ticks; /* 0: no anchor yet */
    int64_t time_ns;
} ClockAnchor;

#define CLOCK_SCALE_BITS 32

/* Nanoseconds per tick, times 2^CLOCK_SCALE_BITS; 0: ticks can't be used on this machine. */
extern uint64_t clock_scale;

/* Measures the rate of the ticks. To be called some milliseconds after this library was loaded. */
void clock_start(void);

/* From now on, time is shifted as `control` says. clock_look_for_adoption() measures the rate again
 * if firma has adopted the process. */
void clock_follow(const ControlFile *control);
void clock_look_for_adoption(void);

/* Reads both clocks, and returns the time, or earliest_ns if that is later. */
int64_t clock_reanchor(ClockAnchor *anchor, int64_t earliest_ns);

static inline uint64_t clock_ticks(void)
{
#ifdef __x86_64__
    return __builtin_ia32_rdtsc();
#else
    return 0;
#endif
}

static inline int64_t clock_ticks_ns(uint64_t ticks, uint64_t scale)
{
    __extension__ typedef unsigned __int128 Wide;
    return (int64_t)((Wide)ticks * scale >> CLOCK_SCALE_BITS);
}

/* The time by the ticks since the anchor. Without an anchor, the result is far in the future. */
static inline __attribute__((always_inline)) int64_t clock_by_ticks_ns(const ClockAnchor *anchor)
{
    const uint64_t scale = __atomic_load_n(&clock_scale, __ATOMIC_RELAXED);
    return scale ? anchor->time_ns + clock_ticks_ns(clock_ticks() - anchor->ticks, scale) : clock_now_ns();
}
