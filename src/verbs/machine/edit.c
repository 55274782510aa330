/* SPDX-License-Identifier: BSD-3-Clause */
/* See edit.h. */
#include "verbs/machine/edit.h"

#include "base/files.h"
#include "base/json.h"
#include "base/text.h"
#include "cli/measuring.h"
#include "cli/outputs.h"
#include "cost/cpu/machine.h"
#include "model/machine.h"

static const char *path_of(const ModelEdit *edit)
{
    return edit->output ? edit->output : edit->into;
}

bool model_edit_begin(Cli *cli, const ModelEdit *edit, Err *err)
{
    const Output written = {.path = path_of(edit), .is_edited = !edit->output};
    const char *const input = edit->output ? edit->into : NULL;
    if ((edit->into && files_is_directory(edit->into) && !files_check_input(edit->into, err)) ||
        !outputs_check_one(&written, &input, 1, cli->arena, err))
        return false;
    measuring_begin(cli, NULL);
    return true;
}

bool model_edit_open(Cli *cli, ModelEdit *edit, Err *err)
{
    MachineModel *machine; /* read only to check it */
    if (!edit->into) {
        edit->root = cpu_new_document();
        return true;
    }
    return machine_load(edit->into, cli->arena, &machine, err) &&
           json_load_document(edit->into, MACHINE_FORMAT, MACHINE_VERSION, &edit->root, err);
}

bool model_edit_finish(Cli *cli, ModelEdit *edit, json_t *what, const char *text, const char *name, Err *err)
{
    const char *path = path_of(edit);
    bool is_saved = !path || json_save_document(edit->root, path, err);
    if (cli->json) {
        if (path && is_saved)
            json_object_set_new(what, "output", json_from_text(path));
        cli_print_json(cli, what);
    } else {
        json_decref(what);
    }
    if (!cli->json && !cli->quiet) {
        cli_print(cli, "%s", text);
        if (path && is_saved)
            cli_print(cli, "\n%s: %s\n", text_as_line(path, cli->arena), text_as_line(name, cli->arena));
    }
    json_decref(edit->root);
    return is_saved;
}
