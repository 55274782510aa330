/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads a task's source file, of any language, and makes its model. */
#include "base/files.h"
#include "cost/source/analyse.h"
#include "cost/source/communication.h"
#include "cost/source/program/nesting.h"

#include <string.h>

typedef struct Language {
    const char *name, *extension;
    bool (*read)(const SourceOptions *options, Arena *arena, SourceProgram **program, Err *err);
} Language;

/* PAMELA models are loaded as they are. */
static const Language languages[] = {
    {"c", ".c", source_read_c},
    {"java", ".java", source_read_java},
    {"pamela", ".pamela", NULL},
};

static const Language *language_of(const AnalysisSource *source)
{
    const char *dot = strrchr(source->file, '.');
    for (size_t i = 0; i < sizeof languages / sizeof *languages; i++)
        if (source->language ? strcmp(languages[i].name, source->language) == 0
                             : dot && strcmp(languages[i].extension, dot) == 0)
            return &languages[i];
    return NULL;
}

/* Loads a model written by hand, and moves the entry's sub-model to the end. */
static bool load_model(const AnalysisSource *source, ExprSpace *space, Arena *arena, Analysis **analysis, Err *err)
{
    PamelaModel *model;
    if (!pamela_load(source->file, space, arena, &model, err))
        return false;
    const PamelaSub *entry = pamela_find(model, source->entry);
    if (!entry)
        return err_set(err, ERR_INPUT, "%s: there is no sub-model `%s`", source->file, source->entry);
    PamelaSub *subs = arena_copy_array(arena, model->subs, model->n_subs, sizeof *subs);
    size_t at = (size_t)(entry - model->subs);
    memmove(subs + at, subs + at + 1, (model->n_subs - at - 1) * sizeof *subs);
    subs[model->n_subs - 1] = *entry;
    model->subs = subs;
    *analysis = arena_alloc(arena, sizeof **analysis);
    (*analysis)->model = model;
    return true;
}

static bool includes_mpi(const char *file, Arena *arena)
{
    const char *text;
    Err ignored;
    return files_load_text(file, arena, &text, &ignored) && strstr(text, "mpi.h");
}

static bool read_program(const Language *language, const AnalysisSource *source, Arena *arena, SourceProgram **program,
                         Err *err)
{
    SourceOptions how = {.file = source->file, .options = source->options ? source->options : ""};
    if (strcmp(language->name, "c") == 0 && includes_mpi(source->file, arena))
        how.options = arena_printf(arena, "%s %s", how.options, communication_options(arena));
    return nesting_check(source->file, err) && language->read(&how, arena, program, err);
}

bool analyse_source(const AnalysisSource *source, const AnalysisOptions *options, ExprSpace *space, Arena *arena,
                    Analysis **analysis, Err *err)
{
    const Language *language = language_of(source);
    SourceProgram *program;
    if (!language)
        return err_set(err, ERR_INPUT, "%s: unknown language", source->file) ||
               err_hint(err, "firma reads C (.c), Java (.java) and models written by hand (.pamela)");
    if (!language->read)
        return load_model(source, space, arena, analysis, err);
    if (!read_program(language, source, arena, &program, err))
        return false;
    if (!analyse_task(program, source->entry, options, space, arena, analysis, err))
        return strncmp(err->message, source->file, strlen(source->file)) == 0 ? false
                                                                              : err_prefix(err, "%s", source->file);
    const char *slash = strrchr(source->file, '/');
    (*analysis)->model->comment = arena_printf(arena, "%s, %s", slash ? slash + 1 : source->file, source->entry);
    return true;
}
