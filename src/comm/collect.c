/* SPDX-License-Identifier: BSD-3-Clause */
/* See collect.h. A series grows with each record of samples, and gets its points and statistics at
 * the end. */
#include "comm/collect.h"

#include "base/text.h"
#include "comm/overlap.h"
#include "comm/path.h"
#include "comm/protocol.h"
#include "comm/rate.h"
#include "comm/statistics.h"
#include <gsl/gsl_statistics_double.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS_KEPT = 400, SAMPLES_LIMIT = 1 << 26, LAUNCH_PROBLEMS_LIMIT = 20 };
static const double SAMPLE_LIMIT_S = 1e5;

/* All samples of one size. */
typedef struct SizeSamples {
    uint64_t bytes, late;
    uint32_t batch;
    VEC(double) samples_s;
    VEC(double) skew_s;
    VEC(uint32_t) launches;
    /* Of repetitions of a nonblocking collective that computed: the time beyond, and for how long. */
    VEC(double) exposed_s;
    VEC(double) computed_s;
    VEC(uint32_t) exposed_launches;
} SizeSamples;

/* A series while records come. */
typedef struct GrowingSeries {
    CommSeries series; /* `points` is set at the end */
    uint32_t launch;   /* the latest launch with samples of it */
    VEC(SizeSamples) sizes;
} GrowingSeries;

struct Collection {
    const CommRequest *request;
    const CommPlan *plan;
    Arena *arena;
    const char **libraries; /* [configurations] */
    CommHost *hosts;
    VEC(GrowingSeries) series;
    VEC(CommProblem) problems;
    /* The current launch. */
    const PlannedLaunch *launch;
    uint32_t n_launches;
    bool has_answered, is_done, has_failed, has_samples;
    uint64_t n_late;        /* repetitions without a sample, because some process was late */
    double measured_s;      /* as the worker said when it was done */
    json_int_t n_unvisited; /* sizes for which it had no time */
    char first_words[WORDS_KEPT], last_words[WORDS_KEPT]; /* lines of launchers and libraries */
    uint32_t n_problems;                                  /* problems of this launch */
    PathEvidence evidence;
    const char *parts;           /* of the library, as rank 0 found them loaded */
    char connection[WORDS_KEPT]; /* what UCX says about a connection with another process */
    uint32_t n_broken;           /* launches that ended early although their library had answered */
};

Collection *collection_new(const CommRequest *request, const CommPlan *plan, Arena *arena)
{
    Collection *collection = memory_zeroed(1, sizeof *collection);
    collection->request = request;
    collection->plan = plan;
    collection->arena = arena;
    collection->libraries = arena_new_array(arena, const char *, plan->n_configurations);
    collection->hosts = arena_new_array(arena, CommHost, request->hosts.n);
    for (uint32_t i = 0; i < plan->n_configurations; i++)
        collection->libraries[i] = "";
    for (uint32_t i = 0; i < request->hosts.n; i++)
        collection->hosts[i] = (CommHost){.name = request->hosts.items[i].name,
                                          .system = "",
                                          .processor = "",
                                          .load = NAN,
                                          .n_levels = request->hosts.items[i].n_levels,
                                          .levels = request->hosts.items[i].levels};
    return collection;
}

void collection_free(Collection *collection)
{
    for (size_t i = 0; i < collection->series.count; i++) {
        GrowingSeries *series = &collection->series.items[i];
        for (size_t k = 0; k < series->sizes.count; k++) {
            vec_free(&series->sizes.items[k].samples_s);
            vec_free(&series->sizes.items[k].skew_s);
            vec_free(&series->sizes.items[k].launches);
            vec_free(&series->sizes.items[k].exposed_s);
            vec_free(&series->sizes.items[k].computed_s);
            vec_free(&series->sizes.items[k].exposed_launches);
        }
        vec_free(&series->sizes);
    }
    vec_free(&collection->series);
    vec_free(&collection->problems);
    free(collection);
}

