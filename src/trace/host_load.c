/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads how long processors ran, from the lines `cpuN user nice system idle iowait irq softirq steal` of /proc/stat, in
 * units of 10 ms. Time that another virtual machine took (steal) counts as busy. If all processors
 * are busy, this doesn't tell how many programs wait for them. So the line `procs_running` is read
 * as well, several times: the threads of the whole host that run or are in a run queue. */
#include "trace/host_load.h"

#include "base/monotonic.h"
#include "model/times.h"
#include "trace/throttling.h"
#include <inttypes.h>
#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

enum { LOOKS = 10 };
static const struct timespec BETWEEN_LOOKS = {.tv_nsec = 100000000 / LOOKS};

/* The kernel counts busy processors in ticks, and processes' time more precisely. */
enum { ROUNDING_TICKS = 2 };

/* With less of its processors busy, a host has no queue that counts. */
static const double QUEUED_SHARE = 0.8;

/* From this time on, what others did during a run says more than the glance before it. */
static const double GLANCE_FORGOTTEN_S = 1;

/* The kernel updates the load average every five seconds. */
static const double LOAD_LEAST_S = 10;

typedef struct ProcessorTicks {
    double busy, all;
} ProcessorTicks;

static ProcessorTicks read_ticks(const cpu_set_t *mine)
{
    ProcessorTicks ticks = {0};
    char line[512];
    FILE *file = fopen("/proc/stat", "re");
    while (file && fgets(line, sizeof line, file)) {
        unsigned cpu;
        double user, nice, system, idle, waiting, irq, softirq, steal;
        if (sscanf(line, "cpu%u %lf %lf %lf %lf %lf %lf %lf %lf", &cpu, &user, &nice, &system, &idle, &waiting, &irq,
                   &softirq, &steal) != 9 ||
            cpu >= CPU_SETSIZE || !CPU_ISSET(cpu, mine))
            continue;
        double busy = user + nice + system + irq + softirq + steal;
        ticks.busy += busy;
        ticks.all += busy + idle + waiting;
    }
    if (file)
        fclose(file);
    return ticks;
}

/* Threads of the host that want to run, except this one. 0: not known. */
static double read_runnable(void)
{
    char line[512];
    unsigned n = 0;
    FILE *file = fopen("/proc/stat", "re");
    while (file && fgets(line, sizeof line, file) && sscanf(line, "procs_running %u", &n) != 1)
        continue;
    if (file)
        fclose(file);
    return n > 1 ? n - 1 : 0;
}

HostLoad host_load(void)
{
    cpu_set_t mine;
    CPU_ZERO(&mine);
    if (sched_getaffinity(0, sizeof mine, &mine) != 0)
        return (HostLoad){0};
    ProcessorTicks before = read_ticks(&mine);
    double runnable = 0;
    for (int i = 0; i < LOOKS; i++) {
        nanosleep(&BETWEEN_LOOKS, NULL);
        runnable += read_runnable() / LOOKS;
    }
    ProcessorTicks after = read_ticks(&mine);
    HostLoad load = {.n_processors = (uint32_t)CPU_COUNT(&mine)};
    if (after.all > before.all)
        load.busy_processors = load.n_processors * (after.busy - before.busy) / (after.all - before.all);
    /* Those in a queue are as many on each processor. */
    long all = sysconf(_SC_NPROCESSORS_ONLN);
    if (load.busy_processors > QUEUED_SHARE * load.n_processors && all > 0)
        load.busy_processors = fmax(load.busy_processors, runnable * load.n_processors / (double)all);
    return load;
}

static double usage_s(int who)
{
    struct rusage usage;
    if (getrusage(who, &usage) != 0)
        return 0;
    return (double)usage.ru_utime.tv_sec + (double)usage.ru_stime.tv_sec +
           1e-6 * ((double)usage.ru_utime.tv_usec + (double)usage.ru_stime.tv_usec);
}

HostWatch host_watch_begin(void)
{
    double load_average = 0;
    getloadavg(&load_average, 1);
    cpu_set_t mine;
    CPU_ZERO(&mine);
    sched_getaffinity(0, sizeof mine, &mine);
    return (HostWatch){.begin_s = monotonic_s(),
                       .busy_s = read_ticks(&mine).busy / (double)sysconf(_SC_CLK_TCK),
                       .firma_s = usage_s(RUSAGE_SELF),
                       .ended_s = usage_s(RUSAGE_CHILDREN),
                       .load_average = load_average,
                       .throttles = throttle_count(PROCESSORS_FOLDER)};
}

/* How many threads ran or waited for a processor, in the mean between two moments. The load average
 * forgets with a time constant of a minute. HUGE_VAL: too short to tell. */
static double mean_load(const HostWatch *from, const HostWatch *to)
{
    double elapsed_s = to->begin_s - from->begin_s, forgotten = 1 - exp(-elapsed_s / 60);
    return elapsed_s >= LOAD_LEAST_S ? (to->load_average - (1 - forgotten) * from->load_average) / forgotten : HUGE_VAL;
}

void host_watch_end(const HostWatch *watch, const LaunchUsage *job, HostLoad *load)
{
    HostWatch now = host_watch_begin();
    double elapsed_s = now.begin_s - watch->begin_s, rounding_s = ROUNDING_TICKS / (double)sysconf(_SC_CLK_TCK);
    load->throttles = now.throttles - watch->throttles;
    if (!(elapsed_s > 0))
        return;
    if (elapsed_s >= GLANCE_FORGOTTEN_S)
        load->busy_processors = 0;
    /* Processes that nobody of the job's has waited for are only in finalized_s; others are in both. */
    double job_s = fmax(now.ended_s - watch->ended_s + job->running_s, job->finalized_s),
           mine = (now.firma_s - watch->firma_s + job_s) / elapsed_s,
           others = (now.busy_s - watch->busy_s - rounding_s) / elapsed_s - mine;
    if (!(others > 0))
        return;
    /* If more processes wanted to run than there are processors, and all got alike, the others got
     * the share others / (others + n_processes) of the processors. */
    if (others + job->n_processes > load->n_processors && mine > 0) {
        double share = others * fmax(1, job->n_processes / fmax(load->n_processors - others, mine)),
               most = mean_load(watch, &now) * load->n_processors / (double)sysconf(_SC_NPROCESSORS_ONLN);
        others = fmax(others, fmin(share, most)); /* the job may have waited for other things, too */
    }
    load->busy_processors = fmax(load->busy_processors, others);
}

const char *host_load_text(const HostLoad *load, Arena *arena)
{
    if (load->busy_processors < BUSY_PROCESSORS_NOTED)
        return NULL;
    return arena_printf(
        arena,
        "other programs kept %.1f processors busy, and this host has %u: times may be longer than on an idle "
        "machine",
        load->busy_processors, load->n_processors);
}

const char *host_throttle_text(const HostLoad *load, Arena *arena)
{
    if (!load->throttles)
        return NULL;
    return arena_printf(
        arena, "processors were too hot and slowed down, %" PRIu64 " times: times are longer than on a cooler machine",
        load->throttles);
}
