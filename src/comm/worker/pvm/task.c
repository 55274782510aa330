/* SPDX-License-Identifier: BSD-3-Clause */
/* See task.h. Starting and ending:
 *
 *     rank 0                                 rank r
 *     spawns r
 *     asks for notices of r's end            asks for a notice of rank 0's end
 *     joins the group, sends the table ----> receives the table, joins the group
 *     receives <---------------------------- READY
 *     ... measuring ...
 *     receives <---------------------------- PART
 *     marks r as released, RELEASE ---------> exits */
#include "comm/worker/pvm/task.h"

#include <pvm3.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>
#include <unistd.h>

enum { TIMEOUT_S = 30, SLICE_US = 5000, GROUP_SERVER_TRIES = 200, GROUP_SERVER_PAUSE_US = 10000 };

/* PVM's handlers take no argument of ours; each process is one task. */
static PvmTask *this_task;

static const char *failure_text(int status)
{
    switch (status) {
    case PvmNoHost:
        return "no such host in the virtual machine";
    case PvmNoFile:
        return "the program doesn't exist";
    case PvmNoMem:
        return "no memory";
    case PvmSysErr:
        return "the daemon doesn't answer";
    case PvmNullGroup:
        return "the group has no name";
    case PvmNoGroup:
        return "no such group";
    case PvmNoData:
        return "the message is shorter than it should be";
    case PvmOutOfRes:
        return "out of resources";
    case PvmHostFail:
        return "the host has failed";
    default:
        return "error";
    }
}

static bool fail(PvmTask *task, const char *what, int status, Err *err)
{
    task->has_failed = true;
    return err_set(err, ERR_ENVIRONMENT, "PVM: %s: %s (%d)", what, failure_text(status), status);
}

static int rank_of(const PvmTask *task, int tid)
{
    for (int rank = 0; rank < task->common.n_ranks; rank++) {
        if (task->tids[rank] == tid)
            return rank;
    }
    return -1;
}

/* Handles the notice that a task has ended, which is an error unless the task was released. */
static int take_exit(int buffer)
{
    (void)buffer;
    PvmTask *task = this_task;
    int tid, rank = pvm_upkint(&tid, 1, 1) < 0 ? -1 : rank_of(task, tid);
    if (rank < 0 || task->presence[rank] == RELEASED)
        return 0;
    task->presence[rank] = GONE;
    task->lost = rank;
    if (task->is_inside)
        longjmp(task->leave, 1);
    return 0;
}

static int take_parting(int buffer)
{
    int tid = 0, rank = pvm_bufinfo(buffer, NULL, NULL, &tid) < 0 ? -1 : rank_of(this_task, tid);
    if (rank >= 0 && this_task->presence[rank] == PRESENT)
        this_task->presence[rank] = PARTING;
    return 0;
}

static bool fail_lost(PvmTask *task, const char *what, Err *err)
{
    task->has_failed = true;
    return err_set(err, ERR_ENVIRONMENT, "PVM: %s: rank %d has ended", what, task->lost);
}

bool pvm_task_call(PvmTask *task, PvmWork *work, void *argument, const char *what, Err *err)
{
    if (setjmp(task->leave) != 0 || task->lost >= 0) {
        task->is_inside = false;
        return fail_lost(task, what, err);
    }
    task->is_inside = true;
    int status = work(task, argument);
    task->is_inside = false;
    return status >= 0 || fail(task, what, status, err);
}

/* ---- groups ---- */

/* PVM's daemon starts the group server if it finds it on its own path, which is seldom the case. So
 * this searches the places where the group server is installed. */
static bool start_group_server(void)
{
    const char *root = getenv("PVM_ROOT");
    char in_root[512];
    snprintf(in_root, sizeof in_root, "%s/lib/pvmgs", root ? root : "/usr/lib/pvm3");
    const char *const places[] = {in_root, "/usr/bin/pvmgs", "/usr/lib/pvm3/lib/pvmgs"};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        int tid;
        if (access(places[i], X_OK) == 0 && pvm_spawn((char *)places[i], NULL, PvmTaskHost, ".", 1, &tid) == 1)
            return true;
    }
    return false;
}

