/* SPDX-License-Identifier: BSD-3-Clause */
/* See icmp.h. Uses a raw socket if that is allowed (root, CAP_NET_RAW). Otherwise uses the kernel's
 * ping sockets, which it allows to groups (net.ipv4.ping_group_range). Each peer has a connected
 * socket, which receives only that peer's answers, and errors if the host is unreachable. An
 * unanswered echo is sent again, a few times; close_icmp() reports their number. */
#include "comm/worker/sockets/icmp.h"

#include "base/json.h"
#include "comm/worker/harness/clock.h"
#include "comm/worker/sockets/checksum.h"
#include <arpa/inet.h>
#include <errno.h>
#include <linux/icmp.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <unistd.h>

enum { ATTEMPTS = 3, TIMEOUT_S = 2, MOST_BYTES = 65507, IP_HEADER_BYTES = 20, SOCKET_BUFFER_BYTES = 1 << 20 };

typedef struct Peer {
    const char *name;
    int socket; /* 0: none yet */
    bool is_raw;
} Peer;

typedef struct Icmp {
    Transport common;
    Peer *peers;
    size_t n_peers;
    uint16_t id, sequence;
    uint64_t n_asked, n_lost;
} Icmp;

/* ---- opening ---- */

static bool refuse(Err *err)
{
    err_set(err, ERR_ENVIRONMENT, "ICMP: neither raw sockets nor ping sockets are allowed here");
    return err_hint(err, "as root: setcap cap_net_raw+ep on firma-comm-sockets, or sysctl -w "
                         "net.ipv4.ping_group_range=\"0 2147483647\"; or leave os:icmp out");
}

static bool open_socket(Peer *peer, Err *err)
{
    int descriptor = socket(AF_INET, SOCK_RAW | SOCK_CLOEXEC, IPPROTO_ICMP);
    peer->is_raw = descriptor >= 0;
    if (descriptor < 0)
        descriptor = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, IPPROTO_ICMP);
    if (descriptor < 0)
        return errno == EPERM || errno == EACCES
                   ? refuse(err)
                   : err_set(err, ERR_ENVIRONMENT, "ICMP: cannot create a socket: %s", strerror(errno));
    peer->socket = descriptor;
    const struct icmp_filter answers = {.data = ~(1U << ICMP_ECHOREPLY)};
    const struct timeval patience = {TIMEOUT_S, 0};
    const int room = SOCKET_BUFFER_BYTES;
    setsockopt(descriptor, SOL_SOCKET, SO_SNDBUF, &room, sizeof room);
    setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &room, sizeof room);
    if ((peer->is_raw && setsockopt(descriptor, SOL_RAW, ICMP_FILTER, &answers, sizeof answers) != 0) ||
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience) != 0)
        return err_set(err, ERR_ENVIRONMENT, "ICMP: cannot set a socket's options: %s", strerror(errno));
    return true;
}

static bool connect_peer(Peer *peer, Err *err)
{
    struct addrinfo wanted = {.ai_family = AF_INET}, *found;
    int status = getaddrinfo(peer->name, NULL, &wanted, &found);
    if (status != 0)
        return err_set(err, ERR_ENVIRONMENT, "ICMP: %s: no IPv4 address: %s", peer->name, gai_strerror(status));
    bool ok = open_socket(peer, err);
    if (ok && connect(peer->socket, found->ai_addr, found->ai_addrlen) != 0)
        ok = err_set(err, ERR_ENVIRONMENT, "ICMP: %s: %s", peer->name, strerror(errno));
    freeaddrinfo(found);
    return ok;
}

static void close_icmp(Transport *transport)
{
    Icmp *icmp = (Icmp *)transport;
    for (size_t i = 0; i < icmp->n_peers; i++) {
        if (icmp->peers[i].socket > 0)
            close(icmp->peers[i].socket);
    }
    if (icmp->n_lost)
        fprintf(stderr, "ICMP: %llu of %llu echoes were lost, and sent again\n", (unsigned long long)icmp->n_lost,
                (unsigned long long)icmp->n_asked);
}

static bool connect_peers(Icmp *icmp, const json_t *peers, Arena *arena, Err *err)
{
    for (size_t i = 0; i < json_array_size(peers); i++) {
        const JsonPlace place = json_place("the request", "peers[%zu]", i);
        const char *address;
        if (!json_get_string(json_array_get(peers, i), "address", &place, &address, err))
            return false;
        icmp->peers[icmp->n_peers++].name = arena_strdup(arena, address);
        if (!connect_peer(&icmp->peers[i], err))
            return false;
    }
    return icmp->n_peers > 0 || err_set(err, ERR_INPUT, "the request: peers: none to send echoes to");
}

