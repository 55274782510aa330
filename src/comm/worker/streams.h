/* SPDX-License-Identifier: BSD-3-Clause */
/* Stream sockets: listening, connecting, moving bytes. Sizes of the system's buffers stay as they are. */
#pragma once

#include "base/err.h"
#include <stddef.h>
#include <stdint.h>

/* Where one can connect to: an address (a name or a number) and a port, or the name of a Unix socket that has no file.
 */
typedef struct StreamPlace {
    bool is_unix;
    char address[256]; /* of TCP */
    uint16_t port;
    char name[64]; /* of Unix */
} StreamPlace;

/* A socket that listens, on any port of all of this host's addresses, or on that name; `place` gets the port. -1: err.
 */
int stream_listen(StreamPlace *place, Err *err);

int stream_connect(const StreamPlace *place, Err *err);

/* The address that this host has on the way to another, as a number. */
bool stream_own_address(const char *other, char *own, size_t size, Err *err);

/* The next who connects; within so many milliseconds: -1 with *err untouched if nobody does, and `timed_out`. */
int stream_accept(int listening, int timeout_ms, bool *timed_out, Err *err);

/* `peer` stands in the error if it has gone. */
bool stream_send(int stream, int peer, const void *buffer, size_t bytes, Err *err);
bool stream_receive(int stream, int peer, void *buffer, size_t bytes, Err *err);

/* Receiving fails if nothing has come for so long; 0: it waits for ever. */
void stream_limit_wait(int stream, int seconds);
