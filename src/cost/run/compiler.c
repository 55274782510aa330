/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs a compiler, and makes an Err of its output. */
#include "base/process.h"
#include "cost/run/command.h"
#include "cost/run/compile.h"

#include <string.h>

typedef struct CompilerOutput {
    Text error; /* the first line with an error */
    Text more;  /* the note behind it */
    Text first; /* the first line of all */
    unsigned n_errors;
} CompilerOutput;

static bool take_line(void *self, const char *line)
{
    CompilerOutput *output = self;
    bool is_error = strstr(line, "error: ") || strstr(line, "undefined reference");
    output->n_errors += is_error;
    if (is_error && output->n_errors == 1)
        text_add(&output->error, "%s", line);
    else if (strstr(line, ": note: ") && output->n_errors == 1 && output->more.bytes.count == 0)
        text_add(&output->more, "%s", line);
    if (output->first.bytes.count == 0 && *line)
        text_add(&output->first, "%s", line);
    return false;
}

bool compile_by(const char *const *words, const char *package, const PaslBatch *batch, Arena *arena, Err *err)
{
    CompilerOutput output = {0};
    int status = 0;
    bool ran = command_run(words, process_in_english, take_line, &output, arena, &status, err);
    const char *error = text_take(output.n_errors ? &output.error : &output.first, arena),
               *more = text_take(&output.more, arena);
    vec_free(&output.error.bytes);
    vec_free(&output.first.bytes);
    if (!ran && err->kind == ERR_ENVIRONMENT)
        return err_prefix(err, "batch `%s` can't be compiled", batch->name) ||
               err_hint(err, "install it (on Debian: apt-get install %s)", package);
    if (!ran || status == 0)
        return ran;
    err_set(err, ERR_INPUT, "batch `%s`: %s", batch->name, *error ? error : "the compiler failed");
    if (*more)
        err_hint(err, "%s", more);
    else if (output.n_errors > 1)
        err_hint(err, "%u more error%s follow%s", output.n_errors - 1, output.n_errors > 2 ? "s" : "",
                 output.n_errors > 2 ? "" : "s");
    return false;
}
