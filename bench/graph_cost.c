/* SPDX-License-Identifier: BSD-3-Clause */
/* Measures the cost of degrees of parallelism: by firma, and by the thesis's algorithm. The latter
 * compares every phase of a task with every phase of another, O(n² r²) for n tasks of r phases.
 *
 *     graph_cost [quick]
 *
 * The tasks form a ring. In each phase, a task computes for a random time, sends to a neighbour
 * (the next one and the next but one in turn), and receives from the neighbour on its other side.
 * No two phases are alike, so nothing is folded, and both algorithms have r phases. Both run in
 * this process, in turn. The results are medians of CPU time, and medians of the ratio of each
 * turn. The thesis's algorithm is timed for all pairs of tasks, and for the pairs that communicate.
 * Prints Markdown, with the largest difference between both. Large graphs follow, by firma
 * alone. */
#include "placement/graph/graph.h"
#include "property/graph_oracle.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

enum { TURNS = 5, FARTHEST = 2 };

typedef struct Size {
    uint32_t n_tasks, n_phases;
} Size;

static double random_share(uint64_t *random)
{
    *random = *random * 6364136223846793005u + 1442695040888963407u;
    return (double)(*random >> 11) / (double)(1ull << 53);
}

static Task make_task(Size size, uint32_t number, Arena *arena)
{
    uint32_t n = size.n_tasks;
    uint64_t random = number;
    Step *steps = arena_new_array(arena, Step, 3 * (size_t)size.n_phases);
    for (uint32_t i = 0; i < size.n_phases; i++) {
        uint32_t distance = 1 + i % FARTHEST;
        steps[3 * i] = (Step){.kind = STEP_COMPUTE, .seconds = 1e-3 * (1 + 99 * random_share(&random)), .times = 1};
        steps[3 * i + 1] = (Step){.kind = STEP_SEND, .peer = (number + distance) % n, .bytes = 8192, .times = 1};
        steps[3 * i + 2] = (Step){.kind = STEP_RECV, .peer = (number + n - distance) % n, .bytes = 8192, .times = 1};
    }
    return (Task){arena_printf(arena, "%u", number), 3 * size.n_phases, steps};
}

static const TaskGraph *make_graph(Size size, Arena *arena)
{
    TaskGraph *graph = arena_new_array(arena, TaskGraph, 1);
    Task *tasks = arena_new_array(arena, Task, size.n_tasks);
    for (uint32_t i = 0; i < size.n_tasks; i++)
        tasks[i] = make_task(size, i, arena);
    *graph = (TaskGraph){.source = "", .n_tasks = size.n_tasks, .tasks = tasks};
    return graph;
}

