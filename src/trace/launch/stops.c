/* SPDX-License-Identifier: BSD-3-Clause */
/* See stops.h. The file stays mapped, because firma releases a stop by writing a number into it. */
#include "trace/launch/stops.h"

#include "model/application.h"
#include "trace/launch/directory.h"
#include <errno.h>
#include <string.h>
#include <sys/mman.h>

static size_t stops_file_bytes(size_t n_stops, size_t n_processes)
{
    return sizeof(StopsFile) + n_stops * n_processes * sizeof(uint64_t);
}

static bool check_stops(const LaunchStops *stops, Err *err)
{
    if (stops->n_stops == 0 || stops->n_stops > STOPS_LIMIT)
        return err_set(err, ERR_INPUT, "%u stops; expected 1 to %d", stops->n_stops, STOPS_LIMIT);
    if (stops->n_processes == 0 || stops->n_processes > PROCESS_LIMIT)
        return err_set(err, ERR_INPUT, "stops for %u processes; the limit is %u", stops->n_processes, PROCESS_LIMIT);
    size_t n = stops->n_processes;
    for (size_t i = n; i < stops->n_stops * n; i++)
        if (stops->counts[i] < stops->counts[i - n])
            return err_set(err, ERR_INPUT, "stop %zu of rank %zu lies before the previous stop", i / n, i % n);
    return true;
}

bool launch_make_stops(Launch *launch, const LaunchStops *stops, Err *err)
{
    if (!check_stops(stops, err))
        return false;
    const char *path = arena_printf(launch->arena, "%s/" STOPS_NAME, launch->recording);
    size_t size_bytes = stops_file_bytes(stops->n_stops, stops->n_processes);
    launch->stops = launch_map_new_file(path, size_bytes);
    if (!launch->stops)
        return err_set(err, ERR_ENVIRONMENT, "%s: %s", path, strerror(errno));
    launch->stops_bytes = size_bytes;
    launch->stops->version = SEGMENT_VERSION;
    launch->stops->n_processes = stops->n_processes;
    launch->stops->n_stops = stops->n_stops;
    memcpy(launch->stops->counts, stops->counts, size_bytes - sizeof(StopsFile));
    memcpy(launch->stops->magic, STOPS_MAGIC, sizeof launch->stops->magic);
    return true;
}

static bool is_valid(const StopsFile *stops, size_t size_bytes)
{
    return memcmp(stops->magic, STOPS_MAGIC, sizeof stops->magic) == 0 && stops->version == SEGMENT_VERSION &&
           stops->n_stops > 0 && stops->n_stops <= STOPS_LIMIT && stops->n_processes > 0 &&
           stops->n_processes <= PROCESS_LIMIT && size_bytes >= stops_file_bytes(stops->n_stops, stops->n_processes);
}

bool launch_map_stops(Launch *launch, Err *err)
{
    const char *path = arena_printf(launch->arena, "%s/" STOPS_NAME, launch->recording);
    size_t size_bytes = 0;
    StopsFile *stops = launch_map_file(path, sizeof *stops, &size_bytes);
    if (!stops && errno == ENODATA)
        return err_set(err, ERR_INPUT, "%s: only %zu bytes", path, size_bytes);
    if (!stops)
        return errno == ENOENT || err_set(err, ERR_ENVIRONMENT, "%s: %s", path, strerror(errno));
    if (is_valid(stops, size_bytes)) {
        launch->stops = stops;
        launch->stops_bytes = size_bytes;
        return true;
    }
    munmap(stops, size_bytes);
    return err_set(err, ERR_INPUT, "%s: not a stops file of this version of firma", path);
}

void launch_release(Launch *launch, uint32_t stop)
{
    if (!launch->stops)
        return;
    uint32_t n_stops = launch->stops->n_stops;
    uint32_t released = stop < n_stops ? stop + 1 : n_stops;
    if (released > launch->stops->released)
        __atomic_store_n(&launch->stops->released, released, __ATOMIC_RELEASE);
}
