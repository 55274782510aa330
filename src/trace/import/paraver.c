/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads a Paraver trace:
 *
 *   #Paraver (26/11/2026 at 12:40):DURATION_ns:NODES(CPUS,…):APPLICATIONS:TASKS(THREADS:NODE,…),COMMUNICATORS
 *   c:APPLICATION:ID:N:TASK:TASK…                                        a communicator
 *   1:CPU:APPLICATION:TASK:THREAD:BEGIN:END:STATE
 *   2:CPU:APPLICATION:TASK:THREAD:TIME:TYPE:VALUE:TYPE:VALUE…            events
 *   3:CPU:APPLICATION:TASK:THREAD:LOGICAL:PHYSICAL:                      a message: its sender,
 *     CPU:APPLICATION:TASK:THREAD:LOGICAL:PHYSICAL:SIZE:TAG              and, in the same line, its receiver
 *
 * The format: "Paraver: Trace Generation Guide", Barcelona Supercomputing Center. Times come from
 * the call that sends (logical), and from the calls that post and complete the receive (logical and
 * physical), as Extrae's merger writes them.
 *
 * The tasks of all applications become the ranks of one world, in their order. */
#include "trace/import/paraver.h"
#include "trace/import/lines.h"

#include "base/files.h"
#include "base/text.h"
#include "model/application.h"
#include "model/event.h"
#include "trace/calls.h"
#include <string.h>

enum { SEND_SIZE = 50100001, RECEIVED_SIZE = 50100002, IS_ROOT = 50100003, COMMUNICATOR = 50100004 };
enum { FIRST_CALL_TYPE = 50000001, LAST_CALL_TYPE = 50000005, TRACING_DISABLED = 14, GROUP_COMMUNICATION = 13 };
enum { THREAD_LIMIT = 1 << 20, SPOOL_BYTES = 256 << 20 };

static const int64_t TIME_LIMIT_NS = INT64_C(1) << 58;

typedef struct Reader {
    Lines lines;
    Paraver *paraver;
    const char *at; /* in the current line */
    uint64_t ns_per_unit;
} Reader;

/* Reads the number before `end`, and moves behind it. `end` '\0' is the line's end. */
static bool take(Reader *reader, char end, uint64_t most, uint64_t *number, const char *what, Err *err)
{
    const char *before = reader->at, *behind = end == ':' ? ", and a colon behind it" : "";
    if (take_number(&reader->at, most, number) && *reader->at == end) {
        reader->at += end != '\0';
        return true;
    }
    if (most < UINT32_MAX)
        return lines_wrong(&reader->lines, err, "expected %s, from 0 to %lu%s, not `%.20s`", what, (unsigned long)most,
                           behind, before);
    return lines_wrong(&reader->lines, err, "expected %s%s, not `%.20s`", what, behind, before);
}

/* Skips "(…)", if it is there. */
static void skip_parentheses(Reader *reader)
{
    if (*reader->at == '(')
        reader->at += strcspn(reader->at, ")") + (strchr(reader->at, ')') != NULL);
}

static bool read_tasks(Reader *reader, uint64_t n_tasks, Err *err)
{
    Paraver *paraver = reader->paraver;
    if (*reader->at++ != '(')
        return lines_wrong(&reader->lines, err, "expected ( behind the number of tasks");
    ParaverTask *tasks = arena_new_array(paraver->arena, ParaverTask, paraver->n_tasks + n_tasks);
    for (uint32_t i = 0; i < paraver->n_tasks; i++)
        tasks[i] = paraver->tasks[i];
    for (uint64_t i = 0; i < n_tasks; i++) {
        uint64_t n_threads, node;
        if (!take(reader, ':', THREAD_LIMIT, &n_threads, "a task's number of threads", err) ||
            !take(reader, i + 1 < n_tasks ? ',' : ')', UINT32_MAX, &node, "a task's node", err))
            return false;
        if (n_threads == 0 || paraver->n_threads + n_threads > THREAD_LIMIT)
            return lines_wrong(&reader->lines, err, "%lu threads, at most %d are allowed",
                               (unsigned long)(paraver->n_threads + n_threads), THREAD_LIMIT);
        tasks[paraver->n_tasks + i] = (ParaverTask){.node = (uint32_t)node,
                                                    .n_threads = (uint32_t)n_threads,
                                                    .first_thread = paraver->n_threads,
                                                    .init_enter_ns = -1,
                                                    .init_leave_ns = -1,
                                                    .finalize_enter_ns = -1,
                                                    .finalize_leave_ns = -1,
                                                    .first_ns = -1,
                                                    .last_ns = -1};
        paraver->n_threads += n_threads;
    }
    paraver->tasks = tasks;
    paraver->n_tasks += (uint32_t)n_tasks;
    return true;
}

