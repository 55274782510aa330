/* SPDX-License-Identifier: BSD-3-Clause */
/* A ring of tasks under PVM.
 *
 *     cc -O2 ring.c -o ring -lpvm3
 *     ./ring [TASKS] [ROUNDS] [BYTES] [HOSTS]       default: 4 tasks, 50 rounds, 1000 bytes
 *
 * The first task spawns the others, and sends all of them the ring. In each round, each task
 * computes, and sends a message to its neighbour. HOSTS is a file with a host a line, the first one
 * for the first task: `firma map -o NAME` writes such a file, NAME.slurm-hosts. Without it, PVM
 * chooses the hosts. */
#include <pvm3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RING = 1, TOKEN = 2, TASKS_LIMIT = 64, BYTES_LIMIT = 1 << 20 };

static char message[BYTES_LIMIT];

static double compute(void)
{
    static double value;
    for (int i = 1; i < 100000; i++)
        value += 1.0 / i;
    return value;
}

/* Spawns this program as tasks 1 to n - 1, where the file says. Returns false if a task can't be
 * started. */
static int spawn_others(char **argv, int *tasks, int n, const char *hosts)
{
    const char *slash = strrchr(argv[0], '/');
    char *name = (char *)(slash ? slash + 1 : argv[0]), host[256];
    FILE *file = hosts ? fopen(hosts, "r") : NULL;
    if (!hosts)
        return pvm_spawn(name, argv + 1, PvmTaskDefault, "", n - 1, tasks + 1) == n - 1;
    for (int i = 0; file && i < n && fscanf(file, "%255s", host) == 1; i++)
        if (i > 0 && pvm_spawn(name, argv + 1, PvmTaskHost, host, 1, &tasks[i]) != 1)
            return 0;
    return file && fclose(file) == 0;
}

static void go_round(const int *tasks, int n, int rank, int rounds, int bytes)
{
    for (int round = 0; round < rounds; round++) {
        int sender, tag, received;
        compute();
        pvm_psend(tasks[(rank + 1) % n], TOKEN, message, bytes, PVM_BYTE);
        pvm_precv(tasks[(rank + n - 1) % n], TOKEN, message, bytes, PVM_BYTE, &sender, &tag, &received);
    }
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 4, rounds = argc > 2 ? atoi(argv[2]) : 50,
        bytes = argc > 3 ? atoi(argv[3]) : 1000, tasks[TASKS_LIMIT], rank = 0;
    tasks[0] = pvm_mytid();
    if (pvm_parent() <= 0) {
        if (!spawn_others(argv, tasks, n, argc > 4 ? argv[4] : NULL)) {
            fprintf(stderr, "the tasks cannot be started\n");
            pvm_exit();
            return 1;
        }
        pvm_initsend(PvmDataDefault);
        pvm_pkint(tasks, n, 1);
        pvm_mcast(tasks, n, RING);
    } else {
        int own = tasks[0];
        pvm_recv(pvm_parent(), RING);
        pvm_upkint(tasks, n, 1);
        while (tasks[rank] != own)
            rank++;
    }
    go_round(tasks, n, rank, rounds, bytes);
    if (!rank)
        printf("%d tasks, %d rounds\n", n, rounds);
    pvm_exit();
    return 0;
}
