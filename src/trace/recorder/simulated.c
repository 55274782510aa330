/* SPDX-License-Identifier: BSD-3-Clause */
/* See simulated.h. This file also has the functions of clock.c for simulated time. */
#include "trace/recorder/simulated.h"
#include "trace/recorder/clock.h"
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

/* Simulated time is MPI_Wtime. Only MPI_Wtime adds the program's computation since the last call of
 * SMPI. A simulation begins at 0, but 0 means "never" in a recording. So this offset is added. */
#define SIMULATION_BEGINS_NS 1000000000

int64_t clock_now_ns(void)
{
    return SIMULATION_BEGINS_NS + (int64_t)(PMPI_Wtime() * 1e9 + 0.5);
}

/* No ticks: clock_now_ns() reads every time. */
uint64_t clock_scale;

void clock_start(void)
{
}

/* Simulated processes are never saved and restored. */
void clock_follow(const ControlFile *control)
{
    (void)control;
}

void clock_look_for_adoption(void)
{
}

int64_t clock_reanchor(ClockAnchor *anchor, int64_t earliest_ns)
{
    const int64_t now_ns = clock_now_ns();
    anchor->ticks = 1;
    anchor->time_ns = now_ns > earliest_ns ? now_ns : earliest_ns;
    return anchor->time_ns;
}

/* SMPI can't spawn processes. */
static int get_no_parent(MPI_Comm *parent)
{
    *parent = MPI_COMM_NULL;
    return MPI_SUCCESS;
}

/* The recorder only asks for numbers of bytes. */
static int get_bytes(MPI_Status *status, MPI_Datatype datatype, MPI_Count *count)
{
    int n = 0;
    const int result = PMPI_Get_count(status, datatype, &n);
    *count = n;
    return result;
}

/* The recorder needs topologies for neighbourhood collectives alone, which SMPI lacks. */
static int get_no_topology(MPI_Comm comm, int *topology)
{
    (void)comm;
    *topology = MPI_UNDEFINED;
    return MPI_SUCCESS;
}

void simulated_replace_queries(Mpi *queries)
{
    queries->Comm_get_parent = get_no_parent;
    queries->Get_elements_x = get_bytes;
    queries->Topo_test = get_no_topology;
}

void simulated_host(char *host, size_t size_bytes)
{
    char name[MPI_MAX_PROCESSOR_NAME] = "";
    int length;
    PMPI_Get_processor_name(name, &length);
    snprintf(host, size_bytes, "%s", name);
}

/* Turns SIMULATOR PROGRAM --cfg=… PLATFORM ARGUMENT… into PROGRAM ARGUMENT…. */
void simulated_find_program(ProcessFile *file)
{
    char *words = file->arguments, *end = words + file->arguments_bytes;
    char *program = memchr(words, 0, file->arguments_bytes);
    char path[PATH_MAX];
    if (!program || ++program == end || !memchr(program, 0, (size_t)(end - program)))
        return;
    char *rest = program + strlen(program) + 1;
    size_t n_program = (size_t)(rest - program);
    bool is_option = true;
    /* The first word that isn't an option is PLATFORM. */
    while (is_option && rest < end && memchr(rest, 0, (size_t)(end - rest))) {
        is_option = strncmp(rest, "--", 2) == 0;
        rest += strlen(rest) + 1;
    }
    if (realpath(program, path))
        snprintf(file->executable, sizeof file->executable, "%s", path);
    memmove(words, program, n_program);
    memmove(words + n_program, rest, (size_t)(end - rest));
    file->arguments_bytes = (uint32_t)(n_program + (size_t)(end - rest));
}
