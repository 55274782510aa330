/* SPDX-License-Identifier: BSD-3-Clause */
/* See processors.h. */
#include "comm/worker/harness/processors.h"

#include <errno.h>
#include <sched.h>
#include <string.h>

enum { PROCESSORS_LIMIT = 8192 }; /* the most that Linux can be built for */

typedef struct Mask {
    cpu_set_t sets[PROCESSORS_LIMIT / CPU_SETSIZE];
} Mask;

bool processors_bind(unsigned cpu, Err *err)
{
    Mask mask = {0};
    CPU_SET_S(cpu, sizeof mask, mask.sets);
    return sched_setaffinity(0, sizeof mask, mask.sets) == 0 ||
           err_set(err, ERR_ENVIRONMENT, "cannot bind to CPU %u: %s", cpu, strerror(errno)) ||
           err_hint(err, "choose among the CPUs on which this process may run");
}

json_t *processors_list(void)
{
    Mask mask = {0};
    json_t *list = json_array();
    if (sched_getaffinity(0, sizeof mask, mask.sets) != 0)
        return list;
    for (int cpu = 0; cpu < PROCESSORS_LIMIT; cpu++)
        if (CPU_ISSET_S(cpu, sizeof mask, mask.sets))
            json_array_append_new(list, json_integer(cpu));
    return list;
}
