/* SPDX-License-Identifier: BSD-3-Clause */
/* The recorder's two clocks: time, and time on a processor.
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
#ifndef FIRMA_TRACE_RECORDER_CLOCK_H
#define FIRMA_TRACE_RECORDER_CLOCK_H

#include <stdint.h>
#include <time.h>

#define CPU_GAP_NS 50000

static inline int64_t clock_read_ns(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static inline int64_t clock_now_ns(void)
{
    return clock_read_ns(CLOCK_MONOTONIC);
}

#endif