void collection_add_problem(Collection *collection, uint32_t configuration, const char *message)
{
    for (size_t i = 0; i < collection->problems.count; i++) {
        const CommProblem *known = &collection->problems.items[i];
        if (known->configuration == configuration && strcmp(known->message, message) == 0)
            return;
    }
    *vec_push(&collection->problems) = (CommProblem){configuration, arena_strdup(collection->arena, message)};
}

void collection_begin(Collection *collection, const PlannedLaunch *launch)
{
    collection->launch = launch;
    collection->n_launches++;
    collection->has_answered = collection->is_done = collection->has_failed = collection->has_samples = false;
    collection->n_late = 0;
    collection->first_words[0] = collection->last_words[0] = '\0';
    collection->n_problems = 0;
    collection->evidence = (PathEvidence){0};
    collection->parts = "";
    collection->connection[0] = '\0';
}

/* ---- records ---- */

static uint32_t host_of_rank(const Collection *collection, json_int_t rank)
{
    /* The other end of an echo is the kernel of a host, not a rank. */
    const PlannedLaunch *launch = collection->launch;
    json_int_t n = launch->hosts ? launch->n_ranks : collection->request->hosts.n;
    return rank >= 0 && rank < n ? plan_host(launch, (uint32_t)rank) : 0;
}

static json_int_t integer(const json_t *record, const char *key)
{
    return json_integer_value(json_object_get(record, key));
}

static const char *text_of(const Collection *collection, const json_t *record, const char *key)
{
    const char *text = json_to_text(json_object_get(record, key), collection->arena);
    return text ? text : "";
}

/* Copies the text into the collection's arena, and replaces control characters, which a terminal
 * would obey. */
static const char *kept_text(const Collection *collection, const char *text)
{
    char *copy = arena_strdup(collection->arena, text);
    for (char *c = copy; *c; c++)
        if ((unsigned char)*c < ' ' || *c == '\x7f')
            *c = '?';
    return copy;
}

/* The load of others: the average of the last minute may hold the ranks of launches before. */
static void note_load(const Collection *collection, CommHost *host, const json_t *load)
{
    double own = collection->n_launches == 1 ? 0 : plan_beside(collection->launch, 0, NULL);
    if (json_is_number(load))
        host->load = fmax(0, fmax(json_number_value(load) - own, isfinite(host->load) ? host->load : 0));
}

static void take_hello(Collection *collection, const json_t *record)
{
    CommHost *host = &collection->hosts[host_of_rank(collection, integer(record, "rank"))];
    const char **library = &collection->libraries[collection->launch->configuration];
    if (integer(record, "rank") == 0)
        collection->parts = kept_text(collection, text_of(collection, record, "parts"));
    note_load(collection, host, json_object_get(record, "load"));
    if (!**library)
        *library = kept_text(collection, text_of(collection, record, "library"));
    if (!*host->system) {
        json_int_t n_cpus = integer(record, "n_cpus");
        host->system = kept_text(collection, text_of(collection, record, "system"));
        host->processor = kept_text(collection, text_of(collection, record, "processor"));
        host->n_cpus = n_cpus > 0 && n_cpus < UINT32_MAX ? (uint32_t)n_cpus : 0;
    }
}

static GrowingSeries *series_of(Collection *collection, const json_t *record)
{
    uint32_t configuration = collection->launch->configuration, n_ranks = (uint32_t)integer(record, "ranks"),
             from = host_of_rank(collection, integer(record, "from")),
             to = host_of_rank(collection, integer(record, "to"));
    const char *operation = text_of(collection, record, "operation");
    const char *level = collection->launch->pair ? collection->launch->pair->level : NULL;
    for (size_t i = 0; i < collection->series.count; i++) {
        const CommSeries *series = &collection->series.items[i].series;
        if (series->configuration == configuration && series->n_ranks == n_ranks && series->from_host == from &&
            series->to_host == to && comm_level_is_same(series->level, level) &&
            strcmp(series->operation, operation) == 0) {
            collection->series.items[i].launch = collection->n_launches;
            return &collection->series.items[i];
        }
    }
    *vec_push(&collection->series) =
        (GrowingSeries){.series = {.configuration = configuration,
                                   .n_ranks = n_ranks,
                                   .from_host = from,
                                   .to_host = to,
                                   .level = level,
                                   .path = "",
                                   .parts = "",
                                   .operation = arena_strdup(collection->arena, operation),
                                   .method = arena_strdup(collection->arena, text_of(collection, record, "method"))},
                        .launch = collection->n_launches};
    return &collection->series.items[collection->series.count - 1];
}

