/* SPDX-License-Identifier: BSD-3-Clause */
/* See workers.h. Each middleware has its own way to choose the transport and the hosts. */
#include "comm/workers.h"

#include "base/libraries.h"
#include "base/text.h"
#include "comm/network.h"
#include "comm/protocol.h"
#include "comm/word.h"
#include "trace/launch/pvm_machine.h"
#include "trace/mpi_launcher.h"
#include <assert.h>
#include <jansson.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

enum { LEAST_SAMPLES = 10, MOST_SAMPLES = 20000, WARMUP = 3 };

typedef VEC(const char *) Words;

struct Workers {
    const CommRequest *request;
    Arena *arena;
    MpiLauncher launchers[MPI_FLAVOUR_MPICH + 1]; /* .key is NULL before the first search */
    PvmMachine *pvm;
    const char **numbers; /* of hosts: their addresses as numbers; NULL: not known */
    Err pvm_error;        /* why PVM could not be started; firma doesn't try again */
};

Workers *workers_new(const CommRequest *request, Arena *arena)
{
    Workers *workers = arena_alloc(arena, sizeof *workers);
    workers->request = request;
    workers->arena = arena;
    workers->numbers = arena_new_array(arena, const char *, request->hosts.n);
    for (uint32_t i = 0; request->hosts.agent && i < request->hosts.n; i++)
        workers->numbers[i] = network_number(request->hosts.items[i].address, arena);
    return workers;
}

void workers_stop(Workers *workers)
{
    if (workers->pvm)
        pvm_machine_stop(workers->pvm);
    workers->pvm = NULL;
}

static void add(Words *words, const char *word)
{
    *vec_push(words) = word;
}

static void add_all(Words *words, const char *const *more)
{
    for (; more && *more; more++)
        add(words, *more);
}

static size_t count_words(const char *const *words)
{
    size_t n = 0;
    while (words[n])
        n++;
    return n;
}

#define ADD(words, ...) add_all(words, (const char *const[]){__VA_ARGS__, NULL})

/* ---- requests ---- */

static json_t *strings(const char *const *items)
{
    json_t *list = json_array();
    for (; *items; items++)
        json_array_append_new(list, json_string(*items));
    return list;
}

static json_t *sizes_of(const CommRequest *request, const CommWay *way, const PlannedLaunch *launch)
{
    bool is_collective = comm_is_collective(launch->operations[0]);
    const uint64_t *sizes = is_collective ? request->collective_sizes : request->sizes;
    uint32_t n = is_collective ? request->n_collective_sizes : request->n_sizes;
    json_t *list = json_array();
    for (uint32_t i = 0; i < n; i++)
        if (plan_has_size(way, sizes[i]))
            json_array_append_new(list, json_integer((json_int_t)sizes[i]));
    return list;
}

static const Host *host_of(const CommRequest *request, const PlannedLaunch *launch, uint32_t rank)
{
    return &request->hosts.items[plan_host(launch, rank)];
}

/* A CPU for each rank; COMM_CPU_ANY for all ranks of a host with fewer CPUs than processes. */
static json_t *cpus_of(const CommRequest *request, const PlannedLaunch *launch)
{
    json_t *list = json_array();
    for (uint32_t rank = 0; rank < launch->n_ranks; rank++) {
        const Host *host = host_of(request, launch, rank);
        uint32_t place, n_beside = plan_beside(launch, rank, &place);
        if (launch->pair) {
            json_array_append_new(list, json_integer(launch->pair->cpus[rank]));
            continue;
        }
        bool is_enough = host->n_cpus >= n_beside;
        json_array_append_new(list, json_integer(is_enough ? host->cpus[place] : COMM_CPU_ANY));
    }
    return list;
}

static bool is_here(const Host *host)
{
    char name[HOST_NAME_MAX + 1] = "";
    gethostname(name, HOST_NAME_MAX);
    return strcmp(host->name, name) == 0 || strcmp(host->name, "localhost") == 0;
}

/* Adds the words that execute the following words on the host; none if it is this host. */
static void add_agent(Words *words, const CommRequest *request, const Host *host)
{
    if (!request->hosts.agent || is_here(host))
        return;
    add_all(words, request->hosts.agent);
    add(words, host->name);
}

