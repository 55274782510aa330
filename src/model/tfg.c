/* SPDX-License-Identifier: BSD-3-Clause */
/* The JSON form of a temporal flow graph (docs/FORMATS.md). People write this form, too. So many
 * members have defaults, and unknown members are refused. */
#include "model/tfg.h"

#include "model/traffic.h"
#include <inttypes.h>
#include <math.h>
#include <string.h>

/* ---- writing ---- */

static json_t *steps_to_json(const Step *steps, uint32_t n_steps);

static json_t *message_to_json(const char *key, const Step *step)
{
    json_t *object = json_object();
    json_object_set_new(object, key, json_integer(step->peer));
    json_object_set_new(object, "bytes", json_real(step->bytes));
    if (step->blocks)
        json_object_set_new(object, "blocks", json_true());
    return object;
}

static json_t *step_to_json(const Step *step)
{
    switch (step->kind) {
    case STEP_COMPUTE:
        return isfinite(step->seconds) ? json_real(step->seconds) : json_null();
    case STEP_SEND:
        return message_to_json("send", step);
    case STEP_RECV:
        return message_to_json("recv", step);
    case STEP_PUT:
        return message_to_json("put", step);
    case STEP_GET:
        return message_to_json("get", step);
    case STEP_LOOP:
    case STEP_COLLECTIVE:
        break;
    }
    json_t *loop = json_object();
    json_object_set_new(loop, "times", json_integer((json_int_t)step->times));
    json_object_set_new(loop, "body", steps_to_json(step->body, step->n_body));
    return loop;
}

static json_t *steps_to_json(const Step *steps, uint32_t n_steps)
{
    json_t *array = json_array();
    for (uint32_t i = 0; i < n_steps; i++)
        json_array_append_new(array, step_to_json(&steps[i]));
    return array;
}

static json_t *tasks_to_json(const FieldContext *context, const void *record)
{
    const TaskGraph *graph = record;
    json_t *tasks = json_array();
    (void)context;
    for (uint32_t i = 0; i < graph->n_tasks; i++)
        json_array_append_new(tasks, json_pack("{s:o, s:o}", "name", json_from_text(graph->tasks[i].name), "steps",
                                               steps_to_json(graph->tasks[i].steps, graph->tasks[i].n_steps)));
    return tasks;
}

/* ---- reading ---- */

/* Members of a step, of a loop and of a task. */
#define MESSAGE_FIELDS(peer_name, blocking)                                                                            \
    FIELD_AS(Step, peer, peer_name, "number or name of the other task", .flags = FIELD_UNREAD),                        \
        FIELD(Step, bytes, "size of the message; by default 0", .flags = FIELD_OPTIONAL | FIELD_NOT_NEGATIVE),         \
        FIELD(Step, blocks, blocking, .flags = FIELD_OPTIONAL)
static const FieldList send_fields =
    FIELDS_STRICT(Step, MESSAGE_FIELDS("send", "true: the task waits until a long message has left"));
static const FieldList recv_fields =
    FIELDS_STRICT(Step, MESSAGE_FIELDS("recv", "true: a long message leaves only when the task waits for it"));
#define COMPLETION "true: the task waits until this and all its earlier puts and gets are complete"
static const FieldList put_fields = FIELDS_STRICT(Step, MESSAGE_FIELDS("put", COMPLETION));
static const FieldList get_fields = FIELDS_STRICT(Step, MESSAGE_FIELDS("get", COMPLETION));
static const struct {
    const char *key;
    StepKind kind;
    const FieldList *fields;
} message_kinds[] = {{"send", STEP_SEND, &send_fields},
                     {"recv", STEP_RECV, &recv_fields},
                     {"put", STEP_PUT, &put_fields},
                     {"get", STEP_GET, &get_fields}};
enum { MESSAGE_KINDS = sizeof message_kinds / sizeof *message_kinds };

/* Returns MESSAGE_KINDS for what isn't a message. */
static size_t message_kind(const json_t *object)
{
    size_t kind = 0;
    while (kind < MESSAGE_KINDS && !json_object_get(object, message_kinds[kind].key))
        kind++;
    return kind;
}

static const FieldList loop_fields =
    FIELDS_STRICT(Step, FIELD(Step, times, "number of iterations", .limit = TIMES_LIMIT),
                  FIELD_LIST(Step, body, n_body, "body", "steps of one iteration", .flags = FIELD_UNREAD));
