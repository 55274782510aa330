/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs a compiler, and makes of what it says an error. */
#include "cost/run/command.h"
#include "cost/run/compile.h"

#include <string.h>

typedef struct Said {
    Text error; /* the first error's line, */
    Text more;  /* and what explains it */
    Text first; /* the first line of all */
    unsigned n_errors;
} Said;

static bool hear(void *self, const char *line)
{
    Said *said = self;
    bool is_error = strstr(line, "error: ") || strstr(line, "undefined reference");
    said->n_errors += is_error;
    if (is_error && said->n_errors == 1)
        text_add(&said->error, "%s", line);
    else if (strstr(line, ": note: ") && said->n_errors == 1 && said->more.bytes.count == 0)
        text_add(&said->more, "%s", line);
    if (said->first.bytes.count == 0 && *line)
        text_add(&said->first, "%s", line);
    return false;
}

bool compile_by(const char *const *words, const char *package, const PaslBatch *batch, Arena *arena, Err *err)
{
    static const char *const in_english[] = {"LC_ALL=C", NULL};
    Said said = {0};
    int status = 0;
    bool ran = command_run(words, in_english, hear, &said, arena, &status, err);
    const char *error = text_take(said.n_errors ? &said.error : &said.first, arena),
               *more = text_take(&said.more, arena);
    vec_free(&said.error.bytes);
    vec_free(&said.first.bytes);
    if (!ran && err->kind == ERR_ENVIRONMENT)
        return err_prefix(err, "batch `%s` can't be compiled", batch->name) ||
               err_hint(err, "install it (on Debian: apt-get install %s)", package);
    if (!ran || status == 0)
        return ran;
    err_set(err, ERR_INPUT, "batch `%s`: %s", batch->name, *error ? error : "the compiler failed");
    if (*more)
        err_hint(err, "%s", more);
    else if (said.n_errors > 1)
        err_hint(err, "%u more error%s follow%s", said.n_errors - 1, said.n_errors > 2 ? "s" : "",
                 said.n_errors > 2 ? "" : "s");
    return false;
}
