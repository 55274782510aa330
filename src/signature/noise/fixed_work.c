/* SPDX-License-Identifier: BSD-3-Clause */
/* See fixed_work.h. Each thread is bound to a processor, and writes down how long each piece took:
 *
 *     processor 0   |piece|piece|piece|piece|  piece  |piece|piece|…
 *     processor 1   |piece|piece|   piece   |piece|piece|piece|…
 *
 * The Allan deviations (noise.h) are of stretches of as many pieces as usually fit BASE_S, and of 2, 4,
 * 8 … times as many. */
#include "signature/noise/fixed_work.h"

#include "base/interrupts.h"
#include "base/monotonic.h"
#include "signature/noise/noise.h"
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* The shortest stretches, and a piece of work: short enough to be well below them, and much longer
 * than reading the clock. */
static const double BASE_S = 0.01, PIECE_S = 0.0005;
/* Trials of which the fastest tells how much work fills a piece. */
enum { TRIALS = 20, TRIAL_STEPS = 100000 };
static const struct timespec BETWEEN_LOOKS = {.tv_nsec = 100000000};

typedef struct Worker {
    pthread_t thread;
    int processor;
    uint64_t steps; /* of a piece */
    double *pieces_s;
    size_t n_pieces, capacity;
    atomic_bool *ends;
} Worker;

/* Sums in registers and in the fastest cache. */
static double work(uint64_t steps)
{
    double cells[256], sum = 0;
    for (size_t i = 0; i < 256; i++)
        cells[i] = (double)i;
    for (uint64_t i = 0; i < steps; i++) {
        sum = sum * 0.999 + cells[i % 256];
        cells[i % 256] = sum;
    }
    return sum;
}

static double time_of_work_s(uint64_t steps)
{
    static volatile double kept; /* so that the compiler keeps the work */
    double begin_s = monotonic_s();
    kept = work(steps);
    (void)kept;
    return monotonic_s() - begin_s;
}

static uint64_t steps_of_a_piece(void)
{
    double fastest_s = HUGE_VAL;
    for (int i = 0; i < TRIALS; i++)
        fastest_s = fmin(fastest_s, time_of_work_s(TRIAL_STEPS));
    return (uint64_t)fmax(1, TRIAL_STEPS * PIECE_S / fmax(fastest_s, 1e-9));
}

static void *run_worker(void *self)
{
    Worker *worker = self;
    cpu_set_t own;
    CPU_ZERO(&own);
    CPU_SET(worker->processor, &own);
    sched_setaffinity(0, sizeof own, &own);
    while (!atomic_load(worker->ends) && worker->n_pieces < worker->capacity)
        worker->pieces_s[worker->n_pieces++] = time_of_work_s(worker->steps);
    return NULL;
}

/* Waits until the time is over. False: firma was interrupted. */
static bool wait_s(double duration_s, const Progress *progress)
{
    for (double begin_s = monotonic_s(), elapsed_s = 0; elapsed_s < duration_s; elapsed_s = monotonic_s() - begin_s) {
        progress_report_time(progress, "measuring noise", "", elapsed_s, duration_s);
        nanosleep(&BETWEEN_LOOKS, NULL);
        if (interrupts_take())
            return false;
    }
    return true;
}

/* The logarithms of the times of stretches of n pieces each. Returns their number. */
static uint32_t fill_stretches(const Worker *worker, size_t n, double *logarithms)
{
    uint32_t count = (uint32_t)(worker->n_pieces / n);
    for (uint32_t i = 0; i < count; i++) {
        double sum_s = 0;
        for (size_t k = 0; k < n; k++)
            sum_s += worker->pieces_s[i * n + k];
        logarithms[i] = log(sum_s);
    }
    return count;
}

static double mean_piece_s(const Worker *workers, uint32_t n_workers)
{
    double sum_s = 0, n = 0;
    for (uint32_t i = 0; i < n_workers; i++)
        for (size_t k = 0; k < workers[i].n_pieces; k++, n++)
            sum_s += workers[i].pieces_s[k];
    return n > 0 ? sum_s / n : 0;
}

/* The mean variance over all processors, at the levels that all have. */
static bool evaluate(const Worker *workers, uint32_t n_workers, Arena *arena, MachineNoise *result, Err *err)
{
    double piece_s = mean_piece_s(workers, n_workers), variance[NOISE_LEVELS] = {0};
    size_t n = piece_s > 0 ? (size_t)fmax(1, round(BASE_S / piece_s)) : 1;
    uint32_t n_levels = NOISE_LEVELS;
    for (uint32_t i = 0; i < n_workers; i++) {
        double *logarithms = memory_zeroed(workers[i].n_pieces / n + 1, sizeof *logarithms);
        Noise noise = noise_of_series(logarithms, fill_stretches(&workers[i], n, logarithms), BASE_S);
        free(logarithms);
        n_levels = noise.n_levels < n_levels ? noise.n_levels : n_levels;
        for (uint32_t level = 0; level < n_levels; level++)
            variance[level] += pow(noise.deviation[level], 2) / n_workers;
    }
    if (!n_levels)
        return err_set(err, ERR_ENVIRONMENT, "the processors had too little time for the measurement") ||
               err_hint(err, "give it more: --time");
    double *deviation = arena_new_array(arena, double, n_levels);
    for (uint32_t level = 0; level < n_levels; level++)
        deviation[level] = sqrt(variance[level]);
    result->base_s = n * piece_s;
    result->n_levels = n_levels;
    result->deviation = deviation;
    return true;
}

static bool start(Worker *worker, double duration_s, Err *err)
{
    worker->capacity = (size_t)(2 * duration_s / PIECE_S) + 1;
    const size_t size_bytes = worker->capacity * sizeof *worker->pieces_s;
    worker->pieces_s = memory_resize(NULL, size_bytes);
    memset(worker->pieces_s, 1, size_bytes); /* touches its pages */
    return pthread_create(&worker->thread, NULL, run_worker, worker) == 0 ||
           err_set(err, ERR_ENVIRONMENT, "no thread can be started");
}

bool fixed_work_measure(double duration_s, const Progress *progress, Arena *arena, MachineNoise *noise, Err *err)
{
    atomic_bool ends = false;
    cpu_set_t mine;
    CPU_ZERO(&mine);
    sched_getaffinity(0, sizeof mine, &mine);
    Worker *workers = memory_zeroed((size_t)CPU_COUNT(&mine), sizeof *workers);
    uint32_t n = 0;
    uint64_t steps = steps_of_a_piece();
    bool ok = true;
    for (int i = 0; ok && i < CPU_SETSIZE; i++) {
        if (!CPU_ISSET(i, &mine))
            continue;
        workers[n] = (Worker){.processor = i, .steps = steps, .ends = &ends};
        ok = start(&workers[n], duration_s, err);
        n += ok;
    }
    if (ok && !wait_s(duration_s, progress))
        ok = err_set(err, ERR_NEGATIVE, "interrupted; nothing was measured");
    atomic_store(&ends, true);
    for (uint32_t i = 0; i < n; i++)
        pthread_join(workers[i].thread, NULL);
    noise->n_processors = n;
    noise->duration_s = duration_s;
    ok = ok && evaluate(workers, n, arena, noise, err);
    for (uint32_t i = 0; i < n; i++)
        free(workers[i].pieces_s);
    free(workers);
    return ok;
}