/* The samples of a size; adds the size if it is new. Sizes are in ascending order. */
static SizeSamples *sizes_of(GrowingSeries *series, uint64_t bytes)
{
    size_t at = 0;
    while (at < series->sizes.count && series->sizes.items[at].bytes < bytes)
        at++;
    if (at < series->sizes.count && series->sizes.items[at].bytes == bytes)
        return &series->sizes.items[at];
    vec_push(&series->sizes);
    memmove(&series->sizes.items[at + 1], &series->sizes.items[at],
            (series->sizes.count - 1 - at) * sizeof *series->sizes.items);
    series->sizes.items[at] = (SizeSamples){.bytes = bytes};
    return &series->sizes.items[at];
}

static bool is_time(const json_t *value, bool may_be_zero)
{
    double number = json_number_value(value);
    return json_is_number(value) && (may_be_zero ? number >= 0 : number > 0) && number < SAMPLE_LIMIT_S;
}

static bool are_times(const json_t *list, bool may_be_zero)
{
    const json_t *value;
    size_t i;
    json_array_foreach(list, i, value) {
        if (!is_time(value, may_be_zero))
            return false;
    }
    return true;
}

static bool is_between(const json_t *record, const char *key, json_int_t least, json_int_t most)
{
    json_int_t number = integer(record, key);
    return number >= least && number <= most;
}

/* Whether the launch was requested to measure what the record holds. */
static bool was_requested(const Collection *collection, const json_t *record)
{
    const PlannedLaunch *launch = collection->launch;
    const char *operation = text_of(collection, record, "operation"), *const *asked = launch->operations;
    while (*asked && strcmp(*asked, operation) != 0)
        asked++;
    json_int_t ranks = comm_is_exchange(operation) ? 2 : launch->n_ranks;
    return *asked && is_between(record, "ranks", ranks, ranks) && is_between(record, "bytes", 0, COMM_BYTES_LIMIT) &&
           is_between(record, "moved_bytes", 0, INT64_MAX) && is_between(record, "from", 0, COMM_RANKS_LIMIT) &&
           is_between(record, "to", 0, COMM_RANKS_LIMIT) && is_between(record, "late", 0, INT64_MAX) &&
           is_between(record, "batch", 0, UINT32_MAX);
}

/* Takes repetitions that computed. */
static bool take_exposed(const Collection *collection, const json_t *samples, const json_t *computed,
                         SizeSamples *sizes)
{
    const json_t *sample;
    size_t i;
    if (!are_times(computed, true) || json_array_size(computed) != json_array_size(samples))
        return false;
    json_array_foreach(samples, i, sample) {
        *vec_push(&sizes->exposed_s) = json_number_value(sample);
        *vec_push(&sizes->computed_s) = json_number_value(json_array_get(computed, i));
        *vec_push(&sizes->exposed_launches) = collection->n_launches;
    }
    return true;
}

