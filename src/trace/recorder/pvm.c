/* SPDX-License-Identifier: BSD-3-Clause */
/* The recorder for programs that communicate by PVM: its entry points, and what the recorder's core
 * needs of PVM (middleware.h).
 *
 * A task knows the others by task ids, so its records hold these (segment.h). The recorder takes a
 * message's size and sender from PVM's own buffers, which doesn't change them. It asks nobody else:
 *
 *     pvm_send, pvm_psend    a send
 *     pvm_mcast, pvm_bcast   a send to each task
 *     pvm_recv and the like  a receive, if a message came
 *     pvm_barrier, _reduce,  a collective of the group; its members are found when the records of
 *     _gather, _scatter      all tasks are read
 *     other calls            the time alone
 *
 * The group library is built on top of the others: calls that it makes are deeper than the program's
 * and aren't recorded. Only the pvm_mcast inside pvm_bcast tells to whom the message goes.
 *
 * With RECORDER_LINKED, the recorder is linked into the program, and the linker gives it the calls
 * (ld --wrap). For programs into which nothing can be preloaded, because they contain libpvm3.a. */
#include "calls-pvm.h"
#include "model/event.h"
#include "trace/recorder/aside.h"
#include "trace/recorder/middleware.h"
#include "trace/recorder/records.h"
#include <dlfcn.h>
#include <errno.h>
#include <pvm3.h>
#include <stdio.h>
#include <stdlib.h>

/* PVM's calls that the recorder wraps, and those that it makes itself. */
#define WRAPPED_CALLS(CALL)                                                                                            \
    CALL(pvm_mytid)                                                                                                    \
    CALL(pvm_parent)                                                                                                   \
    CALL(pvm_exit)                                                                                                     \
    CALL(pvm_send)                                                                                                     \
    CALL(pvm_psend)                                                                                                    \
    CALL(pvm_mcast)                                                                                                    \
    CALL(pvm_recv)                                                                                                     \
    CALL(pvm_precv)                                                                                                    \
    CALL(pvm_trecv)                                                                                                    \
    CALL(pvm_nrecv)                                                                                                    \
    CALL(pvm_probe)                                                                                                    \
    CALL(pvm_spawn)                                                                                                    \
    CALL(pvm_joingroup)                                                                                                \
    CALL(pvm_lvgroup)                                                                                                  \
    CALL(pvm_freezegroup)                                                                                              \
    CALL(pvm_getinst)                                                                                                  \
    CALL(pvm_gettid)                                                                                                   \
    CALL(pvm_gsize)                                                                                                    \
    CALL(pvm_barrier)                                                                                                  \
    CALL(pvm_bcast)                                                                                                    \
    CALL(pvm_reduce)                                                                                                   \
    CALL(pvm_gather)                                                                                                   \
    CALL(pvm_scatter)                                                                                                  \
    CALL(pvm_putinfo)                                                                                                  \
    CALL(pvm_recvinfo)

#define QUERIES(CALL)                                                                                                  \
    CALL(pvm_bufinfo)                                                                                                  \
    CALL(pvm_getsbuf)                                                                                                  \
    CALL(pvm_setopt)                                                                                                   \
    CALL(pvm_version)

#define FUNCTION_POINTER(name) __typeof__(&name) name;

static struct {
    WRAPPED_CALLS(FUNCTION_POINTER)
    QUERIES(FUNCTION_POINTER)
} real;

typedef struct Membership {
    uint64_t name_hash;
    int32_t instance;
} Membership;

static Membership memberships[GROUPS_LIMIT]; /* of this task, in groups; as many as have a name */
static bool has_enrolled;
static int *last_error; /* PVM's pvm_errno */

/* ---- PVM's functions ---- */

#ifdef RECORDER_LINKED
#define WRAPPER(name) __wrap_##name
#define DECLARE_REAL(name)                                                                                             \
    extern __typeof__(name) __real_##name __attribute__((weak));                                                       \
    extern __typeof__(name) __wrap_##name __attribute__((visibility("default")));
#define FIND_CALL(name) real.name = &__real_##name;
#define FIND_QUERY(name) real.name = &name;
WRAPPED_CALLS(DECLARE_REAL)
extern int pvm_errno;

static void find_last_error(void)
{
    last_error = &pvm_errno;
}
#else
#define WRAPPER(name) name
#define FIND_CALL(name) find_next(#name, &real.name);
#define FIND_QUERY(name) FIND_CALL(name)

