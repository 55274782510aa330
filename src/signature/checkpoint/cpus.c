/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads and sets the CPUs of a thread (cpus.h). */
#include "signature/checkpoint/cpus.h"

#include "base/text.h"
#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CPUS_LIMIT = 8192 }; /* most CPUs that Linux can be built for */

typedef struct Mask {
    cpu_set_t sets[CPUS_LIMIT / CPU_SETSIZE];
} Mask;

static bool has(const Mask *mask, long cpu)
{
    return CPU_ISSET_S(cpu, sizeof *mask, mask->sets);
}

static const char *list_of_mask(const Mask *mask, Arena *arena)
{
    Text text = {0};
    for (long cpu = 0; cpu < CPUS_LIMIT; cpu++) {
        if (!has(mask, cpu))
            continue;
        long last = cpu;
        while (last + 1 < CPUS_LIMIT && has(mask, last + 1))
            last++;
        text_add(&text, text.bytes.count ? ",%ld" : "%ld", cpu);
        if (last > cpu)
            text_add(&text, "-%ld", last);
        cpu = last;
    }
    return text_take(&text, arena);
}

const char *cpus_of_thread(pid_t thread, Arena *arena)
{
    Mask mask = {0};
    if (sched_getaffinity(thread, sizeof mask, mask.sets) != 0)
        return NULL;
    bool is_unbound = CPU_COUNT_S(sizeof mask, mask.sets) >= sysconf(_SC_NPROCESSORS_ONLN);
    return is_unbound ? CPUS_ALL : list_of_mask(&mask, arena);
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