static bool read_header(Reader *reader, uint64_t *n_comms, Err *err)
{
    Paraver *paraver = reader->paraver;
    uint64_t duration, n_nodes, n_applications;
    const char *date = strstr(reader->lines.line, "):");
    if (!date)
        return lines_wrong(&reader->lines, err, "expected the date in parentheses, and a colon");
    reader->at = date + 2;
    if (!take_number(&reader->at, UINT64_MAX, &duration))
        return lines_wrong(&reader->lines, err, "expected the duration");
    reader->ns_per_unit = strncmp(reader->at, "_ns", 3) == 0 ? 1 : 1000;
    reader->at += strcspn(reader->at, ":");
    if (*reader->at++ != ':' || !take_number(&reader->at, UINT32_MAX, &n_nodes))
        return lines_wrong(&reader->lines, err, "expected the duration and the number of nodes");
    skip_parentheses(reader);
    if (*reader->at++ != ':')
        return lines_wrong(&reader->lines, err, "expected a colon behind the nodes");
    if (!take(reader, ':', 1024, &n_applications, "the number of applications", err))
        return false;
    uint32_t *first = arena_new_array(paraver->arena, uint32_t, n_applications + 1);
    paraver->application_first = first;
    for (uint64_t i = 0; i < n_applications; i++) {
        uint64_t n_tasks;
        if (i && *reader->at != ':' && *reader->at != ',')
            return lines_wrong(&reader->lines, err, "expected application %lu", (unsigned long)i + 1);
        reader->at += i > 0;
        if (!take_number(&reader->at, PROCESS_LIMIT - paraver->n_tasks, &n_tasks) || n_tasks == 0)
            return lines_wrong(&reader->lines, err, "expected a number of tasks; all applications have %u at most",
                               PROCESS_LIMIT);
        first[i] = paraver->n_tasks;
        if (!read_tasks(reader, n_tasks, err))
            return false;
        first[i + 1] = paraver->n_tasks;
    }
    *n_comms = 0;
    if (*reader->at == ',' && reader->at++ && !take_number(&reader->at, UINT32_MAX, n_comms))
        return lines_wrong(&reader->lines, err, "expected the number of communicators");
    if (*reader->at)
        return lines_wrong(&reader->lines, err, "unexpected behind the tasks: %.40s", reader->at);
    if (n_applications == 0)
        return lines_wrong(&reader->lines, err, "no application");
    paraver->n_applications = (uint32_t)n_applications;
    paraver->threads = arena_new_array(paraver->arena, ParaverThread, paraver->n_threads);
    paraver->items = spool_new((uint32_t)paraver->n_threads, sizeof(ParaverItem), SPOOL_BYTES);
    return true;
}

/* Reads "APPLICATION:TASK:THREAD:". */
static bool take_thread(Reader *reader, uint32_t *rank, size_t *thread, Err *err)
{
    const Paraver *paraver = reader->paraver;
    uint64_t application, task, number;
    if (!take(reader, ':', paraver->n_applications, &application, "an application", err) || application == 0)
        return err->kind != ERR_NONE ? false : lines_wrong(&reader->lines, err, "applications count from 1");
    const uint32_t first = paraver->application_first[application - 1], end = paraver->application_first[application];
    if (!take(reader, ':', end - first, &task, "a task of the application", err))
        return false;
    *rank = first + (uint32_t)task - 1;
    if (task == 0)
        return lines_wrong(&reader->lines, err, "tasks count from 1");
    if (!take(reader, ':', paraver->tasks[*rank].n_threads, &number, "a thread of the task", err))
        return false;
    if (number == 0)
        return lines_wrong(&reader->lines, err, "threads count from 1");
    *thread = paraver->tasks[*rank].first_thread + number - 1;
    return true;
}

