/* SPDX-License-Identifier: BSD-3-Clause */
/* See streams.h. */
#include "comm/worker/sockets/streams.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

enum { WAITING_LIMIT = 4096 };

typedef struct Address {
    union {
        struct sockaddr any;
        struct sockaddr_in internet;
        struct sockaddr_un local;
    };
    socklen_t length;
} Address;

static Address unix_address(const StreamPlace *place)
{
    Address address = {.local.sun_family = AF_UNIX};
    size_t length = strnlen(place->name, sizeof place->name);
    /* A leading zero byte: the abstract namespace, without a file. */
    memcpy(address.local.sun_path + 1, place->name, length);
    address.length = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + length);
    return address;
}

/* Sends each message at once, instead of waiting for an acknowledgement of the previous one. */
static void send_at_once(int stream)
{
    setsockopt(stream, IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int));
}

static int failed(int stream, const char *what, Err *err)
{
    err_set(err, ERR_ENVIRONMENT, "%s: %s", what, strerror(errno));
    if (stream >= 0)
        close(stream);
    return -1;
}

int stream_listen(StreamPlace *place, Err *err)
{
    Address address = {.internet = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_ANY)},
                       .length = sizeof address.internet};
    if (place->is_unix)
        address = unix_address(place);
    int stream = socket(address.any.sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (stream < 0 || bind(stream, &address.any, address.length) != 0 || listen(stream, WAITING_LIMIT) != 0 ||
        (!place->is_unix && getsockname(stream, &address.any, &address.length) != 0))
        return failed(stream, place->is_unix ? "listening on a Unix socket" : "listening on a TCP socket", err);
    place->port = place->is_unix ? 0 : ntohs(address.internet.sin_port);
    return stream;
}

static bool resolve(const char *name, uint16_t port, Address *address, Err *err)
{
    const struct addrinfo wanted = {.ai_family = AF_INET, .ai_socktype = SOCK_STREAM};
    struct addrinfo *found;
    int status = getaddrinfo(name, NULL, &wanted, &found);
    if (status != 0)
        return err_set(err, ERR_ENVIRONMENT, "%s: %s", name, gai_strerror(status));
    memcpy(&address->internet, found->ai_addr, sizeof address->internet);
    address->internet.sin_port = htons(port);
    address->length = sizeof address->internet;
    freeaddrinfo(found);
    return true;
}

int stream_connect(const StreamPlace *place, Err *err)
{
    Address address;
    char what[320] = "connecting through a Unix socket";
    if (place->is_unix)
        address = unix_address(place);
    else if (resolve(place->address, place->port, &address, err))
        snprintf(what, sizeof what, "connecting to %s port %u", place->address, place->port);
    else
        return -1;
    int stream = socket(address.any.sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (stream < 0 || connect(stream, &address.any, address.length) != 0)
        return failed(stream, what, err);
    if (!place->is_unix)
        send_at_once(stream);
    return stream;
}

/* Connecting a datagram socket gives it an address, and sends nothing. */
bool stream_own_address(const char *other, char *own, size_t size, Err *err)
{
    Address address;
    if (!resolve(other, 9, &address, err))
        return false;
    int datagrams = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (datagrams < 0 || connect(datagrams, &address.any, address.length) != 0 ||
        getsockname(datagrams, &address.any, &address.length) != 0 ||
        !inet_ntop(AF_INET, &address.internet.sin_addr, own, (socklen_t)size)) {
        failed(datagrams, other, err);
        return false;
    }
    close(datagrams);
    return true;
}

int stream_accept(int listening, int timeout_ms, bool *timed_out, Err *err)
{
    struct pollfd who = {.fd = listening, .events = POLLIN};
    int ready = poll(&who, 1, timeout_ms);
    *timed_out = ready == 0 || (ready < 0 && errno == EINTR);
    if (*timed_out)
        return -1;
    int stream = ready < 0 ? -1 : accept4(listening, NULL, NULL, SOCK_CLOEXEC);
    if (stream < 0)
        return failed(-1, "awaiting connections", err);
    send_at_once(stream);
    return stream;
}

static bool connection_failed(int peer, ssize_t moved, Err *err)
{
    if (moved == 0 || errno == ECONNRESET || errno == EPIPE)
        return err_set(err, ERR_ENVIRONMENT, "rank %d has ended and closed its connection", peer);
    bool too_long = errno == EAGAIN || errno == EWOULDBLOCK;
    return err_set(err, ERR_ENVIRONMENT, "rank %d: %s", peer, too_long ? "sends nothing" : strerror(errno));
}

bool stream_send(int stream, int peer, const void *buffer, size_t bytes, Err *err)
{
    const char *from = buffer;
    while (bytes > 0) {
        ssize_t moved = send(stream, from, bytes, MSG_NOSIGNAL);
        if (moved > 0) {
            from += moved;
            bytes -= (size_t)moved;
        } else if (moved == 0 || errno != EINTR) {
            return connection_failed(peer, moved, err);
        }
    }
    return true;
}

bool stream_receive(int stream, int peer, void *buffer, size_t bytes, Err *err)
{
    char *to = buffer;
    while (bytes > 0) {
        ssize_t moved = recv(stream, to, bytes, MSG_WAITALL);
        if (moved > 0) {
            to += moved;
            bytes -= (size_t)moved;
        } else if (moved == 0 || errno != EINTR) {
            return connection_failed(peer, moved, err);
        }
    }
    return true;
}

void stream_limit_wait(int stream, int seconds)
{
    const struct timeval limit = {.tv_sec = seconds};
    setsockopt(stream, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
}
