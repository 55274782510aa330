/* SPDX-License-Identifier: BSD-3-Clause */
/* firma-comm-sockets: TCP and Unix stream sockets as transports, which show what the operating
 * system gives without a library; and ICMP (icmp.h).
 *
 * Rank 0 starts each other rank with the words in the request. A rank from 1 on connects to rank 0,
 * and sends its rank with a key that only processes started by rank 0 know. If all pairs are
 * measured, rank 0 then sends all addresses to each rank, and each connects to the lower ranks.
 * When a rank ends, its connections close, and then the other ranks end. */
#include "base/json.h"
#include "comm/worker/harness/clock.h"
#include "comm/worker/harness/harness.h"
#include "comm/worker/sockets/agents.h"
#include "comm/worker/sockets/icmp.h"
#include "comm/worker/sockets/streams.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/utsname.h>
#include <unistd.h>

enum { KEY_DIGITS = 32, CONNECT_LIMIT_S = 20, GREETING_LIMIT_S = 5, LOOK_MS = 50 };

typedef struct Sockets {
    Transport common;
    const json_t *request;
    Arena *arena;
    bool is_unix, is_mesh;
    char key[KEY_DIGITS + 1];
    int listening, *streams; /* [n_ranks], -1: no connection */
    StreamPlace place;       /* address of `listening` */
    Agents agents;
} Sockets;

/* A rank's first message, with the address where it listens. */
typedef struct Greeting {
    char key[KEY_DIGITS];
    int32_t rank;
    StreamPlace place;
} Greeting;

/* ---- moving bytes ---------------------------------------------------------------------------- */

static bool sockets_send(Transport *transport, int to, const void *buffer, size_t bytes, Err *err)
{
    return stream_send(((Sockets *)transport)->streams[to], to, buffer, bytes, err);
}

static bool sockets_receive(Transport *transport, int from, void *buffer, size_t bytes, Err *err)
{
    return stream_receive(((Sockets *)transport)->streams[from], from, buffer, bytes, err);
}

static void sockets_close(Transport *transport)
{
    Sockets *sockets = (Sockets *)transport;
    for (int rank = 0; rank < transport->n_ranks; rank++)
        if (sockets->streams[rank] >= 0)
            close(sockets->streams[rank]);
    if (sockets->listening >= 0)
        close(sockets->listening);
    agents_end(&sockets->agents);
}

/* ---- accepting connections ------------------------------------------------------------------- */

static bool make_key(Sockets *sockets, Err *err)
{
    unsigned char bytes[KEY_DIGITS / 2];
    if (getrandom(bytes, sizeof bytes, 0) != sizeof bytes)
        return err_set(err, ERR_ENVIRONMENT, "cannot get random numbers: %s", strerror(errno));
    for (size_t i = 0; i < sizeof bytes; i++)
        snprintf(sockets->key + 2 * i, 3, "%02x", bytes[i]);
    return true;
}

static bool start_listening(Sockets *sockets, Err *err)
{
    sockets->place = (StreamPlace){.is_unix = sockets->is_unix};
    snprintf(sockets->place.name, sizeof sockets->place.name, "firma-%.16s-%d", sockets->key, sockets->common.rank);
    sockets->listening = stream_listen(&sockets->place, err);
    return sockets->listening >= 0;
}

/* Returns false for a connection that isn't from an expected rank or sends nothing; the caller
 * closes it. */
static bool take_greeting(Sockets *sockets, int stream, Greeting *greeting)
{
    Err ignored;
    stream_limit_wait(stream, GREETING_LIMIT_S);
    bool ok = stream_receive(stream, 0, greeting, sizeof *greeting, &ignored) &&
              memcmp(greeting->key, sockets->key, KEY_DIGITS) == 0 && greeting->rank > sockets->common.rank &&
              greeting->rank < sockets->common.n_ranks && sockets->streams[greeting->rank] < 0;
    stream_limit_wait(stream, 0);
    return ok;
}

static const char *host_of_rank(const Sockets *sockets, int rank)
{
    const json_t *peer = json_array_get(json_object_get(sockets->request, "peers"), (size_t)rank - 1);
    const char *host = json_string_value(json_object_get(peer, "host"));
    return host && *host ? host : "this host";
}

