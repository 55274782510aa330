/* SPDX-License-Identifier: BSD-3-Clause */
/* See making.h. */
#include "verbs/report/making.h"

#include "base/files.h"
#include "base/json.h"
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

static bool make_page(Inputs *inputs, const char *const *files, size_t n, const char **page, Err *err)
{
    for (size_t i = 0; i < n; i++)
        if (!inputs_add(inputs, files[i], err))
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
