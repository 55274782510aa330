/* SPDX-License-Identifier: BSD-3-Clause */
/* See stops.h. The file stays mapped, as releasing a stop is writing one number into it. */
#include "trace/launch/stops.h"

#include "model/application.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static size_t stops_file_bytes(size_t n_stops, size_t n_processes)
{
    return sizeof(StopsFile) + n_stops * n_processes * sizeof(uint64_t);
}

static bool check_stops(const LaunchStops *stops, Err *err)
{
    if (stops->n_stops == 0 || stops->n_stops > STOPS_LIMIT)
        return err_set(err, ERR_INPUT, "%u stops; there can be 1 to %d", stops->n_stops, STOPS_LIMIT);
    if (stops->n_processes == 0 || stops->n_processes > PROCESS_LIMIT)
        return err_set(err, ERR_INPUT, "stops of %u processes; the limit is %u", stops->n_processes, PROCESS_LIMIT);
    size_t n = stops->n_processes;
    for (size_t i = n; i < stops->n_stops * n; i++)
        if (stops->counts[i] < stops->counts[i - n])
            return err_set(err, ERR_INPUT, "stop %zu of rank %zu lies before the stop in front of it", i / n, i % n);
    return true;
}

/* Maps `size_bytes` of the file; closes it. */
static bool map_stops(Launch *launch, int file, size_t size_bytes, Err *err)
{
    void *mapped = mmap(NULL, size_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    int code = errno;
    close(file);
    if (mapped == MAP_FAILED)
        return err_set(err, ERR_ENVIRONMENT, "%s/" STOPS_NAME ": %s", launch->recording, strerror(code));
    launch->stops = mapped;
    launch->stops_bytes = size_bytes;
    return true;
}

bool launch_make_stops(Launch *launch, const LaunchStops *stops, Err *err)
{
    if (!check_stops(stops, err))
        return false;
    const char *path = arena_printf(launch->arena, "%s/" STOPS_NAME, launch->recording);
    size_t size_bytes = stops_file_bytes(stops->n_stops, stops->n_processes);
    int file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file < 0)
        return err_set(err, ERR_ENVIRONMENT, "%s: %s", path, strerror(errno));
    int code = posix_fallocate(file, 0, (off_t)size_bytes);
    if (code) {
        close(file);
        return err_set(err, ERR_ENVIRONMENT, "%s: %s", path, strerror(code));
    }
    if (!map_stops(launch, file, size_bytes, err))
        return false;
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
    int file = open(path, O_RDWR | O_CLOEXEC);
    if (file < 0 && errno == ENOENT)
        return true;
    struct stat info;
    if (file < 0 || fstat(file, &info) != 0) {
        err_set(err, ERR_ENVIRONMENT, "%s: %s", path, strerror(errno));
        if (file >= 0)
            close(file);
        return false;
    }
    if ((size_t)info.st_size < sizeof(StopsFile)) {
        close(file);
        return err_set(err, ERR_INPUT, "%s: only %zu bytes", path, (size_t)info.st_size);
    }
    if (!map_stops(launch, file, (size_t)info.st_size, err))
        return false;
    if (is_valid(launch->stops, launch->stops_bytes))
        return true;
    munmap(launch->stops, launch->stops_bytes);
    launch->stops = NULL;
    return err_set(err, ERR_INPUT, "%s: no stops of this version of firma", path);
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
