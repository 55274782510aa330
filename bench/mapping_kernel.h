/* SPDX-License-Identifier: BSD-3-Clause */
/* What the programs of mapping_effect.py share: their command line, the order of their ranks, and
 * modelled computation. A program is a table of kernels.
 *
 *   PROGRAM KERNEL ROUNDS OPERATIONS BYTES [ORDER [JITTER]]
 *
 * A kernel knows places in its structure. ORDER 0 assigns place i to rank i; any other number deals
 * the places out at random, so that consecutive ranks need not be partners. By default ORDER is 1.
 * JITTER 0 (the default) computes exactly as long as the kernel says. Any other number changes each
 * computation by up to 0.5 %, always in the same way. */
#pragma once

#include "app.h"
#include <stddef.h>

enum {
    KERNEL_RANKS_LIMIT = 256, /* a kernel may have arrays of this length, by place */
    KERNEL_ROOM = 8           /* the buffers hold this many times BYTES */
};

typedef struct Kernel {
    MPI_Comm comm; /* a rank in it is a place */
    int place, n;
    int width; /* of the squarest grid of n places, the shorter side */
    long rounds;
    double operations; /* of one share of computation */
    int bytes;
    char *out, *in;
    unsigned long jitter, n_computed;
} Kernel;

typedef struct KernelKind {
    const char *name;
    void (*run)(Kernel *kernel);
} KernelKind;

/* The main function of a program with these kernels. At the end, rank 0 prints "time_s X". */
int kernel_main(int argc, char **argv, const KernelKind *kinds, size_t n_kinds);

/* Computes for so many shares. */
void kernel_compute(Kernel *kernel, double share);

/* Exchanges messages of so many bytes with each of the places, in both directions. Places below 0
 * don't exist. There are at most eight. */
void kernel_exchange(const Kernel *kernel, const int *places, int n, int bytes);

void kernel_send(const Kernel *kernel, int place, int bytes);
void kernel_receive(const Kernel *kernel, int place, int bytes);

/* The communicators of this place's row and column in a grid of this width. */
MPI_Comm kernel_row(const Kernel *kernel, int width);
MPI_Comm kernel_column(const Kernel *kernel, int width);

/* A number from 0 to 1 that looks random, but is the same in every run. */
double kernel_chance(unsigned long a, unsigned long b);
