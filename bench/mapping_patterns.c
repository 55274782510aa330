/* SPDX-License-Identifier: BSD-3-Clause */
/* Simple patterns of tasks that compute and exchange messages, for simulated runs (SMPI) and real
 * ones. mapping_kernel.h describes the command line. */
#include "mapping_kernel.h"

static void pairs(Kernel *kernel)
{
    int partner = kernel->place ^ 1;
    for (long round = 0; round < kernel->rounds; round++) {
        kernel_compute(kernel, 1 + 0.2 * (kernel->place % 3));
        if (partner < kernel->n)
            kernel_exchange(kernel, &partner, 1, kernel->bytes);
    }
}

static void ring(Kernel *kernel)
{
    int places[] = {(kernel->place + 1) % kernel->n, (kernel->place + kernel->n - 1) % kernel->n};
    for (long round = 0; round < kernel->rounds; round++) {
        kernel_compute(kernel, 1);
        kernel_exchange(kernel, places, kernel->n > 2 ? 2 : 1, kernel->bytes);
    }
}

static void grid(Kernel *kernel)
{
    int width = kernel->width, x = kernel->place % width;
    int places[] = {x > 0 ? kernel->place - 1 : -1, x + 1 < width ? kernel->place + 1 : -1, kernel->place - width,
                    kernel->place + width < kernel->n ? kernel->place + width : -1};
    for (long round = 0; round < kernel->rounds; round++) {
        kernel_compute(kernel, 1);
        kernel_exchange(kernel, places, 4, kernel->bytes);
    }
}

/* A pipeline: stages of unequal work, with one item a round. */
static void pipeline(Kernel *kernel)
{
    for (long round = 0; round < kernel->rounds; round++) {
        if (kernel->place > 0)
            kernel_receive(kernel, kernel->place - 1, kernel->bytes);
        kernel_compute(kernel, 0.5 + kernel->place % 4 * 0.3);
        if (kernel->place + 1 < kernel->n)
            kernel_send(kernel, kernel->place + 1, kernel->bytes);
    }
}

/* A tree: work goes down a binary tree, and results come up. */
static void run_tree_once(Kernel *kernel)
{
    int children[] = {2 * kernel->place + 1, 2 * kernel->place + 2}, parent = (kernel->place - 1) / 2;
    if (kernel->place)
        kernel_receive(kernel, parent, kernel->bytes);
    for (int i = 0; i < 2; i++)
        if (children[i] < kernel->n)
            kernel_send(kernel, children[i], kernel->bytes);
    kernel_compute(kernel, 1);
    for (int i = 0; i < 2; i++)
        if (children[i] < kernel->n)
            kernel_receive(kernel, children[i], kernel->bytes / 4);
    if (kernel->place)
        kernel_send(kernel, parent, kernel->bytes / 4);
}

static void tree(Kernel *kernel)
{
    for (long round = 0; round < kernel->rounds; round++)
        run_tree_once(kernel);
}

/* Groups of four: the first of each group distributes work and collects results. The firsts
 * exchange a small message. */
static void run_groups_once(Kernel *kernel)
{
    int first = kernel->place / 4 * 4, end = first + 4 < kernel->n ? first + 4 : kernel->n;
    if (kernel->place != first) {
        kernel_receive(kernel, first, kernel->bytes);
        kernel_compute(kernel, 1 + 0.3 * (kernel->place - first));
        kernel_send(kernel, first, kernel->bytes);
        return;
    }
    for (int i = first + 1; i < end; i++)
        kernel_send(kernel, i, kernel->bytes);
    kernel_compute(kernel, 0.5);
    for (int i = first + 1; i < end; i++)
        kernel_receive(kernel, i, kernel->bytes);
    if (first > 0)
        kernel_receive(kernel, first - 4, kernel->bytes / 64);
    if (end < kernel->n)
        kernel_send(kernel, first + 4, kernel->bytes / 64);
}

static void groups(Kernel *kernel)
{
    for (long round = 0; round < kernel->rounds; round++)
        run_groups_once(kernel);
}

static const KernelKind kinds[] = {{"pairs", pairs},       {"ring", ring}, {"grid", grid},
                                   {"pipeline", pipeline}, {"tree", tree}, {"groups", groups}};

int main(int argc, char **argv)
{
    return kernel_main(argc, argv, kinds, sizeof kinds / sizeof *kinds);
}
