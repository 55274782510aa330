/* SPDX-License-Identifier: BSD-3-Clause */
/* The module of module.h over MPI. It is built once for each MPI library. */
#include "trace/team/module.h"

#include <limits.h>
#include <mpi.h>

enum { TAG = 1 };

static MPI_Comm team;
static MPI_Request slots[TEAM_MODULE_SLOTS];
static MPI_Message arrived;

static bool start(uint32_t *rank, uint32_t *size)
{
    int own_rank, n_ranks;
    if (MPI_Init(NULL, NULL) != MPI_SUCCESS || MPI_Comm_dup(MPI_COMM_WORLD, &team) != MPI_SUCCESS)
        return false;
    for (uint32_t i = 0; i < TEAM_MODULE_SLOTS; i++)
        slots[i] = MPI_REQUEST_NULL;
    MPI_Comm_rank(team, &own_rank);
    MPI_Comm_size(team, &n_ranks);
    *rank = (uint32_t)own_rank;
    *size = (uint32_t)n_ranks;
    return true;
}

static void send_bytes(uint32_t slot, uint32_t to, const void *bytes, size_t size_bytes)
{
    if (size_bytes > INT_MAX)
        MPI_Abort(team, 70);
    MPI_Isend(bytes, (int)size_bytes, MPI_BYTE, (int)to, TAG, team, &slots[slot]);
}

static bool is_free(uint32_t slot)
{
    int is_done = 0;
    MPI_Test(&slots[slot], &is_done, MPI_STATUS_IGNORE);
    return is_done;
}

static bool has_arrived(uint32_t *from, size_t *size_bytes)
{
    MPI_Status status;
    int is_there = 0, n = 0;
    MPI_Improbe(MPI_ANY_SOURCE, TAG, team, &is_there, &arrived, &status);
    if (!is_there)
        return false;
    MPI_Get_count(&status, MPI_BYTE, &n);
    *from = (uint32_t)status.MPI_SOURCE;
    *size_bytes = (size_t)n;
    return true;
}

static void receive(void *bytes, size_t size_bytes)
{
    MPI_Mrecv(bytes, (int)size_bytes, MPI_BYTE, &arrived, MPI_STATUS_IGNORE);
}

static void end(void)
{
    for (uint32_t i = 0; i < TEAM_MODULE_SLOTS; i++)
        MPI_Wait(&slots[i], MPI_STATUS_IGNORE);
    MPI_Comm_free(&team);
    MPI_Finalize();
}

__attribute__((visibility("default"))) const TeamModule firma_team_module = {
    .version = TEAM_MODULE_VERSION,
    .start = start,
    .send = send_bytes,
    .is_free = is_free,
    .has_arrived = has_arrived,
    .receive = receive,
    .end = end,
};