static bool take_samples(Collection *collection, const json_t *record)
{
    const json_t *samples = json_object_get(record, "samples_s"), *skews = json_object_get(record, "skew_s"), *sample;
    size_t i;
    json_int_t bytes =
        json_object_get(record, "moved_bytes") ? integer(record, "moved_bytes") : integer(record, "bytes");
    if (!json_is_array(samples) || !are_times(samples, false) || !are_times(skews, true) ||
        !was_requested(collection, record))
        return false;
    SizeSamples *sizes = sizes_of(series_of(collection, record), (uint64_t)bytes);
    if (sizes->samples_s.count + json_array_size(samples) > SAMPLES_LIMIT)
        return false;
    if (json_object_get(record, "compute_s"))
        return take_exposed(collection, samples, json_object_get(record, "compute_s"), sizes);
    json_array_foreach(samples, i, sample) {
        *vec_push(&sizes->samples_s) = json_number_value(sample);
        *vec_push(&sizes->launches) = collection->n_launches;
    }
    json_array_foreach(skews, i, sample)
        *vec_push(&sizes->skew_s) = json_number_value(sample);
    uint64_t late = (uint64_t)integer(record, "late");
    collection->has_samples |= json_array_size(samples) > 0;
    collection->n_late += late;
    sizes->late += late;
    uint32_t batch = (uint32_t)integer(record, "batch");
    sizes->batch = batch > sizes->batch ? batch : sizes->batch;
    return true;
}

static const char *place_of(const Collection *collection, const PlannedLaunch *launch)
{
    const Host *hosts = collection->request->hosts.items;
    if (!launch->hosts)
        return launch->place == PLACE_SPREAD ? "between hosts" : "on one host";
    const char *first = hosts[launch->hosts[0]].name, *last = hosts[launch->hosts[launch->n_ranks - 1]].name;
    return launch->place == PLACE_LOCAL ? arena_printf(collection->arena, "on %s", first)
                                        : arena_printf(collection->arena, "between %s and %s", first, last);
}

/* Stores at most LAUNCH_PROBLEMS_LIMIT problems: a worker with more of them is broken. */
static void add_launch_problem(Collection *collection, const char *message)
{
    const PlannedLaunch *launch = collection->launch;
    if (collection->n_problems++ >= LAUNCH_PROBLEMS_LIMIT)
        return;
    const char *what = place_of(collection, launch);
    if (!comm_is_exchange(launch->operations[0]) && launch->n_ranks > 1)
        what = comm_is_collective(launch->operations[0])
                   ? arena_printf(collection->arena, "collectives of %u processes", launch->n_ranks)
                   : arena_printf(collection->arena, "%s, %u processes", what, launch->n_ranks);
    collection_add_problem(collection, launch->configuration,
                           arena_printf(collection->arena, "%s: %s", what, kept_text(collection, message)));
}

/* A host that has none of the addresses is perhaps not the host that the user meant, or is behind a translated one. */
static void note_unknown_network(Collection *collection, const json_t *record)
{
    const char *host = collection->hosts[host_of_rank(collection, integer(record, "rank"))].name;
    if (collection->launch->place == PLACE_SPREAD && !json_object_get(record, "interface"))
        add_launch_problem(collection, arena_printf(collection->arena,
                                                    "no network interface of %s has an address of the hosts file, so "
                                                    "it isn't known which network carried the messages",
                                                    host));
}

static void take_record(Collection *collection, const json_t *record)
{
    const char *kind = text_of(collection, record, "record");
    if (strcmp(kind, "hello") == 0) {
        collection->has_answered = true;
        take_hello(collection, record);
    } else if (strcmp(kind, "samples") == 0) {
        if (!take_samples(collection, record))
            add_launch_problem(collection, "the worker reported samples that are invalid or weren't requested");
    } else if (strcmp(kind, "interfaces") == 0) {
        path_note(&collection->evidence, record);
        note_unknown_network(collection, record);
    } else if (strcmp(kind, "unsupported") == 0) {
        add_launch_problem(collection,
                           arena_printf(collection->arena, "%s: %s", text_of(collection, record, "operation"),
                                        text_of(collection, record, "message")));
    } else if (strcmp(kind, "error") == 0) {
        collection->has_failed = true;
        add_launch_problem(collection, text_of(collection, record, "message"));
    } else if (strcmp(kind, "done") == 0) {
        collection->is_done = true;
        collection->measured_s = fmax(0, json_number_value(json_object_get(record, "seconds")));
        collection->n_unvisited = integer(record, "unvisited");
    }
}

