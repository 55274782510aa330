/* SPDX-License-Identifier: BSD-3-Clause */
/* The recorder's two clocks: time, and time on a processor.
 *
 * Time is CLOCK_MONOTONIC. Reading it takes 20 ns twice a call, half of all that a call's record costs, and the
 * processor's counter of ticks takes half of that. So short stretches are measured in ticks, from an anchor at which
 * both were read:
 *
 *     anchor …call] gap [call] gap [call]      long gap      anchor[call …
 *
 * A gap or a call longer than CPU_GAP_NS, or that seems to go back, makes a new anchor, and its end is read from
 * CLOCK_MONOTONIC; so does every full half of a segment. Between two anchors are less than a second, in which the rate
 * of the ticks is good to a microsecond; a machine that was suspended, or a process that was moved to another, begins
 * with an anchor.
 *
 * A process that is saved and restored later finds other clocks, and perhaps another rate. firma tells it by how much
 * to shift CLOCK_MONOTONIC, so that time goes on (ControlFile.clock_shift_ns); where it would go back all the same,
 * what is missing is added from then on.
 *
 * Computation between two MPI calls must not include time in which the process waited for a processor. But reading
 * CLOCK_THREAD_CPUTIME_ID is a system call and costs about ten times what CLOCK_MONOTONIC costs; at every call it would
 * be most of the recorder's cost. So it is read only where it can make a difference. A thread that loses its processor
 * to another rank loses it for a time slice, thus either the gap between two MPI calls or an MPI call is long:
 *
 *     …call] short gap [call] short gap [call  long  ]CPU  short gap [call]      long gap      CPU[call…
 *
 * The processor time is read at the entry after a gap longer than CPU_GAP_NS, and at the return of a call that took
 * longer. Between two readings, whoever reads the record takes the short gaps as spent on the processor as a whole; in
 * a long gap, which has a reading at its end and usually one not far before its beginning, the difference of the
 * readings bounds it. */
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
/* Simulated time goes on when the simulator lets it; a process has a processor of its own in it, and its clock is that
 * of all the others (simulated.c). */
static inline int64_t clock_cpu_ns(void)
{
    return clock_now_ns();
}

static inline int64_t clock_offset_ns(void)
{
    return 0;
}
#else
/* The thread's time on a processor. */
static inline int64_t clock_cpu_ns(void)
{
    return clock_read_ns(CLOCK_THREAD_CPUTIME_ID);
}

/* From the recorder's time to what the processes of other hosts call the same. */
static inline int64_t clock_offset_ns(void)
{
    return clock_read_ns(CLOCK_REALTIME) - clock_now_ns();
}
#endif

typedef struct ClockAnchor {
    uint64_t ticks; /* 0: there is none yet */
    int64_t time_ns;
} ClockAnchor;

#define CLOCK_SCALE_BITS 32

extern uint64_t clock_scale; /* nanoseconds a tick, times 2^CLOCK_SCALE_BITS; 0: ticks are of no use here */

/* Finds the rate, some milliseconds after this library was loaded. */
void clock_start(void);

/* From now on time is shifted as this says, and the rate is found anew whenever the process was adopted. */
void clock_follow(const ControlFile *control);
void clock_look_for_adoption(void);

/* Reads both; returns the time, which is no earlier than `earliest_ns`. */
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

/* The time by the ticks since the anchor. Without one: far in the future. */
static inline __attribute__((always_inline)) int64_t clock_by_ticks_ns(const ClockAnchor *anchor)
{
    const uint64_t scale = __atomic_load_n(&clock_scale, __ATOMIC_RELAXED);
    return scale ? anchor->time_ns + clock_ticks_ns(clock_ticks() - anchor->ticks, scale) : clock_now_ns();
}
