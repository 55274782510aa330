/* SPDX-License-Identifier: BSD-3-Clause */
/* See making.h. */
#include "verbs/report/making.h"

#include "base/files.h"
#include "base/json.h"
#include "cli/analysis.h"
#include "verbs/report/inputs.h"
#include "verbs/report/page.h"

static char *option;

const struct poptOption report_option_table[] = {
    {"report", '\0', POPT_ARG_STRING, &option, 0, "write a page of the results, too, as firma report does", "FILE"},
    POPT_TABLEEND};

const char *report_option(void)
{
    return option;
}

/* The first of two studies is what the page compares the other one with. n: no file. */
static bool find_earlier(const char *const *files, size_t n, size_t *earlier, Arena *arena, Err *err)
{
    size_t n_studies = 0;
    *earlier = n;
    for (size_t i = n; i-- > 0;)
        if (analysis_is_study(files[i], arena)) {
            *earlier = n_studies ? i : n;
            n_studies++;
        }
    return n_studies <= 2 || err_set(err, ERR_USAGE, "a report compares two studies, and %zu are named", n_studies);
}

static bool add_earlier(Inputs *inputs, const char *study, Err *err)
{
    Inputs earlier = {.cli = inputs->cli, .documents = json_object()};
    bool ok = inputs_add(&earlier, study, err) && inputs_complete(&earlier, err);
    if (ok)
        json_object_set_new(inputs->documents, "before", change_before(earlier.documents, study));
    json_decref(earlier.documents);
    return ok;
}

static bool make_page(Inputs *inputs, const char *const *files, size_t n, const char **page, Err *err)
{
    size_t earlier;
    if (!find_earlier(files, n, &earlier, inputs->cli->arena, err) ||
        (earlier < n && !add_earlier(inputs, files[earlier], err)))
        return false;
    for (size_t i = 0; i < n; i++)
        if (i != earlier && !inputs_add(inputs, files[i], err))
            return false;
    if (!inputs_complete(inputs, err))
        return false;
    *page = page_make(inputs->documents, inputs->cli->command_line, inputs->cli->arena);
    return true;
}

bool report_write(Cli *cli, const char *const *files, size_t n, json_t *further, const char *path, Err *err)
{
    Inputs inputs = {.cli = cli, .documents = further ? further : json_object()};
    const char *page;
    bool ok = make_page(&inputs, files, n, &page, err);
    json_decref(inputs.documents);
    const FileText file = {.path = path, .text = ok ? page : NULL, .is_private = true};
    return ok && files_save_texts(&file, 1, err);
}

bool report_option_write(Cli *cli, const char *file, const char *kind, json_t *document, Err *err)
{
    json_t *further = json_pack("{s:o}", kind, document);
    if (option)
        return report_write(cli, &file, file != NULL, further, option, err);
    json_decref(further);
    return true;
}

void report_option_add(json_t *document)
{
    if (option)
        json_object_set_new(document, "report", json_from_text(option));
}
