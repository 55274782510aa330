/* SPDX-License-Identifier: BSD-3-Clause */
/* The work of ranks other than 0: they read their processes in turns, each as far ahead as its
 * credit allows. */
#include "trace/team/credit.h"
#include "trace/team/messages.h"
#include "trace/team/shares.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

typedef struct Reader {
    Team *team;
    Archive *archive;
    uint32_t n_processes;
    Credit credit;
    uint32_t *left; /* [n_processes]: messages that may still be sent */
    bool *queued;   /* [n_processes]: is in the queue */
    bool *ended;
    uint32_t *queue; /* [n_processes]: ring buffer of processes that can be read */
    uint32_t head, n_queued;
} Reader;

static void enqueue(Reader *reader, uint32_t process)
{
    if (reader->queued[process] || reader->ended[process] || !reader->left[process])
        return;
    assert(reader->n_queued < reader->n_processes);
    reader->queued[process] = true;
    reader->queue[(reader->head + reader->n_queued++) % reader->n_processes] = process;
}

static void reader_init(Reader *reader, uint64_t memory_bytes)
{
    uint32_t n = archive_source(reader->archive)->trace->application.n_processes;
    uint32_t *owner = memory_zeroed(n, sizeof *owner);
    uint32_t n_own = shares_divide(reader->archive, n, reader->team->size, reader->team->rank, owner);
    reader->n_processes = n;
    reader->credit = credit_of_memory(memory_bytes, n);
    reader->left = memory_zeroed(n, sizeof *reader->left);
    reader->queued = memory_zeroed(n, sizeof *reader->queued);
    reader->ended = memory_zeroed(n, sizeof *reader->ended);
    reader->queue = memory_zeroed(n, sizeof *reader->queue);
    for (uint32_t process = 0; process < n; process++) {
        if (owner[process] != reader->team->rank)
            continue;
        reader->left[process] = reader->credit.n_messages;
        enqueue(reader, process);
    }
    free(owner);
    archive_limit_memory(reader->archive, n_own, memory_bytes / 2);
}

static void reader_free(Reader *reader)
{
    archive_close(reader->archive);
    free(reader->left);
    free(reader->queued);
    free(reader->ended);
    free(reader->queue);
}

static void send_failure(Team *team, uint32_t process, const Err *err)
{
    MessageHeader header = {.kind = MESSAGE_FAILED, .process = process, .is_last = 1};
    team_send(team, 0, &header, err, sizeof *err);
}

/* Sends the next events of the first process in the queue. Returns false if no buffer is free. */
static bool send_next(Reader *reader)
{
    Team *team = reader->team;
    char *bytes = team_prepare(team, sizeof(MessageHeader) + reader->credit.n_events * sizeof(Event));
    if (!bytes)
        return false;
    uint32_t process = reader->queue[reader->head];
    assert(reader->n_queued > 0 && reader->queued[process] && reader->left[process] > 0);
    reader->head = (reader->head + 1) % reader->n_processes;
    reader->n_queued--;
    reader->queued[process] = false;
    EventSource *source = archive_source(reader->archive);
    size_t count = 0;
    Err err;
    if (!source->read(source, process, (Event *)(bytes + sizeof(MessageHeader)), reader->credit.n_events, &count,
                      &err)) {
        reader->ended[process] = true;
        send_failure(team, process, &err);
        return true;
    }
    MessageHeader header = {
        MESSAGE_EVENTS, process, (uint32_t)count, count == 0, {archive_records_read(reader->archive)}};
    memcpy(bytes, &header, sizeof header);
    team_send_prepared(team, 0, sizeof header + count * sizeof(Event));
    reader->ended[process] = count == 0;
    reader->left[process]--;
    enqueue(reader, process);
    return true;
}

static void take_grants(Reader *reader, const MessageHeader *header, const uint32_t *processes)
{
    for (uint32_t i = 0; i < header->count; i++) {
        reader->left[processes[i]]++;
        enqueue(reader, processes[i]);
    }
}

static void read_until_closed(Reader *reader)
{
    Team *team = reader->team;
    struct {
        MessageHeader header;
        uint32_t processes[GRANT_LIMIT];
    } message;
    for (uint32_t n_idle = 0;;) {
        uint32_t from;
        size_t size_bytes;
        if (team->module->has_arrived(&from, &size_bytes)) {
            team->module->receive(&message, size_bytes);
            if (message.header.kind == MESSAGE_CLOSE)
                return;
            take_grants(reader, &message.header, message.processes);
        } else if (reader->n_queued && send_next(reader)) {
            n_idle = 0;
        } else {
            team_idle(&n_idle);
        }
    }
}

static void wait_for_close(Team *team)
{
    uint32_t from;
    size_t size_bytes;
    MessageHeader header;
    team_wait(team, &from, &size_bytes);
    team->module->receive(&header, size_bytes);
}

static void serve_archive(Team *team, const char *path, uint64_t memory_bytes)
{
    Reader reader = {.team = team};
    Err err;
    if (archive_open(path, &reader.archive, &err)) {
        reader_init(&reader, memory_bytes);
        team_send(team, 0,
                  &(MessageHeader){.kind = MESSAGE_OPENED,
                                   .count = reader.n_processes,
                                   .n_records = archive_records_total(reader.archive)},
                  NULL, 0);
        read_until_closed(&reader);
        reader_free(&reader);
    } else {
        send_failure(team, 0, &err);
        wait_for_close(team);
    }
    team_send(team, 0, &(MessageHeader){.kind = MESSAGE_CLOSED}, NULL, 0);
}

void team_serve(Team *team)
{
    for (;;) {
        uint32_t from;
        size_t size_bytes;
        team_wait(team, &from, &size_bytes);
        MessageHeader *message = memory_zeroed(1, size_bytes + 1); /* + 1, so that the path ends with a zero */
        team->module->receive(message, size_bytes);
        bool is_end = message->kind == MESSAGE_END;
        if (!is_end)
            serve_archive(team, (const char *)(message + 1), message->memory_bytes);
        free(message);
        if (is_end)
            return;
    }
}