static json_t *peers_of(const CommRequest *request, const PlannedLaunch *launch)
{
    json_t *list = json_array();
    bool is_elsewhere = launch->place == PLACE_SPREAD, is_alone = launch->n_ranks == 1;
    for (uint32_t rank = 1; rank < (is_alone ? 2 : launch->n_ranks); rank++) {
        const Host *host = host_of(request, launch, rank);
        json_t *words = is_elsewhere && request->hosts.agent ? strings(request->hosts.agent) : json_array();
        if (json_array_size(words))
            json_array_append_new(words, json_string(host->name));
        json_array_append_new(list, json_pack("{s:s, s:s, s:o}", "host", is_alone || is_elsewhere ? host->name : "",
                                              "address", is_alone || is_elsewhere ? host->address : "127.0.0.1",
                                              "start", words));
    }
    return list;
}

static json_t *addresses_of(const Workers *workers)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < workers->request->hosts.n; i++)
        if (workers->numbers[i])
            json_array_append_new(list, json_string(workers->numbers[i]));
    return list;
}

static const char *request_text(const Workers *workers, const CommWay *way, const PlannedLaunch *launch, double seconds,
                                bool is_mpi)
{
    const CommRequest *request = workers->request;
    json_t *root = json_pack(
        "{s:s, s:s, s:o, s:o, s:s, s:f, s:f, s:i, s:i, s:i, s:o, s:s, s:I, s:b, s:o}", "transport",
        is_mpi ? "mpi" : way->names.transport, "packing", way->names.packing, "operations", strings(launch->operations),
        "sizes", sizes_of(request, way, launch), "pairs", request->all_pairs ? "all" : "root", "seconds", seconds,
        "target", request->target, "least", LEAST_SAMPLES, "most", MOST_SAMPLES, "warmup", WARMUP, "cpus",
        cpus_of(request, launch), "method", request->method, "rotate_bytes", (json_int_t)request->rotate_bytes, "touch",
        !request->untouched, "peers", peers_of(request, launch));
    if (launch->place == PLACE_SPREAD)
        json_object_set_new(root, "addresses", addresses_of(workers));
    json_object_set_new(root, "bind", json_boolean(strcmp(way->names.transport, COMM_DEFAULT) != 0));
    const char *packed = word_pack(root, workers->arena);
    json_decref(root);
    return packed;
}

/* ---- command lines ---- */

typedef struct WorkerKind WorkerKind;

typedef struct Building {
    Workers *workers;
    const WorkerKind *kind;
    const CommWay *way;
    const PlannedLaunch *launch;
    const char *worker;
    Words words; /* the command line so far */
} Building;

/* How to start a middleware's workers. */
struct WorkerKind {
    const char *worker, *packages; /* part of firma-comm-…; Debian packages needed to build it */
    MpiFlavour flavour;
    /* Finds the worker, and adds the words before it. */
    bool (*begin)(Building *building, Err *err);
    void (*add_transport)(Building *building); /* of an MPI launcher */
};

static bool find_worker(Building *building, Err *err)
{
    const WorkerKind *kind = building->kind;
    Arena *arena = building->workers->arena;
    building->worker = libraries_find_program(arena_printf(arena, "firma-comm-%s", kind->worker), "comm/worker", arena);
    return building->worker ||
           err_set(err, ERR_ENVIRONMENT, "firma was built without its worker, firma-comm-%s", kind->worker) ||
           err_hint(err, "install its packages (on Debian: apt-get install %s), and build firma again", kind->packages);
}

/* The ranks' hosts: "hosta:2,hostb:2", for Open MPI always with numbers of ranks. */
static const char *host_list(const Building *building, bool always_counts)
{
    const CommRequest *request = building->workers->request;
    const PlannedLaunch *launch = building->launch;
    Text text = {0};
    for (uint32_t rank = 0; rank < launch->n_ranks;) {
        uint32_t n = plan_beside(launch, rank, NULL);
        text_add(&text, "%s%s", rank ? "," : "", host_of(request, launch, rank)->name);
        if (always_counts || n > 1)
            text_add(&text, ":%u", n);
        rank += n;
    }
    return text_take(&text, building->workers->arena);
}

