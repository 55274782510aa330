/* SPDX-License-Identifier: BSD-3-Clause */
/* The messages between the members of a team, and sending and receiving them. Private to the
 * folder.
 *
 *      rank 0                          reader
 *        | --- OPEN path ----------------> |
 *        | <------------ OPENED, FAILED -- |      after FAILED, nothing more comes from this archive
 *        | <-- EVENTS of process p ------- |      as long as the reader has credit for p
 *        | --- GRANT p, q, … ------------> |      credit for one more message of each process
 *        | --- CLOSE --------------------> |
 *        | <----------------- CLOSED ----- |      after all messages that were on their way
 *        | --- END ----------------------> |
 */
#pragma once

#include "trace/team/module.h"
#include "trace/team/team.h"

typedef enum MessageKind {
    MESSAGE_OPEN,  /* body: the path */
    MESSAGE_GRANT, /* body: `count` processes, at most GRANT_LIMIT */
    MESSAGE_CLOSE,
    MESSAGE_END,
    MESSAGE_OPENED,
    MESSAGE_FAILED, /* body: Err, of the archive or of reading `process` */
    MESSAGE_EVENTS, /* body: `count` events of `process` */
    MESSAGE_CLOSED
} MessageKind;

#define GRANT_LIMIT 16u

typedef struct MessageHeader {
    uint32_t kind; /* MessageKind */
    uint32_t process;
    uint32_t count;
    uint32_t is_last; /* the process has no more events */
    union {
        uint64_t n_records;    /* EVENTS: records that the reader has read so far; OPENED: records in the archive */
        uint64_t memory_bytes; /* OPEN */
    };
} MessageHeader;

struct Team {
    const TeamModule *module;
    void *library;
    uint32_t rank, size;
    struct Slot {
        void *bytes;
        size_t capacity;
    } slots[TEAM_MODULE_SLOTS];
    uint32_t next_slot;
};

/* A buffer for a message of this size that can be sent at once. NULL: all buffers are still being
 * sent. */
void *team_prepare(Team *team, size_t size_bytes);

/* Sends the buffer of the last team_prepare(). */
void team_send_prepared(Team *team, uint32_t to, size_t size_bytes);

/* Copies the message and sends it. Waits until a buffer is free. */
void team_send(Team *team, uint32_t to, const MessageHeader *header, const void *body, size_t body_bytes);

/* Yields the processor, for longer the longer nothing has happened. Increments *n_idle. */
void team_idle(uint32_t *n_idle);

/* Waits for a message. The caller must receive it next. */
void team_wait(Team *team, uint32_t *from, size_t *size_bytes);