static bool fail_missing(const Sockets *sockets, Err *err)
{
    for (int rank = sockets->common.rank + 1; rank < sockets->common.n_ranks; rank++)
        if (sockets->streams[rank] < 0)
            return err_set(err, ERR_ENVIRONMENT, "%s: rank %d didn't connect within %d s", host_of_rank(sockets, rank),
                           rank, CONNECT_LIMIT_S) ||
                   err_hint(err, "the hosts must reach each other by TCP on any port: check firewalls and host names");
    return true;
}

/* Accepts connections from all higher ranks. `greetings` [n_ranks]. */
static bool accept_ranks(Sockets *sockets, Greeting *greetings, Err *err)
{
    int64_t start_ns = clock_now_ns();
    for (int missing = sockets->common.n_ranks - 1 - sockets->common.rank; missing > 0;) {
        bool timed_out;
        Greeting greeting;
        int stream = stream_accept(sockets->listening, LOOK_MS, &timed_out, err);
        if (stream < 0 && !timed_out)
            return false;
        if (stream >= 0 && take_greeting(sockets, stream, &greeting)) {
            greetings[greeting.rank] = greeting;
            sockets->streams[greeting.rank] = stream;
            missing--;
        } else if (stream >= 0) {
            close(stream);
        } else if (!agents_are_alive(&sockets->agents, err)) {
            return false;
        }
        if (missing > 0 && clock_seconds_since(start_ns) > CONNECT_LIMIT_S)
            return fail_missing(sockets, err);
    }
    return true;
}

static bool connect_to(Sockets *sockets, int rank, const StreamPlace *place, Err *err)
{
    Greeting greeting = {.rank = sockets->common.rank, .place = sockets->place};
    memcpy(greeting.key, sockets->key, KEY_DIGITS);
    sockets->streams[rank] = stream_connect(place, err);
    return sockets->streams[rank] >= 0 && stream_send(sockets->streams[rank], rank, &greeting, sizeof greeting, err);
}

/* ---- rank 0 ---------------------------------------------------------------------------------- */

static const char *address_of(const json_t *peer)
{
    const char *address = json_string_value(json_object_get(peer, "address"));
    return address && address[0] ? address : "127.0.0.1";
}

/* Starts a peer with the same request, and with the address at which the peer reaches this host. */
static bool start_peer(Sockets *sockets, int rank, const json_t *peer, Err *err)
{
    char own[64] = "";
    if (!sockets->is_unix && !stream_own_address(address_of(peer), own, sizeof own, err))
        return false;
    json_t *request = json_copy((json_t *)sockets->request);
    json_t *connect =
        json_pack("{s:i, s:s, s:i, s:s}", "rank", rank, "address", sockets->is_unix ? sockets->place.name : own, "port",
                  sockets->place.port, "key", sockets->key);
    json_object_set_new(request, "connect", connect);
    bool ok = agents_start(&sockets->agents, peer, request, sockets->arena, err);
    json_decref(request);
    return ok;
}

static bool tell_places(Sockets *sockets, Greeting *greetings, Err *err)
{
    const json_t *peers = json_object_get(sockets->request, "peers");
    size_t n_ranks = (size_t)sockets->common.n_ranks;
    StreamPlace *places = arena_new_array(sockets->arena, StreamPlace, n_ranks);
    for (size_t rank = 1; rank < n_ranks; rank++) {
        places[rank] = greetings[rank].place;
        snprintf(places[rank].address, sizeof places[rank].address, "%s", address_of(json_array_get(peers, rank - 1)));
    }
    for (int rank = 1; rank < sockets->common.n_ranks; rank++)
        if (!sockets_send(&sockets->common, rank, places, n_ranks * sizeof *places, err))
            return false;
    return true;
}

static bool open_root(Sockets *sockets, Err *err)
{
    const json_t *peers = json_object_get(sockets->request, "peers");
    size_t n_peers = json_array_size(peers);
    sockets->agents.processes = arena_new_array(sockets->arena, Process *, n_peers);
    sockets->agents.hosts = arena_new_array(sockets->arena, const char *, n_peers);
    if (!make_key(sockets, err) || !start_listening(sockets, err))
        return false;
    for (size_t i = 0; i < n_peers; i++)
        if (!start_peer(sockets, (int)i + 1, json_array_get(peers, i), err))
            return false;
    Greeting *greetings = arena_new_array(sockets->arena, Greeting, n_peers + 1);
    return accept_ranks(sockets, greetings, err) && (!sockets->is_mesh || tell_places(sockets, greetings, err));
}

/* ---- the other ranks ------------------------------------------------------------------------- */

