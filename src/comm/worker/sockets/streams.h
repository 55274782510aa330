/* SPDX-License-Identifier: BSD-3-Clause */
/* Stream sockets: listen, connect, send, receive. The system's buffer sizes stay unchanged. */
#pragma once

#include "base/err.h"
#include <stddef.h>
#include <stdint.h>

/* Where to connect to: an address (a name or a number) and a port, or the abstract name of a Unix
 * socket, which has no file. */
typedef struct StreamPlace {
    bool is_unix;
    char address[256]; /* of TCP */
    uint16_t port;
    char name[64]; /* of Unix */
} StreamPlace;

/* A listening socket on any port of all of this host's addresses, or on a Unix socket's name.
 * `place` gets the port. Returns -1 with *err on failure. */
int stream_listen(StreamPlace *place, Err *err);

int stream_connect(const StreamPlace *place, Err *err);

/* The address, as a number, by which this host reaches another. */
bool stream_own_address(const char *other, char *own, size_t size, Err *err);

/* Accepts the next connection. Returns -1 with `timed_out` set, and *err untouched, if none comes
 * in time. Returns -1 with *err on failure. */
int stream_accept(int listening, int timeout_ms, bool *timed_out, Err *err);

/* Errors name the rank `peer` if the connection is closed. */
bool stream_send(int stream, int peer, const void *buffer, size_t bytes, Err *err);
bool stream_receive(int stream, int peer, void *buffer, size_t bytes, Err *err);

/* Lets receiving fail after this many seconds without data. 0: waits for ever. */
void stream_limit_wait(int stream, int seconds);
