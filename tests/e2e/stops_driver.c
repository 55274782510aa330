/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs a launcher with stops, like a program that saves jobs, but saves nothing: for
 * tests/e2e/stops.py.
 *
 *   stops_driver [MODE…] DIRECTORY COUNT,COUNT,… … -- LAUNCHER …
 *
 * Each list is a stop: numbers of send-like events by rank. DIRECTORY gets a recording, its output,
 * and its archive.
 *
 *   mode "copy"      also copy-S and archive-S for each stop S, copied while the job stood still
 *   mode "adopt"     the job is adopted at the last stop, some time later, and goes on under its adopter
 *   mode "abandon"   this program ends at the last stop
 *
 * It prints
 *
 *   stop S settled|unreachable|late NAME:EVENTS …     by rank; NAME is asleep, or the call in which the rank waits
 *   why TEXT                                          if the job isn't settled
 *   status N
 */
#include "trace/archive.h"
#include "trace/calls.h"
#include "trace/launch.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { QUIET_MS = 300, LIMIT_S = 900, STOPS_MAX = 64, COUNTS_MAX = 1024 };

typedef struct Driver {
    Arena *arena;
    const char *directory, *recording;
    bool copies, adopts, abandons, holds;
    LaunchStops stops;
    uint64_t counts[COUNTS_MAX];
    Launch *launch;
} Driver;

static void fail(const Err *err)
{
    fprintf(stderr, "stops_driver: %s\n", err->message);
    exit(70);
}

static void nap_ms(long ms)
{
    nanosleep(&(struct timespec){ms / 1000, ms % 1000 * 1000000}, NULL);
}

static void write_archive(Driver *driver, const char *recording, const char *archive)
{
    ArchiveSummary summary;
    Err err = {0};
    Progress quiet = {0};
    if (!archive_write(recording, archive, &quiet, driver->arena, &summary, &err))
        fail(&err);
}

static void copy(const Driver *driver, uint32_t stop)
{
    const char *command =
        arena_printf(driver->arena, "cp -a %s %s/copy-%u", driver->recording, driver->directory, stop);
    if (system(command) != 0)
        exit(70);
}

static void say_ranks(Driver *driver, uint32_t stop, const char *outcome)
{
    static const char *const names[] = {"unseen", "running", "asleep", "waiting", "finished", "died", "unrecorded"};
    uint32_t count;
    const LaunchRank *ranks = launch_look(driver->launch, QUIET_MS, &count);
    printf("stop %u %s", stop, outcome);
    for (uint32_t i = 0; i < count; i++)
        printf(" %s:%lu", ranks[i].state == RANK_WAITING ? call_name(ranks[i].call) : names[ranks[i].state],
               (unsigned long)ranks[i].send_events);
    printf("\n");
}

static void adopt(Driver *driver)
{
    Err err = {0};
    nap_ms(1200);
    if (!launch_adopt(driver->recording, driver->arena, &driver->launch, &err))
        fail(&err);
}

/* Returns true if the job should go on. */
static bool pass_stop(Driver *driver, uint32_t stop)
{
    LaunchSettling settling = LAUNCH_UNSETTLED;
    time_t limit = time(NULL) + LIMIT_S;
    while (settling == LAUNCH_UNSETTLED && time(NULL) < limit && !launch_interrupted(driver->launch)) {
        settling = launch_settled_at(driver->launch, stop, QUIET_MS);
        nap_ms(1);
    }
    say_ranks(driver, stop,
              settling == LAUNCH_SETTLED       ? "settled"
              : settling == LAUNCH_UNREACHABLE ? "unreachable"
                                               : "late");
    if (settling != LAUNCH_SETTLED)
        printf("why %s\n", launch_describe_ranks(driver->launch, stop, driver->arena));
    fflush(stdout);
    if (driver->copies && settling == LAUNCH_SETTLED)
        copy(driver, stop);
    if (driver->abandons)
        _exit(0);
    if (driver->holds)
        launch_wait(driver->launch, -1);
    if (launch_interrupted(driver->launch))
        return false;
    if (driver->adopts && stop + 1 == driver->stops.n_stops)
        adopt(driver);
    launch_release(driver->launch, settling == LAUNCH_SETTLED ? stop : LAUNCH_ALL_STOPS);
    return settling == LAUNCH_SETTLED;
}

static char **read_words(Driver *driver, char **words)
{
    for (; *words && strcmp(*words, "--") != 0; words++) {
        char *text = *words;
        uint32_t n = 0;
        uint64_t *counts = driver->counts + (size_t)driver->stops.n_stops * driver->stops.n_processes;
        for (char *end; *text; text = *end ? end + 1 : end)
            counts[n++] = strtoull(text, &end, 10);
        driver->stops.n_processes = n;
        driver->stops.n_stops++;
    }
    return *words ? words + 1 : words;
}

static void start(Driver *driver, char **command)
{
    const LaunchOptions options = {.recording = driver->recording,
                                   .output_path = arena_printf(driver->arena, "%s/output", driver->directory),
                                   .stops = driver->stops.n_stops ? &driver->stops : NULL,
                                   .detached = true};
    Err err = {0};
    if (!launch_start(&options, command, driver->arena, &driver->launch, &err))
        fail(&err);
}

int main(int argc, char **argv)
{
    Driver driver = {.arena = arena_new()};
    char **words = argv + 1;
    for (; argc > 1 && *words && **words != '/'; words++) {
        driver.copies |= strcmp(*words, "copy") == 0;
        driver.adopts |= strcmp(*words, "adopt") == 0;
        driver.holds |= strcmp(*words, "hold") == 0;
        driver.abandons |= strcmp(*words, "abandon") == 0;
    }
    if (!*words)
        return 2;
    driver.stops.counts = driver.counts;
    driver.directory = *words++;
    driver.recording = arena_printf(driver.arena, "%s/recording", driver.directory);
    start(&driver, read_words(&driver, words));
    Launch *launched = driver.launch;
    uint32_t settled = 0;
    while (settled < driver.stops.n_stops && pass_stop(&driver, settled))
        settled++;
    if (!launch_wait(driver.launch, LIMIT_S * 1000))
        launch_stop(launched);
    launch_wait(launched, -1);
    launch_settle(launched);
    printf("status %d\n", launch_status(launched));
    write_archive(&driver, driver.recording, arena_printf(driver.arena, "%s/archive", driver.directory));
    for (uint32_t i = 0; driver.copies && i < settled; i++)
        write_archive(&driver, arena_printf(driver.arena, "%s/copy-%u", driver.directory, i),
                      arena_printf(driver.arena, "%s/archive-%u", driver.directory, i));
    if (driver.launch != launched)
        launch_free(driver.launch);
    launch_free(launched);
    arena_free(driver.arena);
    return 0;
}
