/* SPDX-License-Identifier: BSD-3-Clause */
/* See comparing.h. */
#include "verbs/comm/comparing.h"

#include "base/files.h"
#include "verbs/comm/compare_views.h"

/* Reads comm.json, or the document of `firma comm --json`, which holds the same as a member. */
static bool load(const char *word, Arena *arena, CommMeasurement **measurement, Err *err)
{
    const char *path = files_is_directory(word) ? arena_printf(arena, "%s/comm.json", word) : word;
    json_t *root;
    if (!json_load_root(path, comm_document.format, &root, err))
        return false;
    const json_t *inner = json_object_get(root, "measurement"), *document = inner ? inner : root;
    bool ok = json_check_format(document, path, comm_document.format, comm_document.version, err) &&
              document_read(&comm_document, document, path, arena, measurement, err);
    if (!ok && json_has_format(root, MACHINE_FORMAT))
        err_hint(err, "a machine model holds no times; `firma comm -o DIR` writes them to comm.json beside it");
    json_decref(root);
    return ok;
}

static bool check_name(const CommMeasurement *measurement, const char *file, const char *name, Arena *arena, Err *err)
{
    Text names = {0};
    if (comm_has_configuration(measurement, name))
        return true;
    for (uint32_t i = 0; i < measurement->n_configurations; i++)
        text_add(&names, "%s`%s`", i ? ", " : "", comm_configuration_name(&measurement->configurations[i], arena));
    err_set(err, ERR_USAGE, "--configuration: %s has no `%s`", file, name);
    return err_hint(err, "it has %s", text_take(&names, arena));
}

static bool is_busy(const CommMeasurement *measurement)
{
    for (uint32_t i = 0; i < measurement->n_hosts; i++)
        if (comm_host_is_busy(&measurement->hosts[i]))
            return true;
    return false;
}

static CommStatistic choose_statistic(const CompareOptions *options, const CommMeasurement *const measurements[2])
{
    if (options->statistic)
        return comm_statistic_of(options->statistic);
    return is_busy(measurements[0]) || is_busy(measurements[1]) ? COMM_MINIMUM : COMM_MEDIAN;
}

static bool read_names(const CompareOptions *options, const char *names[2], Err *err)
{
    char **given = options->configurations;
    names[0] = names[1] = NULL;
    if (!given || !given[0])
        return true;
    names[0] = given[0];
    names[1] = given[1] ? given[1] : given[0];
    return !given[1] || !given[2] || err_set(err, ERR_USAGE, "--configuration: one for A and one for B are possible");
}

bool compare_run(Cli *cli, const CompareOptions *options, int n, const char *const *words, Err *err)
{
    const char *names[2], *files[2];
    CommMeasurement *loaded[2];
    if (!read_names(options, names, err))
        return false;
    if (n < 1 || n > 2 || (n == 1 && names[0] == names[1]))
        return err_set(err, ERR_USAGE, "--compare: expected two measurements") ||
               err_hint(err, "name two files or directories of `firma comm`; or one, and two configurations");
    for (int side = 0; side < 2; side++) {
        files[side] = words[n == 2 ? side : 0];
        if (!load(files[side], cli->arena, &loaded[side], err) ||
            (names[side] && !check_name(loaded[side], files[side], names[side], cli->arena, err)))
            return false;
    }
    const CommMeasurement *const measurements[2] = {loaded[0], loaded[1]};
    const CommComparison comparison =
        comm_compare(measurements, names, choose_statistic(options, measurements), cli->arena);
    const ComparisonView view = comm_comparison_view(&comparison, files, cli->arena);
    if (cli->json)
        cli_print_json(cli, comm_comparison_json(&view, cli->arena));
    else if (!cli->quiet)
        cli_print(cli, "%s", comm_comparison_text(&view, options->all, cli->color, cli->arena));
    const uint32_t *n_of = comparison.n_of;
    bool nothing_differs = comparison.n_series && !n_of[COMM_SLOWER] && !n_of[COMM_FASTER];
    return view.is_same || nothing_differs || err_set(err, ERR_NEGATIVE, "%s", view.summary);
}
