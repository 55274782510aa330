/* SPDX-License-Identifier: BSD-3-Clause */
/* firma-simgrid-replay JOB PLATFORM DEPLOYMENT [SIMGRID'S OPTIONS]: runs the processes of a job (job.h) on a simulated
 * machine, by SimGrid's SMPI, and writes into the job when each event happened there. Each process calls
 * MPI as its events tell. SMPI's own replay of files knows neither communicators nor waits for one of
 * several requests; MPI itself does. It is a program of its own because SimGrid ends the process when it
 * finds an error. */
#include "simulation/engine/engine.h"

#include "simulation/engine/costs.h"
#include <fcntl.h>
#include <simgrid/engine.h>
#include <simgrid/link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* All processes begin at this time, when the communicators have been made. */
static const double BEGIN_S = 1000;
#define INSTANCE "firma"
enum { EVENTS_OF_CALL = 64 };
static const size_t BUFFER_BYTES = (size_t)1 << 36;

static Replay replay;

/* SMPI asks for a process's CPU time before and after each call, although it doesn't need it here. The kernel's answer
 * would take a tenth of the time of a simulation. */
int clock_gettime(clockid_t clock, struct timespec *time)
{
    *time = (struct timespec){0};
    return clock == CLOCK_THREAD_CPUTIME_ID ? 0 : (int)syscall(SYS_clock_gettime, clock, time);
}

/* ---- one call ---- */

/* Requests that a call waits for. */
typedef struct Pending {
    MPI_Request *requests;
    int n, capacity;
} Pending;

static MPI_Request *pending_add(Pending *pending)
{
    if (pending->n == pending->capacity) {
        pending->capacity = 2 * pending->capacity + EVENTS_OF_CALL;
        pending->requests = realloc(pending->requests, (size_t)pending->capacity * sizeof(MPI_Request));
        if (!pending->requests)
            abort();
    }
    pending->requests[pending->n] = MPI_REQUEST_NULL;
    return &pending->requests[pending->n++];
}

static void wait_for_slot(Rank *rank, uint64_t slot, Pending *pending)
{
    *pending_add(pending) = rank->slots[slot];
    rank->slots[slot] = MPI_REQUEST_NULL;
}

static void start_event(Rank *rank, const Event *event, Pending *pending)
{
    bool is_alone = event->request == NO_REQUEST;
    int peer = (int)event->peer, tag = (int)event->tag, bytes = (int)event->bytes;
    switch ((EventKind)event->kind) {
    case EVENT_SEND:
        MPI_Isend(replay.out, bytes, MPI_BYTE, peer, tag, MPI_COMM_WORLD,
                  is_alone ? pending_add(pending) : &rank->slots[event->request]);
        return;
    case EVENT_RECV_POST:
        MPI_Irecv(replay.in, bytes, MPI_BYTE, peer, tag, MPI_COMM_WORLD, &rank->slots[event->request]);
        return;
    case EVENT_RECV:
        if (is_alone)
            MPI_Irecv(replay.in, bytes, MPI_BYTE, peer, tag, MPI_COMM_WORLD, pending_add(pending));
        else
            wait_for_slot(rank, event->request, pending);
        return;
    case EVENT_REQUEST_DONE:
        wait_for_slot(rank, event->request, pending);
        return;
    case EVENT_COLLECTIVE:
        collective_run(rank, event, is_alone ? NULL : &rank->slots[event->request]);
        return;
    case EVENT_ONE_SIDED:
        one_sided_start(rank, event);
        return;
    case EVENT_WINDOW_SYNC:
        if (event->collective != WINDOW_SYNC_AWAIT)
            one_sided_complete(rank, event);
        return;
    case EVENT_BEGIN:
    case EVENT_END:
    case EVENT_RECV_CANCEL:
        return;
    }
}

/* Ends the program if this time isn't below the longest one that is simulated. */
static void check_time(double time_s)
{
    if (time_s < JOB_LONGEST_S)
        return;
    replay.job.header->is_too_long = 1;
    _exit(0);
}

/* SimGrid waits for ever for a computation of infinite time, and drops one of more than about 1e28 s. */
static void compute(int64_t ns)
{
    double flops = to_seconds(ns) * replay.reference_flops;
    if (ns <= 0)
        return;
    check_time(flops / sg_host_get_speed(sg_host_self()));
    sg_actor_execute(flops);
}

