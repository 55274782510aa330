/* SPDX-License-Identifier: BSD-3-Clause */
/* See plan.h. The table of all configurations, and the launches of a round. */
#include "comm/plan.h"

#include "base/vec.h"
#include "base/words.h"
#include "comm/protocol.h"
#include <stdio.h>
#include <string.h>

/* Point-to-point messages get more time: they have many sizes, and other models build on theirs. */
static const double POINT_WEIGHT = 4, PAIRS_WEIGHT = 4, COLLECTIVE_WEIGHT = 0.5;

static const char *const operation_names[] = {COMM_OPERATIONS, NULL};

/* Between two processes, NULL-terminated. */
static const char *const pingpong_alone[] = {"pingpong", NULL};
static const char *const pairs_alone[] = {"pairs", NULL};
static const char *const mpi_exchanges[] = {"pingpong", "stream", "bidirectional", "put", "get", NULL};

/* Operations besides ping-pong, NULL-terminated. */
static const char *const mpi_collectives[] = {
    "barrier",  "broadcast", "gather",     "scatter",    "allgather",  "reduce",    "allreduce",
    "alltoall", "gatherv",   "scatterv",   "allgatherv", "alltoallv",  "ibarrier",  "ibroadcast",
    "igather",  "iscatter",  "iallgather", "ireduce",    "iallreduce", "ialltoall", NULL};
/* They would take time from the others, so they are measured only if `operations` names them. */
static const char *const only_named[] = {"put",        "get",       "pairs",      "stream",     "bidirectional",
                                         "gatherv",    "scatterv",  "allgatherv", "alltoallv",  "ibarrier",
                                         "ibroadcast", "igather",   "iscatter",   "iallgather", "ireduce",
                                         "iallreduce", "ialltoall", NULL};
/* PVM's gather and scatter always pack by XDR. PVM has no other collectives. */
static const char *const pvm_xdr_collectives[] = {"barrier", "broadcast", "multicast", "gather", "scatter", NULL};
static const char *const pvm_collectives[] = {"barrier", "broadcast", "multicast", NULL};

enum { ICMP_BYTES_MOST = 65507 };

/* The operating system's configurations come first: the others are compared with them. */
static const CommWay known[] = {
    {{"os", "unix", "", ""}, false, true, MEDIUM_MEMORY, pingpong_alone, false, NULL, false, 0, 1},
    {{"os", "tcp", "", ""}, true, true, MEDIUM_NETWORK, pingpong_alone, false, NULL, false, 0, 1},
    {{"os", "icmp", "", ""}, true, true, MEDIUM_ANY, pingpong_alone, false, NULL, true, ICMP_BYTES_MOST, 0},
    {{"openmpi", COMM_DEFAULT, "", ""}, true, true, MEDIUM_ANY, mpi_exchanges, true, mpi_collectives, false, 0, 0},
    {{"openmpi", "shm", "", ""}, false, true, MEDIUM_MEMORY, mpi_exchanges, true, mpi_collectives, false, 0, 0},
    {{"openmpi", "tcp", "", ""}, true, true, MEDIUM_NETWORK, mpi_exchanges, true, mpi_collectives, false, 0, 0},
    {{"mpich", COMM_DEFAULT, "", ""}, true, true, MEDIUM_ANY, mpi_exchanges, true, mpi_collectives, false, 0, 0},
    {{"mpich", "shm", "", ""}, false, true, MEDIUM_MEMORY, mpi_exchanges, true, mpi_collectives, false, 0, 0},
    {{"mpich", "tcp", "", ""}, true, true, MEDIUM_NETWORK, mpi_exchanges, true, mpi_collectives, false, 0, 0},
    {{"pvm", "direct", "xdr", ""}, true, true, MEDIUM_ANY, pingpong_alone, false, pvm_xdr_collectives, false, 0, 0},
    {{"pvm", "direct", "raw", ""}, true, true, MEDIUM_ANY, pingpong_alone, false, pvm_collectives, false, 0, 0},
    {{"pvm", "direct", "inplace", ""}, true, true, MEDIUM_ANY, pingpong_alone, false, pvm_collectives, false, 0, 0},
    {{"pvm", "daemon", "xdr", ""}, true, true, MEDIUM_ANY, pingpong_alone, false, pvm_xdr_collectives, false, 0, 0},
    {{"pvm", "daemon", "raw", ""}, true, true, MEDIUM_ANY, pingpong_alone, false, pvm_collectives, false, 0, 0},
    {{"pvm", "daemon", "inplace", ""}, true, true, MEDIUM_ANY, pingpong_alone, false, pvm_collectives, false, 0, 0},
};
enum { N_KNOWN = sizeof known / sizeof *known };