static int join_group(PvmTask *task, void *argument)
{
    (void)argument;
    int instance = pvm_joingroup(task->group);
    if (instance < 0 && task->common.rank == 0 && start_group_server()) {
        for (int i = 0; i < GROUP_SERVER_TRIES && instance < 0; i++) {
            usleep(GROUP_SERVER_PAUSE_US);
            instance = pvm_joingroup(task->group);
        }
    }
    return instance == task->common.rank || instance < 0 ? instance : PvmNoInst;
}

static bool enter_group(PvmTask *task, Err *err)
{
    return !*task->group || pvm_task_call(task, join_group, NULL, "joining a group (pvmgs, the group server)", err) ||
           err_hint(err, "put the directory of pvmgs into PVM_PATH before the daemon starts");
}

/* ---- starting ---- */

static bool spawn_rank(PvmTask *task, const json_t *request, int rank, const char *program, Err *err)
{
    const char *host = NULL;
    json_t *peers = json_object_get(request, "peers"), *own = json_copy((json_t *)request);
    json_unpack(json_array_get(peers, (size_t)rank - 1), "{s?s}", "host", &host);
    json_object_set_new(own, "connect", json_pack("{si}", "rank", rank));
    char *text = json_dumps(own, JSON_COMPACT), *arguments[] = {text, NULL};
    json_decref(own);
    const char *place = host && *host ? host : ".";
    int tid = PvmSysErr, count = pvm_spawn((char *)program, arguments, PvmTaskHost, (char *)place, 1, &tid);
    free(text);
    if (count == 1) {
        task->tids[rank] = tid;
        return true;
    }
    task->has_failed = true;
    return err_set(err, ERR_ENVIRONMENT, "PVM: %s cannot be started on %s: %s (%d)", program,
                   host && *host ? host : "this host", failure_text(count < 0 ? count : tid), count < 0 ? count : tid);
}

static int send_table(PvmTask *task, void *argument)
{
    const int *rank = argument;
    int status = pvm_initsend(PvmDataDefault);
    status = status < 0 ? status : pvm_pkint(task->tids, task->common.n_ranks, 1);
    status = status < 0 ? status : pvm_pkstr(task->group);
    status = status < 0 ? status : pvm_send(task->tids[*rank], PVM_TAG_TABLE);
    return status < 0 ? status : pvm_recv(task->tids[*rank], PVM_TAG_READY);
}

/* PVM silently uses the daemons if a direct route fails; counts the open connections instead. */
static bool check_routes(PvmTask *task, Err *err)
{
    int *descriptors, count = pvm_getfds(&descriptors), direct = count - 1;
    if (task->route != PvmRouteDirect || direct >= task->common.n_ranks - 1)
        return true;
    task->has_failed = true;
    return err_set(err, ERR_ENVIRONMENT, "PVM gives direct routes to %d of %d tasks only", direct < 0 ? 0 : direct,
                   task->common.n_ranks - 1);
}

/* Ranks join the group one after the other, so that PVM's numbers in the group equal the ranks. */
static bool lead(PvmTask *task, const json_t *request, int tid, bool needs_group, Err *err)
{
    char program[4096];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (length < 0)
        return err_set(err, ERR_ENVIRONMENT, "/proc/self/exe cannot be read");
    program[length] = '\0';
    task->tids[0] = tid;
    if (needs_group)
        snprintf(task->group, sizeof task->group, "firma-%x", tid);
    for (int rank = 1; rank < task->common.n_ranks; rank++) {
        if (!spawn_rank(task, request, rank, program, err))
            return false;
    }
    int status = pvm_notify(PvmTaskExit, PVM_TAG_EXIT, task->common.n_ranks - 1, task->tids + 1);
    if (status < 0)
        return fail(task, "asking for notices of tasks that end", status, err);
    if (!enter_group(task, err))
        return false;
    for (int rank = 1; rank < task->common.n_ranks; rank++) {
        if (!pvm_task_call(task, send_table, &rank, "starting the ranks", err))
            return false;
    }
    return check_routes(task, err);
}

static int receive_table(PvmTask *task, void *argument)
{
    (void)argument;
    int status = pvm_recv(task->tids[0], PVM_TAG_TABLE);
    status = status < 0 ? status : pvm_upkint(task->tids, task->common.n_ranks, 1);
    return status < 0 ? status : pvm_upkstr(task->group);
}