static bool take_time(Reader *reader, char end, int64_t *time_ns, Err *err)
{
    uint64_t time;
    if (!take(reader, end, (uint64_t)TIME_LIMIT_NS / reader->ns_per_unit, &time, "a time", err))
        return false;
    *time_ns = (int64_t)(time * reader->ns_per_unit);
    return true;
}

/* Reads "APPLICATION:ID:" and gives the communicator a number. */
static bool define_comm(Reader *reader, uint32_t number, uint64_t *application, Err *err)
{
    uint64_t id;
    bool is_new;
    if (!take(reader, ':', reader->paraver->n_applications, application, "an application", err) ||
        !take(reader, ':', UINT64_MAX, &id, "a communicator's number", err))
        return false;
    if (*application == 0)
        return lines_wrong(&reader->lines, err, "applications count from 1");
    *map_put(&reader->paraver->comm_of_id, (MapKey){*application, id}, &is_new) = 1 + (uint64_t)number;
    return is_new || lines_wrong(&reader->lines, err, "communicator %lu is defined twice", (unsigned long)id);
}

/* "i:APPLICATION:ID:…": an intercommunicator. Its groups aren't used: collectives on it become calls
 * without an event. */
static bool read_intercomm(Reader *reader, Err *err)
{
    uint64_t application;
    return define_comm(reader, NO_COMM, &application, err);
}

/* "c:APPLICATION:ID:N:TASK…" */
static bool read_comm(Reader *reader, Err *err)
{
    Paraver *paraver = reader->paraver;
    uint64_t application, n;
    if (!define_comm(reader, (uint32_t)paraver->comms.count, &application, err))
        return false;
    const uint32_t first = paraver->application_first[application - 1],
                   n_tasks = paraver->application_first[application] - first;
    if (!take_number(&reader->at, n_tasks, &n))
        return lines_wrong(&reader->lines, err, "expected the number of members, at most %u", n_tasks);
    uint32_t *members = arena_new_array(paraver->arena, uint32_t, n);
    bool is_world = n == paraver->n_tasks;
    for (uint64_t i = 0; i < n; i++) {
        uint64_t task;
        if (*reader->at++ != ':' || !take_number(&reader->at, n_tasks, &task) || task == 0)
            return lines_wrong(&reader->lines, err, "expected %lu members, tasks from 1 to %u", (unsigned long)n,
                               n_tasks);
        members[i] = first + (uint32_t)task - 1;
        is_world &= members[i] == i;
    }
    if (*reader->at)
        return lines_wrong(&reader->lines, err, "unexpected behind the members: %.40s", reader->at);
    *vec_push(&paraver->comms) = (ParaverComm){.n_members = (uint32_t)n, .members = members, .is_world = is_world};
    return true;
}

/* The first communicator of all tasks is MPI_COMM_WORLD, and a task's first communicator of itself
 * alone is MPI_COMM_SELF. Others get numbers in each of their members. */
static void number_comms(Paraver *paraver)
{
    bool has_world = false, *has_self = arena_new_array(paraver->arena, bool, paraver->n_tasks);
    for (uint32_t i = 0; i < paraver->comms.count; i++) {
        ParaverComm *comm = &paraver->comms.items[i];
        comm->is_world = comm->is_world && !has_world;
        has_world |= comm->is_world;
        comm->is_self = !comm->is_world && comm->n_members == 1 && !has_self[comm->members[0]];
        if (comm->is_self)
            has_self[comm->members[0]] = true;
        for (uint32_t k = 0; !comm->is_world && !comm->is_self && k < comm->n_members; k++)
            *vec_push(&paraver->tasks[comm->members[k]].comms) = i;
    }
}

static bool put_item(Reader *reader, size_t thread, const ParaverItem *item, Err *err)
{
    return spool_write(reader->paraver->items, (uint32_t)thread, item, err);
}

