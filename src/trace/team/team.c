/* SPDX-License-Identifier: BSD-3-Clause */
/* Starts and ends a team, and sends its messages; see team.h and messages.h. */
#include "trace/team/messages.h"

#include "base/libraries.h"
#include <dlfcn.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Variables in which a launcher tells rank and size before MPI is loaded. */
typedef struct Launcher {
    const char *rank, *size, *mpi;
} Launcher;

/* MPICH and MPIs derived from it use PMI. */
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

static bool load_module(Team *team, const char *mpi, Arena *arena, Err *err)
{
    const char *name = arena_printf(arena, "libfirma-team-%s.so", mpi);
    const char *path = libraries_find(name, "trace/team", arena);
    if (!path) {
        err_set(err, ERR_ENVIRONMENT, "%s: not found, so firma can't work in several processes under this launcher",
                name);
        return err_hint(
            err, "start firma without the launcher, or build firma where the launcher's MPI (%s) is installed", mpi);
    }
    /* RTLD_GLOBAL: MPI libraries load parts of themselves, which must find the symbols of the
     * library. */
    team->library = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
    team->module = team->library ? dlsym(team->library, TEAM_MODULE_SYMBOL) : NULL;
    if (!team->module)
        return err_set(err, ERR_ENVIRONMENT, "cannot load %s: %s", path, dlerror());
    return team->module->version == TEAM_MODULE_VERSION ||
           err_set(err, ERR_ENVIRONMENT, "%s: belongs to another version of firma", path);
}

bool team_start(const TeamPlace *place, Team **team, Err *err)
{
    Team *started = memory_zeroed(1, sizeof *started);
    Arena *arena = arena_new();
    bool ok = load_module(started, place->mpi, arena, err);
    arena_free(arena);
    if (ok && (!started->module->start(&started->rank, &started->size) || started->rank != place->rank ||
               started->size != place->size))
        ok = err_set(err, ERR_ENVIRONMENT, "rank %u of %u: the loaded MPI (%s) isn't the launcher's", place->rank,
                     place->size, place->mpi);
    if (!ok) {
        free(started);
        return false;
    }
    *team = started;
    return true;
}

void team_end(Team *team)
{
    if (!team)
        return;
    for (uint32_t i = 1; team->rank == 0 && i < team->size; i++)
        team_send(team, i, &(MessageHeader){.kind = MESSAGE_END}, NULL, 0);
    team->module->end();
    for (uint32_t i = 0; i < TEAM_MODULE_SLOTS; i++)
        free(team->slots[i].bytes);
    free(team);
}

void team_idle(uint32_t *n_idle)
{
    enum { YIELDS = 200, PAUSE_NS = 50000 };
    if ((*n_idle)++ < YIELDS)
        sched_yield();
    else
        nanosleep(&(struct timespec){.tv_nsec = PAUSE_NS}, NULL);
}

void *team_prepare(Team *team, size_t size_bytes)
{
    for (uint32_t i = 0; i < TEAM_MODULE_SLOTS; i++) {
        uint32_t number = (team->next_slot + i) % TEAM_MODULE_SLOTS;
        struct Slot *slot = &team->slots[number];
        if (!team->module->is_free(number))
            continue;
        team->next_slot = number;
        if (slot->capacity < size_bytes) {
            slot->bytes = memory_resize(slot->bytes, size_bytes);
            slot->capacity = size_bytes;
        }
        return slot->bytes;
    }
    return NULL;
}

void team_send_prepared(Team *team, uint32_t to, size_t size_bytes)
{
    uint32_t number = team->next_slot;
    team->module->send(number, to, team->slots[number].bytes, size_bytes);
    team->next_slot = (number + 1) % TEAM_MODULE_SLOTS;
}

void team_send(Team *team, uint32_t to, const MessageHeader *header, const void *body, size_t body_bytes)
{
    uint32_t n_idle = 0;
    char *bytes;
    while (!(bytes = team_prepare(team, sizeof *header + body_bytes)))
        team_idle(&n_idle);
    memcpy(bytes, header, sizeof *header);
    if (body_bytes)
        memcpy(bytes + sizeof *header, body, body_bytes);
    team_send_prepared(team, to, sizeof *header + body_bytes);
}

void team_wait(Team *team, uint32_t *from, size_t *size_bytes)
{
    uint32_t n_idle = 0;
    while (!team->module->has_arrived(from, size_bytes))
        team_idle(&n_idle);
}