static bool connect_mesh(Sockets *sockets, Err *err)
{
    size_t n_ranks = (size_t)sockets->common.n_ranks;
    StreamPlace *places = arena_new_array(sockets->arena, StreamPlace, n_ranks);
    Greeting *greetings = arena_new_array(sockets->arena, Greeting, n_ranks);
    if (!sockets_receive(&sockets->common, 0, places, n_ranks * sizeof *places, err))
        return false;
    for (int rank = 1; rank < sockets->common.rank; rank++)
        if (!connect_to(sockets, rank, &places[rank], err))
            return false;
    return accept_ranks(sockets, greetings, err);
}

static bool open_peer(Sockets *sockets, const json_t *connect, Err *err)
{
    const JsonPlace place = json_place("the request", "connect");
    const char *address, *key;
    uint64_t rank, port;
    if (!json_get_uint(connect, "rank", &place, (uint64_t)sockets->common.n_ranks - 1, &rank, err) ||
        !json_get_uint(connect, "port", &place, UINT16_MAX, &port, err) ||
        !json_get_string(connect, "address", &place, &address, err) ||
        !json_get_string(connect, "key", &place, &key, err))
        return false;
    if (rank == 0 || strlen(key) != KEY_DIGITS)
        return err_set(err, ERR_INPUT, "the request: connect: not written by rank 0");
    StreamPlace root = {.is_unix = sockets->is_unix, .port = (uint16_t)port};
    snprintf(root.address, sizeof root.address, "%s", address);
    snprintf(root.name, sizeof root.name, "%s", address);
    sockets->common.rank = (int)rank;
    memcpy(sockets->key, key, sizeof sockets->key);
    return (!sockets->is_mesh || start_listening(sockets, err)) && connect_to(sockets, 0, &root, err) &&
           (!sockets->is_mesh || connect_mesh(sockets, err));
}

/* ---- both ------------------------------------------------------------------------------------ */

static const char *system_version(Arena *arena)
{
    struct utsname system;
    if (uname(&system) != 0)
        return "";
    return arena_printf(arena, "%s %.*s", system.sysname, (int)strspn(system.release, "0123456789."), system.release);
}

static const TransportKind unix_transport;

static bool open_sockets(const TransportKind *kind, const json_t *request, Arena *arena, Transport **transport,
                         Err *err)
{
    Sockets *sockets = arena_new_array(arena, Sockets, 1);
    const json_t *connect = json_object_get(request, "connect");
    const char *pairs = json_string_value(json_object_get(request, "pairs"));
    int n_ranks = (int)json_array_size(json_object_get(request, "peers")) + 1;
    if (n_ranks < 2)
        return err_set(err, ERR_INPUT, "the request: peers: none");
    *sockets = (Sockets){.request = request, .arena = arena, .is_unix = kind == &unix_transport, .listening = -1};
    sockets->common = (Transport){.kind = kind, .n_ranks = n_ranks, .library = system_version(arena)};
    sockets->is_mesh = n_ranks > 2 && pairs && strcmp(pairs, "all") == 0;
    sockets->streams = arena_new_array(arena, int, (size_t)n_ranks);
    memset(sockets->streams, -1, (size_t)n_ranks * sizeof *sockets->streams);
    if (connect ? open_peer(sockets, connect, err) : open_root(sockets, err)) {
        *transport = &sockets->common;
        return true;
    }
    sockets_close(&sockets->common);
    return false;
}

static const TransportKind tcp_transport;

static bool open_tcp(const json_t *request, Arena *arena, Transport **transport, Err *err)
{
    return open_sockets(&tcp_transport, request, arena, transport, err);
}

static bool open_unix(const json_t *request, Arena *arena, Transport **transport, Err *err)
{
    return open_sockets(&unix_transport, request, arena, transport, err);
}

/* Streams have no empty messages, so least_bytes is 1. */
#define STREAMS(name_, open_)                                                                                          \
    {                                                                                                                  \
        .name = (name_), .open = (open_), .send = sockets_send, .receive = sockets_receive, .least_bytes = 1,          \
        .close = sockets_close                                                                                         \
    }

static const TransportKind tcp_transport = STREAMS("tcp", open_tcp), unix_transport = STREAMS("unix", open_unix);

int main(int argc, char **argv)
{
    return harness_main(argc, argv,
                        (const TransportKind *const[]){&tcp_transport, &unix_transport, &icmp_transport, NULL});
}
