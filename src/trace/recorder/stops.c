/* SPDX-License-Identifier: BSD-3-Clause */
/* See stops.h. The recorder counts the process's events here, over all threads. At its entry, each
 * call claims the numbers of the events that it will make.
 *
 *     thread A   …event 6]   [claims 8 ≥ stop: sleeps        released][event 8]
 *     thread B      [claims 7 ……… event 7]   [claims 9: sleeps       ][event 9]
 *
 * A claim may be wrong, because the call failed or moved nothing. The thread's next claim corrects
 * it.
 *
 * The current stop is the first one that isn't released. While a thread sleeps, the process may be
 * saved. The thread may wake up much later, on another machine. */
#include "trace/recorder/stops.h"

#include "trace/recorder/aside.h"
#include "trace/recorder/memory.h"
#include "trace/recorder/process.h"
#include <errno.h>

#define NAP_NS 1000000
#define NAPS_A_LOOK 256 /* naps between two checks whether the owner is still alive */

bool stops_ahead;

static const StopsFile *stops;
static uint32_t own_rank;
static uint64_t claimed;

void stops_start(uint32_t rank)
{
    stops = process_map_stops();
    own_rank = rank;
    stops_ahead = stops && stops->n_stops > 0;
}

static void give_up_stops(void)
{
    __atomic_store_n(&stops_ahead, false, __ATOMIC_RELAXED);
}

static uint32_t current_stop(void)
{
    return __atomic_load_n(&stops->released, __ATOMIC_ACQUIRE);
}

/* Claims n_events. Returns the number of events that come before them, including those of calls
 * under way. */
static uint64_t claim(Thread *thread, uint64_t n_events)
{
    const uint64_t made = thread->header ? thread->header->send_events : 0;
    const uint64_t correction = made - thread->claimed_events; /* may be negative */
    thread->claimed_events = made + n_events;
    return __atomic_fetch_add(&claimed, correction + n_events, __ATOMIC_RELAXED) + correction;
}

/* After the process was restored, one of its sleeping threads prepares its memory. */
static void look_for_adoption(void)
{
    static uint32_t seen;
    clock_look_for_adoption();
    const uint32_t adoptions = __atomic_load_n(&recorder_control->adoptions, __ATOMIC_ACQUIRE);
    if (__atomic_exchange_n(&seen, adoptions, __ATOMIC_RELAXED) == adoptions)
        return;
    memory_touch();
    process_set_ready(adoptions);
}

static void nap_until_released(uint32_t stop)
{
    const struct timespec nap = {.tv_nsec = NAP_NS};
    for (uint32_t i = 1; current_stop() <= stop; i++) {
        if (__atomic_load_n(&recorder_control->stop, __ATOMIC_RELAXED))
            recorder_park();
        if (i % NAPS_A_LOOK == 0 && recorder_is_left_alone()) {
            give_up_stops();
            return;
        }
        nanosleep(&nap, NULL);
        look_for_adoption();
    }
}

/* Sleeps at a stop. The thread's earlier records, and the ASLEEP record, are in the file before
 * other processes can see that this process sleeps. */
static void sleep_at(Thread *thread, uint32_t stop)
{
    const int64_t begin_ns = clock_reanchor(&thread->anchor, thread->leave_ns);
    record_cpu(thread, begin_ns);
    Record *place = record_next(thread);
    place->asleep.begin_ns = begin_ns;
    record_publish(place, record_head(RECORD_ASLEEP, 0, 0, stop));
    process_set_asleep(stop + 1);
    nap_until_released(stop);
    segment_touch(thread);
    const int64_t end_ns = clock_reanchor(&thread->anchor, begin_ns);
    __atomic_store_n(&place->asleep.end_ns, end_ns, __ATOMIC_RELEASE);
    record_cpu(thread, end_ns);
    thread->leave_ns = end_ns;
}

void stops_come_to(Thread *thread, uint64_t n_events)
{
    if (!n_events || !recorder_is(RECORDER_ON))
        return;
    ASIDE;
    const int saved = errno;
    const uint64_t end = claim(thread, n_events) + n_events;
    uint32_t stop = current_stop();
    while (stops_are_ahead() && stop < stops->n_stops &&
           end > stops->counts[stop * (size_t)stops->n_processes + own_rank]) {
        sleep_at(thread, stop);
        stop = current_stop();
    }
    if (stop >= stops->n_stops)
        give_up_stops();
    errno = saved;
}
