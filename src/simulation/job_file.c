/* SPDX-License-Identifier: BSD-3-Clause */
/* See job_file.h. */
#include "simulation/job_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* A window is known by its puts and gets: in many traces, its collectives are those of its communicator. */
static void mark_used(const Work *work, JobComm *comms)
{
    for (uint32_t i = 0; i < work->n_processes; i++)
        for (size_t k = 0; k < work->ranks[i].events.count; k++) {
            const Event *event = &work->ranks[i].events.items[k];
            if (event->kind == EVENT_COLLECTIVE)
                comms[event->comm].is_used = 1;
            if (event->kind == EVENT_COLLECTIVE && event->collective == COLLECTIVE_CREATE_HANDLE &&
                event->tag != NO_COMM)
                comms[event->tag].is_used = 1;
            if (event->kind == EVENT_ONE_SIDED)
                comms[event->comm].is_window = 1;
        }
}

static JobHeader header_of(const Work *work, const JobMachine *machine)
{
    JobHeader header = {.magic = JOB_MAGIC,
                        .n_processes = work->n_processes,
                        .n_comms = work->trace->n_comms,
                        .n_events = work->n_events,
                        .latency_factor = machine->latency_factor,
                        .bandwidth_factor = machine->bandwidth_factor,
                        .compute_factor = machine->compute_factor,
                        .library = machine->library};
    for (uint32_t i = 0; i < work->trace->n_comms; i++)
        header.n_members += work->trace->comms[i].n_members;
    strncpy(header.reference, machine->reference, JOB_HOST_BYTES - 1);
    return header;
}

static void fill(const Work *work, const JobMachine *machine, const Job *job)
{
    uint64_t n_events = 0, n_members = 0;
    for (uint32_t i = 0; i < work->n_processes; i++) {
        const RankWork *rank = &work->ranks[i];
        job->processes[i] =
            (JobProcess){.first_event = n_events, .n_events = rank->events.count, .n_slots = rank->n_slots};
        strncpy(job->processes[i].host, machine->hosts[i], JOB_HOST_BYTES - 1);
        if (rank->events.count)
            memcpy(job->events + n_events, rank->events.items, rank->events.count * sizeof(Event));
        n_events += rank->events.count;
    }
    for (uint32_t i = 0; i < work->trace->n_comms; i++) {
        const Comm *comm = &work->trace->comms[i];
        job->comms[i] =
            (JobComm){.first_member = n_members, .n_members = comm->n_members, .is_window = comm->is_window};
        memcpy(job->members + n_members, comm->members, comm->n_members * sizeof(uint32_t));
        n_members += comm->n_members;
    }
    mark_used(work, job->comms);
}

static bool fail(const char *path, Err *err)
{
    return err_set(err, ERR_ENVIRONMENT, "%s: %s", path, strerror(errno));
}

static bool map_file(const char *path, int flags, size_t size_bytes, JobFile *file, Err *err)
{
    int descriptor = open(path, O_RDWR | O_CLOEXEC | flags, S_IRUSR | S_IWUSR);
    struct stat status = {0};
    if (descriptor < 0)
        return fail(path, err);
    int error = size_bytes ? posix_fallocate(descriptor, 0, (off_t)size_bytes) : 0;
    bool ok = !error && fstat(descriptor, &status) == 0;
    errno = error ? error : errno;
    void *memory =
        ok ? mmap(NULL, (size_t)status.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0) : MAP_FAILED;
    if (memory == MAP_FAILED)
        fail(path, err);
    close(descriptor);
    if (memory == MAP_FAILED)
        return false;
    *file = (JobFile){.job.header = memory, .size_bytes = (size_t)status.st_size};
    return true;
}

bool job_write(const Work *work, const JobMachine *machine, const char *path, Err *err)
{
    const JobHeader header = header_of(work, machine);
    JobFile file;
    if (!map_file(path, O_CREAT | O_TRUNC, job_bytes(&header), &file, err))
        return false;
    *file.job.header = header;
    file.job = job_at(file.job.header);
    fill(work, machine, &file.job);
    job_unmap(&file);
    return true;
}

bool job_map(const char *path, JobFile *file, Err *err)
{
    if (!map_file(path, 0, 0, file, err))
        return false;
    file->job = job_at(file->job.header);
    return true;
}

void job_unmap(JobFile *file)
{
    munmap(file->job.header, file->size_bytes);
}