/* Hands over the call that was held back. Numbers its collective, and notes its root. */
static bool close_begin(Reader *reader, uint32_t rank, size_t thread, Err *err)
{
    Paraver *paraver = reader->paraver;
    ParaverItem *begin = &paraver->threads[thread].begin;
    if (!paraver->threads[thread].is_open)
        return true;
    paraver->threads[thread].is_open = false;
    if (begin->comm != NO_COMM) {
        const ParaverComm *comm = &paraver->comms.items[begin->comm];
        begin->instance = (uint32_t)(*map_put(&paraver->instances, (MapKey){rank, begin->comm}, NULL))++;
        for (uint32_t i = 0; begin->peer && i < comm->n_members; i++)
            if (comm->members[i] == rank)
                *map_put(&paraver->roots, (MapKey){begin->comm, begin->instance}, NULL) = 1 + (uint64_t)i;
    }
    return put_item(reader, thread, begin, err);
}

/* A call begins or ends. */
static bool read_call(Reader *reader, uint32_t rank, size_t thread, int64_t time_ns, uint64_t type, uint64_t value,
                      Err *err)
{
    Paraver *paraver = reader->paraver;
    ParaverThread *here = &paraver->threads[thread];
    if (!close_begin(reader, rank, thread, err))
        return false;
    ParaverItem item = {.kind = ITEM_END, .time_ns = time_ns, .line = reader->lines.number, .type = (uint32_t)type};
    if (value == 0)
        return put_item(reader, thread, &item, err);
    const uint64_t *name = map_get(&paraver->names.of_value, (MapKey){type, value});
    if (!name && !paraver->names.is_there) {
        lines_wrong(&reader->lines, err, "%s, which holds the names of MPI's calls, is absent", paraver->names.path);
        return err_hint(err, "Extrae writes it beside the .prv file");
    }
    if (!name)
        return lines_wrong(&reader->lines, err, "%s has no name for the value %lu of the event type %lu",
                           paraver->names.path, (unsigned long)value, (unsigned long)type);
    item.kind = ITEM_BEGIN;
    item.name = (uint32_t)*name - 1;
    item.comm = NO_COMM;
    paraver->names.list.items[item.name].n_used++;
    paraver->has_calls = true;
    *here = (ParaverThread){.is_open = true, .begin = item};
    return true;
}

/* Describes the collective that began at this moment. */
static bool describe_collective(Reader *reader, uint64_t application, size_t thread, int64_t time_ns, uint64_t type,
                                uint64_t value, Err *err)
{
    Paraver *paraver = reader->paraver;
    ParaverThread *here = &paraver->threads[thread];
    if (!here->is_open || here->begin.time_ns != time_ns) {
        paraver->n_other_events++;
        return true;
    }
    if (type == SEND_SIZE) {
        here->begin.bytes = value;
    } else if (type == RECEIVED_SIZE) {
        here->begin.bytes_received = value;
    } else if (type == IS_ROOT) {
        here->begin.peer = value != 0;
    } else {
        const uint64_t *comm = map_get(&paraver->comm_of_id, (MapKey){application, value});
        if (!comm)
            return lines_wrong(&reader->lines, err, "communicator %lu isn't defined in the header",
                               (unsigned long)value);
        here->begin.comm = (uint32_t)(*comm - 1);
    }
    return true;
}

static void widen(ParaverTask *task, int64_t time_ns)
{
    if (task->first_ns < 0 || time_ns < task->first_ns)
        task->first_ns = time_ns;
    if (time_ns > task->last_ns)
        task->last_ns = time_ns;
}

static uint64_t application_of(const Paraver *paraver, uint32_t rank)
{
    uint64_t application = 1;
    while (paraver->application_first[application] <= rank)
        application++;
    return application;
}

