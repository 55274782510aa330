/* SPDX-License-Identifier: BSD-3-Clause */
/* What distant data cost on this machine, as a program of its own measures it (cost/cpu/worker/distances.c). */
#include "cost/context/kernels.h"

#include "base/libraries.h"
#include "base/process.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

#define WORKER_FOLDER "cost/cpu/worker"
enum { LIMIT_MS = 120000, MOST_SIZES = 32, NAME_ROOM = 16 };

/* Times of loads in one order, of data that double from size to size. */
typedef struct Order {
    size_t n;
    double bytes, seconds[MOST_SIZES];
} Order;

enum { STREAM, LEAP, ROAM, FOLLOW, DESCEND, ORDERS };

static const struct {
    const char *name;
    ContextClass class;
} known[ORDERS] = {[STREAM] = {"stream", CONTEXT_STREAM},
                   [LEAP] = {"leap", CONTEXT_LEAP},
                   [ROAM] = {"roam", CONTEXT_ROAM_FAR},
                   [FOLLOW] = {"follow", CONTEXT_FOLLOW_FAR},
                   [DESCEND] = {"descend", CONTEXT_FOLLOW_FAR}};

static void take_line(const char *line, Order *orders, Order *branches)
{
    char name[NAME_ROOM];
    double bytes, seconds;
    if (sscanf(line, "branches %lf %lf", &bytes, &seconds) == 2 && branches->n < MOST_SIZES) {
        branches->bytes = branches->n ? branches->bytes : bytes;
        branches->seconds[branches->n++] = seconds;
    }
    if (sscanf(line, "distance %15s %lf %lf", name, &bytes, &seconds) != 3)
        return;
    for (size_t i = 0; i < ORDERS; i++) {
        Order *order = &orders[i];
        if (strcmp(known[i].name, name) != 0 || order->n == MOST_SIZES)
            continue;
        if (!order->n)
            order->bytes = bytes;
        order->seconds[order->n++] = seconds;
    }
}

/* What the loads cost more than in the first cache. Larger data are never nearer: what says so is noise. */
static CpuFar far_of(const char *name, const Order *order, Arena *arena)
{
    double *shape = arena_new_array(arena, double, order->n), most = 0;
    for (size_t i = 1; i < order->n; i++)
        shape[i - 1] = most = fmax(most, order->seconds[i] - order->seconds[0]);
    for (size_t i = 1; i < order->n && most > 0; i++)
        shape[i - 1] /= most;
    return (CpuFar){name, order->bytes, {most, most}, order->n ? (uint32_t)order->n - 1 : 0, shape};
}

/* A way through halves: one step on all the data, one on half of them, and so on. */
static Order descent(const Order *follow)
{
    Order order = *follow;
    for (size_t i = 1; i < order.n; i++)
        order.seconds[i] = order.seconds[i - 1] + fmax(0, follow->seconds[i] - follow->seconds[0]);
    return order;
}

/* Of branches that go random ways, half surprise. learnt_branches: where they take half as much more as most do. */
static void take_branches(const Order *branches, ContextMemory *memory)
{
    const size_t n = branches->n;
    if (n < 2)
        return;
    double half = (branches->seconds[0] + branches->seconds[n - 1]) / 2;
    size_t i = 1;
    while (i < n - 1 && branches->seconds[i] < half)
        i++;
    double low = branches->seconds[i - 1], high = branches->seconds[i];
    double part = high > low ? fmin(1, fmax(0, (half - low) / (high - low))) : 0;
    memory->limits.learnt_branches = branches->bytes * exp2((double)(i - 1) + part);
    memory->surprise_s = 2 * fmax(0, branches->seconds[n - 1] - branches->seconds[0]);
}

static void add(ContextMemory *memory, ContextClass class, CpuFar far)
{
    memory->distances[memory->n++] = (KernelsDistance){class, far};
}

/* Cost as much again with each doubling beyond a cache. */
static ContextMemory memory_of_operations(void)
{
    ContextMemory memory = {.limits = kernels_caches()};
    add(&memory, CONTEXT_ELEMENT_FAR, (CpuFar){"element", memory.limits.second_bytes, {1, 1}, 0, NULL});
    add(&memory, CONTEXT_STRAY_FAR, (CpuFar){"stray", memory.limits.first_bytes, {1, 1}, 0, NULL});
    add(&memory, CONTEXT_REFERENCE_FAR, (CpuFar){"reference", memory.limits.first_bytes, {1, 1}, 0, NULL});
    return memory;
}

ContextMemory kernels_memory_of_java(void)
{
    ContextMemory memory = memory_of_operations();
    add(&memory, CONTEXT_SURPRISE_FAR, (CpuFar){"surprise", memory.limits.first_bytes, {1, 1}, 0, NULL});
    return memory;
}

bool context_measure_memory(Arena *arena, const ContextMemory **measured, Err *err)
{
    const char *program = libraries_find_program("firma-cpu-memory", WORKER_FOLDER, arena);
    if (!program)
        return err_set(err, ERR_ENVIRONMENT, "firma's installation lacks firma-cpu-memory, which measures memory") ||
               err_hint(err, "install firma again");
    const char *const words[] = {program, NULL};
    const ProcessOptions how = {
        .words = words, .output = PROCESS_PIPE, .errors = PROCESS_OURS, .dies_with_us = SIGTERM};
    ContextMemory *memory = arena_alloc(arena, sizeof *memory);
    Order orders[ORDERS] = {0}, branches = {0};
    char *text, *line, *rest;
    int status = 0;
    *memory = memory_of_operations();
    if (!process_capture(&how, LIMIT_MS, arena, &text, &status) || status != 0)
        return err_set(err, ERR_ENVIRONMENT, "%s ended with status %s", program, process_status_text(status, arena));
    for (rest = text; (line = strsep(&rest, "\n"));)
        take_line(line, orders, &branches);
    take_branches(&branches, memory);
    orders[DESCEND] = descent(&orders[FOLLOW]);
    for (size_t i = 0; i < ORDERS; i++)
        add(memory, known[i].class, far_of(known[i].name, &orders[i], arena));
    *measured = memory;
    return orders[STREAM].n > 0 || err_set(err, ERR_ENVIRONMENT, "%s printed no times", program);
}
