/* SPDX-License-Identifier: BSD-3-Clause */
/* See request.h. */
#include "comm/worker/harness/request.h"

#include "base/json.h"
#include "comm/protocol.h"
#include "comm/word.h"
#include <string.h>

enum { CPU_LIMIT = 8192, REPETITIONS_LIMIT = 100 * 1000 * 1000 };

static const char *const operation_names[] = {COMM_OPERATIONS};

/* The constant of COMM_OPERATIONS with this name; NULL if there is none. */
static const char *find_operation(const char *name)
{
    for (size_t i = 0; i < sizeof operation_names / sizeof *operation_names; i++)
        if (strcmp(operation_names[i], name) == 0)
            return operation_names[i];
    return NULL;
}

bool request_load(const char *text, json_t **document, Err *err)
{
    json_error_t error;
    Arena *scratch = arena_new();
    const char *unpacked = word_unpack(text, scratch);
    json_t *loaded = json_loads(unpacked ? unpacked : text, JSON_REJECT_DUPLICATES, &error);
    arena_free(scratch);
    if (!loaded)
        return err_set(err, ERR_INPUT, "the request, character %d: not valid JSON: %s", error.position, error.text);
    if (!json_is_object(loaded)) {
        json_decref(loaded);
        return err_set(err, ERR_INPUT, "the request: not a JSON object");
    }
    *document = loaded;
    return true;
}

static bool parse_operations(const json_t *document, const JsonPlace *place, Arena *arena, Request *request, Err *err)
{
    json_t *list;
    if (!json_get_array(document, "operations", place, SIZE_MAX, &list, err))
        return false;
    request->n_operations = json_array_size(list);
    if (request->n_operations == 0 || request->n_operations > sizeof operation_names / sizeof *operation_names)
        return err_set(err, ERR_INPUT, "the request: operations: %zu; from 1 to %zu are possible",
                       request->n_operations, sizeof operation_names / sizeof *operation_names);
    request->operations = arena_new_array(arena, const char *, request->n_operations);
    for (size_t i = 0; i < request->n_operations; i++) {
        const char *name = json_string_value(json_array_get(list, i));
        request->operations[i] = name ? find_operation(name) : NULL;
        if (!request->operations[i])
            return err_set(err, ERR_INPUT, "the request: operations[%zu]: `%s` isn't an operation", i,
                           name ? name : "");
        for (size_t other = 0; other < i; other++)
            if (request->operations[other] == request->operations[i])
                return err_set(err, ERR_INPUT, "the request: operations[%zu]: %s is listed twice", i, name);
    }
    return true;
}

static bool parse_sizes(const json_t *document, const JsonPlace *place, Arena *arena, Request *request, Err *err)
{
    json_t *list;
    if (!json_get_array(document, "sizes", place, SIZE_MAX, &list, err))
        return false;
    request->n_sizes = json_array_size(list);
    if (request->n_sizes > COMM_SIZES_LIMIT)
        return err_set(err, ERR_INPUT, "the request: sizes: %zu; at most %d are possible", request->n_sizes,
                       COMM_SIZES_LIMIT);
    uint64_t *values = arena_new_array(arena, uint64_t, request->n_sizes);
    request->sizes = arena_new_array(arena, size_t, request->n_sizes);
    if (!json_get_uints(document, "sizes", place, request->n_sizes, values, err))
        return false;
    for (size_t i = 0; i < request->n_sizes; i++) {
        if (values[i] > COMM_BYTES_LIMIT)
            return err_set(err, ERR_INPUT, "the request: sizes[%zu]: more than %d bytes", i, COMM_BYTES_LIMIT);
        if (i > 0 && values[i] <= values[i - 1])
            return err_set(err, ERR_INPUT, "the request: sizes[%zu]: not larger than the one before", i);
        request->sizes[i] = values[i];
    }
    return true;
}

