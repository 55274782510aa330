/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0's side of an archive that a team reads. It is an EventSource. Rank 0 reads some processes
 * itself; the events of others arrive in messages. While rank 0 waits for one process, it takes
 * messages of all. */
#include "trace/team/credit.h"
#include "trace/team/messages.h"
#include "trace/team/shares.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* A message, kept until all its events are delivered. */
typedef struct Parcel {
    struct Parcel *next;
    MessageHeader header;
    Event events[];
} Parcel;

_Static_assert(offsetof(Parcel, events) == offsetof(Parcel, header) + sizeof(MessageHeader), "received in one piece");

typedef struct Remote {
    Parcel *first, *last; /* messages that wait */
    size_t n_taken;       /* events of the first message that were delivered */
    Err *err;             /* why no events follow these messages */
    bool ended;
} Remote;

typedef struct Lender {
    uint64_t n_records;                     /* read so far */
    uint32_t n_grants, grants[GRANT_LIMIT]; /* grants that aren't sent yet */
    uint32_t n_processes;
    bool has_answered; /* has answered OPEN */
} Lender;

struct SharedArchive {
    EventSource source; /* the first member, so that pointers to both convert */
    Team *team;
    Archive *archive;
    uint32_t n_processes;
    uint32_t *owner; /* [n_processes] */
    Remote *remotes; /* [n_processes] */
    Lender *lenders; /* [team size] */
};

static void send_grants(SharedArchive *shared, uint32_t reader)
{
    Lender *lender = &shared->lenders[reader];
    MessageHeader header = {.kind = MESSAGE_GRANT, .count = lender->n_grants};
    if (lender->n_grants)
        team_send(shared->team, reader, &header, lender->grants, lender->n_grants * sizeof(uint32_t));
    lender->n_grants = 0;
}

/* Grants credit for one more message of a process. The reader gets several grants in one
 * message. */
static void grant(SharedArchive *shared, uint32_t process)
{
    uint32_t reader = shared->owner[process];
    Lender *lender = &shared->lenders[reader];
    assert(lender->n_grants < GRANT_LIMIT);
    lender->grants[lender->n_grants++] = process;
    if (lender->n_grants == GRANT_LIMIT || lender->n_grants * GRANT_LIMIT >= lender->n_processes)
        send_grants(shared, reader);
}

static Parcel *receive_parcel(Team *team, size_t size_bytes)
{
    Parcel *parcel = memory_resize(NULL, offsetof(Parcel, header) + size_bytes);
    parcel->next = NULL;
    team->module->receive(&parcel->header, size_bytes);
    return parcel;
}

static void keep_parcel(SharedArchive *shared, uint32_t from, Parcel *parcel)
{
    Remote *remote = &shared->remotes[parcel->header.process];
    if (parcel->header.kind == MESSAGE_FAILED) {
        remote->err = memory_resize(NULL, sizeof(Err));
        memcpy(remote->err, parcel->events, sizeof(Err));
    } else {
        shared->lenders[from].n_records = parcel->header.n_records;
    }
    remote->ended |= parcel->header.is_last;
    if (parcel->header.is_last) {
        free(parcel);
        return;
    }
    *(remote->first ? &remote->last->next : &remote->first) = parcel;
    remote->last = parcel;
}

static void receive_arrived(SharedArchive *shared)
{
    uint32_t from;
    size_t size_bytes;
    while (shared->team->module->has_arrived(&from, &size_bytes))
        keep_parcel(shared, from, receive_parcel(shared->team, size_bytes));
}

static void wait_for(SharedArchive *shared, const Remote *remote)
{
    for (uint32_t reader = 1; reader < shared->team->size; reader++)
        send_grants(shared, reader);
    while (!remote->first && !remote->ended) {
        uint32_t from;
        size_t size_bytes;
        team_wait(shared->team, &from, &size_bytes);
        keep_parcel(shared, from, receive_parcel(shared->team, size_bytes));
    }
}

static size_t take_events(SharedArchive *shared, uint32_t process, Event *events, size_t capacity)
{
    Remote *remote = &shared->remotes[process];
    Parcel *parcel = remote->first;
    assert(parcel && remote->n_taken < parcel->header.count);
    size_t n = parcel->header.count - remote->n_taken;
    if (n > capacity)
        n = capacity;
    memcpy(events, parcel->events + remote->n_taken, n * sizeof(Event));
    remote->n_taken += n;
    if (remote->n_taken == parcel->header.count) {
        remote->first = parcel->next;
        remote->n_taken = 0;
        free(parcel);
        if (!remote->ended)
            grant(shared, process);
    }
    return n;
}

/* The function EventSource.read. */
static bool read_events(EventSource *source, uint32_t process, Event *events, size_t capacity, size_t *count, Err *err)
{
    SharedArchive *shared = (SharedArchive *)source;
    assert(process < shared->n_processes);
    if (shared->owner[process] == 0) {
        EventSource *own = archive_source(shared->archive);
        return own->read(own, process, events, capacity, count, err);
    }
    Remote *remote = &shared->remotes[process];
    receive_arrived(shared);
    for (*count = 0; *count < capacity;) {
        if (!remote->first && !remote->ended)
            wait_for(shared, remote);
        if (!remote->first)
            break;
        *count += take_events(shared, process, events + *count, capacity - *count);
    }
    if (*count == 0 && remote->err) {
        *err = *remote->err;
        return false;
    }
    return true;
}