static bool open_icmp(const json_t *request, Arena *arena, Transport **transport, Err *err)
{
    struct utsname system = {0};
    const json_t *peers = json_object_get(request, "peers");
    Icmp *icmp = arena_new_array(arena, Icmp, 1);
    uname(&system);
    icmp->common = (Transport){
        .kind = &icmp_transport, .n_ranks = 1, .library = arena_printf(arena, "%s %s", system.sysname, system.release)};
    icmp->peers = arena_new_array(arena, Peer, json_array_size(peers));
    icmp->id = htons((uint16_t)getpid());
    if (!connect_peers(icmp, peers, arena, err)) {
        close_icmp(&icmp->common);
        return false;
    }
    *transport = &icmp->common;
    return true;
}

/* ---- echoes ---- */

/* The timed interval contains only the kernel's work, not the checksum. */
static bool ask(Icmp *icmp, Peer *peer, void *buffer, size_t size_bytes, int64_t *start_ns, Err *err)
{
    struct icmphdr head = {.type = ICMP_ECHO, .un.echo = {.id = icmp->id, .sequence = htons(icmp->sequence)}};
    head.checksum = checksum_of(&head, sizeof head, buffer, size_bytes);
    struct iovec parts[] = {{&head, sizeof head}, {buffer, size_bytes}};
    struct msghdr message = {.msg_iov = parts, .msg_iovlen = 2};
    icmp->n_asked++;
    *start_ns = clock_now_ns();
    return sendmsg(peer->socket, &message, 0) == (ssize_t)(sizeof head + size_bytes) ||
           err_set(err, ERR_ENVIRONMENT, "ICMP: %s, %zu bytes: %s", peer->name, size_bytes, strerror(errno));
}

typedef enum Answer { ANSWERED, LOST, BROKEN } Answer;

/* Skips answers to earlier echoes that timed out. A ping socket receives only its own answers, and
 * the kernel sets `id` to a number of its own. */
static Answer take_answer(const Icmp *icmp, const Peer *peer, void *buffer, size_t size_bytes, Err *err)
{
    for (;;) {
        unsigned char ip[IP_HEADER_BYTES];
        struct icmphdr head;
        struct iovec parts[] = {{ip, sizeof ip}, {&head, sizeof head}, {buffer, size_bytes}};
        struct msghdr message = {.msg_iov = peer->is_raw ? parts : parts + 1, .msg_iovlen = peer->is_raw ? 3 : 2};
        ssize_t got = recvmsg(peer->socket, &message, 0);
        if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
            return LOST;
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0) {
            err_set(err, ERR_ENVIRONMENT, "ICMP: %s, %zu bytes: %s", peer->name, size_bytes, strerror(errno));
            return BROKEN;
        }
        size_t expected = (peer->is_raw ? sizeof ip : 0) + sizeof head + size_bytes;
        bool has_plain_header = !peer->is_raw || (ip[0] & 0x0f) * 4 == IP_HEADER_BYTES;
        if ((size_t)got == expected && has_plain_header && !(message.msg_flags & MSG_TRUNC) &&
            head.type == ICMP_ECHOREPLY && head.un.echo.sequence == htons(icmp->sequence) &&
            (!peer->is_raw || head.un.echo.id == icmp->id))
            return ANSWERED;
    }
}

static bool echo(Transport *transport, int number, void *buffer, size_t bytes, double *round_trip_s, Err *err)
{
    Icmp *icmp = (Icmp *)transport;
    Peer *peer = &icmp->peers[number - 1];
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        icmp->sequence++;
        int64_t start_ns;
        if (!ask(icmp, peer, buffer, bytes, &start_ns, err))
            return false;
        switch (take_answer(icmp, peer, buffer, bytes, err)) {
        case ANSWERED:
            *round_trip_s = clock_seconds_since(start_ns);
            return true;
        case BROKEN:
            return false;
        case LOST:
            icmp->n_lost++;
        }
    }
    return err_set(err, ERR_ENVIRONMENT, "ICMP: %s doesn't answer %d echoes of %zu bytes within %d s each", peer->name,
                   ATTEMPTS, bytes, TIMEOUT_S);
}

const TransportKind icmp_transport = {
    .name = "icmp", .open = open_icmp, .echo = echo, .most_bytes = MOST_BYTES, .close = close_icmp};