static bool parse_cpus(const json_t *document, const JsonPlace *place, Arena *arena, Request *request, Err *err)
{
    json_t *list;
    if (!json_get_array(document, "cpus", place, SIZE_MAX, &list, err))
        return false;
    request->n_cpus = json_array_size(list);
    if (request->n_cpus > COMM_RANKS_LIMIT)
        return err_set(err, ERR_INPUT, "the request: cpus: more than %d", COMM_RANKS_LIMIT);
    request->cpus = arena_new_array(arena, int, request->n_cpus);
    for (size_t i = 0; i < request->n_cpus; i++) {
        const json_t *cpu = json_array_get(list, i);
        json_int_t number = json_integer_value(cpu);
        if (!json_is_integer(cpu) || (number != COMM_CPU_ANY && (number < 0 || number >= CPU_LIMIT)))
            return err_set(err, ERR_INPUT, "the request: cpus[%zu]: not a CPU's number", i);
        request->cpus[i] = (int)number;
    }
    return true;
}

/* Reads a member that must be one of two words. */
static bool parse_choice(const json_t *document, const char *key, const JsonPlace *place, const char *no,
                         const char *yes, bool *choice, Err *err)
{
    const char *word;
    if (!json_get_string(document, key, place, &word, err))
        return false;
    *choice = strcmp(word, yes) == 0;
    return *choice || strcmp(word, no) == 0 ||
           err_set(err, ERR_INPUT, "the request: %s: `%s`, where `%s` or `%s` is expected", key, word, no, yes);
}

static bool parse_peers(const json_t *document, const JsonPlace *place, Request *request, Err *err)
{
    json_t *peers;
    if (!json_object_get(document, "peers"))
        return true;
    if (!json_get_array(document, "peers", place, SIZE_MAX, &peers, err))
        return false;
    request->n_peers = json_array_size(peers);
    return request->n_peers < COMM_RANKS_LIMIT ||
           err_set(err, ERR_INPUT, "the request: peers: more than %d", COMM_RANKS_LIMIT - 1);
}

static bool needs_sizes(const Request *request)
{
    return request->n_operations > 1 || strcmp(request->operations[0], "barrier") != 0;
}

bool request_parse(const json_t *document, Arena *arena, Request *request, Err *err)
{
    const JsonPlace place = json_place("the request", "%s", "");
    Request parsed = {0};
    uint64_t rotate_bytes;
    if (!json_get_string(document, "transport", &place, &parsed.transport, err) ||
        !parse_operations(document, &place, arena, &parsed, err) ||
        !parse_sizes(document, &place, arena, &parsed, err) || !parse_cpus(document, &place, arena, &parsed, err) ||
        !parse_choice(document, "pairs", &place, "root", "all", &parsed.all_pairs, err) ||
        !parse_choice(document, "method", &place, COMM_METHOD_BARRIER, COMM_METHOD_WINDOW, &parsed.by_windows, err) ||
        !json_get_seconds(document, "seconds", &place, &parsed.seconds, err) ||
        !json_get_real(document, "target", &place, &parsed.target, err) ||
        !json_get_uint(document, "least", &place, REPETITIONS_LIMIT, &parsed.least, err) ||
        !json_get_uint(document, "most", &place, REPETITIONS_LIMIT, &parsed.most, err) ||
        !json_get_uint(document, "warmup", &place, REPETITIONS_LIMIT, &parsed.warmup, err) ||
        !json_get_uint(document, "rotate_bytes", &place, COMM_BYTES_LIMIT, &rotate_bytes, err) ||
        !json_get_bool(document, "touch", &place, &parsed.touch, err) || !parse_peers(document, &place, &parsed, err))
        return false;
    if (!(parsed.target >= 0))
        return err_set(err, ERR_INPUT, "the request: target: negative");
    if (parsed.most == 0 || parsed.least > parsed.most)
        return err_set(err, ERR_INPUT, "the request: most: less than `least`, or 0");
    if (parsed.n_sizes == 0 && needs_sizes(&parsed))
        return err_set(err, ERR_INPUT, "the request: sizes: none");
    parsed.rotate_bytes = rotate_bytes;
    *request = parsed;
    return true;
}
