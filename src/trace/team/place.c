/* SPDX-License-Identifier: BSD-3-Clause */
/* Which launcher started this process, and with how many others: launchers say it in the environment, before MPI is
 * loaded. */
#include "trace/team/team.h"

#include <stdlib.h>

typedef struct Launcher {
    const char *rank, *size, *mpi;
} Launcher;

/* PMI is MPICH's way, and that of what descends from it. */
static const Launcher LAUNCHERS[] = {
    {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "openmpi"},
    {"PMI_RANK", "PMI_SIZE", "mpich"},
};

static bool read_number(const char *name, uint32_t *number)
{
    const char *text = getenv(name);
    char *end;
    if (!text || *text < '0' || *text > '9')
        return false;
    unsigned long value = strtoul(text, &end, 10);
    *number = (uint32_t)value;
    return !*end && value <= UINT32_MAX;
}

TeamPlace team_find_place(void)
{
    for (size_t i = 0; i < sizeof LAUNCHERS / sizeof *LAUNCHERS; i++) {
        TeamPlace place = {.mpi = LAUNCHERS[i].mpi};
        if (read_number(LAUNCHERS[i].rank, &place.rank) && read_number(LAUNCHERS[i].size, &place.size) &&
            place.rank < place.size && place.size > 1)
            return place;
    }
    return (TeamPlace){0, 1, NULL};
}