static void find_next(const char *name, void *place)
{
    void *symbol = dlsym(RTLD_NEXT, name);
    memcpy(place, &symbol, sizeof symbol);
}

static void find_last_error(void)
{
    last_error = dlsym(RTLD_DEFAULT, "pvm_errno");
}
#endif

static void find_functions(void)
{
    ASIDE;
    const int saved = errno;
    WRAPPED_CALLS(FIND_CALL)
    QUERIES(FIND_QUERY)
    find_last_error();
    errno = saved;
}

bool library_load(void)
{
    return real.pvm_mytid && real.pvm_parent && real.pvm_bufinfo && real.pvm_getsbuf && real.pvm_setopt &&
           real.pvm_version && last_error;
}

/* PVM doesn't end: a task may enrol again. Nothing is recorded then. */
void library_forget(void)
{
}

/* A task knows no communicators. */
void comms_start(void)
{
}

/* Returns what the function returns. It prints no message if it fails, and leaves pvm_errno as it is. */
static int ask(int (*function)(void))
{
    const int error = *last_error, reports = real.pvm_setopt(PvmAutoErr, 0);
    const int answer = function();
    real.pvm_setopt(PvmAutoErr, reports);
    *last_error = error;
    return answer;
}

void library_describe_process(ProcessStart *start)
{
    start->flavour = MPI_FLAVOUR_PVM;
    start->task = ask(real.pvm_mytid);
    start->parent = ask(real.pvm_parent);
    snprintf(start->mpi_library, sizeof start->mpi_library, "PVM %s", real.pvm_version());
}

/* ---- beginning and end ---- */

/* Any call of PVM makes the process a task, if it isn't one. Here pvm_mytid does, before the first
 * call, so that this call is recorded. If no daemon runs, the program's own call says so. */
static void enrol(Thread *thread)
{
    const char *directory = getenv(RECORD_DIRECTORY_VARIABLE);
    has_enrolled = true;
    if (!directory || !*directory || !library_load())
        return;
    const int64_t enter_ns = recorder_now_ns();
    has_enrolled = ask(real.pvm_mytid) >= 0;
    if (has_enrolled)
        recorder_start(thread, CALL_pvm_mytid, enter_ns);
}

/* Many programs end without pvm_exit. PVM's daemon then notices their end. */
__attribute__((destructor)) static void end_without_exit(void)
{
    if (recorder_is(RECORDER_PASSIVE))
        return;
    const int64_t now_ns = recorder_now_ns();
    process_stamp_finalize_enter(now_ns);
    recorder_finish(now_ns);
}

/* ---- a call ---- */

/* Begins a call in this frame. False: it is not to be recorded. */
HOT bool begin(Thread *thread, uintptr_t frame, uint16_t call)
{
    call_enter(thread, frame);
    if (UNLIKELY(!has_enrolled))
        enrol(thread);
    return call_begin(thread, call);
}

/* The body of an entry point. `result` is what the real call returned; it is negative if the call
 * failed. Then only its time is recorded. */