/* Calls first, so that what describes them may stand before them in the line. */
static bool read_events(Reader *reader, Err *err)
{
    Paraver *paraver = reader->paraver;
    uint64_t cpu, type, value;
    uint32_t rank;
    size_t thread;
    int64_t time_ns;
    if (!take(reader, ':', UINT32_MAX, &cpu, "a processor", err) || !take_thread(reader, &rank, &thread, err) ||
        !take_time(reader, ':', &time_ns, err))
        return false;
    const char *pairs = reader->at;
    const uint64_t application = application_of(paraver, rank);
    for (int pass = 0; pass < 2; pass++) {
        reader->at = pairs;
        for (bool is_last = false; !is_last;) {
            if (!take(reader, ':', UINT64_MAX, &type, "an event's type", err) ||
                !take_number(&reader->at, UINT64_MAX, &value) || (*reader->at && *reader->at != ':'))
                return err->kind != ERR_NONE ? false
                                             : lines_wrong(&reader->lines, err, "expected the value of event type %lu",
                                                           (unsigned long)type);
            is_last = *reader->at == '\0';
            reader->at += !is_last;
            const bool is_call = type >= FIRST_CALL_TYPE && type <= LAST_CALL_TYPE,
                       describes = type >= SEND_SIZE && type <= COMMUNICATOR;
            if (pass == 0 && is_call) {
                widen(&paraver->tasks[rank], time_ns);
                if (!read_call(reader, rank, thread, time_ns, type, value, err))
                    return false;
            }
            if (pass == 1 && describes && !describe_collective(reader, application, thread, time_ns, type, value, err))
                return false;
            paraver->n_other_events += pass == 1 && !is_call && !describes;
        }
    }
    return true;
}

static bool read_state(Reader *reader, Err *err)
{
    Paraver *paraver = reader->paraver;
    uint64_t cpu, state;
    uint32_t rank;
    size_t thread;
    int64_t begin_ns, end_ns;
    if (!take(reader, ':', UINT32_MAX, &cpu, "a processor", err) || !take_thread(reader, &rank, &thread, err) ||
        !take_time(reader, ':', &begin_ns, err) || !take_time(reader, ':', &end_ns, err) ||
        !take(reader, '\0', UINT64_MAX, &state, "a state", err))
        return false;
    if (end_ns < begin_ns)
        return lines_wrong(&reader->lines, err, "the state ends before it begins");
    if (state == TRACING_DISABLED)
        paraver->disabled_ns += end_ns - begin_ns;
    paraver->n_group_states += state == GROUP_COMMUNICATION;
    const uint64_t *name = map_get(&paraver->names.of_state, (MapKey){0, state});
    if (!name)
        return true;
    widen(&paraver->tasks[rank], begin_ns);
    return put_item(reader, thread,
                    &(ParaverItem){.kind = ITEM_STATE,
                                   .time_ns = begin_ns,
                                   .until_ns = end_ns,
                                   .line = reader->lines.number,
                                   .name = (uint32_t)*name - 1},
                    err);
}

static bool read_message(Reader *reader, Err *err)
{
    Paraver *paraver = reader->paraver;
    uint64_t cpu, size, tag;
    uint32_t from, to;
    size_t sender, receiver;
    int64_t sent_ns, physical_ns, posted_ns, received_ns;
    if (!take(reader, ':', UINT32_MAX, &cpu, "a processor", err) || !take_thread(reader, &from, &sender, err) ||
        !take_time(reader, ':', &sent_ns, err) || !take_time(reader, ':', &physical_ns, err) ||
        !take(reader, ':', UINT32_MAX, &cpu, "a processor", err) || !take_thread(reader, &to, &receiver, err) ||
        !take_time(reader, ':', &posted_ns, err) || !take_time(reader, ':', &received_ns, err) ||
        !take(reader, ':', UINT64_MAX, &size, "a size", err) || !take(reader, '\0', UINT32_MAX, &tag, "a tag", err))
        return false;
    paraver->n_tagless += tag > INT32_MAX;
    ParaverItem item = {.kind = ITEM_SEND,
                        .time_ns = sent_ns,
                        .until_ns = sent_ns,
                        .bytes = size,
                        .line = reader->lines.number,
                        .peer = to,
                        .tag = (uint32_t)tag};
    widen(&paraver->tasks[from], sent_ns);
    widen(&paraver->tasks[to], received_ns);
    if (!put_item(reader, sender, &item, err))
        return false;
    item.kind = ITEM_RECV;
    item.time_ns = posted_ns;
    item.until_ns = received_ns > posted_ns ? received_ns : posted_ns;
    item.peer = from;
    return put_item(reader, receiver, &item, err);
}

