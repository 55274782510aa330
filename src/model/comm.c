/* SPDX-License-Identifier: BSD-3-Clause */
/* The JSON form of what `firma comm` measured (docs/FORMATS.md). Series and problems refer to hosts
 * and configurations by index; these indices are checked here. */
#include "model/comm.h"

#include "base/fields.h"
#include <math.h>
#include <string.h>

const MiddlewareKind comm_middlewares[MIDDLEWARES] = {[MIDDLEWARE_OS] = {"os", false},
                                                      [MIDDLEWARE_OPENMPI] = {"openmpi", true},
                                                      [MIDDLEWARE_MPICH] = {"mpich", true},
                                                      [MIDDLEWARE_PVM] = {"pvm", false}};

bool comm_configuration_is_of(const CommConfiguration *configuration, Middleware middleware)
{
    return strcmp(configuration->middleware, comm_middlewares[middleware].name) == 0;
}

bool comm_configuration_is_same(const CommConfiguration *one, const CommConfiguration *other)
{
    return strcmp(one->middleware, other->middleware) == 0 && strcmp(one->transport, other->transport) == 0 &&
           strcmp(one->packing, other->packing) == 0;
}

const char *const comm_statistic_names[] = {"median", "min", NULL};

CommStatistic comm_statistic_of(const char *name)
{
    CommStatistic statistic = 0;
    while (strcmp(comm_statistic_names[statistic], name) != 0)
        statistic++;
    return statistic;
}

double comm_point_s(const CommPoint *point, CommStatistic statistic)
{
    return statistic == COMM_MINIMUM ? point->minimum_s : point->median_s;
}

void comm_point_interval(const CommPoint *point, CommStatistic statistic, double *low_s, double *high_s)
{
    *low_s = statistic == COMM_MINIMUM ? point->minimum_s : point->low_s;
    *high_s = statistic == COMM_MINIMUM ? fmax(point->minimum_s, point->minimum_high_s) : point->high_s;
}

static bool is_among(const char *const *names, const char *name)
{
    while (*names && strcmp(*names, name) != 0)
        names++;
    return *names != NULL;
}

bool comm_is_exchange(const char *operation)
{
    static const char *const names[] = {"pingpong", "stream", "bidirectional", "put", "get", NULL};
    return is_among(names, operation);
}

bool comm_is_stream(const char *operation)
{
    static const char *const names[] = {"stream", "bidirectional", "pairs", NULL};
    return is_among(names, operation);
}

bool comm_is_one_sided(const char *operation)
{
    static const char *const names[] = {"put", "get", NULL};
    return is_among(names, operation);
}

bool comm_is_collective(const char *operation)
{
    return !comm_is_exchange(operation) && !comm_is_stream(operation);
}

bool comm_host_is_busy(const CommHost *host)
{
    static const double measuring = 2, little = 0.5; /* processes */
    return host->n_cpus && host->load > fmax(little, host->n_cpus - measuring + little);
}

bool comm_level_is_same(const char *one, const char *other)
{
    return one && other ? strcmp(one, other) == 0 : !one && !other;
}

const char *comm_configuration_name(const CommConfiguration *configuration, Arena *arena)
{
    const char *words[] = {configuration->middleware, configuration->transport, configuration->packing};
    return arena_join(arena, words, configuration->packing[0] ? 3 : 2);
}

const FieldList comm_names_fields =
    FIELDS(CommConfiguration, FIELD(CommConfiguration, middleware, "`os`, `openmpi`, `mpich`, `pvm`"),
           FIELD(CommConfiguration, transport,
                 "`shm`, `tcp`, or what an MPI chooses by itself, `default`; `unix`, `icmp`; `direct`, `daemon`"),
           FIELD(CommConfiguration, packing, "for PVM `xdr`, `raw` or `inplace`; otherwise empty"));

const FieldList comm_configuration_fields =
    FIELDS(CommConfiguration, FIELD_INLINE_ALL(comm_names_fields),
           FIELD(CommConfiguration, library, "the library's version; empty if the library never answered"));

/* Units that begin anew at a core, on the level before or on this one, have the next number. */
static bool check_level(const FieldContext *context, const JsonPlace *place, void *record, Err *err)
{
    const HostLevel *level = record;
    (void)context;
    for (uint32_t i = 0; i < level->n_cores; i++)
        if (level->units[i] != (i ? level->units[i - 1] : 0) && (!i || level->units[i] != level->units[i - 1] + 1))
            return json_refuse(place, "units", err, "must begin with 0, and grow by 1 or not at all");
    return true;
}

