/* SPDX-License-Identifier: BSD-3-Clause */
/* Master and workers under PVM: masterworker [WORKERS] [ROUNDS] [END]. The program spawns itself.
 * The master gives each worker a task in each round, and receives the results from any worker. In
 * half of the rounds it polls for them. END is how the tasks end: exit (by pvm_exit), return
 * (without it), or kill (the last worker kills itself in the last round). */
#include <pvm3.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WORK = 1, RESULT = 2, STOP = 3, SIZE = 200, WORKERS_LIMIT = 64, DIE = -1 };

static double values[SIZE];

static double compute(int round)
{
    for (int k = 0; k < 200; k++)
        for (int i = 0; i < SIZE; i++)
            values[i] = 0.5 * values[i] + (i + round) % 7;
    return values[SIZE / 2];
}

static void work(int master)
{
    for (;;) {
        int tag, bytes, task, round;
        pvm_bufinfo(pvm_recv(master, -1), &bytes, &tag, &task);
        if (tag == STOP)
            return;
        pvm_upkint(&round, 1, 1);
        pvm_upkdouble(values, SIZE, 1);
        double result = compute(round);
        if (round == DIE)
            kill(getpid(), SIGKILL);
        pvm_initsend(PvmDataRaw);
        pvm_pkdouble(&result, 1, 1);
        pvm_send(master, RESULT);
    }
}

/* Receives a result, by one of several calls. */
static void collect(int round)
{
    double result;
    if (round % 4 == 1)
        while (pvm_nrecv(-1, RESULT) == 0)
            usleep(100);
    else if (round % 4 == 2) {
        while (pvm_probe(-1, RESULT) == 0)
            usleep(100);
        pvm_recv(-1, RESULT);
    } else if (round % 4 == 3) {
        struct timeval limit = {60, 0};
        pvm_trecv(-1, RESULT, &limit);
    } else {
        pvm_recv(-1, RESULT);
    }
    pvm_upkdouble(&result, 1, 1);
}

static void lead(int *workers, int n, int rounds, int kills)
{
    for (int round = 0; round < rounds; round++) {
        int dying = kills && round == rounds - 1 ? n - 1 : n;
        for (int i = 0; i < n; i++) {
            pvm_initsend(PvmDataRaw);
            pvm_pkint(i == dying ? &(int){DIE} : &round, 1, 1);
            pvm_pkdouble(values, SIZE, 1);
            pvm_send(workers[i], WORK);
        }
        for (int i = 0; i < dying; i++)
            collect(round);
    }
    pvm_initsend(PvmDataRaw);
    pvm_mcast(workers, n - kills, STOP);
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 3, rounds = argc > 2 ? atoi(argv[2]) : 20, workers[WORKERS_LIMIT];
    const char *end = argc > 3 ? argv[3] : "exit";
    int parent = pvm_parent();
    if (parent > 0) {
        work(parent);
        printf("a worker ends\n");
    } else {
        const char *name = strrchr(argv[0], '/');
        int started = pvm_spawn((char *)(name ? name + 1 : argv[0]), argv + 1, PvmTaskDefault, "", n, workers);
        if (started != n) {
            fprintf(stderr, "only %d of %d workers started\n", started, n);
            return 1;
        }
        lead(workers, n, rounds, strcmp(end, "kill") == 0);
        printf("%d workers, %d rounds\n", n, rounds);
    }
    if (strcmp(end, "return") != 0)
        pvm_exit();
    return 0;
}
