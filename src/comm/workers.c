/* SPDX-License-Identifier: BSD-3-Clause */
/* See workers.h. How each middleware is told which transport to use, and where its processes shall run. */
#include "comm/workers.h"

#include "base/libraries.h"
#include "base/text.h"
#include "comm/protocol.h"
#include "comm/pvm_machine.h"
#include "comm/word.h"
#include "trace/mpi_launcher.h"
#include <jansson.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LEAST_SAMPLES = 10, MOST_SAMPLES = 20000, WARMUP = 3, ICMP_BYTES_MOST = 65507 };

typedef VEC(const char *) Words;

struct Workers {
    const CommRequest *request;
    Arena *arena;
    MpiLauncher openmpi, mpich; /* .key NULL: not looked for yet */
    PvmMachine *pvm;
    Err pvm_error; /* why it could not be started; it isn't tried again */
};

Workers *workers_new(const CommRequest *request, Arena *arena)
{
    Workers *workers = arena_alloc(arena, sizeof *workers);
    workers->request = request;
    workers->arena = arena;
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

static void add_options(Words *words, const char *first, const char *second, const char *third)
{
    add(words, first);
    add(words, second);
    if (third)
        add(words, third);
}

/* ---- requests ---- */

static json_t *strings(const char *const *items)
{
    json_t *list = json_array();
    for (; *items; items++)
        json_array_append_new(list, json_string(*items));
    return list;
}

/* ICMP has none that are larger. */
static json_t *sizes_of(const CommRequest *request, const CommConfiguration *names, const PlannedLaunch *launch)
{
    uint64_t most = strcmp(names->transport, "icmp") == 0 ? ICMP_BYTES_MOST : UINT64_MAX;
    bool is_pingpong = strcmp(launch->operations[0], "pingpong") == 0;
    const uint64_t *sizes = is_pingpong ? request->sizes : request->collective_sizes;
    uint32_t n = is_pingpong ? request->n_sizes : request->n_collective_sizes;
    json_t *list = json_array();
    for (uint32_t i = 0; i < n && sizes[i] <= most; i++)
        json_array_append_new(list, json_integer((json_int_t)sizes[i]));
    return list;
}

static const Host *host_of(const CommRequest *request, const PlannedLaunch *launch, uint32_t rank)
{
    return &request->hosts.items[launch->place == PLACE_SPREAD ? rank : 0];
}

/* A processor for each rank; none where there are fewer than processes on the host. */
static json_t *cpus_of(const CommRequest *request, const PlannedLaunch *launch)
{
    json_t *list = json_array();
    for (uint32_t rank = 0; rank < launch->n_ranks; rank++) {
        const Host *host = host_of(request, launch, rank);
        uint32_t place = launch->place == PLACE_LOCAL ? rank : 0;
        bool is_enough = host->n_cpus >= (launch->place == PLACE_LOCAL ? launch->n_ranks : 1);
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

/* Words that execute what follows them on the host; none if that is here. */
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
        json_array_append_new(list, json_pack("{s:s, s:s, s:o}", "host", host->name, "address",
                                              is_alone || is_elsewhere ? host->address : "127.0.0.1", "start", words));
    }
    return list;
}

static const char *request_text(const CommRequest *request, const CommConfiguration *names, const PlannedLaunch *launch,
                                double seconds, bool is_mpi, Arena *arena)
{
    json_t *root = json_pack(
        "{s:s, s:s, s:o, s:o, s:s, s:f, s:f, s:i, s:i, s:i, s:o, s:s, s:I, s:b, s:o}", "transport",
        is_mpi ? "mpi" : names->transport, "packing", names->packing, "operations", strings(launch->operations),
        "sizes", sizes_of(request, names, launch), "pairs", request->all_pairs ? "all" : "root", "seconds", seconds,
        "target", request->target, "least", LEAST_SAMPLES, "most", MOST_SAMPLES, "warmup", WARMUP, "cpus",
        cpus_of(request, launch), "method", request->method, "rotate_bytes", (json_int_t)request->rotate_bytes, "touch",
        !request->untouched, "peers", peers_of(request, launch));
    const char *packed = word_pack(root, arena);
    json_decref(root);
    return packed;
}

/* ---- command lines ---- */

typedef struct Building {
    Workers *workers;
    const CommConfiguration *names;
    const PlannedLaunch *launch;
    const char *worker;
    Words words; /* so far */
} Building;

static bool find_worker(const char *middleware, const char *packages, Arena *arena, const char **path, Err *err)
{
    *path = libraries_find_program(arena_printf(arena, "firma-comm-%s", middleware), "comm/worker", arena);
    return *path || err_set(err, ERR_ENVIRONMENT, "firma was built without it") ||
           err_hint(err, "install it (on Debian: apt-get install %s), and build firma again", packages);
}

/* Hosts of the ranks: "hosta:1,hostb:1". */
static const char *host_list(const Building *building, bool with_slots)
{
    const CommRequest *request = building->workers->request;
    const PlannedLaunch *launch = building->launch;
    bool spread = launch->place == PLACE_SPREAD;
    Text text = {0};
    for (uint32_t i = 0; i < (spread ? launch->n_ranks : 1); i++) {
        text_add(&text, "%s%s", i ? "," : "", request->hosts.items[i].name);
        if (with_slots)
            text_add(&text, ":%u", spread ? 1 : launch->n_ranks);
    }
    return text_take(&text, building->workers->arena);
}

static void add_openmpi(Building *building)
{
    const CommRequest *request = building->workers->request;
    bool is_shared = strcmp(building->names->transport, "shm") == 0;
    /* From version 5 on, what was `vader` is called `sm`. */
    bool is_old = strstr(building->workers->openmpi.version, " 4.") != NULL;
    add_options(&building->words, "--bind-to", "none", NULL);
    /* Asked to end, it shall not wait a second before it kills its processes. */
    add_options(&building->words, "--mca", "odls_base_sigkill_timeout", "0");
    add_options(&building->words, "--mca", "pml", "ob1");
    add_options(&building->words, "--mca", "btl", !is_shared ? "tcp,self" : is_old ? "vader,self" : "sm,self");
    if (request->hosts.agent) {
        add_options(&building->words, "--host", host_list(building, true), NULL);
        add_options(&building->words, "--mca", "plm_rsh_agent",
                    arena_join(building->workers->arena, request->hosts.agent, count_words(request->hosts.agent)));
    }
}

static bool check_agent(const char *const *agent, Err *err)
{
    return !agent || count_words(agent) == 1 ||
           err_set(err, ERR_ENVIRONMENT, "MPICH's launcher takes an agent of one word") ||
           err_hint(err, "put `%s …` into an executable script, and name that with --agent", agent[0]);
}

static void add_mpich(Building *building)
{
    const CommRequest *request = building->workers->request;
    bool is_shared = strcmp(building->names->transport, "shm") == 0;
    /* The network below is UCX or libfabric, as MPICH was built. */
    add_options(&building->words, "-genv", "UCX_TLS", is_shared ? "posix,self" : "tcp,self");
    if (!is_shared) {
        add_options(&building->words, "-genv", "FI_PROVIDER", "tcp");
        add_options(&building->words, "-genv", "MPIR_CVAR_NOLOCAL", "1");
    }
    if (request->hosts.agent) {
        add_options(&building->words, "-launcher", "rsh", NULL);
        add_options(&building->words, "-launcher-exec", request->hosts.agent[0], NULL);
        add_options(&building->words, "-hosts", host_list(building, false), NULL);
    }
}

static bool add_mpi(Building *building, MpiFlavour flavour, MpiLauncher *launcher, void (*add_more)(Building *),
                    Err *err)
{
    Arena *arena = building->workers->arena;
    if (!launcher->key)
        *launcher = mpi_launcher_find(flavour, arena);
    if (!launcher->command)
        return err_set(err, ERR_ENVIRONMENT, "no launcher of it is on PATH") ||
               err_hint(err, "install it (on Debian: apt-get install %s)", launcher->package);
    if (!find_worker(launcher->key, launcher->package, arena, &building->worker, err))
        return false;
    add(&building->words, launcher->command);
    add_all(&building->words, launcher->first_options);
    add_options(&building->words, "-n", arena_printf(arena, "%u", building->launch->n_ranks), NULL);
    add_more(building);
    return true;
}

static bool build_openmpi(Building *building, Err *err)
{
    return add_mpi(building, MPI_FLAVOUR_OPENMPI, &building->workers->openmpi, add_openmpi, err);
}

static bool build_mpich(Building *building, Err *err)
{
    return check_agent(building->workers->request->hosts.agent, err) &&
           add_mpi(building, MPI_FLAVOUR_MPICH, &building->workers->mpich, add_mpich, err);
}

static bool build_os(Building *building, Err *err)
{
    if (!find_worker("sockets", "gcc", building->workers->arena, &building->worker, err))
        return false;
    add_agent(&building->words, building->workers->request, &building->workers->request->hosts.items[0]);
    return true;
}

static PvmMachinePlan pvm_plan(const CommRequest *request, Arena *arena)
{
    const Hosts *hosts = &request->hosts;
    const char **names = arena_new_array(arena, const char *, hosts->n);
    for (uint32_t i = 1; i < hosts->n; i++)
        names[i - 1] = hosts->items[i].name;
    return (PvmMachinePlan){.hosts = names,
                            .n_hosts = hosts->n - 1,
                            .agent = hosts->agent ? arena_join(arena, hosts->agent, count_words(hosts->agent)) : NULL};
}

static bool build_pvm(Building *building, Err *err)
{
    Workers *workers = building->workers;
    if (!find_worker("pvm", "pvm-dev", workers->arena, &building->worker, err))
        return false;
    const Host *root = &workers->request->hosts.items[0];
    if (workers->request->hosts.agent && !is_here(root)) {
        err_set(err, ERR_ENVIRONMENT, "PVM's daemon would have to be started here, and %s is another host", root->name);
        return err_hint(err, "start firma on %s", root->name);
    }
    if (!workers->pvm && !workers->pvm_error.kind) {
        const PvmMachinePlan plan = pvm_plan(workers->request, workers->arena);
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

static bool (*const ways[MIDDLEWARES])(Building *building, Err *err) = {[MIDDLEWARE_OS] = build_os,
                                                                        [MIDDLEWARE_OPENMPI] = build_openmpi,
                                                                        [MIDDLEWARE_MPICH] = build_mpich,
                                                                        [MIDDLEWARE_PVM] = build_pvm};

bool workers_command(Workers *workers, const CommPlan *plan, const PlannedLaunch *launch, double seconds,
                     const char *const **command, Err *err)
{
    const CommConfiguration *names = &plan->configurations[launch->configuration];
    Building building = {workers, names, launch, NULL, {0}};
    Middleware middleware = MIDDLEWARE_OS;
    while (!comm_configuration_is_of(names, middleware))
        middleware++;
    bool ok = ways[middleware](&building, err);
    if (ok) {
        bool is_mpi = comm_middlewares[middleware].is_mpi;
        add(&building.words, building.worker);
        add(&building.words, request_text(workers->request, names, launch, seconds, is_mpi, workers->arena));
        add(&building.words, NULL);
        *command = vec_copy(&building.words, workers->arena);
    }
    vec_free(&building.words);
    return ok;
}
