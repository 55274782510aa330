/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads how long processors ran, from the lines `cpuN user nice system idle iowait irq softirq steal` of /proc/stat, in
 * units of 10 ms. Time that another virtual machine took (steal) counts as busy. */
#include "trace/host_load.h"

#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <time.h>

static const struct timespec MOMENT = {.tv_nsec = 100000000};

/* Less is left to chance: the units are a tenth of the moment, and firma itself runs. */
static const double NOTED_PROCESSORS = 0.25;

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

HostLoad host_load(void)
{
    cpu_set_t mine;
    CPU_ZERO(&mine);
    if (sched_getaffinity(0, sizeof mine, &mine) != 0)
        return (HostLoad){0};
    ProcessorTicks before = read_ticks(&mine);
    nanosleep(&MOMENT, NULL);
    ProcessorTicks after = read_ticks(&mine);
    HostLoad load = {.n_processors = (uint32_t)CPU_COUNT(&mine)};
    if (after.all > before.all)
        load.busy_processors = load.n_processors * (after.busy - before.busy) / (after.all - before.all);
    return load;
}

const char *host_load_text(const HostLoad *load, Arena *arena)
{
    if (load->busy_processors < NOTED_PROCESSORS)
        return NULL;
    return arena_printf(arena,
                        "other programs keep %.1f of this host's %u processor%s busy: times will be longer than on an "
                        "idle machine",
                        load->busy_processors, load->n_processors, load->n_processors == 1 ? "" : "s");
}
