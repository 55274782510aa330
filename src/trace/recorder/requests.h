/* SPDX-License-Identifier: BSD-3-Clause */
/* Pending requests by handle. The same handle may stand for several at once (MPI gives out one handle for all sends
 * that complete at once): first in, first out. Matched messages (MPI_Message) are kept here too, see message_handle. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef enum RequestKind {
    REQUEST_NOTHING, /* of MPI_PROC_NULL: completes without an event */
    REQUEST_SEND,
    REQUEST_RECV,
    REQUEST_COLLECTIVE,
    REQUEST_ONE_SIDED
} RequestKind;

typedef struct Request {
    uint8_t kind;       /* RequestKind */
    uint8_t collective; /* Collective or OneSided */
    bool persistent;
    bool cancelling; /* MPI_Cancel was called */
    bool no_status;  /* a receive whose status doesn't tell: its message is the one posted for */
    bool combined;   /* … whose status may not tell */
    uint32_t comm;
    uint32_t n_peers; /* of a combined receive: sources are below */
    int32_t peer;     /* of a persistent send or a receive of the two kinds above; the root of a collective; a target */
    int32_t tag;
    uint64_t id;      /* 0: persistent and not active */
    uint64_t send_id; /* of a receive's send (MPI_Isendrecv), or 0 */
    uint64_t bytes, bytes_received;
} Request;

/* Adds a request; its id is a new one unless `request` has one or is persistent. Returns the id. */
uint64_t requests_add(uint64_t handle, const Request *request);

/* A number for what completes with another request. */
uint64_t requests_new_id(void);

/* A persistent request was started: gives it a new id. False: not known. */
bool requests_start(uint64_t handle, Request *request);

/* The first request of that handle, as it is. False: not known. */
bool requests_find(uint64_t handle, Request *request);

/* A request has completed: it is removed, or, if persistent, made inactive. False: not known, or not active. */
bool requests_complete(uint64_t handle, Request *request);

/* A request is gone, persistent or not. False: not known. */
bool requests_remove(uint64_t handle, Request *request);

void requests_mark_cancelling(uint64_t handle);

/* Handles of messages have numbers that requests may have too. */
static inline uint64_t message_handle(uint64_t handle)
{
    return handle ^ (uint64_t)1 << 63;
}
