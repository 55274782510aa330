/* SPDX-License-Identifier: BSD-3-Clause */
/* The JSON form of a temporal flow graph (docs/FORMATS.md), which people write too: what can be left out has a default,
 * and what isn't known is refused. */
#include "model/tfg.h"

#include "model/members.h"
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
    json_set_real(object, "bytes", step->bytes);
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

const char *tfg_collectives_name(bool has_collectives)
{
    return has_collectives ? "expanded" : "left-out";
}

json_t *tfg_to_json(const TaskGraph *graph)
{
    json_t *root = json_object(), *tasks = json_array();
    json_object_set_new(root, "format", json_string(TFG_FORMAT));
    json_object_set_new(root, "version", json_integer(TFG_VERSION));
    json_object_set_new(root, "source", json_from_text(graph->source));
    json_object_set_new(root, "collectives", json_string(tfg_collectives_name(graph->has_collectives)));
    json_object_set_new(root, "collectives_expanded", json_integer((json_int_t)graph->n_collectives));
    json_object_set_new(root, "collective_messages", json_integer((json_int_t)graph->n_collective_messages));
    json_set_real(root, "collective_bytes", graph->collective_bytes);
    json_object_set_new(root, "collectives_left_out", json_integer((json_int_t)graph->n_collectives_left_out));
    json_object_set_new(root, "one_sided_left_out", json_integer((json_int_t)graph->n_one_sided_left_out));
    json_set_real(root, "left_out_share", graph->left_out_share);
    json_object_set_new(root, "unmatched", json_integer((json_int_t)graph->n_unmatched));
    for (uint32_t i = 0; i < graph->n_tasks; i++) {
        json_t *task = json_object();
        json_object_set_new(task, "name", json_from_text(graph->tasks[i].name));
        json_object_set_new(task, "steps", steps_to_json(graph->tasks[i].steps, graph->tasks[i].n_steps));
        json_array_append_new(tasks, task);
    }
    json_object_set_new(root, "tasks", tasks);
    return root;
}

/* ---- reading ---- */

typedef struct TfgReading {
    Arena *arena;
    uint32_t n_tasks, task; /* the one that is being read */
    json_t *numbers;        /* of tasks, by name */
    TrafficTable traffic;
} TfgReading;

static bool refuse(const JsonPlace *place, const char *why, Err *err)
{
    return err_set(err, ERR_INPUT, "%s: %s: %s", place->file, place->path, why);
}

bool task_names_collect(const char *const *names, uint32_t n_tasks, const JsonPlace *place, const char *key,
                        json_t **numbers, Err *err)
{
    json_t *object = json_object();
    for (uint32_t i = 0; i < n_tasks; i++) {
        if (json_object_get(object, names[i])) {
            json_decref(object);
            return err_set(err, ERR_INPUT, "%s: %s%s%s[%u].name: another one is called `%.80s` too", place->file,
                           place->path, place->path[0] ? "." : "", key, i, names[i]);
        }
        json_object_set_new_nocheck(object, names[i], json_integer(i));
    }
    *numbers = object;
    return true;
}

bool json_get_task(const json_t *object, const char *key, const JsonPlace *place, const json_t *numbers,
                   uint32_t n_tasks, uint32_t *task, Err *err)
{
    const json_t *value = json_object_get(object, key);
    if (json_is_string(value)) {
        const json_t *number = json_object_get(numbers, json_string_value(value));
        if (!number)
            return err_set(err, ERR_INPUT, "%s: %s.%s: there is no task `%.80s`", place->file, place->path, key,
                           json_string_value(value));
        *task = (uint32_t)json_integer_value(number);
        return true;
    }
    if (!json_is_integer(value))
        return err_set(err, ERR_INPUT, "%s: %s.%s: expected the number or the name of a task", place->file, place->path,
                       key);
    json_int_t number = json_integer_value(value);
    if (number < 0 || number >= n_tasks)
        return err_set(err, ERR_INPUT, "%s: %s.%s: there is no task %" PRId64 ", only 0 to %u", place->file,
                       place->path, key, (int64_t)number, n_tasks - 1);
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
    static const char *const of_send[] = {"send", "bytes", NULL}, *const of_recv[] = {"recv", "bytes", NULL};
    bool sends = json_object_get(object, "send");
    *step = (Step){.kind = sends ? STEP_SEND : STEP_RECV, .times = 1};
    if (!json_check_members(object, sends ? of_send : of_recv, place, err) ||
        !json_get_task(object, sends ? "send" : "recv", place, reading->numbers, reading->n_tasks, &step->peer, err) ||
        (json_object_get(object, "bytes") && !json_get_share(object, "bytes", place, &step->bytes, err)))
        return false;
    if (step->bytes > BYTES_LIMIT)
        return refuse(place, "no message is that large", err);
    if (sends)
        traffic_between(&reading->traffic, reading->task, step->peer)->sent += runs;
    else
        traffic_between(&reading->traffic, step->peer, reading->task)->received += runs;
    return true;
}