static const FieldList task_fields = FIELDS_STRICT(
    Task, FIELD(Task, name, "name of the task; by default its number", .flags = FIELD_ABSENT | FIELD_LINE),
    FIELD_LIST(Task, steps, n_steps, "steps", "steps of the task, in order", .flags = FIELD_UNREAD));

typedef struct TfgReading {
    const FieldContext *context;
    uint32_t n_tasks, task; /* the one that is being read */
    json_t *numbers;        /* of tasks, by name */
    TrafficTable traffic;
} TfgReading;

static bool refuse(const JsonPlace *place, const char *why, Err *err)
{
    return json_refuse(place, "", err, "%s", why);
}

bool task_names_collect(const char *const *names, uint32_t n_tasks, const JsonPlace *place, json_t **numbers, Err *err)
{
    json_t *object = json_object();
    for (uint32_t i = 0; i < n_tasks; i++) {
        if (json_object_get(object, names[i])) {
            const JsonPlace at = json_place_at(place, "", i);
            json_decref(object);
            return json_refuse(&at, "name", err, "`%.80s` is the name of an earlier task", names[i]);
        }
        json_object_set_new_nocheck(object, names[i], json_integer(i));
    }
    *numbers = object;
    return true;
}

static bool find_task(const json_t *name, const char *key, const JsonPlace *place, const json_t *numbers,
                      uint32_t *task, Err *err)
{
    Arena *arena = arena_new();
    const char *text = json_to_text(name, arena);
    const json_t *number = json_object_get(numbers, text);
    bool found = number || json_refuse(place, key, err, "there is no task `%.80s`", text);
    if (found)
        *task = (uint32_t)json_integer_value(number);
    arena_free(arena);
    return found;
}

bool json_get_task(const json_t *object, const char *key, const JsonPlace *place, const json_t *numbers,
                   uint32_t n_tasks, uint32_t *task, Err *err)
{
    const json_t *value = json_object_get(object, key);
    if (json_is_string(value))
        return find_task(value, key, place, numbers, task, err);
    if (!json_is_integer(value))
        return json_refuse(place, key, err, "expected the number or the name of a task");
    json_int_t number = json_integer_value(value);
    if (!n_tasks)
        return json_refuse(place, key, err, "there are no tasks");
    if (number < 0 || number >= n_tasks)
        return json_refuse(place, key, err, "there is no task %" PRId64 ", only 0 to %u", (int64_t)number, n_tasks - 1);
    *task = (uint32_t)number;
    return true;
}

static bool compute_from_json(const json_t *value, const JsonPlace *place, Step *step, Err *err)
{
    double seconds = json_number_value(value);
    if (!(seconds >= 0 && seconds <= SECONDS_LIMIT))
        return refuse(place, "expected seconds of computation, not negative", err);
    *step = (Step){.kind = STEP_COMPUTE, .seconds = seconds, .times = 1};
    return true;
}

static bool message_from_json(TfgReading *reading, const json_t *object, const JsonPlace *place, uint64_t runs,
                              Step *step, Err *err)
{
    size_t kind = message_kind(object);
    *step = (Step){.kind = message_kinds[kind].kind, .times = 1};
    if (!fields_from_json(message_kinds[kind].fields, reading->context, object, place, step, err) ||
        !json_get_task(object, message_kinds[kind].key, place, reading->numbers, reading->n_tasks, &step->peer, err))
        return false;
    if (step->bytes > BYTES_LIMIT)
        return refuse(place, "a message may have at most 1e18 bytes", err);
    if (step->kind == STEP_SEND)
        traffic_between(&reading->traffic, reading->task, step->peer)->sent += runs;
    else if (step->kind == STEP_RECV)
        traffic_between(&reading->traffic, step->peer, reading->task)->received += runs;
    return true;
}

static bool steps_from_json(TfgReading *reading, const json_t *array, const JsonPlace *place, uint64_t runs, int depth,
                            const Step **steps, uint32_t *n_steps, Err *err);

