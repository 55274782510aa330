/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads and sets the CPUs of a thread (cpus.h). */
#include "signature/checkpoint/cpus.h"

#include "base/processor.h"
#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CPUS_LIMIT = 8192 }; /* most CPUs that Linux can be built for */

typedef struct Mask {
    cpu_set_t sets[CPUS_LIMIT / CPU_SETSIZE];
} Mask;

const char *cpus_of_thread(pid_t thread, Arena *arena)
{
    Mask mask = {0};
    if (sched_getaffinity(thread, sizeof mask, mask.sets) != 0)
        return NULL;
    uint32_t count;
    const char *list = processors_text(&mask, sizeof mask, arena, &count);
    return count >= sysconf(_SC_NPROCESSORS_ONLN) ? CPUS_ALL : list;
}

static bool parse_number(const char **text, long *number)
{
    char *end;
    if (**text < '0' || **text > '9')
        return false;
    errno = 0;
    *number = strtol(*text, &end, 10);
    *text = end;
    return errno == 0 && *number < CPUS_LIMIT;
}

static bool parse_list(const char *text, Mask *mask)
{
    for (;;) {
        long first, last;
        if (!parse_number(&text, &first))
            return false;
        last = first;
        if (*text == '-' && (text++, !parse_number(&text, &last)))
            return false;
        for (long cpu = first; cpu <= last; cpu++)
            CPU_SET_S(cpu, sizeof *mask, mask->sets);
        if (*text == '\0')
            return last >= first;
        if (*text++ != ',')
            return false;
    }
}

bool cpus_bind_thread(pid_t thread, const char *cpus)
{
    Mask mask = {0};
    if (strcmp(cpus, CPUS_ALL) == 0) {
        memset(&mask, 0xff, sizeof mask);
    } else if (!parse_list(cpus, &mask)) {
        errno = EINVAL;
        return false;
    }
    return sched_setaffinity(thread, sizeof mask, mask.sets) == 0;
}