static const FieldList level_fields = FIELDS_CHECKED(
    HostLevel, check_level, FIELD(HostLevel, name, "of a unit: `package`, `NUMA node`, `L3` …"),
    FIELD_LIST(HostLevel, units, n_cores, "units", "of each core, in the order of launchers: 0, 0, 1, 1 …"));

static bool check_levels(const FieldContext *context, const JsonPlace *place, void *record, Err *err)
{
    const CommHost *host = record;
    (void)context;
    for (uint32_t at = 1; at < host->n_levels; at++) {
        const HostLevel *level = &host->levels[at], *above = &host->levels[at - 1];
        const JsonPlace here = json_place_at(place, "levels", at);
        if (level->n_cores != above->n_cores)
            return json_refuse(&here, "units", err, "must be as many as on the level before");
        for (uint32_t i = 1; i < level->n_cores; i++)
            if (above->units[i] != above->units[i - 1] && level->units[i] == level->units[i - 1])
                return json_refuse(&here, "units", err, "a unit must lie in one unit of the level before");
    }
    return true;
}

const FieldList comm_host_fields = FIELDS_CHECKED(
    CommHost, check_levels, FIELD(CommHost, name, "the host's own name"),
    FIELD(CommHost, system, "kernel and machine; empty: not known"),
    FIELD(CommHost, processor, "the model's name; empty: not known"),
    FIELD_AS(CommHost, n_cpus, "cpus", "processors of the host"),
    FIELD(CommHost, load,
          "the most processes besides firma's own that wanted to run while it measured, on an average of a minute; "
          "absent: not known",
          .flags = FIELD_ABSENT),
    FIELD_LIST(CommHost, levels, n_levels, "levels",
               "what tells the host's cores apart, the outermost level first; absent: nothing, or it isn't known",
               .flags = FIELD_ABSENT, .of = &level_fields));

const FieldList comm_overlap_fields =
    FIELDS(CommOverlap, FIELD(CommOverlap, compute_s, "how long each process computed between start and wait: median"),
           FIELD(CommOverlap, exposed_s, "median of the collective's time beyond that"),
           FIELD_AS(CommOverlap, share, "overlap", "1 − `exposed_s` / `median_s`, at least 0: what computing hides"),
           FIELD_AS(CommOverlap, share_low, "overlap_low", "lower end of its 95 % interval; absent: too few samples",
                    .flags = FIELD_ABSENT),
           FIELD_AS(CommOverlap, share_high, "overlap_high", "upper end of that interval", .flags = FIELD_ABSENT));

static const FieldList percentile_fields = FIELDS(
    CommPercentile, FIELD(CommPercentile, percent, "of the samples are shorter: 0 is the shortest, 100 the longest"),
    FIELD(CommPercentile, time_s, "this percentile; null: too few samples, none lies beyond it", .flags = FIELD_NULL));

const FieldList comm_rate_fields = FIELDS(
    CommRate, FIELD(CommRate, bytes_per_s, "`bytes` / `median_s`"), FIELD(CommRate, messages_per_s, "1 / `median_s`"),
    FIELD(CommRate, low_messages_per_s, "lower end of its 95 % interval: 1 / `high_s`"),
    FIELD(CommRate, high_messages_per_s, "upper end of that interval: 1 / `low_s`"),
    FIELD(CommRate, most_bytes_per_s, "`bytes` / `minimum_s`"),
    FIELD(CommRate, most_messages_per_s, "1 / `minimum_s`"));

static json_t *write_rate(const FieldContext *context, const void *record)
{
    const CommPoint *point = record;
    (void)context;
    return point->rate ? fields_to_json(&comm_rate_fields, point->rate, 0) : NULL;
}

static bool read_rate(const FieldContext *context, json_t *value, const JsonPlace *place, void *record, Err *err)
{
    CommRate *rate = arena_new_array(context->arena, CommRate, 1);
    ((CommPoint *)record)->rate = rate;
    return fields_from_json(&comm_rate_fields, context, value, place, rate, err);
}

