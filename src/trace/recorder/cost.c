/* SPDX-License-Identifier: BSD-3-Clause */
/* See cost.h. Runs the recorder's own functions on a thread that doesn't exist, whose records are
 * dropped. Between two calls, a program uses the caches itself: a call then costs up to twice as
 * much as in a loop of calls. So the caches are swept before each call, and the sweep's own time is
 * subtracted:
 *
 *     |  sweep  |  sweep  call  |  sweep  |  sweep  call  |  …      median of the differences
 *
 * The median leaves out interruptions. */
#include "trace/recorder/cost.h"

#include "trace/recorder/middleware.h"
#include <stdlib.h>

#define PAIRS 101
#define CACHE_BYTES (64 << 10) /* more than the fastest cache holds */
#define LINE_BYTES 64
#define RECORDS_A_CALL 4 /* at most */

/* A process that is to stop stops at the program's next call, not at a call that nobody made. */
static const ControlFile no_stop;

static uint8_t swept[CACHE_BYTES];
static Record records[PAIRS * RECORDS_A_CALL]; /* so no record ever needs a segment */

static void sweep(void)
{
    volatile uint8_t *bytes = swept;
    for (size_t i = 0; i < sizeof swept; i += LINE_BYTES)
        bytes[i]++;
}

/* A blocking call with two messages, such as MPI_Sendrecv, without the call itself. */
static bool record_call(Thread *thread)
{
    if (!call_begin(thread, 0))
        return false;
    call_returned(thread);
    record_trial_messages(thread);
    call_end(thread);
    return true;
}

/* What is added to a call that is long, or comes after a long gap. */
static bool record_sample(Thread *thread)
{
    thread->leave_ns = clock_reanchor(&thread->anchor, thread->leave_ns);
    record_cpu(thread, thread->leave_ns);
    return true;
}

static int ascending(const void *left, const void *right)
{
    const int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;
    return (a > b) - (a < b);
}

/* The time of one call of `record`, in nanoseconds. 0: not known, because recording has stopped. */
static uint32_t measure(Thread *thread, bool (*record)(Thread *thread))
{
    int64_t differences_ns[PAIRS];
    record_sample(thread);
    thread->cursor = records;
    for (int i = 0; i < PAIRS; i++) {
        const int64_t begin_ns = clock_now_ns();
        sweep();
        const int64_t middle_ns = clock_now_ns();
        sweep();
        if (!record(thread))
            return 0;
        differences_ns[i] = clock_now_ns() - middle_ns - (middle_ns - begin_ns);
    }
    qsort(differences_ns, PAIRS, sizeof *differences_ns, ascending);
    const int64_t median_ns = differences_ns[PAIRS / 2];
    return median_ns > 0 && median_ns < UINT32_MAX ? (uint32_t)median_ns : 0;
}

void cost_measure(void)
{
    Thread nobody = {.cursor = records, .limit = records + sizeof records / sizeof *records};
    nobody.header = &nobody.sink_header;
    const ControlFile *control = recorder_control;
    recorder_control = &no_stop;
    sweep(); /* maps its pages */
    const uint32_t call_ns = measure(&nobody, record_call);
    process_set_costs(call_ns, measure(&nobody, record_sample));
    recorder_control = control;
}