/* "openmpi:tcp" selects configurations whose names begin with these words. */
static bool is_selected_by(const char *selection, const CommConfiguration *configuration)
{
    const char *const words[] = {configuration->middleware, configuration->transport, configuration->packing};
    const char *rest = selection;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t length = strcspn(rest, ":");
        if (strlen(words[i]) != length || strncmp(rest, words[i], length) != 0)
            return false;
        if (!rest[length])
            return true;
        rest += length + 1;
    }
    return false;
}

static bool is_selected(const CommRequest *request, const CommConfiguration *configuration)
{
    if (!request->only)
        return true;
    for (const char *const *selection = request->only; *selection; selection++)
        if (is_selected_by(*selection, configuration))
            return true;
    return false;
}

static bool contains(const char *const *names, const char *name)
{
    while (*names && strcmp(*names, name) != 0)
        names++;
    return *names != NULL;
}

static bool is_wanted(const CommRequest *request, const char *operation)
{
    return request->operations
               ? contains(request->operations, operation) || contains(request->operations, PLAN_ALL_OPERATIONS)
               : !contains(only_named, operation);
}

bool plan_has_size(const CommWay *way, uint64_t bytes)
{
    return bytes >= way->least_bytes && (!way->most_bytes || bytes <= way->most_bytes);
}

static bool has_any_size(const CommRequest *request, const CommWay *way)
{
    for (uint32_t i = 0; i < request->n_sizes; i++)
        if (plan_has_size(way, request->sizes[i]))
            return true;
    return false;
}

bool plan_selects_collectives(const CommRequest *request)
{
    for (size_t i = 0; i < N_KNOWN; i++) {
        if (!is_selected(request, &known[i].names))
            continue;
        if (known[i].has_pairs && is_wanted(request, pairs_alone[0]))
            return true;
        for (const char *const *operation = known[i].collectives; operation && *operation; operation++)
            if (is_wanted(request, *operation))
                return true;
    }
    return false;
}

/* How many words, from the left, the configuration has in common with the one before. */
static size_t common_words(const CommConfiguration *configuration, const CommConfiguration *before)
{
    if (strcmp(configuration->middleware, before->middleware) != 0)
        return 0;
    return strcmp(configuration->transport, before->transport) == 0 ? 2 : 1;
}

const char *plan_selection_name(size_t index)
{
    static char texts[3 * N_KNOWN][32];
    size_t at = 0;
    for (size_t i = 0; i < N_KNOWN; i++) {
        const CommConfiguration *names = &known[i].names;
        size_t n_words = *names->packing ? 3 : 2;
        for (size_t n = i ? common_words(names, &known[i - 1].names) + 1 : 1; n <= n_words; n++, at++) {
            if (at < index)
                continue;
            snprintf(texts[index], sizeof texts[index], "%s%s%s%s%s", names->middleware, n > 1 ? ":" : "",
                     n > 1 ? names->transport : "", n > 2 ? ":" : "", n > 2 ? names->packing : "");
            return texts[index];
        }
    }
    return NULL;
}

static bool is_selection(const char *name)
{
    const char *known_name;
    for (size_t i = 0; (known_name = plan_selection_name(i)); i++)
        if (strcmp(known_name, name) == 0)
            return true;
    return false;
}

static bool check_names(const CommRequest *request, Err *err)
{
    for (const char *const *selection = request->only; selection && *selection; selection++)
        if (!is_selection(*selection))
            return err_set(err, ERR_USAGE, "no configuration is called `%s`", *selection);
    for (const char *const *operation = request->operations; operation && *operation; operation++)
        if (strcmp(*operation, PLAN_ALL_OPERATIONS) != 0 && !contains(operation_names, *operation))
            return err_set(err, ERR_USAGE, "no operation is called `%s`", *operation);
    return true;
}