/* Takes one line. If the worker died while printing, the line is an incomplete record. */
LineKind collection_take(Collection *collection, const char *line)
{
    const bool is_record = strncmp(line, COMM_RECORD_START, strlen(COMM_RECORD_START)) == 0;
    json_t *record = is_record ? json_loads(line, 0, NULL) : NULL;
    if (!record) {
        if (strstr(line, "ep_cfg[") && strstr(line, "tag(") && !strstr(line, "tag(self"))
            snprintf(collection->connection, WORDS_KEPT, "%s", line);
        if (strstr(line, "UCX  INFO") || strstr(line, "UCX  DIAG"))
            return LINE_OTHER;
        if (!is_record && strspn(line, " \t-*=") < strlen(line)) {
            if (!collection->first_words[0])
                snprintf(collection->first_words, WORDS_KEPT, "%s", line);
            snprintf(collection->last_words, WORDS_KEPT, "%s", line);
        }
        return LINE_OTHER;
    }
    take_record(collection, record);
    json_decref(record);
    return collection->is_done ? LINE_DONE : LINE_RECORD;
}

static void note_path(Collection *collection, bool is_doubtful)
{
    const char *name = path_name(&collection->evidence, collection->arena);
    for (size_t i = 0; i < collection->series.count; i++) {
        CommSeries *series = &collection->series.items[i].series;
        if (collection->series.items[i].launch != collection->n_launches)
            continue;
        if (*name)
            series->path = name;
        series->parts = path_parts(collection->parts, name, collection->connection, collection->arena);
        series->elsewhere = fmax(series->elsewhere, collection->evidence.elsewhere);
        series->is_doubtful |= is_doubtful;
    }
}

static const char *early_end(const Collection *collection, int status)
{
    const char *first = collection->first_words, *last = collection->last_words;
    bool has_more = strcmp(first, last) != 0;
    return arena_printf(collection->arena, "the worker ended early with status %d%s%s%s%s", status, *first ? ": " : "",
                        first, has_more ? " … " : "", has_more ? last : "");
}

/* Whether some messages of a launch stay on a host, and others don't. */
static bool is_partly_local(const PlannedLaunch *launch)
{
    return comm_is_collective(launch->operations[0]) && plan_beside(launch, 0, NULL) > 1;
}

bool collection_end(Collection *collection, int status, const char *stopped)
{
    Arena *arena = collection->arena;
    const char *doubt =
        path_doubt(&collection->evidence, collection->plan->ways[collection->launch->configuration]->medium,
                   collection->launch->place == PLACE_SPREAD && !is_partly_local(collection->launch), arena);
    note_path(collection, doubt != NULL);
    if (doubt && collection->has_samples)
        add_launch_problem(collection, doubt);
    if (stopped)
        add_launch_problem(collection, stopped);
    else if (collection->is_done && !collection->has_samples && collection->n_late)
        add_launch_problem(
            collection, arena_printf(arena,
                                     "a process was late in all %lu repetitions; measure on a quiet machine, or with "
                                     "--method barrier, which counts lateness as time",
                                     (unsigned long)collection->n_late));
    else if (collection->is_done && !collection->has_samples)
        add_launch_problem(collection, "time was up before anything was measured; allow more with --time");
    else if (!collection->is_done && !collection->has_failed) {
        collection->n_broken += collection->has_answered;
        add_launch_problem(collection, early_end(collection, status));
    }
    return collection->is_done || collection->has_samples;
}

double collection_measured_s(const Collection *collection)
{
    return collection->is_done ? collection->measured_s : -1;
}

/* ---- the result ---- */

static const CommPercentile *percentiles_of(const CommRequest *request, const SizeSamples *sizes, Arena *arena)
{
    CommPercentile *percentiles = arena_new_array(arena, CommPercentile, request->n_percentiles);
    for (uint32_t i = 0; i < request->n_percentiles; i++)
        percentiles[i].percent = (uint32_t)request->percentiles[i];
    statistics_percentiles(sizes->samples_s.items, sizes->samples_s.count, request->n_percentiles, percentiles);
    return percentiles;
}