/* Checks a reader's answer to OPEN. */
static bool check_answer(const SharedArchive *shared, uint32_t reader, const Parcel *answer, Err *err)
{
    if (answer->header.kind == MESSAGE_FAILED) {
        memcpy(err, answer->events, sizeof *err);
        return err_prefix(err, "rank %u of firma", reader);
    }
    if (answer->header.count == shared->n_processes &&
        answer->header.n_records == archive_records_total(shared->archive))
        return true;
    err_set(err, ERR_INPUT, "rank %u of firma reads a different trace under this name than rank 0", reader);
    return err_hint(err, "put the trace where all nodes see it under the same name");
}

/* Waits for the answers of all readers. Some readers may send events right behind their answers. */
static bool gather_answers(SharedArchive *shared, bool is_open, Err *err)
{
    bool fine = is_open;
    for (uint32_t n_left = shared->team->size - 1; n_left;) {
        uint32_t from;
        size_t size_bytes;
        team_wait(shared->team, &from, &size_bytes);
        Parcel *parcel = receive_parcel(shared->team, size_bytes);
        bool is_answer = !shared->lenders[from].has_answered;
        if (!is_answer && is_open) {
            keep_parcel(shared, from, parcel);
            continue;
        }
        shared->lenders[from].has_answered = true;
        n_left -= is_answer;
        fine = fine && check_answer(shared, from, parcel, err);
        free(parcel);
    }
    return fine;
}

/* Makes all readers stop reading, and receives what they have sent meanwhile. */
static void stop_readers(SharedArchive *shared)
{
    Team *team = shared->team;
    for (uint32_t reader = 1; reader < team->size; reader++)
        team_send(team, reader, &(MessageHeader){.kind = MESSAGE_CLOSE}, NULL, 0);
    for (uint32_t n_left = team->size - 1; n_left;) {
        uint32_t from;
        size_t size_bytes;
        team_wait(team, &from, &size_bytes);
        Parcel *parcel = receive_parcel(team, size_bytes);
        n_left -= parcel->header.kind == MESSAGE_CLOSED;
        free(parcel);
    }
}

static void open_for_readers(Team *team, const char *path, uint64_t memory_bytes)
{
    for (uint32_t reader = 1; reader < team->size; reader++)
        team_send(team, reader, &(MessageHeader){.kind = MESSAGE_OPEN, .memory_bytes = memory_bytes}, path,
                  strlen(path));
}

static void divide(SharedArchive *shared, uint64_t memory_bytes)
{
    uint32_t n = archive_source(shared->archive)->trace->application.n_processes,
             size = shared->team ? shared->team->size : 1;
    shared->n_processes = n;
    shared->owner = memory_zeroed(n, sizeof *shared->owner);
    shared->remotes = memory_zeroed(n, sizeof *shared->remotes);
    uint32_t n_own = size > 1 ? shares_divide(shared->archive, n, size, 0, shared->owner) : n;
    for (uint32_t process = 0; process < n; process++)
        shared->lenders[shared->owner[process]].n_processes++;
    archive_limit_memory(shared->archive, n_own, size > 1 ? memory_bytes / 2 : memory_bytes);
}

bool shared_archive_open(Team *team, const char *path, uint64_t memory_bytes, SharedArchive **shared, Err *err)
{
    SharedArchive *opened = memory_zeroed(1, sizeof *opened);
    opened->team = team;
    opened->lenders = memory_zeroed(team ? team->size : 1, sizeof *opened->lenders);
    if (!memory_bytes || memory_bytes > ARCHIVE_DEFAULT_MEMORY_BYTES)
        memory_bytes = ARCHIVE_DEFAULT_MEMORY_BYTES;
    if (team)
        open_for_readers(team, path, memory_bytes);
    bool ok = archive_open(path, &opened->archive, err);
    if (ok)
        divide(opened, memory_bytes);
    if (team)
        ok = gather_answers(opened, ok, err);
    if (!ok) {
        shared_archive_close(opened);
        return false;
    }
    opened->source = (EventSource){.trace = archive_source(opened->archive)->trace, .read = read_events};
    *shared = opened;
    return true;
}

static void remote_free(Remote *remote)
{
    for (Parcel *parcel = remote->first; parcel;) {
        Parcel *next = parcel->next;
        free(parcel);
        parcel = next;
    }
    free(remote->err);
}

void shared_archive_close(SharedArchive *shared)
{
    if (!shared)
        return;
    if (shared->team)
        stop_readers(shared);
    for (uint32_t process = 0; process < shared->n_processes; process++)
        remote_free(&shared->remotes[process]);
    archive_close(shared->archive);
    free(shared->owner);
    free(shared->remotes);
    free(shared->lenders);
    free(shared);
}

void shared_archive_tell_completions(SharedArchive *shared)
{
    assert(!shared->team);
    archive_tell_completions(shared->archive);
}

EventSource *shared_archive_source(SharedArchive *shared)
{
    return &shared->source;
}

uint64_t shared_archive_records_read(const SharedArchive *shared)
{
    uint64_t n = archive_records_read(shared->archive);
    for (uint32_t reader = 1; shared->team && reader < shared->team->size; reader++)
        n += shared->lenders[reader].n_records;
    return n;
}

uint64_t shared_archive_records_total(const SharedArchive *shared)
{
    return archive_records_total(shared->archive);
}
