/* SPDX-License-Identifier: BSD-3-Clause */
/* See calls.h. */
#include "trace/reader/calls.h"

#include "trace/reader/files.h"
#include <stdarg.h>
#include <stdio.h>

OTF2_CallbackCode location_fail(Location *location, const char *format, ...)
{
    char what[512], path[4096];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    err_set(&location->err, ERR_INPUT, "%s: %s", location_path(location, path), what);
    location->failed = true;
    return OTF2_CALLBACK_INTERRUPT;
}

void location_take_sample(Location *location, uint64_t cpu_ns)
{
    uint64_t now_ns = location->last_ns, mpi_ns = location->mpi_ns;
    if (location->io_depth > 0)
        mpi_ns += location_io_ns(location);
    if (location->depth > 0)
        mpi_ns +=
            now_ns - (location->sample_time_ns > location->enter_ns ? location->sample_time_ns : location->enter_ns);
    else if (location->started) {
        location->compute_ns += now_ns - location->free_since_ns;
        location->free_since_ns = now_ns;
    }
    if (location->sampled && cpu_ns >= location->sample_cpu_ns) {
        uint64_t elapsed_ns = now_ns - location->sample_time_ns, ran_ns = cpu_ns - location->sample_cpu_ns;
        uint64_t idle_ns = elapsed_ns > ran_ns ? elapsed_ns - ran_ns : 0;
        uint64_t lost_ns = idle_ns > mpi_ns ? idle_ns - mpi_ns : 0;
        lost_ns = lost_ns < location->compute_ns ? lost_ns : location->compute_ns;
        location->compute_ns -= lost_ns;
        location->lost_ns += lost_ns;
    }
    location->mpi_ns = 0;
    location->sample_time_ns = now_ns;
    location->sample_cpu_ns = cpu_ns;
    location->sampled = true;
}