static json_t *write_overlap(const FieldContext *context, const void *record)
{
    const CommPoint *point = record;
    (void)context;
    return point->overlap ? fields_to_json(&comm_overlap_fields, point->overlap, 0) : NULL;
}

static bool read_overlap(const FieldContext *context, json_t *value, const JsonPlace *place, void *record, Err *err)
{
    CommOverlap *overlap = arena_new_array(context->arena, CommOverlap, 1);
    ((CommPoint *)record)->overlap = overlap;
    return fields_from_json(&comm_overlap_fields, context, value, place, overlap, err);
}

static const FieldList point_fields = FIELDS(
    CommPoint,
    FIELD(CommPoint, bytes,
          "size of the message. For a collective, the whole vector: what the root scatters or gathers, "
          "what each process has after an allgather, what each process sends in an alltoall"),
    FIELD_AS(
        CommPoint, n_samples, "samples",
        "number of samples; one is half a round trip, the time of a message in a stream, a put or get with its flush, or a whole collective"),
    FIELD_AS(CommPoint, n_launches, "starts", "number of launches in which they were taken", .flags = FIELD_OPTIONAL),
    FIELD(CommPoint, minimum_s, "the shortest sample"),
    FIELD(CommPoint, minimum_high_s, "the largest of the launches' own shortest samples", .flags = FIELD_OPTIONAL),
    FIELD(CommPoint, median_s, "median of the samples"), FIELD(CommPoint, mean_s, "mean of the samples"),
    FIELD(CommPoint, low_s,
          "lower end of the median's 95 % interval, which holds the differences between launches; with less than six "
          "samples the minimum, at most"),
    FIELD(CommPoint, high_s, "upper end of that interval; with less than six samples the maximum, at least"),
    FIELD(CommPoint, p5_s, "5 % of the samples are shorter"),
    FIELD(CommPoint, p90_s, "the 90th percentile: 10 % are longer", .flags = FIELD_OPTIONAL),
    FIELD(CommPoint, p90_low_s, "lower end of its 95 % interval", .flags = FIELD_OPTIONAL),
    FIELD(CommPoint, p90_high_s, "upper end of that interval", .flags = FIELD_OPTIONAL),
    FIELD(CommPoint, p95_s, "5 % are longer"), FIELD(CommPoint, p99_s, "1 % are longer"),
    FIELD(CommPoint, maximum_s, "the longest sample", .flags = FIELD_OPTIONAL),
    FIELD_LIST(CommPoint, percentiles, n_percentiles, "percentiles", "with `--percentiles`: those",
               .flags = FIELD_ABSENT, .of = &percentile_fields),
    FIELD(CommPoint, skew_s, "collectives: median over the samples of the latest start minus the earliest start"),
    FIELD(CommPoint, reached, "whether the interval is as narrow as the user asked for"),
    FIELD(CommPoint, late, "repetitions of a collective that were dropped, because a process started late"),
    FIELD(
        CommPoint, batch,
        "the most operations over which one sample is a mean; of streams: windows of 64 messages, of each pair; if they "
        "are bidirectional: two windows in each direction"),
    FIELD_OWN("overlap", SHAPE_ONE, write_overlap, read_overlap,
              "of a nonblocking collective: what computing hides of it", .flags = FIELD_ABSENT, .noun = "object",
              .of = &comm_overlap_fields),
    FIELD_OWN("rate", SHAPE_ONE, write_rate, read_rate,
              "of a stream: what it carries, in both directions and by all pairs together", .flags = FIELD_ABSENT,
              .noun = "object", .of = &comm_rate_fields),
    FIELD_SAME(CommPoint, samples_s, n_samples, "samples_s", "all samples, if they were kept", .flags = FIELD_ABSENT),
    FIELD_SAME(CommPoint, launches, n_samples, "launches",
               "number of the launch in which each sample was taken, if it was kept", .flags = FIELD_ABSENT));

static bool check_points(const FieldContext *context, const JsonPlace *place, void *record, Err *err)
{
    const CommSeries *series = record;
    (void)context;
    for (uint32_t i = 0; i < series->n_points; i++) {
        const CommPoint *point = &series->points[i];
        const JsonPlace at = json_place_at(place, "points", i);
        if (i && point->bytes <= point[-1].bytes)
            return json_refuse(&at, "bytes", err, "must be larger than in the point before");
        if (point->minimum_s > point->median_s)
            return json_refuse(&at, "minimum_s", err, "must not be larger than the median");
        if (point->low_s > point->high_s)
            return json_refuse(&at, "low_s", err, "must not be larger than high_s");
    }
    return true;
}