/* Without an arena, the statistics alone. */
static CommPoint point_of(const SizeSamples *sizes, const CommRequest *request, bool is_stream, bool keep_samples,
                          Arena *arena)
{
    CommPoint point = {.bytes = sizes->bytes, .late = sizes->late, .batch = sizes->batch};
    size_t n = sizes->samples_s.count;
    statistics_fill(sizes->samples_s.items, sizes->launches.items, n, request->target, &point);
    if (sizes->skew_s.count)
        point.skew_s = gsl_stats_median(sizes->skew_s.items, 1, sizes->skew_s.count);
    if (sizes->exposed_s.count && arena)
        point.overlap = overlap_make(&point, sizes->exposed_s.items, sizes->computed_s.items,
                                     sizes->exposed_launches.items, sizes->exposed_s.count, arena);
    if (arena && is_stream)
        point.rate = rate_make(&point, arena);
    if (arena && request->n_percentiles) {
        point.n_percentiles = request->n_percentiles;
        point.percentiles = percentiles_of(request, sizes, arena);
    }
    if (keep_samples) {
        point.samples_s = vec_copy(&sizes->samples_s, arena);
        point.launches = vec_copy(&sizes->launches, arena);
    }
    return point;
}

bool collection_is_precise(const Collection *collection, uint32_t least_launches)
{
    if (!collection->is_done || collection->n_unvisited || !collection->has_samples)
        return false;
    for (size_t i = 0; i < collection->series.count; i++) {
        const GrowingSeries *series = &collection->series.items[i];
        for (size_t k = 0; series->launch == collection->n_launches && k < series->sizes.count; k++) {
            if (!series->sizes.items[k].samples_s.count)
                continue;
            CommPoint point = point_of(&series->sizes.items[k], collection->request, false, false, NULL);
            if (!point.reached || point.n_launches < least_launches)
                return false;
        }
    }
    return true;
}

static int compare_series(const void *left, const void *right)
{
    const CommSeries *a = left, *b = right;
    const uint32_t keys[][2] = {{a->configuration, b->configuration},
                                {a->n_ranks, b->n_ranks},
                                {a->from_host, b->from_host},
                                {a->to_host, b->to_host}};
    if (strcmp(a->operation, b->operation) != 0 && a->configuration == b->configuration) {
        static const char *const names[] = {COMM_OPERATIONS};
        for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
            if (strcmp(a->operation, names[i]) == 0 || strcmp(b->operation, names[i]) == 0)
                return strcmp(a->operation, names[i]) == 0 ? -1 : 1;
        }
    }
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (keys[i][0] != keys[i][1])
            return keys[i][0] < keys[i][1] ? -1 : 1;
    return 0;
}

/* Reports requested message sizes that weren't measured for lack of time. Collectives are left out:
 * several requested sizes may be rounded to the same size. */
static void note_missing(Collection *collection, const CommSeries *series)
{
    const CommRequest *request = collection->request;
    const CommPoint *last = &series->points[series->n_points - 1];
    uint32_t n_missing = 0, at = 0;
    const CommWay *way = collection->plan->ways[series->configuration];
    bool is_limited = way->most_bytes > 0;
    if (comm_is_collective(series->operation))
        return;
    for (uint32_t i = 0; i < request->n_sizes && !(is_limited && request->sizes[i] > last->bytes); i++) {
        while (at < series->n_points && series->points[at].bytes < request->sizes[i])
            at++;
        bool is_there = at < series->n_points && series->points[at].bytes == request->sizes[i];
        bool is_possible =
            plan_has_size(way, request->sizes[i]) && (request->sizes[i] > 0 || !comm_is_one_sided(series->operation));
        n_missing += is_possible && !is_there;
    }
    if (n_missing)
        collection_add_problem(collection, series->configuration,
                               arena_printf(collection->arena,
                                            "%s, %s: %u of %u sizes weren't measured for lack of time",
                                            series->from_host == series->to_host ? "on one host" : "between hosts",
                                            series->operation, n_missing, request->n_sizes));
}

