/* SPDX-License-Identifier: BSD-3-Clause */
/* What the members of a team say to each other, and how. Private to the folder.
 *
 *      rank 0                          reader
 *        | --- OPEN path ----------------> |
 *        | <------------ OPENED, FAILED -- |      FAILED: nothing more of this archive
 *        | <-- EVENTS of process p ------- |      as long as the reader has credit for p
 *        | --- GRANT p, q, … ------------> |      room for one message more of each
 *        | --- CLOSE --------------------> |
 *        | <----------------- CLOSED ----- |      behind whatever it had sent
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
    MESSAGE_FAILED, /* body: Err; of the archive, or of reading `process` */
    MESSAGE_EVENTS, /* body: `count` events of `process` */
    MESSAGE_CLOSED
} MessageKind;

#define GRANT_LIMIT 16u

typedef struct MessageHeader {
    uint32_t kind; /* MessageKind */
    uint32_t process;
    uint32_t count;
    uint32_t is_last; /* the process has no more */
    union {
        uint64_t n_records;    /* EVENTS, OPENED: that the reader has read so far; that the archive has */
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

/* Room for a message of this size that can be sent at once; NULL: everything is still on its way. */
void *team_prepare(Team *team, size_t size_bytes);

/* Sends what was prepared last. */
void team_send_prepared(Team *team, uint32_t to, size_t size_bytes);

/* Copies and sends, waiting for room. */
void team_send(Team *team, uint32_t to, const MessageHeader *header, const void *body, size_t body_bytes);

/* Lets others have the processor for longer the longer nothing happened: *n_idle is counted up. */
void team_idle(uint32_t *n_idle);

/* Waits for a message; it must be received next. */
void team_wait(Team *team, uint32_t *from, size_t *size_bytes);