static const FieldList series_fields = FIELDS_CHECKED(
    CommSeries, check_points, FIELD(CommSeries, configuration, "index of the configuration"),
    FIELD(CommSeries, operation, "`pingpong`, `stream`, `barrier`, `broadcast` …"),
    FIELD(CommSeries, method,
          "collectives: `window` measures from a common instant to the last process's end; `barrier` takes "
          "the longest of the processes' own times; otherwise empty"),
    FIELD(CommSeries, level,
          "within a host: the outermost level at which the processors of the two processes are apart, or `core`; "
          "absent: all are alike, or it isn't known",
          .flags = FIELD_ABSENT),
    FIELD(CommSeries, path, "the way of the bytes: `memory`, `lo`, `eth0` …; empty: not known"),
    FIELD(
        CommSeries, parts,
        "the parts of the library through which the messages went, such as `ob1 vader` or `ch4:ucx tcp/eth0`; empty: not known",
        .flags = FIELD_OPTIONAL),
    FIELD(CommSeries, elsewhere,
          "between hosts: the share of the bytes that went by other interfaces than that of the hosts' addresses",
          .flags = FIELD_OPTIONAL),
    FIELD_AS(CommSeries, is_doubtful, "doubtful",
             "true: the bytes didn't go where they should have gone; a problem says why", .flags = FIELD_OPTIONAL),
    FIELD_AS(CommSeries, n_ranks, "ranks", "processes that take part"),
    FIELD(CommSeries, from_host, "index of the first process's host, or of the root's"),
    FIELD(CommSeries, to_host, "index of the second process's host, or of the last rank's"),
    FIELD_LIST(CommSeries, points, n_points, "points", "one for each size, ascending by `bytes`", .of = &point_fields));

static const FieldList problem_fields =
    FIELDS(CommProblem,
           FIELD(CommProblem, configuration, "index of the configuration; null: no single one", .flags = FIELD_NULL),
           FIELD(CommProblem, message, "what happened"));

static bool check_indices(const FieldContext *context, const JsonPlace *place, void *record, Err *err)
{
    const CommMeasurement *measurement = record;
    (void)context;
    for (uint32_t i = 0; i < measurement->n_series; i++) {
        const CommSeries *series = &measurement->series[i];
        const JsonPlace at = json_place_at(place, "series", i);
        if (!json_check_index(&at, "configuration", series->configuration, measurement->n_configurations, err) ||
            !json_check_index(&at, "from_host", series->from_host, measurement->n_hosts, err) ||
            !json_check_index(&at, "to_host", series->to_host, measurement->n_hosts, err))
            return false;
    }
    for (uint32_t i = 0; i < measurement->n_problems; i++) {
        const JsonPlace at = json_place_at(place, "problems", i);
        uint32_t configuration = measurement->problems[i].configuration;
        if (configuration != UINT32_MAX &&
            !json_check_index(&at, "configuration", configuration, measurement->n_configurations, err))
            return false;
    }
    return true;
}

static const FieldList comm_fields = FIELDS_CHECKED(
    CommMeasurement, check_indices, FIELD(CommMeasurement, date, "time of the measurement: ISO 8601, UTC"),
    FIELD(CommMeasurement, command, "the command line that measured"),
    FIELD(CommMeasurement, elapsed_s, "duration of the measurement"),
    FIELD_LIST(CommMeasurement, hosts, n_hosts, "hosts", "hosts of the measurement; the root's host comes first",
               .of = &comm_host_fields),
    FIELD_LIST(CommMeasurement, configurations, n_configurations, "configurations", "ways to communicate",
               .of = &comm_configuration_fields),
    FIELD_LIST(CommMeasurement, series, n_series, "series",
               "the results, one for each configuration, operation and set of processes", .of = &series_fields),
    FIELD_LIST(CommMeasurement, problems, n_problems, "problems", "what could not be measured, or isn't to be trusted",
               .of = &problem_fields));

const Document comm_document = {"firma communication", COMM_VERSION, &comm_fields, .is_checked = true};