/* What the library chooses by itself isn't changed in any way. */
static bool is_default(const CommWay *way)
{
    return strcmp(way->names.transport, COMM_DEFAULT) == 0;
}

static void add_openmpi(Building *building)
{
    Words *words = &building->words;
    const CommRequest *request = building->workers->request;
    bool is_shared = building->way->medium == MEDIUM_MEMORY;
    /* Open MPI 5 renamed `vader` to `sm`. */
    bool is_old = strstr(building->workers->launchers[MPI_FLAVOUR_OPENMPI].version, " 4.") != NULL;
    ADD(words, "--bind-to", "none");
    /* Kill processes at once when the launcher is told to end; the default waits a second. */
    ADD(words, "--mca", "odls_base_sigkill_timeout", "0");
    ADD(words, "-x", "UCX_LOG_LEVEL=info"); /* UCX then says which of its transports it chooses */
    if (!is_default(building->way)) {
        ADD(words, "--mca", "pml", "ob1");
        ADD(words, "--mca", "btl", !is_shared ? "tcp,self" : is_old ? "vader,self" : "sm,self");
        /* The other components share memory within a host. Open MPI 5 has no such one. */
        if (!is_shared && is_old)
            ADD(words, "--mca", "osc", "pt2pt");
    }
    if (request->hosts.agent) {
        ADD(words, "--host", host_list(building, true));
        Network network;
        const char *const *numbers = building->workers->numbers;
        if (!is_default(building->way) && network_find(numbers, 1, &network) &&
            network_holds(&network, numbers, request->hosts.n))
            ADD(words, "--mca", "oob_tcp_if_include", arena_strdup(building->workers->arena, network.subnet));
        ADD(words, "--mca", "plm_rsh_agent",
            arena_join(building->workers->arena, request->hosts.agent, count_words(request->hosts.agent)));
    }
}

static bool check_agent(const char *const *agent, Err *err)
{
    return !agent || count_words(agent) == 1 ||
           err_set(err, ERR_ENVIRONMENT, "MPICH's launcher accepts only an agent of a single word") ||
           err_hint(err, "put `%s …` into an executable script, and name the script with --agent", agent[0]);
}

static void add_mpich(Building *building)
{
    Words *words = &building->words;
    const CommRequest *request = building->workers->request;
    bool is_shared = building->way->medium == MEDIUM_MEMORY;
    ADD(words, "-genv", "UCX_LOG_LEVEL", "info"); /* UCX then says which of its transports it chooses */
    /* The network layer is UCX or libfabric, depending on how MPICH was built. */
    if (!is_default(building->way))
        ADD(words, "-genv", "UCX_TLS", is_shared ? "posix,self" : "tcp,self");
    if (!is_shared && !is_default(building->way)) {
        ADD(words, "-genv", "FI_PROVIDER", "tcp");
        ADD(words, "-genv", "MPIR_CVAR_NOLOCAL", "1");
    }
    if (request->hosts.agent) {
        ADD(words, "-launcher", "rsh");
        ADD(words, "-launcher-exec", request->hosts.agent[0]);
        ADD(words, "-hosts", host_list(building, false));
    }
}

static bool begin_mpi(Building *building, Err *err)
{
    Arena *arena = building->workers->arena;
    MpiFlavour flavour = building->kind->flavour;
    MpiLauncher *launcher = &building->workers->launchers[flavour];
    if (flavour == MPI_FLAVOUR_MPICH && !check_agent(building->workers->request->hosts.agent, err))
        return false;
    if (!launcher->key)
        *launcher = mpi_launcher_find(flavour, arena);
    if (!launcher->command)
        return err_set(err, ERR_ENVIRONMENT, "its launcher isn't on PATH") ||
               err_hint(err, "install it (on Debian: apt-get install %s)", launcher->package);
    if (!find_worker(building, err))
        return false;
    add(&building->words, launcher->command);
    add_all(&building->words, launcher->first_options);
    ADD(&building->words, "-n", arena_printf(arena, "%u", building->launch->n_ranks));
    building->kind->add_transport(building);
    return true;
}