#define BODY(name, arguments, is_nothing, after)                                                                       \
    Thread *thread = &this_thread;                                                                                     \
    const uintptr_t frame = call_frame();                                                                              \
    if (UNLIKELY(!real.name))                                                                                          \
        find_functions();                                                                                              \
    if (UNLIKELY(!real.name))                                                                                          \
        return PvmSysErr;                                                                                              \
    if (call_is_inner(thread, frame))                                                                                  \
        return real.name arguments;                                                                                    \
    const bool recorded = begin(thread, frame, CALL_##name);                                                           \
    const int result = real.name arguments;                                                                            \
    if (recorded) {                                                                                                    \
        if (call_came_back(thread, frame))                                                                             \
            return result;                                                                                             \
        call_returned(thread);                                                                                         \
        if (is_nothing) {                                                                                              \
            call_found_nothing(thread);                                                                                \
        } else {                                                                                                       \
            if (result >= 0) {                                                                                         \
                after;                                                                                                 \
            }                                                                                                          \
            call_end(thread);                                                                                          \
        }                                                                                                              \
    }                                                                                                                  \
    thread->frame = 0;                                                                                                 \
    return result

#define ENTRY(name) __attribute__((visibility("default"))) int WRAPPER(name)

/* ---- messages ---- */

static uint64_t buffer_bytes(int buffer)
{
    int bytes = 0;
    return buffer > 0 && real.pvm_bufinfo(buffer, &bytes, NULL, NULL) >= 0 && bytes > 0 ? (uint64_t)bytes : 0;
}

static void record_send(Thread *thread, int task, int tag, uint64_t bytes)
{
    record_blocking(thread, RECORD_SEND, 0, task, tag, bytes);
    record_send_event(thread);
}

void record_trial_messages(Thread *thread)
{
    record_send(thread, 0, 0, buffer_bytes(real.pvm_getsbuf()));
    record_send(thread, 0, 0, buffer_bytes(real.pvm_getsbuf()));
}

/* Takes sender, tag and size from the received message's buffer. */
static void record_receive(Thread *thread, int buffer)
{
    int bytes = 0, tag = 0, task = 0;
    if (buffer > 0 && real.pvm_bufinfo(buffer, &bytes, &tag, &task) >= 0)
        record_blocking(thread, RECORD_RECV, 0, task, tag, (uint64_t)bytes);
}

static int ascending(const void *left, const void *right)
{
    const int a = *(const int *)left, b = *(const int *)right;
    return (a > b) - (a < b);
}

/* PVM sends a multicast once to each task, but not to the sender. */
static void record_multicast(Thread *thread, const int *tasks, int n_tasks, int tag)
{
    const uint64_t bytes = buffer_bytes(real.pvm_getsbuf());
    const int own = real.pvm_mytid();
    int *sorted = malloc((size_t)(n_tasks > 0 ? n_tasks : 1) * sizeof *sorted);
    if (!sorted) {
        recorder_stop(RECORDING_FAILED, ENOMEM);
        return;
    }
    for (int i = 0; i < n_tasks; i++)
        sorted[i] = tasks[i];
    if (n_tasks > 0)
        qsort(sorted, (size_t)n_tasks, sizeof *sorted, ascending);
    for (int i = 0; i < n_tasks; i++)
        if (sorted[i] != own && (!i || sorted[i] != sorted[i - 1]))
            record_send(thread, sorted[i], tag, bytes);
    free(sorted);
}

/* The size of a value in a message of pvm_psend, or in a collective. */
static uint64_t type_bytes(int type)
{
    switch (type) {
    case PVM_SHORT:
    case PVM_USHORT:
        return sizeof(short);
    case PVM_INT:
    case PVM_UINT:
        return sizeof(int);
    case PVM_LONG:
    case PVM_ULONG:
        return sizeof(long);
    case PVM_FLOAT:
        return sizeof(float);
    case PVM_DOUBLE:
    case PVM_CPLX:
        return sizeof(double);
    case PVM_DCPLX:
        return 2 * sizeof(double);
    default:
        return 1;
    }
}

static uint64_t values_bytes(int count, int type)
{
    return count > 0 ? (uint64_t)count * type_bytes(type) : 0;
}

ENTRY(pvm_send)(int task, int tag)
{
    BODY(pvm_send, (task, tag), false, record_send(thread, task, tag, buffer_bytes(real.pvm_getsbuf())));
}

ENTRY(pvm_psend)(int task, int tag, void *values, int count, int type)
{
    BODY(pvm_psend, (task, tag, values, count, type), false, record_send(thread, task, tag, values_bytes(count, type)));
}

/* True in the program's pvm_bcast, while its record is open. */
static bool is_in_broadcast(const Thread *thread)
{
    return recorder_is(RECORDER_ON) && thread->call && thread->call->call.kind == RECORD_CALL_OPEN &&
           thread->call->call.call == CALL_pvm_bcast;
}

static int multicast(int *tasks, int n_tasks, int tag)
{
    BODY(pvm_mcast, (tasks, n_tasks, tag), false, record_multicast(thread, tasks, n_tasks, tag));
}

ENTRY(pvm_mcast)(int *tasks, int n_tasks, int tag)
{
    Thread *thread = &this_thread;
    if (!call_is_inner(thread, call_frame()) || !is_in_broadcast(thread))
        return multicast(tasks, n_tasks, tag);
    const int result = real.pvm_mcast(tasks, n_tasks, tag);
    if (result >= 0)
        record_multicast(thread, tasks, n_tasks, tag);
    return result;
}

ENTRY(pvm_recv)(int task, int tag)
{
    BODY(pvm_recv, (task, tag), false, record_receive(thread, result));
}

ENTRY(pvm_trecv)(int task, int tag, struct timeval *limit)
{
    BODY(pvm_trecv, (task, tag, limit), result == 0, record_receive(thread, result));
}

ENTRY(pvm_nrecv)(int task, int tag)
{
    BODY(pvm_nrecv, (task, tag), result == 0, record_receive(thread, result));
}

ENTRY(pvm_probe)(int task, int tag)
{
    BODY(pvm_probe, (task, tag), result == 0, (void)0);
}

ENTRY(pvm_precv)(int task, int tag, void *values, int count, int type, int *sender, int *sent_tag, int *sent_bytes)
{
    int own_sender = 0, own_tag = 0, own_bytes = 0;
    sender = sender ? sender : &own_sender;
    sent_tag = sent_tag ? sent_tag : &own_tag;
    sent_bytes = sent_bytes ? sent_bytes : &own_bytes;
    BODY(pvm_precv, (task, tag, values, count, type, sender, sent_tag, sent_bytes), false,
         record_blocking(thread, RECORD_RECV, 0, *sender, *sent_tag, (uint64_t)*sent_bytes));
}

/* ---- tasks ---- */

static void note_tasks(const int *tasks, int n_tasks)
{
    ASIDE;
    const int saved = errno;
    process_add_tasks(tasks, n_tasks);
    errno = saved;
}

/* PVM starts its group server inside pvm_joingroup. The server is no part of the program, so it
 * mustn't inherit the recorder. */
static int spawn_unrecorded(char *program, char **arguments, int options, char *where, int n_tasks, int *tasks)
{
    char *exported = getenv("PVM_EXPORT"), first = exported ? *exported : '\0';
    if (exported)
        *exported = '\0';
    const int result = real.pvm_spawn(program, arguments, options, where, n_tasks, tasks);
    if (exported)
        *exported = first;
    return result;
}

static int spawn(char *program, char **arguments, int options, char *where, int n_tasks, int *tasks)
{
    BODY(pvm_spawn, (program, arguments, options, where, n_tasks, tasks), false, note_tasks(tasks, result));
}

ENTRY(pvm_spawn)(char *program, char **arguments, int options, char *where, int n_tasks, int *tasks)
{
    if (call_is_inner(&this_thread, call_frame()) && real.pvm_spawn)
        return spawn_unrecorded(program, arguments, options, where, n_tasks, tasks);
    int *own = tasks ? NULL : calloc((size_t)(n_tasks > 0 ? n_tasks : 1), sizeof *own);
    const int result = spawn(program, arguments, options, where, n_tasks, tasks ? tasks : own);
    free(own);
    return result;
}

/* What pvm_mytid and pvm_parent do besides is to enrol. */
#define ENROLLING_BODY(name)                                                                                           \
    Thread *thread = &this_thread;                                                                                     \
    const uintptr_t frame = call_frame();                                                                              \
    if (UNLIKELY(!real.name))                                                                                          \
        find_functions();                                                                                              \
    if (UNLIKELY(!real.name))                                                                                          \
        return PvmSysErr;                                                                                              \
    if (!has_enrolled && !call_is_inner(thread, frame)) {                                                              \
        call_enter(thread, frame);                                                                                     \
        enrol(thread);                                                                                                 \
        thread->frame = 0;                                                                                             \
    }                                                                                                                  \
    return real.name()

ENTRY(pvm_mytid)(void)
{
    ENROLLING_BODY(pvm_mytid);
}

ENTRY(pvm_parent)(void)
{
    ENROLLING_BODY(pvm_parent);
}

static int leave_pvm(void)
{
    BODY(pvm_exit, (), false, (void)0);
}

ENTRY(pvm_exit)(void)
{
    Thread *thread = &this_thread;
    if (!call_is_inner(thread, call_frame()))
        process_stamp_finalize_enter(recorder_now_ns());
    const int result = leave_pvm();
    if (result >= 0 && !recorder_is(RECORDER_PASSIVE))
        recorder_finish(recorder_now_ns());
    return result;
}

/* ---- groups ---- */

static uint64_t hash_name(const char *name)
{
    uint64_t hash = 0xcbf29ce484222325u; /* FNV-1a */
    for (; *name; name++)
        hash = (hash ^ (uint8_t)*name) * 0x100000001b3u;
    return hash;
}

/* The place of a group among the memberships, or of a free one. NULL: there is no room. */
static Membership *membership_of(const char *name)
{
    const uint64_t hash = hash_name(name);
    for (int i = 0; i < GROUPS_LIMIT; i++)
        if (!memberships[i].name_hash || memberships[i].name_hash == hash)
            return &memberships[i];
    return NULL;
}

static void note_instance(const char *name, int instance)
{
    Membership *membership = membership_of(name);
    if (membership)
        *membership = (Membership){hash_name(name), instance};
}

/* The number of this group among the process's groups; -1: there is no room for it. */
static int count_group(const char *name, int count)
{
    const Membership *membership = membership_of(name);
    GroupRecord group = {.name_hash = hash_name(name),
                         .count = count > 0 ? count : 0,
                         .instance = membership && membership->name_hash ? membership->instance : -1};
    snprintf(group.name, sizeof group.name, "%s", name);
    return process_count_group(&group);
}

/* Records a collective of the group. `count`: of a barrier's tasks; 0: all members. */
static void record_group(Thread *thread, uint16_t call, Collective collective, const char *name, int count, int root,
                         uint64_t bytes)
{
    const int number = count_group(name, count);
    if (number < 0) {
        process_count(call);
        return;
    }
    const uint32_t comm = GROUP_COMMS + (uint32_t)number;
    if (!call_put_event(thread, RECORD_CALL_COLLECTIVE, (uint8_t)collective, comm, root, bytes, bytes))
        record_collective_as(thread, RECORD_COLLECTIVE, (uint8_t)collective, comm, root, 0, bytes, bytes);
    record_send_event(thread);
}

ENTRY(pvm_joingroup)(char *group)
{
    BODY(pvm_joingroup, (group), false, note_instance(group, result));
}

ENTRY(pvm_lvgroup)(char *group)
{
    BODY(pvm_lvgroup, (group), false, note_instance(group, -1));
}

ENTRY(pvm_freezegroup)(char *group, int size)
{
    BODY(pvm_freezegroup, (group, size), false, (void)0);
}

ENTRY(pvm_getinst)(char *group, int task)
{
    BODY(pvm_getinst, (group, task), false, (void)0);
}

ENTRY(pvm_gettid)(char *group, int instance)
{
    BODY(pvm_gettid, (group, instance), false, (void)0);
}

ENTRY(pvm_gsize)(char *group)
{
    BODY(pvm_gsize, (group), false, (void)0);
}

ENTRY(pvm_barrier)(char *group, int count)
{
    BODY(pvm_barrier, (group, count), false,
         record_group(thread, CALL_pvm_barrier, COLLECTIVE_BARRIER, group, count, ROOT_NONE, 0));
}

/* Its receivers call pvm_recv, so this is no collective. */
ENTRY(pvm_bcast)(char *group, int tag)
{
    BODY(pvm_bcast, (group, tag), false, (void)0);
}

ENTRY(pvm_reduce)
(void (*function)(int *, void *, void *, int *, int *), void *values, int count, int type, int tag, char *group,
 int root)
{
    BODY(pvm_reduce, (function, values, count, type, tag, group, root), false,
         record_group(thread, CALL_pvm_reduce, COLLECTIVE_REDUCE, group, 0, root, values_bytes(count, type)));
}

ENTRY(pvm_gather)(void *whole, void *part, int count, int type, int tag, char *group, int root)
{
    BODY(pvm_gather, (whole, part, count, type, tag, group, root), false,
         record_group(thread, CALL_pvm_gather, COLLECTIVE_GATHER, group, 0, root, values_bytes(count, type)));
}

ENTRY(pvm_scatter)(void *part, void *whole, int count, int type, int tag, char *group, int root)
{
    BODY(pvm_scatter, (part, whole, count, type, tag, group, root), false,
         record_group(thread, CALL_pvm_scatter, COLLECTIVE_SCATTER, group, 0, root, values_bytes(count, type)));
}

/* ---- the message box: only counted ---- */

ENTRY(pvm_putinfo)(char *name, int buffer, int options)
{
    BODY(pvm_putinfo, (name, buffer, options), false, process_count(CALL_pvm_putinfo));
}

ENTRY(pvm_recvinfo)(char *name, int index, int options)
{
    BODY(pvm_recvinfo, (name, index, options), false, process_count(CALL_pvm_recvinfo));
}