static bool read_record(Reader *reader, Err *err)
{
    const char *line = reader->lines.line;
    err->kind = ERR_NONE;
    if (line[0] == '\0' || line[0] == '#')
        return true;
    if (line[0] == '\0' || line[1] != ':')
        return lines_wrong(&reader->lines, err, "not a record: %.40s", line);
    reader->at = line + 2;
    switch (line[0]) {
    case '1':
        return read_state(reader, err);
    case '2':
        return read_events(reader, err);
    case '3':
        return read_message(reader, err);
    case 'c':
        return read_comm(reader, err);
    case 'i':
        return read_intercomm(reader, err);
    default:
        return lines_wrong(&reader->lines, err, "no record has the kind %c", line[0]);
    }
}

static bool read_trace(Reader *reader, const Progress *progress, Err *err)
{
    Paraver *paraver = reader->paraver;
    bool is_there;
    uint64_t n_comms;
    if (!lines_next(&reader->lines, &is_there, err))
        return false;
    if (!is_there || !read_header(reader, &n_comms, err))
        return is_there ? false : err_set(err, ERR_INPUT, "%s: line 1: the file is empty", paraver->path);
    while (lines_next(&reader->lines, &is_there, err)) {
        if (!is_there)
            break;
        if (!read_record(reader, err))
            return false;
        if (reader->lines.number % 4096 == 0)
            progress_report(progress, "reading the trace", reader->lines.read_bytes, reader->lines.file_bytes);
    }
    if (is_there)
        return false;
    if (n_comms > 0 && paraver->comms.count < n_comms)
        return lines_wrong(&reader->lines, err, "the file ends, but the header promises %lu communicators, not %lu",
                           (unsigned long)n_comms, (unsigned long)paraver->comms.count);
    for (uint32_t rank = 0; rank < paraver->n_tasks; rank++)
        for (uint32_t i = 0; i < paraver->tasks[rank].n_threads; i++)
            if (!close_begin(reader, rank, paraver->tasks[rank].first_thread + i, err))
                return false;
    number_comms(paraver);
    return true;
}

/* Reads the names of nodes: "LEVEL NODE SIZE 2", and two lines with names. Without them, nodes have
 * numbers. */
static bool read_hosts(Paraver *paraver, const char *path, Err *err)
{
    Lines lines;
    bool is_there = true, ok;
    uint64_t n = 0, read = 0;
    const char **hosts = NULL;
    if (!files_exist(path))
        return true;
    if (!lines_open(&lines, path, err))
        return false;
    while ((ok = lines_next(&lines, &is_there, err)) && is_there) {
        const char *at = lines.line + strlen("LEVEL NODE SIZE ");
        if (read < n)
            hosts[read++] = arena_strdup(paraver->arena, lines.line);
        else if (!hosts && strncmp(lines.line, "LEVEL NODE SIZE ", strlen("LEVEL NODE SIZE ")) == 0 &&
                 take_number(&at, PROCESS_LIMIT, &n))
            hosts = arena_new_array(paraver->arena, const char *, n);
    }
    lines_close(&lines);
    paraver->hosts = hosts;
    paraver->n_hosts = (uint32_t)read;
    return ok;
}

static void set_host(const Paraver *paraver, const ParaverTask *task, ProcessFile *process)
{
    const bool is_named = task->node > 0 && task->node <= paraver->n_hosts;
    if (is_named)
        snprintf(process->host, sizeof process->host, "%s", paraver->hosts[task->node - 1]);
    else
        snprintf(process->host, sizeof process->host, "node%u", task->node);
}

/* A trace that was cut out of a longer one has no MPI_Init. Then all processes begin at the trace's
 * start. No process enters MPI_Init after another has left it: that would make two jobs of them
 * (writer/worlds.h). */
static void set_times(const Paraver *paraver, const ParaverTask *task, ProcessFile *process)
{
    int64_t enter_ns = 0, leave_ns = 0;
    if (task->init_leave_ns >= 0) {
        enter_ns =
            task->init_enter_ns < paraver->least_init_leave_ns ? task->init_enter_ns : paraver->least_init_leave_ns;
        leave_ns = task->init_leave_ns;
    } else if (task->first_ns >= 0) {
        enter_ns = leave_ns =
            paraver->least_init_leave_ns < task->first_ns ? paraver->least_init_leave_ns : task->first_ns;
    }
    process->init_enter_ns = enter_ns + MADE_SHIFT_NS;
    process->init_leave_ns = leave_ns + MADE_SHIFT_NS;
    if (task->finalize_enter_ns >= 0)
        process->finalize_enter_ns = task->finalize_enter_ns + MADE_SHIFT_NS;
    if (task->finalize_leave_ns >= 0)
        process->finalize_leave_ns = task->finalize_leave_ns + MADE_SHIFT_NS;
}

