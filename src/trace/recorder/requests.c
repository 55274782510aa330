/* SPDX-License-Identifier: BSD-3-Clause */
/* See requests.h. A hash table whose buckets are chains of handles. Each handle has a queue of
 * requests:
 *
 *     bucket ──next_handle──► first request of handle A ──next_handle──► first request of handle B
 *                                    └─next_same──► second ──► third (tail)
 *
 * So adding and removing take constant time, even if thousands of requests share one handle. */
#include "trace/recorder/requests.h"
#include "trace/recorder/aside.h"
#include "trace/recorder/lock.h"
#include "trace/recorder/recorder.h"
#include <errno.h>
#include <stdlib.h>

#define BUCKETS_FIRST 1024
#define OTHERS_AHEAD 64  /* requests of other threads with the same handle, looked through */
#define BLOCK_NODES 1024 /* nodes are allocated in blocks of this many, and reused */

typedef struct Node {
    uint64_t handle;
    struct Node *next_handle; /* for the first request of each handle */
    struct Node *next_same;
    struct Node *tail;    /* for the first request of a handle: its last request */
    const Thread *thread; /* that posted it */
    Request request;
} Node;

static Lock lock;
static Node **buckets;
static size_t n_buckets; /* a power of two, or 0 */
static size_t n_nodes;   /* in the table */
static Node *unused;
#ifndef REQUESTS_BEFORE /* a test begins near the limit */
#define REQUESTS_BEFORE 0
#endif
static uint64_t last_id = REQUESTS_BEFORE;

static Node **bucket_of(uint64_t handle)
{
    const uint64_t hash = handle * 0x9e3779b97f4a7c15u;
    return &buckets[(hash ^ hash >> 32) & (n_buckets - 1)];
}

/* Finds the pointer to the first request of a handle. */
static Node **find_place(uint64_t handle)
{
    Node **place = bucket_of(handle);
    while (*place && (*place)->handle != handle)
        place = &(*place)->next_handle;
    return place;
}

static bool grow_buckets(void)
{
    Node **old = buckets;
    const size_t n_old = n_buckets;
    Node **grown = calloc(n_old ? n_old * 2 : BUCKETS_FIRST, sizeof *grown);
    if (!grown)
        return n_old > 0; /* with old buckets, the chains just become longer */
    buckets = grown;
    n_buckets = n_old ? n_old * 2 : BUCKETS_FIRST;
    for (size_t i = 0; i < n_old; i++) {
        for (Node *node = old[i], *next; node; node = next) {
            next = node->next_handle;
            node->next_handle = *bucket_of(node->handle);
            *bucket_of(node->handle) = node;
        }
    }
    free(old);
    return true;
}

static bool grow_unused(void)
{
    Node *block = malloc(BLOCK_NODES * sizeof *block);
    if (!block)
        return false;
    for (size_t i = 0; i < BLOCK_NODES; i++) {
        block[i].next_same = unused;
        unused = &block[i];
    }
    return true;
}

/* Without ASIDE, a cancelled thread could leave locks of malloc() behind. */
static bool make_room(void)
{
    ASIDE;
    return (n_nodes < n_buckets || grow_buckets()) && (unused || grow_unused());
}

static void append(const Node *content)
{
    Node *node = unused;
    unused = node->next_same;
    *node = *content;
    Node **place = find_place(node->handle), *first = *place;
    if (first) {
        first->tail->next_same = node;
        first->tail = node;
    } else {
        node->tail = node;
        *place = node;
    }
    n_nodes++;
}

/* The request before the handle's first one that this thread posted; NULL: it is the first one, or there
 * is none. */
static Node *before_own(Node *first)
{
    Node *before = NULL, *node = first;
    for (int i = 0; node && node->thread != &this_thread; i++) {
        before = node;
        node = i < OTHERS_AHEAD ? node->next_same : NULL;
    }
    return node ? before : NULL;
}

/* Removes the handle's first request, or the one behind `before`. */
static void remove_node(Node **place, Node *before)
{
    Node *node = before ? before->next_same : *place, *second = node->next_same;
    if (before) {
        before->next_same = second;
        if (!second)
            (*place)->tail = before;
    } else if (second) {
        second->tail = node->tail;
        second->next_handle = node->next_handle;
        *place = second;
    } else {
        *place = node->next_handle;
    }
    node->next_same = unused;
    unused = node;
    n_nodes--;
}

/* False: the table is lost, and recording stops. */
static bool enter(void)
{
    if (lock_take(&lock))
        return true;
    recorder_stop(RECORDING_INTERRUPTED, 0);
    return false;
}

static uint64_t next_id(void)
{
    const uint64_t last_of_all = ((uint64_t)1 << REQUEST_BITS) - 1;
    last_id = last_id == last_of_all ? 1 : last_id + 1;
    return last_id;
}

uint64_t requests_add(uint64_t handle, const Request *request)
{
    Node content = {.handle = handle, .thread = &this_thread, .request = *request};
    const int saved = errno;
    if (!enter())
        return REQUEST_UNKNOWN;
    if (!content.request.id && !content.request.persistent)
        content.request.id = next_id();
    const bool room = (n_nodes < n_buckets && unused) || make_room();
    if (room)
        append(&content);
    lock_release(&lock);
    if (!room)
        recorder_stop(RECORDING_FAILED, ENOMEM);
    errno = saved;
    return content.request.id;
}

uint64_t requests_new_id(void)
{
    if (!enter())
        return REQUEST_UNKNOWN;
    const uint64_t id = next_id();
    lock_release(&lock);
    return id;
}

bool requests_start(uint64_t handle, Request *request)
{
    if (!enter())
        return false;
    Node *node = n_buckets ? *find_place(handle) : NULL;
    const bool found = node && node->request.persistent;
    if (found) {
        node->request.id = next_id();
        node->request.cancelling = false;
        *request = node->request;
    }
    lock_release(&lock);
    return found;
}

bool requests_find(uint64_t handle, Request *request)
{
    if (!enter())
        return false;
    const Node *node = n_buckets ? *find_place(handle) : NULL;
    if (node)
        *request = node->request;
    lock_release(&lock);
    return node != NULL;
}

/* Takes the first request of the handle, this thread's before others'. With `stays_if_persistent`, only
 * an active one, and a persistent one stays. */
static bool take(uint64_t handle, bool stays_if_persistent, Request *request)
{
    if (!enter())
        return false;
    Node **place = n_buckets ? find_place(handle) : NULL;
    Node *before = place ? before_own(*place) : NULL;
    Node *node = !place ? NULL : before ? before->next_same : *place;
    const bool found = node && (node->request.id || !stays_if_persistent);
    if (found) {
        *request = node->request;
        if (request->persistent && stays_if_persistent)
            node->request.id = 0;
        else
            remove_node(place, before);
    }
    lock_release(&lock);
    return found;
}

bool requests_complete(uint64_t handle, Request *request)
{
    return take(handle, true, request);
}

bool requests_remove(uint64_t handle, Request *request)
{
    return take(handle, false, request);
}

void requests_mark_cancelling(uint64_t handle)
{
    if (!enter())
        return;
    Node *node = n_buckets ? *find_place(handle) : NULL;
    if (node)
        node->request.cancelling = true;
    lock_release(&lock);
}
