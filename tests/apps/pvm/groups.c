/* SPDX-License-Identifier: BSD-3-Clause */
/* Groups under PVM: groups [TASKS] [ROUNDS] [dynamic]. All tasks join a group; in each round they
 * compute, reduce, gather, scatter, broadcast, and meet in a barrier. The first two tasks have a group
 * of their own, too. With "dynamic", another group has two other members in each round. */
#include <pvm3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REDUCE = 1, GATHER, SCATTER, BROADCAST, TASKS_LIMIT = 64, COUNT = 10 };

static char group[] = "all", pair[] = "pair", passing[] = "passing";

static double compute(void)
{
    static double value;
    for (int i = 1; i < 100000; i++)
        value += 1.0 / i;
    return value;
}

static void exchange(int instance)
{
    double own[COUNT], all[COUNT * TASKS_LIMIT];
    for (int i = 0; i < COUNT; i++)
        own[i] = compute() + instance;
    pvm_reduce(PvmSum, own, COUNT, PVM_DOUBLE, REDUCE, group, 0);
    pvm_gather(all, own, COUNT, PVM_DOUBLE, GATHER, group, 0);
    pvm_scatter(own, all, COUNT, PVM_DOUBLE, SCATTER, group, 0);
    if (instance == 0) {
        pvm_initsend(PvmDataDefault);
        pvm_pkdouble(own, COUNT, 1);
        pvm_bcast(group, BROADCAST);
    } else {
        pvm_recv(-1, BROADCAST);
    }
}

static void meet_once(void)
{
    pvm_joingroup(passing);
    pvm_barrier(passing, 2);
    pvm_lvgroup(passing);
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 4, rounds = argc > 2 ? atoi(argv[2]) : 10, tasks[TASKS_LIMIT];
    int is_dynamic = argc > 3 && strcmp(argv[3], "dynamic") == 0;
    int instance = pvm_joingroup(group);
    if (pvm_parent() <= 0) {
        const char *name = strrchr(argv[0], '/');
        if (pvm_spawn((char *)(name ? name + 1 : argv[0]), argv + 1, PvmTaskDefault, "", n - 1, tasks) != n - 1)
            return 1;
    }
    if (instance < 2)
        pvm_joingroup(pair);
    pvm_barrier(group, n);
    for (int round = 0; round < rounds; round++) {
        exchange(instance);
        if (instance < 2)
            pvm_barrier(pair, 2);
        if (is_dynamic && (instance == round % n || instance == (round + 1) % n))
            meet_once();
        pvm_barrier(group, n);
    }
    if (pvm_parent() <= 0)
        printf("%d tasks, %d rounds\n", n, rounds);
    pvm_lvgroup(group);
    pvm_exit();
    return 0;
}