/* By default firma leaves the size 0 out without a word where there is no such message. */
static void note_empty(Collection *collection, uint32_t configuration)
{
    const CommRequest *request = collection->request;
    if (request->has_named_sizes && !plan_has_size(collection->plan->ways[configuration], 0) && !request->sizes[0])
        collection_add_problem(collection, configuration, "0 bytes: left out, because sockets carry no empty messages");
}

static bool is_measured(const CommSeries *all, uint32_t n, const PlannedLaunch *launch, const char *operation)
{
    for (uint32_t i = 0; i < n; i++) {
        bool is_local = all[i].from_host == all[i].to_host, is_exchange = comm_is_exchange(operation);
        if (all[i].configuration == launch->configuration && strcmp(all[i].operation, operation) == 0 &&
            is_local == (launch->place == PLACE_LOCAL) && (is_exchange || all[i].n_ranks == launch->n_ranks))
            return true;
    }
    return false;
}

static void note_busy(Collection *collection, const CommHost *host)
{
    if (comm_host_is_busy(host))
        collection_add_problem(
            collection, UINT32_MAX,
            arena_printf(
                collection->arena,
                "%s was busy: a load of %.2g besides firma's on %u processors, so medians may be far too long; "
                "measure again when it is idle, or trust the shortest times alone",
                host->name, host->load, host->n_cpus));
}

/* Reports planned collectives without samples, if the library has answered. */
static void note_unmeasured(Collection *collection, const PlannedLaunch *launch, const CommSeries *all, uint32_t n)
{
    Text names = {0};
    for (const char *const *operation = launch->operations; *operation; operation++)
        if (!is_measured(all, n, launch, *operation))
            text_add(&names, "%s%s", names.bytes.count ? ", " : "", *operation);
    const char *list = text_take(&names, collection->arena);
    if (*list && *collection->libraries[launch->configuration])
        collection_add_problem(collection, launch->configuration,
                               arena_printf(collection->arena, "%s, %u processes: not measured: %s",
                                            launch->place == PLACE_SPREAD ? "between hosts" : "on one host",
                                            launch->n_ranks, list));
}

void collection_finish(Collection *collection, bool keep_samples, Arena *arena, CommMeasurement *measurement)
{
    const CommPlan *plan = collection->plan;
    CommConfiguration *configurations = arena_new_array(arena, CommConfiguration, plan->n_configurations);
    CommSeries *all = arena_new_array(arena, CommSeries, collection->series.count);
    uint32_t n = 0;
    for (uint32_t i = 0; i < plan->n_configurations; i++) {
        configurations[i] = plan->configurations[i];
        configurations[i].library = collection->libraries[i];
        note_empty(collection, i);
    }
    for (size_t i = 0; i < collection->series.count; i++) {
        const GrowingSeries *series = &collection->series.items[i];
        CommPoint *points = arena_new_array(arena, CommPoint, series->sizes.count);
        all[n] = series->series;
        all[n].points = points;
        for (size_t k = 0; k < series->sizes.count; k++)
            if (series->sizes.items[k].samples_s.count)
                points[all[n].n_points++] = point_of(&series->sizes.items[k], collection->request,
                                                     comm_is_stream(all[n].operation), keep_samples, arena);
        n += all[n].n_points > 0;
    }
    if (n)
        qsort(all, n, sizeof *all, compare_series);
    for (uint32_t i = 0; i < n; i++)
        note_missing(collection, &all[i]);
    for (uint32_t i = 0; i < plan->n_launches; i++)
        note_unmeasured(collection, &plan->launches[i], all, n);
    for (uint32_t i = 0; i < collection->request->hosts.n; i++)
        note_busy(collection, &collection->hosts[i]);
    measurement->n_hosts = collection->request->hosts.n;
    measurement->hosts = collection->hosts;
    measurement->n_configurations = plan->n_configurations;
    measurement->configurations = configurations;
    measurement->n_series = n;
    measurement->series = all;
    measurement->n_broken = collection->n_broken;
    measurement->n_problems = (uint32_t)collection->problems.count;
    measurement->problems = vec_copy(&collection->problems, arena);
}
