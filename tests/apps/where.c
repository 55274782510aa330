/* SPDX-License-Identifier: BSD-3-Clause */
/* Says where each rank runs: a line `where rank R host NAME cpus N N …` of every rank, with the processors that it may
 * run on. Rank R > 0 waits for a message from rank R - 1 first.
 *
 *   where */
#define _GNU_SOURCE
#include "app.h"

#include <sched.h>
#include <unistd.h>

enum { NAME_ROOM = 256, LINE_ROOM = 4096 };

static void say(void)
{
    char host[NAME_ROOM] = "", line[LINE_ROOM];
    cpu_set_t cpus;
    gethostname(host, sizeof host - 1);
    sched_getaffinity(0, sizeof cpus, &cpus);
    int n = snprintf(line, sizeof line, "where rank %d host %s cpus", app.rank, host);
    for (int i = 0; i < CPU_SETSIZE && n < LINE_ROOM - 8; i++)
        if (CPU_ISSET(i, &cpus))
            n += snprintf(line + n, sizeof line - (size_t)n, " %d", i);
    puts(line);
}

int main(int argc, char **argv)
{
    int token = 0;
    MPI_Init(&argc, &argv);
    app_start();
    if (app.rank > 0)
        MPI_Recv(&token, 1, MPI_INT, app.rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (app.rank + 1 < app.n_ranks)
        MPI_Send(&token, 1, MPI_INT, app.rank + 1, 0, MPI_COMM_WORLD);
    say();
    MPI_Finalize();
    return 0;
}
