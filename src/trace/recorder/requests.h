/* SPDX-License-Identifier: BSD-3-Clause */
/* Pending requests by handle. Several requests may have the same handle (MPI uses one handle for
 * all sends that complete at once): first in, first out. But a thread that has posted one of them
 * completes its own: MPI may give a handle to another thread's new request as soon as the old one is
 * complete, before its thread tells so here. Matched messages (MPI_Message) are kept here, too; see
 * message_handle(). */
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef enum RequestKind {
    REQUEST_NOTHING, /* to MPI_PROC_NULL: completes without an event */
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
    /* A receive whose status has no source and tag: they are those of the posting. */
    bool no_status;
    bool combined; /* a combined receive, whose status may lack them */
    uint32_t comm;
    uint32_t n_peers; /* of a combined receive, whose sources follow below */
    /* Of a persistent send, or a receive of the two kinds above; or a collective's root; or a
     * target. */
    int32_t peer;
    int32_t tag;
    uint64_t id;      /* 0: persistent and inactive */
    uint64_t send_id; /* for a receive of MPI_Isendrecv, the id of its send; otherwise 0 */
    uint64_t bytes, bytes_received;
} Request;

/* The id of a request that could not be stored; recording has just stopped. */
#define REQUEST_UNKNOWN UINT64_MAX

/* Adds a request, and returns its id. The request gets a new id, unless it has one or is
 * persistent. */
uint64_t requests_add(uint64_t handle, const Request *request);

/* A new id, for something that completes together with another request. */
uint64_t requests_new_id(void);

/* Starts a persistent request: gives it a new id. False: the handle isn't known. */
bool requests_start(uint64_t handle, Request *request);

/* Copies the first request with this handle. False: the handle isn't known. */
bool requests_find(uint64_t handle, Request *request);

/* Completes a request: removes it, or makes it inactive if it is persistent. False: not known, or
 * not active. */
bool requests_complete(uint64_t handle, Request *request);

/* Removes a request, persistent or not. False: the handle isn't known. */
bool requests_remove(uint64_t handle, Request *request);

void requests_mark_cancelling(uint64_t handle);

/* The key of a message handle, whose number a request may have, too. */
static inline uint64_t message_handle(uint64_t handle)
{
    return handle ^ (uint64_t)1 << 63;
}