static int64_t now_ns(void)
{
    double time_s = simgrid_get_clock() - BEGIN_S;
    check_time(time_s);
    return (int64_t)(1e9 * time_s + 0.5);
}

/* Does what the last call owes, and what the program computes before the next one, in one step, because steps
 * are what costs time. Returns when the last call ended. */
static int64_t compute_before(Rank *rank, uint64_t first)
{
    int64_t begin_ns = now_ns(), owed_ns = rank->owed_ns, all_ns = owed_ns + rank->events[first].compute_ns;
    compute(all_ns);
    int64_t left_ns = begin_ns;
    if (owed_ns > 0)
        left_ns += (int64_t)((double)(now_ns() - begin_ns) * (double)owed_ns / (double)all_ns);
    for (uint64_t i = rank->last_call; owed_ns > 0 && i < first; i++)
        rank->events[i].leave_ns = left_ns;
    return left_ns;
}

/* What the call that just returned still does on the processor. */
static void note_owed(Rank *rank, uint64_t first, uint64_t end)
{
    Event *events = rank->events;
    rank->last_call = first;
    const int64_t waited_ns = events[first].leave_ns - events[first].enter_ns;
    rank->owed_ns = event_lost_ns(&events[first]) - waited_ns;
    bool receives = false;
    for (uint64_t i = first; i < end; i++)
        receives = receives || events[i].kind == EVENT_RECV;
    int64_t after_ns = receives && waited_ns > 0 ? (int64_t)events[first].bytes_received : 0;
    rank->owed_ns = rank->owed_ns > after_ns ? rank->owed_ns : after_ns;
    event_set_lost_ns(&events[first], 0);
    if (receives)
        events[first].bytes_received = 0;
}

/* The events [first, end) are of one call. */
static void run_call(Rank *rank, uint64_t first, uint64_t end, Pending *pending)
{
    int64_t left_ns = compute_before(rank, first), enter_ns = now_ns();
    pending->n = 0;
    for (uint64_t i = first; i < end; i++)
        start_event(rank, &rank->events[i], pending);
    if (pending->n)
        MPI_Waitall(pending->n, pending->requests, MPI_STATUSES_IGNORE);
    for (uint64_t i = first; i < end; i++) {
        rank->events[i].enter_ns = enter_ns;
        rank->events[i].leave_ns = now_ns();
        rank->events[i].compute_ns = i == first ? enter_ns - left_ns : 0;
    }
    note_owed(rank, first, end);
}

/* ---- a process ---- */

static MPI_Comm make_comm(const JobComm *comm)
{
    MPI_Group world, group;
    MPI_Comm made;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, (int)comm->n_members, (const int *)(replay.job.members + comm->first_member), &group);
    MPI_Comm_create(MPI_COMM_WORLD, group, &made);
    MPI_Group_free(&group);
    MPI_Group_free(&world);
    return made;
}

static void make_comms(Rank *rank)
{
    for (uint32_t i = 0; i < replay.job.header->n_comms; i++) {
        const JobComm *comm = &replay.job.comms[i];
        bool is_member = job_member(&replay.job, comm, rank->number) < comm->n_members;
        rank->comms[i] = (comm->is_used || comm->is_window) && is_member ? make_comm(comm) : MPI_COMM_NULL;
        rank->windows[i] = MPI_WIN_NULL;
        if (comm->is_window && is_member)
            window_make(rank, i);
    }
}

static void *zeroed(size_t n, size_t size)
{
    void *memory = calloc(n ? n : 1, size);
    if (!memory)
        abort();
    return memory;
}

static void run_process(int argc, char **argv)
{
    Rank rank = {.replay = &replay, .number = (uint32_t)atoi(argv[argc - 1])};
    JobProcess *process = &replay.job.processes[rank.number];
    Pending pending = {0};
    rank.events = replay.job.events + process->first_event;
    rank.slots = zeroed(process->n_slots, sizeof *rank.slots);
    rank.comms = zeroed(replay.job.header->n_comms, sizeof *rank.comms);
    rank.windows = zeroed(replay.job.header->n_comms, sizeof *rank.windows);
    rank.n_collectives = zeroed(replay.job.header->n_comms, sizeof *rank.n_collectives);
    MPI_Init(NULL, NULL);
    make_comms(&rank);
    /* From here on, messages have sizes but no content. Communicators need content to be made. */
    smpi_replay_init(INSTANCE, (int)rank.number, 0);
    sg_actor_sleep_until(BEGIN_S);
    for (uint64_t first = 0, end; first < process->n_events; first = end) {
        for (end = first + 1; end < process->n_events && event_is_of_call(&rank.events[end], &rank.events[end - 1]);)
            end++;
        run_call(&rank, first, end, &pending);
        process->n_done = end;
    }
    MPI_Finalize();
}