static bool loop_from_json(TfgReading *reading, const json_t *object, const JsonPlace *place, uint64_t runs, int depth,
                           Step *step, Err *err)
{
    const JsonPlace body_place = json_place_in(place, "body");
    json_t *body;
    *step = (Step){.kind = STEP_LOOP};
    if (!fields_from_json(&loop_fields, reading->context, object, place, step, err) ||
        !json_get_array(object, "body", place, SIZE_MAX, &body, err))
        return false;
    if (step->times == 0 || json_array_size(body) == 0)
        return refuse(place, "expected at least one iteration and one step", err);
    if (step->times > TIMES_LIMIT / runs || depth == LOOP_DEPTH_LIMIT)
        return refuse(place,
                      depth == LOOP_DEPTH_LIMIT ? "loops are nested deeper than 64" : "more than 2^40 iterations", err);
    return steps_from_json(reading, body, &body_place, runs * step->times, depth + 1, &step->body, &step->n_body, err);
}

static bool steps_from_json(TfgReading *reading, const json_t *array, const JsonPlace *place, uint64_t runs, int depth,
                            const Step **steps, uint32_t *n_steps, Err *err)
{
    size_t n = json_array_size(array);
    Step *step = arena_new_array(reading->context->arena, Step, n);
    if (n > UINT32_MAX)
        return refuse(place, "too many steps", err);
    for (size_t i = 0; i < n; i++) {
        const JsonPlace at = json_place_at(place, "", i);
        const json_t *value = json_array_get(array, i);
        bool ok;
        if (json_is_number(value))
            ok = compute_from_json(value, &at, &step[i], err);
        else if (json_object_get(value, "body"))
            ok = loop_from_json(reading, value, &at, runs, depth, &step[i], err);
        else if (message_kind(value) < MESSAGE_KINDS)
            ok = message_from_json(reading, value, &at, runs, &step[i], err);
        else
            ok = refuse(
                &at, "expected seconds of computation, or an object with `send`, `recv`, `put`, `get` or `body`", err);
        if (!ok)
            return false;
    }
    *steps = step;
    *n_steps = (uint32_t)n;
    return true;
}

/* A task is an object, or the array of its steps. */
static bool task_name_from_json(TfgReading *reading, const json_t *value, const JsonPlace *place, uint32_t number,
                                Task *task, Err *err)
{
    task->name = arena_printf(reading->context->arena, "%u", number);
    if (!json_is_array(value) && !json_is_object(value))
        return refuse(place, "expected a task: an object, or an array of its steps", err);
    return json_is_array(value) || fields_from_json(&task_fields, reading->context, value, place, task, err);
}

static bool names_from_json(TfgReading *reading, const json_t *array, const JsonPlace *place, Task *tasks, Err *err)
{
    const char **names = arena_new_array(reading->context->arena, const char *, reading->n_tasks);
    for (uint32_t i = 0; i < reading->n_tasks; i++) {
        const JsonPlace at = json_place_at(place, "", i);
        if (!task_name_from_json(reading, json_array_get(array, i), &at, i, &tasks[i], err))
            return false;
        names[i] = tasks[i].name;
    }
    return task_names_collect(names, reading->n_tasks, place, &reading->numbers, err);
}

static bool task_steps_from_json(TfgReading *reading, const json_t *value, const JsonPlace *place, Task *task, Err *err)
{
    JsonPlace at = json_place_at(place, "", reading->task);
    json_t *steps = (json_t *)value;
    if (json_is_object(value)) {
        if (!json_get_array(value, "steps", &at, SIZE_MAX, &steps, err))
            return false;
        at = json_place_in(&at, "steps");
    }
    return steps_from_json(reading, steps, &at, 1, 0, &task->steps, &task->n_steps, err);
}

static bool check_traffic(const TfgReading *reading, const JsonPlace *place, const Task *tasks, Err *err)
{
    for (size_t i = 0; i < reading->traffic.pairs.count; i++) {
        const Traffic *traffic = &reading->traffic.pairs.items[i];
        const JsonPlace at = json_place_at(place, "", traffic->to);
        if (traffic->received > traffic->sent)
            return json_refuse(&at, "", err,
                               "task `%.80s` receives %" PRIu64 " message%s from `%.80s`, which sends it %" PRIu64,
                               tasks[traffic->to].name, traffic->received, text_plural(traffic->received),
                               tasks[traffic->from].name, traffic->sent);
    }
    return true;
}

static bool read_tasks(TfgReading *reading, const json_t *array, const JsonPlace *place, TaskGraph *graph, Err *err)
{
    size_t n = json_array_size(array);
    if (n == 0 || n > TASKS_LIMIT)
        return json_refuse(place, "", err, "%zu tasks; expected 1 to %d", n, TASKS_LIMIT);
    Task *tasks = arena_new_array(reading->context->arena, Task, n);
    graph->tasks = tasks;
    graph->n_tasks = reading->n_tasks = (uint32_t)n;
    if (!names_from_json(reading, array, place, tasks, err))
        return false;
    for (uint32_t i = 0; i < n; i++) {
        reading->task = i;
        if (!task_steps_from_json(reading, json_array_get(array, i), place, &tasks[i], err))
            return false;
    }
    return check_traffic(reading, place, tasks, err);
}