static bool begin_os(Building *building, Err *err)
{
    if (!find_worker(building, err))
        return false;
    add_agent(&building->words, building->workers->request, host_of(building->workers->request, building->launch, 0));
    return true;
}

/* A host's address for PVM, which knows IPv4 alone; NULL if the host has no other address than that of its name. */
static const char *pvm_address(const Workers *workers, uint32_t host)
{
    const Host *named = &workers->request->hosts.items[host];
    const char *number = workers->numbers[host];
    return number && !strchr(number, ':') && strcmp(named->name, named->address) != 0 ? number : NULL;
}

static PvmMachinePlan pvm_plan(const Workers *workers, Arena *arena)
{
    const CommRequest *request = workers->request;
    const Hosts *hosts = &request->hosts;
    const char **names = arena_new_array(arena, const char *, hosts->n),
               **addresses = arena_new_array(arena, const char *, hosts->n);
    for (uint32_t i = 1; i < hosts->n; i++) {
        names[i - 1] = hosts->items[i].name;
        addresses[i - 1] = pvm_address(workers, i);
    }
    return (PvmMachinePlan){.hosts = names,
                            .addresses = addresses,
                            .own_address = hosts->n > 1 ? pvm_address(workers, 0) : NULL,
                            .n_hosts = hosts->n - 1,
                            .agent = hosts->agent ? arena_join(arena, hosts->agent, count_words(hosts->agent)) : NULL};
}

static bool begin_pvm(Building *building, Err *err)
{
    Workers *workers = building->workers;
    if (!find_worker(building, err))
        return false;
    const Host *root = host_of(workers->request, building->launch, 0);
    if (workers->request->hosts.agent && !is_here(root)) {
        err_set(err, ERR_ENVIRONMENT, "PVM's first task must start on %s, and firma runs on another host", root->name);
        return err_hint(err, "start firma on %s", root->name);
    }
    if (!workers->pvm && !workers->pvm_error.kind) {
        const PvmMachinePlan plan = pvm_plan(workers, workers->arena);
        pvm_machine_start(&plan, workers->arena, &workers->pvm, &workers->pvm_error);
    }
    if (!workers->pvm) {
        *err = workers->pvm_error;
        return false;
    }
    add(&building->words, "env");
    add_all(&building->words, pvm_machine_environment(workers->pvm));
    return true;
}

static const WorkerKind kinds[MIDDLEWARES] = {
    [MIDDLEWARE_OS] = {"sockets", "gcc", MPI_FLAVOUR_NONE, begin_os, NULL},
    [MIDDLEWARE_OPENMPI] = {"openmpi", "openmpi-bin libopenmpi-dev", MPI_FLAVOUR_OPENMPI, begin_mpi, add_openmpi},
    [MIDDLEWARE_MPICH] = {"mpich", "mpich libmpich-dev", MPI_FLAVOUR_MPICH, begin_mpi, add_mpich},
    [MIDDLEWARE_PVM] = {"pvm", "pvm-dev", MPI_FLAVOUR_NONE, begin_pvm, NULL},
};

bool workers_command(Workers *workers, const CommPlan *plan, const PlannedLaunch *launch, double seconds,
                     const char *const **command, Err *err)
{
    const CommWay *way = plan->ways[launch->configuration];
    Middleware middleware = MIDDLEWARE_OS;
    while (!comm_configuration_is_of(&way->names, middleware)) {
        middleware++;
        assert(middleware < MIDDLEWARES);
    }
    Building building = {workers, &kinds[middleware], way, launch, NULL, {0}};
    bool ok = building.kind->begin(&building, err);
    if (ok) {
        bool is_mpi = comm_middlewares[middleware].is_mpi;
        add(&building.words, building.worker);
        add(&building.words, request_text(workers, way, launch, seconds, is_mpi));
        add(&building.words, NULL);
        *command = vec_copy(&building.words, workers->arena);
    }
    vec_free(&building.words);
    return ok;
}
