/* SPDX-License-Identifier: BSD-3-Clause */
/* Adopts processes that were saved with their recording, and that another program restores. See
 * launch_adopt() in launch.h. */
#include "trace/launch/directory.h"
#include "trace/launch/state.h"
#include "trace/launch/stops.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static bool map_control(Launch *launch, Err *err)
{
    const char *path = arena_printf(launch->arena, "%s/control", launch->recording);
    size_t size_bytes;
    ControlFile *control = launch_map_file(path, sizeof *control, &size_bytes);
    if (!control && errno == ENODATA)
        return err_set(err, ERR_INPUT, "%s: too short for a control file", path);
    if (!control)
        return err_set(err, errno == ENOENT ? ERR_INPUT : ERR_ENVIRONMENT, "%s: %s", path, strerror(errno));
    if (memcmp(control->magic, CONTROL_MAGIC, sizeof control->magic) == 0 && control->version == SEGMENT_VERSION) {
        launch->control = control;
        return true;
    }
    munmap(control, size_bytes);
    return err_set(err, ERR_INPUT, "%s: not a recording of this version of firma; trace the program again", path);
}

/* Becomes the owner of the recording. The processes' time goes on from the moment when they last
 * stood still. */
static void take_over(ControlFile *control)
{
    if (control->settled_ns)
        control->clock_shift_ns = control->settled_ns - launch_now_ns();
    char host[sizeof control->owner_host] = "";
    gethostname(host, sizeof host - 1);
    launch_own_control(control, host);
    __atomic_store_n(&control->stop, 0, __ATOMIC_RELAXED);
    __atomic_store_n(&control->adoptions, control->adoptions + 1, __ATOMIC_RELEASE);
}

bool launch_adopt(const char *recording, Arena *arena, Launch **launch, Err *err)
{
    char resolved[PATH_MAX];
    if (!realpath(recording, resolved))
        return err_set(err, ERR_ENVIRONMENT, "%s: %s", recording, strerror(errno));
    Launch *adopted = arena_alloc(arena, sizeof *adopted);
    adopted->arena = arena;
    adopted->recording = arena_strdup(arena, resolved);
    if (!map_control(adopted, err))
        return false;
    if (!launch_map_stops(adopted, err)) {
        munmap(adopted->control, sizeof *adopted->control);
        return false;
    }
    take_over(adopted->control);
    launch_hold_signals(adopted);
    adopted->begin_ns = launch_now_ns();
    adopted->watch = (Watch){.recording = adopted->recording, .arena = arena};
    *launch = adopted;
    return true;
}