typedef VEC(PlannedLaunch) LaunchList;

/* Those of the NULL-terminated names that are wanted; sets their number. */
static const char *const *wanted_among(const CommRequest *request, const char *const *names, Arena *arena, size_t *n)
{
    const char **wanted = arena_new_array(arena, const char *, sizeof operation_names / sizeof *operation_names);
    *n = 0;
    for (; names && *names; names++)
        if (is_wanted(request, *names))
            wanted[(*n)++] = *names;
    return wanted;
}

/* Ping-pongs and the other exchanges of a configuration share launches. */
static void add_exchanges(const CommRequest *request, const CommWay *way, uint32_t configuration, Arena *arena,
                          LaunchList *list)
{
    size_t n;
    const char *const *wanted = wanted_among(request, way->exchanges, arena, &n);
    const double weight = POINT_WEIGHT * (double)n;
    if (n == 0 || !has_any_size(request, way))
        return;
    const Host *root = &request->hosts.items[0];
    uint32_t n_pairs = way->is_alone || !root->n_pairs ? 1 : root->n_pairs;
    for (uint32_t i = 0; way->stays_local && i < n_pairs; i++)
        *vec_push(list) = (PlannedLaunch){configuration,
                                          PLACE_LOCAL,
                                          way->is_alone ? 1 : 2,
                                          wanted,
                                          weight,
                                          NULL,
                                          n_pairs > 1 ? &root->pairs[i] : NULL};
    /* With all pairs, also within each other host. PVM's first task runs on the root. */
    const bool is_everywhere = request->all_pairs && way->stays_local && !way->is_alone &&
                               !comm_configuration_is_of(&way->names, MIDDLEWARE_PVM);
    for (uint32_t i = 1; is_everywhere && i < request->hosts.n; i++) {
        uint32_t *hosts = arena_new_array(arena, uint32_t, 2);
        hosts[0] = hosts[1] = i;
        *vec_push(list) = (PlannedLaunch){configuration, PLACE_LOCAL, 2, wanted, weight, hosts, NULL};
    }
    if (request->hosts.n > 1 && way->crosses_hosts) {
        double pairs = request->all_pairs ? request->hosts.n * (request->hosts.n - 1) / 2.0 : request->hosts.n - 1;
        *vec_push(list) =
            (PlannedLaunch){configuration, PLACE_SPREAD, request->hosts.n, wanted, weight * pairs, NULL, NULL};
    }
}

/* The hosts of n ranks, in order: each host has as many as the next one, or one more, as far as their slots allow. */
static const uint32_t *fill_slots(const Hosts *hosts, uint32_t n, Arena *arena)
{
    uint32_t *counts = arena_new_array(arena, uint32_t, hosts->n), *places = arena_new_array(arena, uint32_t, n);
    for (uint32_t placed = 0, i = 0; placed < n; i = (i + 1) % hosts->n)
        if (counts[i] < hosts->items[i].n_slots) {
            counts[i]++;
            placed++;
        }
    for (uint32_t i = 0, rank = 0; i < hosts->n; i++)
        for (uint32_t k = 0; k < counts[i]; k++)
            places[rank++] = i;
    return places;
}

static void add_collectives(const CommRequest *request, const CommWay *way, uint32_t configuration, Arena *arena,
                            LaunchList *list)
{
    size_t n;
    const char *const *wanted = wanted_among(request, way->collectives, arena, &n);
    const Hosts *hosts = &request->hosts;
    bool spread = hosts->n > 1;
    if (n == 0 || (spread ? !way->crosses_hosts : !way->stays_local))
        return;
    for (uint32_t i = 0; i < request->n_ranks; i++)
        if (!spread || request->ranks[i] <= hosts_slots(hosts))
            *vec_push(list) = (PlannedLaunch){
                configuration,
                spread ? PLACE_SPREAD : PLACE_LOCAL,
                request->ranks[i],
                wanted,
                COLLECTIVE_WEIGHT * (double)n,
                spread && request->ranks[i] > hosts->n ? fill_slots(hosts, request->ranks[i], arena) : NULL,
                NULL};
}