static int compare_times(const void *left, const void *right)
{
    const double *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

static double median(double *values)
{
    qsort(values, TURNS, sizeof *values, compare_times);
    return values[TURNS / 2];
}

static double now_s(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static double time_firma(const TaskGraph *graph, Arena *arena, Ttig **ttig)
{
    Err err = {0};
    double start_s = now_s();
    if (!graph_ttig(graph, arena, ttig, &err)) {
        fprintf(stderr, "graph_cost: %s\n", err.message);
        exit(70);
    }
    return now_s() - start_s;
}

static const TtigEdge *find_edge(const Ttig *ttig, uint32_t from, uint32_t to)
{
    const TtigEdge wanted = {.from = from, .to = to};
    return bsearch(&wanted, ttig->edges, ttig->n_edges, sizeof wanted, ttig_compare_edges);
}

typedef struct ThesisCost {
    double all_s, adjacent_s, farthest; /* largest difference of p */
    uint32_t n_adjacent;
} ThesisCost;

static ThesisCost time_thesis(const TaskGraph *graph, const Ttig *ttig)
{
    ThesisCost cost = {0};
    for (uint32_t i = 0; i < graph->n_tasks; i++)
        for (uint32_t k = i + 1; k < graph->n_tasks; k++) {
            Arena *arena = arena_new();
            double start_s = now_s(), overlap_s = oracle_overlap(graph, i, k, arena);
            double took_s = now_s() - start_s;
            arena_free(arena);
            cost.all_s += took_s;
            const TtigEdge *there = find_edge(ttig, i, k), *back = find_edge(ttig, k, i);
            if (!there && !back)
                continue;
            cost.adjacent_s += took_s;
            cost.n_adjacent++;
            const TtigEdge *edge = there ? there : back;
            cost.farthest = fmax(cost.farthest, fabs(edge->parallelism - overlap_s / ttig->nodes[edge->to].seconds));
        }
    return cost;
}

static void compare_one(Size size)
{
    Arena *arena = arena_new();
    double firma_s[TURNS], all_s[TURNS], adjacent_s[TURNS], all[TURNS], adjacent[TURNS];
    const TaskGraph *graph = make_graph(size, arena);
    ThesisCost thesis = {0};
    for (int i = 0; i < TURNS; i++) {
        Ttig *ttig = NULL;
        firma_s[i] = time_firma(graph, arena, &ttig);
        thesis = time_thesis(graph, ttig);
        all_s[i] = thesis.all_s;
        adjacent_s[i] = thesis.adjacent_s;
        all[i] = all_s[i] / firma_s[i];
        adjacent[i] = adjacent_s[i] / firma_s[i];
    }
    printf("| %u | %u | %u | %u | %.3g s | %.3g s | %.3g s | %.0f | %.0f | %.0e |\n", size.n_tasks, size.n_phases,
           size.n_tasks * (size.n_tasks - 1) / 2, thesis.n_adjacent, median(all_s), median(adjacent_s), median(firma_s),
           median(all), median(adjacent), thesis.farthest);
    fflush(stdout);
    arena_free(arena);
}

static void compare(const Size *sizes, size_t n)
{
    puts(
        "| tasks | phases each | pairs | that communicate | thesis, all pairs | thesis, these pairs | firma | all pairs "
        "over firma | these pairs over firma | largest difference of p |\n"
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |");
    for (size_t i = 0; i < n; i++)
        compare_one(sizes[i]);
}

static long peak_mib(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss / 1024;
}

static void measure_large(const Size *sizes, size_t n)
{
    puts("\n| tasks | phases of all | firma | ns a phase | peak memory of the process |\n"
         "| --- | --- | --- | --- | --- |");
    for (size_t i = 0; i < n; i++) {
        Arena *arena = arena_new();
        double n_phases = (double)sizes[i].n_tasks * sizes[i].n_phases, times_s[TURNS];
        const TaskGraph *graph = make_graph(sizes[i], arena);
        for (int turn = 0; turn < TURNS; turn++) {
            Ttig *ttig;
            times_s[turn] = time_firma(graph, arena, &ttig);
        }
        double firma_s = median(times_s);
        printf("| %u | %.3g | %.3g s | %.0f | %ld MiB |\n", sizes[i].n_tasks, n_phases, firma_s,
               1e9 * firma_s / n_phases, peak_mib());
        fflush(stdout);
        arena_free(arena);
    }
}

int main(int argc, char **argv)
{
    static const Size compared[] = {{8, 100},   {8, 300},   {8, 1000},  {8, 3000},
                                    {8, 10000}, {16, 1000}, {32, 1000}, {64, 1000}},
                      large[] = {{1000, 1000}, {10000, 100}, {100000, 10}};
    bool is_quick = argc == 2 && strcmp(argv[1], "quick") == 0;
    if (argc > 1 && !is_quick) {
        fprintf(stderr, "usage: graph_cost [quick]\n");
        return 2;
    }
    compare(compared, is_quick ? 3 : sizeof compared / sizeof *compared);
    measure_large(large, is_quick ? 1 : sizeof large / sizeof *large);
    return 0;
}