static bool make_processes(Paraver *paraver, const Progress *progress, Err *err)
{
    ProcessFile *process = memory_zeroed(1, sizeof *process);
    MadeComm *comms = memory_zeroed(paraver->comms.count + 1, sizeof *comms);
    bool ok = true;
    uint64_t(*counted)[CALL_LIMIT] = memory_zeroed(paraver->n_tasks, sizeof *counted);
    for (uint32_t rank = 0; ok && rank < paraver->n_tasks; rank++) {
        for (uint32_t i = 0; ok && i < paraver->tasks[rank].n_threads; i++)
            ok = paraver_thread_make(paraver, rank, i, counted[rank], err);
        progress_report(progress, "sorting the records", rank + 1, paraver->n_tasks);
    }
    paraver->least_init_leave_ns = INT64_MAX;
    for (uint32_t rank = 0; rank < paraver->n_tasks; rank++) {
        const ParaverTask *task = &paraver->tasks[rank];
        const int64_t start_ns = task->init_leave_ns >= 0 ? task->init_leave_ns : task->first_ns;
        if (start_ns >= 0 && start_ns < paraver->least_init_leave_ns)
            paraver->least_init_leave_ns = start_ns;
    }
    for (uint32_t rank = 0; ok && rank < paraver->n_tasks; rank++) {
        const ParaverTask *task = &paraver->tasks[rank];
        memset(process, 0, sizeof *process);
        process->rank = (int32_t)rank;
        process->n_processes = (int32_t)paraver->n_tasks;
        memcpy(process->counted, counted[rank], sizeof process->counted);
        set_host(paraver, task, process);
        set_times(paraver, task, process);
        for (size_t i = 0; i < task->comms.count; i++) {
            const ParaverComm *comm = &paraver->comms.items[task->comms.items[i]];
            comms[i] = (MadeComm){.n_members = comm->n_members, .members = comm->members};
        }
        ok = process_make(paraver->recording, process, comms, (uint32_t)task->comms.count, err);
    }
    free(counted);
    free(comms);
    free(process);
    return ok;
}

/* "12 MPI_Put, 3 MPI_Comm_split": the calls of the trace for which `holds`. */
static const char *list_calls(const Paraver *paraver, bool (*holds)(const ParaverName *name), Arena *arena)
{
    const char *text = NULL;
    for (size_t i = 0; i < paraver->names.list.count; i++) {
        const ParaverName *name = &paraver->names.list.items[i];
        if (name->n_used && holds(name))
            text = arena_printf(arena, "%s%s%lu %s", text ? text : "", text ? ", " : "", (unsigned long)name->n_used,
                                name->name);
    }
    return text;
}

static bool is_local(const ParaverName *name)
{
    return name->kind == PARAVER_LOCAL;
}

/* Calls that have an event when firma records them, but about which a Paraver trace says too
 * little. */
static bool lacks_event(const ParaverName *name)
{
    static const char *const beginnings[] = {"MPI_Comm_", "MPI_Cart_", "MPI_Graph_", "MPI_Dist_",      "MPI_Intercomm_",
                                             "MPI_Win_",  "MPI_Put",   "MPI_Get",    "MPI_Accumulate", "MPI_Rput",
                                             "MPI_Rget",  "MPI_Rac",   "MPI_Fetch_", "MPI_Compare_and"};
    if (name->kind != PARAVER_CALL || call_treatment(name->call) != CALL_RECORDED)
        return false;
    for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++)
        if (strncmp(name->name, beginnings[i], strlen(beginnings[i])) == 0)
            return true;
    return false;
}