static void add_pairs_between(const CommRequest *request, uint32_t one, uint32_t other, uint32_t configuration,
                              Arena *arena, LaunchList *list)
{
    for (uint32_t i = 0; i < request->n_ranks; i++) {
        uint32_t n = request->ranks[i];
        if (n % 2 || n / 2 > request->hosts.items[one].n_slots || n / 2 > request->hosts.items[other].n_slots)
            continue;
        uint32_t *hosts = arena_new_array(arena, uint32_t, n);
        for (uint32_t rank = 0; rank < n; rank++)
            hosts[rank] = rank < n / 2 ? one : other;
        *vec_push(list) = (PlannedLaunch){configuration, PLACE_SPREAD, n, pairs_alone, PAIRS_WEIGHT, hosts, NULL};
    }
}

/* Within a host, or between each two: half of the processes on either. */
static void add_pairs(const CommRequest *request, const CommWay *way, uint32_t configuration, Arena *arena,
                      LaunchList *list)
{
    const uint32_t n_hosts = request->hosts.n;
    if (!way->has_pairs || !is_wanted(request, pairs_alone[0]) || !has_any_size(request, way))
        return;
    for (uint32_t i = 0; n_hosts == 1 && i < request->n_ranks; i++)
        if (request->ranks[i] % 2 == 0)
            *vec_push(list) =
                (PlannedLaunch){configuration, PLACE_LOCAL, request->ranks[i], pairs_alone, PAIRS_WEIGHT, NULL, NULL};
    for (uint32_t one = 0; way->crosses_hosts && one < (request->all_pairs ? n_hosts : 1); one++)
        for (uint32_t other = one + 1; other < n_hosts; other++)
            add_pairs_between(request, one, other, configuration, arena, list);
}

uint32_t plan_host(const PlannedLaunch *launch, uint32_t rank)
{
    return launch->hosts ? launch->hosts[rank] : launch->place == PLACE_SPREAD ? rank : 0;
}

uint32_t plan_beside(const PlannedLaunch *launch, uint32_t rank, uint32_t *before)
{
    const uint32_t host = plan_host(launch, rank);
    uint32_t n = 0;
    for (uint32_t other = 0; other < launch->n_ranks; other++) {
        if (other == rank && before)
            *before = n;
        n += plan_host(launch, other) == host;
    }
    return n;
}

bool plan_is_splittable(const PlannedLaunch *launch)
{
    return launch->place == PLACE_SPREAD && launch->n_ranks > 2 && comm_is_exchange(launch->operations[0]);
}

uint32_t plan_split(const CommRequest *request, const PlannedLaunch *launch, PlannedLaunch *launches, Arena *arena)
{
    uint32_t n = 0;
    for (uint32_t from = 0; from < (request->all_pairs ? launch->n_ranks : 1); from++)
        for (uint32_t to = from + 1; to < launch->n_ranks; to++, n++) {
            if (!launches)
                continue;
            uint32_t *hosts = arena_new_array(arena, uint32_t, 2);
            hosts[0] = plan_host(launch, from);
            hosts[1] = plan_host(launch, to);
            launches[n] = *launch;
            launches[n].n_ranks = 2;
            launches[n].hosts = hosts;
            launches[n].weight = POINT_WEIGHT * (double)words_count(launch->operations);
        }
    return n;
}

bool plan_make(const CommRequest *request, Arena *arena, CommPlan *plan, Err *err)
{
    if (!check_names(request, err))
        return false;
    CommConfiguration *configurations = arena_new_array(arena, CommConfiguration, N_KNOWN);
    const CommWay **ways = arena_new_array(arena, const CommWay *, N_KNOWN);
    LaunchList list = {0};
    uint32_t n = 0;
    for (int i = 0; i < N_KNOWN; i++) {
        size_t before = list.count;
        if (!is_selected(request, &known[i].names))
            continue;
        add_exchanges(request, &known[i], n, arena, &list);
        add_pairs(request, &known[i], n, arena, &list);
        add_collectives(request, &known[i], n, arena, &list);
        if (list.count > before) {
            ways[n] = &known[i];
            configurations[n++] = known[i].names;
        }
    }
    *plan = (CommPlan){n, (uint32_t)list.count, configurations, ways, vec_copy(&list, arena)};
    vec_free(&list);
    return plan->n_launches > 0 ||
           err_set(err, ERR_USAGE, "none of the chosen configurations has any of the chosen operations on these hosts");
}