static int say_ready(PvmTask *task, void *argument)
{
    (void)argument;
    int status = pvm_initsend(PvmDataDefault);
    return status < 0 ? status : pvm_send(task->tids[0], PVM_TAG_READY);
}

static bool follow(PvmTask *task, int parent, Err *err)
{
    if (parent < 0)
        return err_set(err, ERR_INPUT, "the request: connect: PVM didn't spawn this worker");
    task->tids[0] = parent;
    int status = pvm_notify(PvmTaskExit, PVM_TAG_EXIT, 1, task->tids);
    if (status < 0)
        return fail(task, "asking for a notice when rank 0 ends", status, err);
    return pvm_task_call(task, receive_table, NULL, "waiting for rank 0", err) && enter_group(task, err) &&
           pvm_task_call(task, say_ready, NULL, "answering rank 0", err);
}

bool pvm_task_start(PvmTask *task, const json_t *request, bool needs_group, Err *err)
{
    json_t *connect = json_object_get(request, "connect");
    size_t n_peers = json_array_size(json_object_get(request, "peers"));
    task->common.n_ranks = (int)n_peers + 1;
    task->common.rank = (int)json_integer_value(json_object_get(connect, "rank"));
    if (n_peers == 0 || task->common.rank < 0 || (size_t)task->common.rank > n_peers)
        return err_set(err, ERR_INPUT, "the request: peers: none; or connect: rank not among them");
    task->tids = arena_new_array(task->arena, int, n_peers + 1);
    task->presence = arena_new_array(task->arena, Presence, n_peers + 1);
    task->lost = -1;
    this_task = task;
    signal(SIGPIPE, SIG_IGN);
    pvm_setopt(PvmAutoErr, 0);
    int tid = pvm_mytid();
    if (tid < 0) {
        err_set(err, ERR_ENVIRONMENT, "PVM: no daemon (pvmd) answers, with PVM_TMP=%s",
                getenv("PVM_TMP") ? getenv("PVM_TMP") : "/tmp");
        return err_hint(err, "start one with `pvm`");
    }
    pvm_setopt(PvmRoute, task->route);
    /* Only for this context: the group server uses another one. */
    int context = pvm_getcontext();
    if (pvm_addmhf(-1, PVM_TAG_EXIT, context, take_exit) < 0 || pvm_addmhf(-1, PVM_TAG_PART, context, take_parting) < 0)
        return err_set(err, ERR_ENVIRONMENT, "this PVM has no message handlers; firma needs PVM 3.4 or later");
    task->common.library = arena_printf(task->arena, "PVM %s", pvm_version());
    return connect ? follow(task, pvm_parent(), err) : lead(task, request, tid, needs_group, err);
}

/* ---- ending ---- */

/* Runs handlers until all other ranks have reached a state, or the timeout has passed. */
static void await(PvmTask *task, Presence wanted)
{
    for (long waited_us = 0; waited_us < TIMEOUT_S * 1000000L && task->lost < 0; waited_us += SLICE_US) {
        struct timeval slice = {0, SLICE_US};
        int n_missing = 0;
        for (int rank = 1; rank < task->common.n_ranks; rank++)
            n_missing += task->presence[rank] != wanted;
        if (n_missing == 0)
            return;
        pvm_trecv(-1, PVM_TAG_RELEASE, &slice);
    }
}

static void release_others(PvmTask *task)
{
    await(task, PARTING);
    for (int rank = 1; rank < task->common.n_ranks; rank++)
        task->presence[rank] = RELEASED;
    pvm_initsend(PvmDataDefault);
    pvm_mcast(task->tids + 1, task->common.n_ranks - 1, PVM_TAG_RELEASE);
}

static void await_release(PvmTask *task)
{
    pvm_initsend(PvmDataDefault);
    pvm_send(task->tids[0], PVM_TAG_PART);
    for (long waited_us = 0; waited_us < TIMEOUT_S * 1000000L && task->lost < 0; waited_us += SLICE_US) {
        struct timeval slice = {0, SLICE_US};
        if (pvm_trecv(task->tids[0], PVM_TAG_RELEASE, &slice) != 0)
            return;
    }
}

void pvm_task_end(PvmTask *task)
{
    if (task->has_failed || task->lost >= 0)
        return;
    if (*task->group)
        pvm_lvgroup(task->group);
    if (task->common.rank == 0)
        release_others(task);
    else
        await_release(task);
    pvm_exit();
}