static void add_notes(const Paraver *paraver, MadeNotes *notes)
{
    Arena *arena = paraver->arena;
    note_add(notes,
             "imported from the Paraver trace %s, which tells neither CPU times nor the communicators of messages: "
             "time outside of MPI counts as computation, and all messages as ones in MPI_COMM_WORLD",
             text_as_line(files_base_name(paraver->path), arena));
    if (paraver->n_applications > 1)
        note_add(notes, "the processes of %u applications count as one MPI_COMM_WORLD", paraver->n_applications);
    const char *calls = list_calls(paraver, is_local, arena);
    if (calls)
        note_add(notes, "calls that don't communicate, or that firma doesn't know, count as computation: %s", calls);
    calls = list_calls(paraver, lacks_event, arena);
    if (calls)
        note_add(notes, "recorded with their time alone, because a Paraver trace doesn't tell whom they concern: %s",
                 calls);
    if (paraver->n_without_comm)
        note_add(notes,
                 "%lu collectives have no communicator in the trace, or an intercommunicator; they are recorded with "
                 "their time alone",
                 (unsigned long)paraver->n_without_comm);
    if (paraver->n_group_states && !paraver->has_calls)
        note_add(notes,
                 "the trace has no MPI events; its calls are made from states, and %lu collectives, which states "
                 "don't name, are left out",
                 (unsigned long)paraver->n_group_states);
    else if (!paraver->has_calls)
        note_add(notes, "the trace has no MPI events; its calls are made from states and messages");
    if (paraver->n_without_root)
        note_add(notes, "%lu collectives have no root in the trace", (unsigned long)paraver->n_without_root);
    if (paraver->n_lone_sends + paraver->n_lone_receives)
        note_add(notes,
                 "%lu calls that send and %lu that receive have no message in the trace: it went to or came from "
                 "MPI_PROC_NULL, or its other side wasn't recorded",
                 (unsigned long)paraver->n_lone_sends, (unsigned long)paraver->n_lone_receives);
    if (paraver->n_tagless)
        note_add(notes,
                 "%lu messages have a negative tag, and perhaps a wrong size: the tracer didn't know what it had "
                 "received",
                 (unsigned long)paraver->n_tagless);
    if (paraver->n_outside)
        note_add(notes,
                 "%lu ends of messages lie outside of any MPI call; each got a call of its own, without duration",
                 (unsigned long)paraver->n_outside);
    if (paraver->n_unclosed)
        note_add(notes, "%lu MPI calls have no end of their own in the trace; each ends where the next call begins",
                 (unsigned long)paraver->n_unclosed);
    if (paraver->disabled_ns)
        note_add(notes,
                 "the tracer was switched off for %.3g s, summed over threads; what ran then counts as computation",
                 (double)paraver->disabled_ns * 1e-9);
    if (paraver->n_other_events)
        note_add(notes, "left out: %lu events that aren't MPI's, such as hardware counters and functions",
                 (unsigned long)paraver->n_other_events);
}

/* PATH.prv -> PATH + suffix */
static const char *sibling(const Paraver *paraver, const char *suffix)
{
    const size_t length = strlen(paraver->path) - (files_has_suffix(paraver->path, ".prv") ? strlen(".prv") : 0);
    return arena_printf(paraver->arena, "%.*s%s", (int)length, paraver->path, suffix);
}

bool paraver_import(const char *path, const char *recording, const Progress *progress, Err *err)
{
    Paraver paraver = {.path = path, .recording = recording, .arena = arena_new()};
    Reader reader = {.paraver = &paraver};
    MadeNotes notes = {0};
    bool ok = paraver_names_read(&paraver.names, sibling(&paraver, ".pcf"), paraver.arena, err) &&
              read_hosts(&paraver, sibling(&paraver, ".row"), err) && lines_open(&reader.lines, path, err);
    ok = ok && read_trace(&reader, progress, err) && make_processes(&paraver, progress, err);
    if (ok)
        add_notes(&paraver, &notes);
    ok = notes_make(recording, &notes, ok, err);
    lines_close(&reader.lines);
    spool_free(paraver.items);
    for (uint32_t rank = 0; rank < paraver.n_tasks; rank++)
        vec_free(&paraver.tasks[rank].comms);
    paraver_names_free(&paraver.names);
    vec_free(&paraver.comms);
    map_free(&paraver.comm_of_id);
    map_free(&paraver.instances);
    map_free(&paraver.roots);
    arena_free(paraver.arena);
    return ok;
}
