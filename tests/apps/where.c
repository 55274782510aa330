/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints where each rank runs: a line `where rank R host NAME cpus N N …` for every rank, with the
 * processors that the rank may run on. Rank 0 prints all lines, because launchers mix the output of
 * several ranks.
 *
 *   where
 */
#define _GNU_SOURCE
#include "app.h"

#include <sched.h>
#include <unistd.h>

enum { NAME_ROOM = 256, LINE_ROOM = 1024, NUMBER_ROOM = 8 };

static void describe(char line[LINE_ROOM])
{
    char host[NAME_ROOM] = "";
    cpu_set_t cpus;
    gethostname(host, sizeof host - 1);
    sched_getaffinity(0, sizeof cpus, &cpus);
    int n = snprintf(line, LINE_ROOM, "where rank %d host %s cpus", app.rank, host);
    for (int i = 0; i < CPU_SETSIZE && n < LINE_ROOM - NUMBER_ROOM; i++)
        if (CPU_ISSET(i, &cpus))
            n += snprintf(line + n, (size_t)(LINE_ROOM - n), " %d", i);
}

int main(int argc, char **argv)
{
    char line[LINE_ROOM] = "";
    MPI_Init(&argc, &argv);
    app_start();
    describe(line);
    if (app.rank > 0)
        MPI_Send(line, LINE_ROOM, MPI_CHAR, 0, 0, MPI_COMM_WORLD);
    for (int rank = 0; app.rank == 0 && rank < app.n_ranks; rank++) {
        if (rank > 0)
            MPI_Recv(line, LINE_ROOM, MPI_CHAR, rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        puts(line);
    }
    fflush(stdout);
    MPI_Finalize();
    return 0;
}