static bool steps_from_json(TfgReading *reading, const json_t *array, const JsonPlace *place, uint64_t runs, int depth,
                            const Step **steps, uint32_t *n_steps, Err *err);

static bool loop_from_json(TfgReading *reading, const json_t *object, const JsonPlace *place, uint64_t runs, int depth,
                           Step *step, Err *err)
{
    static const char *const known[] = {"times", "body", NULL};
    const JsonPlace body_place = json_place(place->file, "%s.body", place->path);
    json_t *body;
    *step = (Step){.kind = STEP_LOOP};
    if (!json_check_members(object, known, place, err) ||
        !json_get_array(object, "body", place, SIZE_MAX, &body, err) ||
        !json_get_uint(object, "times", place, TIMES_LIMIT, &step->times, err))
        return false;
    if (step->times == 0 || json_array_size(body) == 0)
        return refuse(place, "a loop has an iteration and a step at least", err);
    if (step->times > TIMES_LIMIT / runs || depth == LOOP_DEPTH_LIMIT)
        return refuse(place, depth == LOOP_DEPTH_LIMIT ? "loops are nested too deep" : "too many iterations", err);
    return steps_from_json(reading, body, &body_place, runs * step->times, depth + 1, &step->body, &step->n_body, err);
}

static bool steps_from_json(TfgReading *reading, const json_t *array, const JsonPlace *place, uint64_t runs, int depth,
                            const Step **steps, uint32_t *n_steps, Err *err)
{
    size_t n = json_array_size(array);
    Step *step = arena_new_array(reading->arena, Step, n);
    if (n > UINT32_MAX)
        return refuse(place, "too many steps", err);
    for (size_t i = 0; i < n; i++) {
        const JsonPlace at = json_place(place->file, "%s[%zu]", place->path, i);
        const json_t *value = json_array_get(array, i);
        bool ok;
        if (json_is_number(value))
            ok = compute_from_json(value, &at, &step[i], err);
        else if (json_object_get(value, "body"))
            ok = loop_from_json(reading, value, &at, runs, depth, &step[i], err);
        else if (json_object_get(value, "send") || json_object_get(value, "recv"))
            ok = message_from_json(reading, value, &at, runs, &step[i], err);
        else
            ok = refuse(&at, "expected seconds of computation, or an object with `send`, `recv` or `body`", err);
        if (!ok)
            return false;
    }
    *steps = step;
    *n_steps = (uint32_t)n;
    return true;
}

/* A task is an object, or its steps alone. */
static bool task_name_from_json(const json_t *value, const JsonPlace *place, uint32_t number, Arena *arena,
                                const char **name, Err *err)
{
    static const char *const known[] = {"name", "steps", NULL};
    if (!json_is_array(value) && !json_is_object(value))
        return refuse(place, "expected a task: an object, or an array of its steps", err);
    if (json_is_object(value) && !json_check_members(value, known, place, err))
        return false;
    if (json_object_get(value, "name"))
        return json_get_name(value, "name", place, arena, name, err);
    *name = arena_printf(arena, "%u", number);
    return true;
}

static bool names_from_json(TfgReading *reading, const json_t *array, const JsonPlace *place, Task *tasks, Err *err)
{
    const char **names = arena_new_array(reading->arena, const char *, reading->n_tasks);
    for (uint32_t i = 0; i < reading->n_tasks; i++) {
        const JsonPlace at = json_place(place->file, "%s%stasks[%u]", place->path, place->path[0] ? "." : "", i);
        if (!task_name_from_json(json_array_get(array, i), &at, i, reading->arena, &names[i], err))
            return false;
        tasks[i].name = names[i];
    }
    return task_names_collect(names, reading->n_tasks, place, "tasks", &reading->numbers, err);
}

static bool task_steps_from_json(TfgReading *reading, const json_t *value, const JsonPlace *place, Task *task, Err *err)
{
    JsonPlace at = json_place(place->file, "%s%stasks[%u]", place->path, place->path[0] ? "." : "", reading->task);
    json_t *steps = (json_t *)value;
    if (json_is_object(value)) {
        if (!json_get_array(value, "steps", &at, SIZE_MAX, &steps, err))
            return false;
        at = json_place(place->file, "%s%stasks[%u].steps", place->path, place->path[0] ? "." : "", reading->task);
    }
    return steps_from_json(reading, steps, &at, 1, 0, &task->steps, &task->n_steps, err);
}

static bool check_traffic(const TfgReading *reading, const JsonPlace *place, const Task *tasks, Err *err)
{
    for (size_t i = 0; i < reading->traffic.pairs.count; i++) {
        const Traffic *traffic = &reading->traffic.pairs.items[i];
        if (traffic->received > traffic->sent)
            return err_set(err, ERR_INPUT,
                           "%s: %s%stasks[%u]: task `%.80s` receives %" PRIu64 " message%s from `%.80s`, which sends "
                           "it %" PRIu64,
                           place->file, place->path, place->path[0] ? "." : "", traffic->to, tasks[traffic->to].name,
                           traffic->received, traffic->received == 1 ? "" : "s", tasks[traffic->from].name,
                           traffic->sent);
    }
    return true;
}