/* ---- the machine ---- */

/* No message of a collective is larger than what a member gives or gets. */
static double largest_message(const Job *job)
{
    uint64_t largest = 0;
    for (uint64_t i = 0; i < job->header->n_events; i++) {
        const Event *event = &job->events[i];
        uint64_t bytes = event->bytes;
        if (event->kind == EVENT_COLLECTIVE && event->bytes_received > bytes)
            bytes = event->bytes_received;
        if (bytes > largest)
            largest = bytes;
    }
    return (double)largest;
}

static void change_links(const JobHeader *header)
{
    size_t n = sg_link_count();
    sg_link_t *links = sg_link_list();
    for (size_t i = 0; i < n; i++) {
        if (header->latency_factor != 1)
            sg_link_set_latency(links[i], sg_link_get_latency(links[i]) * header->latency_factor);
        if (header->bandwidth_factor != 1)
            sg_link_set_bandwidth(links[i], sg_link_get_bandwidth(links[i]) * header->bandwidth_factor);
    }
    free(links);
}

static void write_escaped(FILE *file, const char *text)
{
    for (; *text; text++)
        if (strchr("&<>\"'", *text))
            fprintf(file, "&#%d;", *text);
        else
            fputc(*text, file);
}

/* SMPI finds out a process's rank by properties, which only a deployment file can give. */
static bool start_processes(const Job *job, const char *path)
{
    FILE *file = fopen(path, "w");
    if (!file)
        return false;
    fputs("<?xml version='1.0'?><!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">"
          "<platform version=\"4.1\">",
          file);
    for (uint32_t i = 0; i < job->header->n_processes; i++) {
        fputs("<actor host=\"", file);
        write_escaped(file, job->processes[i].host);
        fprintf(file,
                "\" function=\"" INSTANCE "\"><prop id=\"instance_id\" value=\"" INSTANCE "\"/>"
                "<prop id=\"rank\" value=\"%u\"/><argument value=\"%u\"/></actor>\n",
                i, i);
    }
    fputs("</platform>", file);
    if (fclose(file) != 0)
        return false;
    simgrid_load_deployment(path);
    return true;
}

static bool map_job(const char *path)
{
    int file = open(path, O_RDWR | O_CLOEXEC);
    struct stat status;
    if (file < 0 || fstat(file, &status) != 0)
        return false;
    void *memory = mmap(NULL, (size_t)status.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (memory == MAP_FAILED || (size_t)status.st_size < sizeof(JobHeader) ||
        ((JobHeader *)memory)->magic != JOB_MAGIC || job_bytes(memory) != (size_t)status.st_size)
        return false;
    replay.job = job_at(memory);
    return true;
}

static char *make_buffer(void)
{
    void *memory = mmap(NULL, BUFFER_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

int main(int argc, char **argv)
{
    if (argc < 4)
        return 2;
    const char *path = argv[1], *platform = argv[2], *deployment = argv[3];
    if (!map_job(path) || !(replay.out = make_buffer()) || !(replay.in = make_buffer())) {
        perror(path);
        return 2;
    }
    replay.buffer_bytes = BUFFER_BYTES;
    smpi_init_options(); /* so that SimGrid knows them when it reads the words */
    simgrid_init(&argc, argv);
    SMPI_init();
    simgrid_load_platform(platform);
    costs_install(largest_message(&replay.job));
    const Job *job = &replay.job;
    sg_host_t reference = sg_host_by_name(job->header->reference);
    replay.reference_flops = sg_host_get_speed(reference) * job->header->compute_factor;
    change_links(job->header);
    replay.instances = instances_collect(job);
    SMPI_app_instance_register(INSTANCE, run_process, (int)job->header->n_processes);
    if (!start_processes(job, deployment)) {
        perror(deployment);
        return 2;
    }
    simgrid_run();
    bool is_finished = true;
    for (uint32_t i = 0; i < job->header->n_processes; i++)
        is_finished = is_finished && job->processes[i].n_done == job->processes[i].n_events;
    job->header->is_finished = is_finished;
    return 0;
}