static bool tasks_from_json(const FieldContext *context, json_t *array, const JsonPlace *place, void *graph, Err *err)
{
    TfgReading reading = {.context = context};
    bool ok = read_tasks(&reading, array, place, graph, err);
    json_decref(reading.numbers);
    traffic_free(&reading.traffic);
    return ok;
}

static const char *const collectives_names[] = {"left-out", "expanded", NULL};

const FieldList tfg_counts_fields = FIELDS(
    TaskGraph,
    FIELD_AS(TaskGraph, has_collectives, "collectives",
             "`expanded`: the graph has the messages that an MPI library sends for collectives (METHOD "
             "§13); `left-out`, the default: it has none",
             .flags = FIELD_OPTIONAL, .choices = collectives_names),
    FIELD_AS(TaskGraph, n_collectives, "collectives_expanded",
             "number of collectives that have become messages; a call by many processes counts once; by default 0",
             .flags = FIELD_OPTIONAL),
    FIELD_AS(TaskGraph, n_collective_messages, "collective_messages", "number of these messages; by default 0",
             .flags = FIELD_OPTIONAL),
    FIELD(TaskGraph, collective_bytes, "sum of these messages' bytes; by default 0",
          .flags = FIELD_OPTIONAL | FIELD_NOT_NEGATIVE, .limit = COLLECTIVE_BYTES_LIMIT),
    FIELD_AS(TaskGraph, n_collectives_left_out, "collectives_left_out",
             "number of the trace's collectives that are left out; by default 0", .flags = FIELD_OPTIONAL),
    FIELD_AS(TaskGraph, n_one_sided_left_out, "one_sided_left_out",
             "number of the trace's one-sided operations that are left out; by default 0", .flags = FIELD_OPTIONAL),
    FIELD(TaskGraph, left_out_share,
          "share of all processes' time in the trace that they spent in collectives and one-sided operations "
          "that are left out; by default 0",
          .flags = FIELD_OPTIONAL | FIELD_NOT_NEGATIVE, .limit = 1),
    FIELD(TaskGraph, guessed_share,
          "the same, in collectives whose parts for each pair the trace doesn't tell (alltoallv, alltoallw and "
          "neighbourhood collectives of these kinds), so that the messages are guessed; by default 0",
          .flags = FIELD_OPTIONAL | FIELD_NOT_NEGATIVE, .limit = 1),
    FIELD_AS(TaskGraph, n_unmatched, "unmatched",
             "number of the trace's receives that have no send and are left out; by default 0",
             .flags = FIELD_OPTIONAL));

static const FieldList tfg_fields = {
    .size = sizeof(TaskGraph),
    .refuses_others = true,
    .is_document = true,
    .fields = FIELD_ARRAY(
        FIELD(TaskGraph, source, "the trace that the graph was made from; by default \"\"", .flags = FIELD_OPTIONAL),
        FIELD_INLINE_ALL(tfg_counts_fields),
        FIELD_OWN("tasks", SHAPE_LIST, tasks_to_json, tasks_from_json,
                  "1 to 1 048 576 tasks. Each is an object with `steps` and a `name` (by default its number; without "
                  "control characters), or the array of its steps"))};

const Document tfg_document = {TFG_FORMAT, TFG_VERSION, &tfg_fields, .is_checked = true};

/* A graph within another document may have "format" and "version". Then they must be right. */
static bool check_format(const json_t *object, const JsonPlace *place, Err *err)
{
    bool says = json_object_get(object, "format") || json_object_get(object, "version");
    return !says || json_check_format(object, place->file, TFG_FORMAT, TFG_VERSION, err);
}

bool tfg_from_json(const json_t *object, const JsonPlace *place, Arena *arena, TaskGraph **graph, Err *err)
{
    TaskGraph *read = arena_new_array(arena, TaskGraph, 1);
    const FieldContext context = {.root = read, .arena = arena};
    if (!check_format(object, place, err) || !fields_from_json(&tfg_fields, &context, object, place, read, err))
        return false;
    *graph = read;
    return true;
}