static bool tasks_from_json(TfgReading *reading, const json_t *object, const JsonPlace *place, TaskGraph *graph,
                            Err *err)
{
    json_t *array;
    if (!json_get_array(object, "tasks", place, SIZE_MAX, &array, err))
        return false;
    size_t n = json_array_size(array);
    if (n == 0 || n > TASKS_LIMIT)
        return err_set(err, ERR_INPUT, "%s: %s%stasks: %zu tasks; there are 1 to %d", place->file, place->path,
                       place->path[0] ? "." : "", n, TASKS_LIMIT);
    Task *tasks = arena_new_array(reading->arena, Task, n);
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

static bool get_count(const json_t *object, const char *key, const JsonPlace *place, uint64_t *count, Err *err)
{
    return !json_object_get(object, key) || json_get_uint(object, key, place, INT64_MAX, count, err);
}

static bool get_quantity(const json_t *object, const char *key, const JsonPlace *place, double limit, double *value,
                         Err *err)
{
    return !json_object_get(object, key) || json_get_quantity(object, key, place, limit, value, err);
}

static bool get_collectives(const json_t *object, const JsonPlace *place, bool *has_collectives, Err *err)
{
    const char *name = tfg_collectives_name(false);
    if (json_object_get(object, "collectives") && !json_get_string(object, "collectives", place, &name, err))
        return false;
    *has_collectives = strcmp(name, tfg_collectives_name(true)) == 0;
    return *has_collectives || strcmp(name, tfg_collectives_name(false)) == 0 ||
           err_set(err, ERR_INPUT, "%s: %s%scollectives: expected `%s` or `%s`", place->file, place->path,
                   place->path[0] ? "." : "", tfg_collectives_name(true), tfg_collectives_name(false));
}

/* What a graph from a trace says of that. */
static bool counts_from_json(const json_t *object, const JsonPlace *place, TaskGraph *graph, Err *err)
{
    return get_collectives(object, place, &graph->has_collectives, err) &&
           get_count(object, "collectives_expanded", place, &graph->n_collectives, err) &&
           get_count(object, "collective_messages", place, &graph->n_collective_messages, err) &&
           get_quantity(object, "collective_bytes", place, COLLECTIVE_BYTES_LIMIT, &graph->collective_bytes, err) &&
           get_count(object, "collectives_left_out", place, &graph->n_collectives_left_out, err) &&
           get_count(object, "one_sided_left_out", place, &graph->n_one_sided_left_out, err) &&
           get_quantity(object, "left_out_share", place, 1, &graph->left_out_share, err) &&
           get_count(object, "unmatched", place, &graph->n_unmatched, err);
}

/* In another document, it may say what it is, and then that must be right. */
static bool check_format(const json_t *object, const JsonPlace *place, Err *err)
{
    bool says = json_object_get(object, "format") || json_object_get(object, "version");
    return !says || json_check_format(object, place->file, TFG_FORMAT, TFG_VERSION, err);
}

bool tfg_from_json(const json_t *object, const JsonPlace *place, Arena *arena, TaskGraph **graph, Err *err)
{
    static const char *const known[] = {"format",
                                        "version",
                                        "source",
                                        "collectives",
                                        "collectives_expanded",
                                        "collective_messages",
                                        "collective_bytes",
                                        "collectives_left_out",
                                        "one_sided_left_out",
                                        "left_out_share",
                                        "unmatched",
                                        "tasks",
                                        NULL};
    TfgReading reading = {.arena = arena};
    TaskGraph *read = arena_new_array(arena, TaskGraph, 1);
    read->source = "";
    bool ok =
        json_check_members(object, known, place, err) && check_format(object, place, err) &&
        (!json_object_get(object, "source") || json_get_text(object, "source", place, arena, &read->source, err)) &&
        counts_from_json(object, place, read, err) && tasks_from_json(&reading, object, place, read, err);
    json_decref(reading.numbers);
    traffic_free(&reading.traffic);
    if (ok)
        *graph = read;
    return ok;
}

bool tfg_from_document(const json_t *root, const char *file, Arena *arena, void *graph, Err *err)
{
    const JsonPlace place = json_place(file, "%s", "");
    return tfg_from_json(root, &place, arena, graph, err);
}

bool tfg_save(const TaskGraph *graph, const char *path, Err *err)
{
    json_t *root = tfg_to_json(graph);
    bool saved = save_readable_document(root, path, tfg_from_document, err);
    json_decref(root);
    return saved;
}

bool tfg_load(const char *path, Arena *arena, TaskGraph **graph, Err *err)
{
    return load_document(path, TFG_FORMAT, TFG_VERSION, tfg_from_document, arena, graph, err);
}
