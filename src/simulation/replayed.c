/* SPDX-License-Identifier: BSD-3-Clause */
/* See replayed.h. */
#include "simulation/replayed.h"

#include "base/libraries.h"
#include "base/process.h"
#include "base/text.h"
#include "simulation/simulation.h"
#include <inttypes.h>
#include <string.h>

enum { POLL_MS = 1000, SHOWN_STUCK = 4 };

/* ---- the program ---- */

static const char *const *command_words(const char *program, const char *job, const MachineFiles *files, Arena *arena)
{
    size_t n = 0;
    while (files->settings[n])
        n++;
    const char **words = arena_new_array(arena, const char *, n + 5);
    words[0] = program;
    words[1] = job;
    words[2] = files->platform;
    words[3] = arena_printf(arena, "%s.xml", job);
    memcpy(words + 4, files->settings, n * sizeof *words);
    return words;
}

/* SimGrid's first message; NULL: none. */
static const char *run_program(const char *const *words, int *status, Arena *arena, Err *err)
{
    const ProcessOptions how = {.words = words, .output = PROCESS_PIPE, .dumps_no_core = true, .dies_with_us = SIGKILL};
    const char *line, *message = "";
    Process *process;
    if (!process_start(&how, arena, &process, err))
        return NULL;
    for (ProcessNews news; (news = process_read(process, POLL_MS, &line)) != PROCESS_ENDED;)
        if (news == PROCESS_LINE && !message[0])
            message = arena_strdup(arena, line);
    *status = process_stop(process);
    return message;
}

/* ---- who waits for what ---- */

static const char *waiting_text(const Event *event, Arena *arena)
{
    switch ((EventKind)event->kind) {
    case EVENT_SEND:
        return arena_printf(arena, "for process %" PRIu32 " to receive %" PRIu64 " bytes", event->peer, event->bytes);
    case EVENT_RECV:
        return arena_printf(arena, "for a message from process %" PRIu32, event->peer);
    case EVENT_REQUEST_DONE:
        return "for a send or a collective to complete";
    case EVENT_COLLECTIVE:
        return arena_printf(arena, "in %s for the other members", collective_name(event->collective));
    default:
        return "in another call";
    }
}

static bool refuse_deadlock(const Job *job, Arena *arena, Err *err)
{
    Text text = {0};
    uint32_t n = 0;
    for (uint32_t i = 0; i < job->header->n_processes; i++) {
        const JobProcess *process = &job->processes[i];
        if (process->n_done == process->n_events)
            continue;
        if (n++ < SHOWN_STUCK)
            text_add(&text, "%sprocess %u waits, in its event %" PRIu64 ", %s", n > 1 ? "; " : "", i, process->n_done,
                     waiting_text(&job->events[process->first_event + process->n_done], arena));
    }
    if (n > SHOWN_STUCK)
        text_add(&text, "; and %u more", n - SHOWN_STUCK);
    return err_set(err, ERR_INPUT, "on this machine the processes wait for each other for ever: %s",
                   text_take(&text, arena)) ||
           err_hint(err, "a program that relies on MPI to store long messages stops where MPI doesn't store them");
}

/* ---- the result as a trace ---- */

static bool is_completion(const Event *event)
{
    return event->kind == EVENT_REQUEST_DONE;
}

static bool read_events(EventSource *source, uint32_t process, Event *events, size_t capacity, size_t *count, Err *err)
{
    Replayed *replayed = (Replayed *)source;
    const Event *from = replayed_events(replayed, process);
    uint64_t n = replayed->file.job.processes[process].n_events;
    (void)err;
    *count = 0;
    for (; replayed->read[process] < n && *count < capacity; replayed->read[process]++)
        if (!is_completion(&from[replayed->read[process]]))
            events[(*count)++] = from[replayed->read[process]];
    return true;
}

void replayed_rewind(Replayed *replayed)
{
    memset(replayed->read, 0, replayed->work->n_processes * sizeof *replayed->read);
}

static bool finish(const Work *work, const JobFile *file, const char *message, int status, Arena *arena, Err *err)
{
    if (file->job.header->is_finished)
        return true;
    if (file->job.header->is_too_long)
        return err_set(err, ERR_INPUT,
                       "on this machine the program runs for more than %g s, the longest time that "
                       "firma simulates",
                       JOB_LONGEST_S) ||
               err_hint(err, "look for a latency, bandwidth or speed that is wrong in the machine's description");
    if (strstr(message, "eadlock"))
        return refuse_deadlock(&file->job, arena, err);
    (void)work;
    return err_set(err, ERR_INPUT, "SimGrid can't simulate this: %s (status %s)",
                   message[0] ? message : "it doesn't say why", process_status_text(status, arena));
}

static bool find_engine(const char **program, Arena *arena, Err *err)
{
    *program = libraries_find_program("firma-simgrid-replay", "simulation", arena);
    return *program || err_set(err, ERR_ENVIRONMENT, "firma was built without SimGrid, which simulates machines") ||
           err_hint(err, "install SimGrid's headers (Debian: libsimgrid-dev) and build firma again");
}

bool simulation_check_engine(Err *err)
{
    const char *program;
    Arena *arena = arena_new();
    bool found = find_engine(&program, arena, err);
    arena_free(arena);
    return found;
}

bool replayed_run(const Work *work, const MachineFiles *files, const JobMachine *machine, const char *directory,
                  Replayed *replayed, Err *err)
{
    Arena *arena = arena_new();
    const char *path = arena_printf(arena, "%s/job", directory), *program, *message = NULL;
    int status = 0;
    bool ok = find_engine(&program, arena, err) && job_write(work, machine, path, err) &&
              (message = run_program(command_words(program, path, files, arena), &status, arena, err)) &&
              job_map(path, &replayed->file, err);
    if (ok && !finish(work, &replayed->file, message, status, arena, err)) {
        job_unmap(&replayed->file);
        ok = false;
    }
    if (ok) {
        replayed->source = (EventSource){work->trace, read_events};
        replayed->work = work;
        replayed->read = memory_zeroed(work->n_processes, sizeof *replayed->read);
    }
    arena_free(arena);
    return ok;
}

void replayed_free(Replayed *replayed)
{
    job_unmap(&replayed->file);
    free(replayed->read);
}
