/* SPDX-License-Identifier: BSD-3-Clause */
/* See instrument.h. */
#include "cost/count/instrument.h"

#include "base/files.h"
#include "cost/count/counters.h"
#include <errno.h>

typedef VEC(size_t) Sum;

/* A parameter while its counters are found. */
typedef struct Making {
    Counted counted;
    Sum over, under;
} Making;

typedef struct Instrument {
    Arena *arena;
    const char *file, *folder; /* of the source; "" is the working directory, else it ends with a slash */
    Counters counters;
    VEC(Making) made;
} Instrument;

/* ---- Counters of parameters ---- */

static void add(Sum *sum, size_t counter)
{
    for (size_t i = 0; i < sum->count; i++)
        if (sum->items[i] == counter)
            return;
    *vec_push(sum) = counter;
}

static Making *making_of(Instrument *instrument, const AnalysisCount *count)
{
    for (size_t i = 0; i < instrument->made.count; i++)
        if (strcmp(instrument->made.items[i].counted.parameter, count->parameter) == 0)
            return &instrument->made.items[i];
    Making *making = vec_push(&instrument->made);
    *making = (Making){.counted = {.parameter = count->parameter, .kind = count->kind, .place = count->place}};
    return making;
}

static const char *find_condition(Counters *counters, const AnalysisCount *count, size_t *first)
{
    return counters_condition(counters, count->expression, count->around, count->statement, first);
}

static const char *count_truth(Counters *counters, const AnalysisCount *count, Making *making)
{
    size_t first;
    const char *why = find_condition(counters, count, &first);
    if (why && count->around && count->around->kind == SOURCE_CONDITIONAL)
        why = counters_macro(counters, &count->place, &first);
    if (why)
        return why;
    add(&making->over, first + count->expression->is_opposite);
    add(&making->under, first);
    add(&making->under, first + 1);
    return NULL;
}

static const char *count_exits(Counters *counters, const AnalysisCount *count, Making *making)
{
    size_t first, reached;
    const char *why = find_condition(counters, count, &first);
    if (why || (why = counters_loop(counters, count->loop, &reached)))
        return why;
    add(&making->over, first + (count->expression->is_opposite != (count->index == 1)));
    add(&making->under, reached);
    return NULL;
}

static const char *count_cases(Counters *counters, const AnalysisCount *count, Making *making)
{
    size_t first, reached;
    const char *why = counters_switch(counters, count->statement, &first);
    if (why || (count->loop && (why = counters_loop(counters, count->loop, &reached))))
        return why;
    add(&making->over, first + count->index);
    if (count->loop)
        add(&making->under, reached);
    for (size_t i = 0; !count->loop && i <= count->statement->n_children; i++)
        add(&making->under, first + i);
    return NULL;
}

static const char *count_iterations(Counters *counters, const AnalysisCount *count, Making *making)
{
    size_t first, reached;
    bool adds_reached;
    const char *why = counters_iterations(counters, count->statement, &first, &adds_reached);
    if (!why)
        why = count->kind == COUNT_SHARE ? counters_bound(counters, count, &reached)
                                         : counters_loop(counters, count->statement, &reached);
    if (why)
        return why;
    add(&making->over, first);
    if (adds_reached)
        add(&making->over, reached);
    add(&making->under, count->kind == COUNT_SHARE ? reached + 2 : reached);
    return NULL;
}

static const char *count_calls(Counters *counters, const AnalysisCount *count, Making *making)
{
    size_t first;
    const char *why = counters_function(counters, count->function, &first);
    if (why)
        return why;
    add(&making->over, first);
    add(&making->under, first + 1);
    return NULL;
}

static const char *count_mean(Counters *counters, const AnalysisCount *count, Making *making)
{
    size_t first;
    const char *why = (count->is_text ? counters_text : counters_argument)(counters, count, &first);
    if (why)
        return why;
    add(&making->over, first);
    add(&making->under, first + 1);
    return NULL;
}

static void count_one(Instrument *instrument, const AnalysisCount *count)
{
    static const char *(*const kinds[])(Counters *, const AnalysisCount *, Making *) = {
        [COUNT_TRUE] = count_truth,       [COUNT_EXITS] = count_exits,      [COUNT_CASES] = count_cases,
        [COUNT_CASE_EXITS] = count_cases, [COUNT_SHARE] = count_iterations, [COUNT_ITERATIONS] = count_iterations,
        [COUNT_CALLS] = count_calls,      [COUNT_MEAN] = count_mean};
    Making *making = making_of(instrument, count);
    const char *why = making->counted.kind == count->kind ? kinds[count->kind](&instrument->counters, count, making)
                                                          : "it stands for several things";
    if (why)
        making->counted.why = why;
}

/* ---- Copies ---- */

/* The file's path below the source's folder; NULL: it isn't there. */
static const char *path_below(const Instrument *instrument, const char *path)
{
    const size_t length = strlen(instrument->folder);
    if (strcmp(path, instrument->file) == 0)
        return files_base_name(path);
    return strncmp(path, instrument->folder, length) == 0 && path[length] != '/' && !strstr(path + length, "..")
               ? path + length
               : NULL;
}

/* What lies elsewhere is compiled as it is. */
static bool is_elsewhere(const Instrument *instrument, const AnalysisCount *count)
{
    const SourceStatement *loop = count->loop;
    return !path_below(instrument, count->place.file) || (loop && !path_below(instrument, loop->place.file));
}

static bool make_folders(const char *path, size_t from, Arena *arena, Err *err)
{
    for (const char *slash = strchr(path + from, '/'); slash; slash = strchr(slash + 1, '/')) {
        const char *folder = arena_strndup(arena, path, (size_t)(slash - path));
        if (!files_is_directory(folder) && !files_make_directory(folder, true))
            return err_set(err, ERR_ENVIRONMENT, "%s: %s", folder, strerror(errno));
    }
    return true;
}

static bool save_copy(Instrument *instrument, Edits *edits, const char *directory, Err *err)
{
    Arena *arena = instrument->arena;
    const char *path = arena_printf(arena, "%s/%s", directory, path_below(instrument, edits->file->path));
    /* Outside of uses that count, macros count into a number that nobody reads. */
    const char *site = strcmp(edits->file->path, instrument->file) != 0
                           ? ""
                           : arena_printf(arena, "enum { firma_site = %zu };\n", instrument->counters.n);
    const char *text = arena_printf(arena, "%s#line 1 \"%s\"\n%s", site, edits->file->path, edits_apply(edits, arena));
    return make_folders(path, strlen(directory) + 1, arena, err) && files_save_text(path, text, err);
}

static const char *option_of_folder(Arena *arena, const char *options, const char *path)
{
    const char *base = files_base_name(path);
    const char *folder = base == path ? "." : arena_strndup(arena, path, (size_t)(base - path));
    const char *option = arena_printf(arena, "-iquote '%s'", folder);
    return strstr(options, option) ? options : arena_printf(arena, "%s%s%s", options, *options ? " " : "", option);
}

static bool save_copies(Instrument *instrument, const char *directory, Instrumented *made, Err *err)
{
    Arena *arena = instrument->arena;
    Counters *counters = &instrument->counters;
    Edits none = {.file = written_file(&counters->files, instrument->file)};
    bool has_source = false;
    if (!none.file)
        return err_set(err, ERR_INPUT, "%s can't be read", instrument->file);
    made->options = option_of_folder(arena, "", instrument->file);
    for (size_t i = 0; i < counters->edits.count; i++) {
        Edits *edits = counters->edits.items[i];
        if (!save_copy(instrument, edits, directory, err))
            return false;
        made->options = option_of_folder(arena, made->options, edits->file->path);
        has_source = has_source || edits->file == none.file;
    }
    made->source = arena_printf(arena, "%s/%s", directory, files_base_name(instrument->file));
    return has_source || save_copy(instrument, &none, directory, err);
}

static void finish(Instrument *instrument, Instrumented *made)
{
    Counted *counted = arena_new_array(instrument->arena, Counted, instrument->made.count);
    for (size_t i = 0; i < instrument->made.count; i++) {
        Making *making = &instrument->made.items[i];
        counted[i] = making->counted;
        counted[i].n_over = making->over.count;
        counted[i].n_under = making->under.count;
        counted[i].over = vec_copy(&making->over, instrument->arena);
        counted[i].under = vec_copy(&making->under, instrument->arena);
        vec_free(&making->over);
        vec_free(&making->under);
    }
    made->risks = instrument->counters.has_made;
    made->n_counters = instrument->counters.n;
    made->n_counted = instrument->made.count;
    made->counted = counted;
    vec_free(&instrument->made);
    counters_end(&instrument->counters);
}

bool instrument_source(const char *file, const Analysis *analysis, unsigned may, const char *directory, Arena *arena,
                       Instrumented *instrumented, Err *err)
{
    const char *base = files_base_name(file);
    Instrument instrument = {.arena = arena,
                             .file = file,
                             .folder = arena_strndup(arena, file, (size_t)(base - file)),
                             .counters = {.arena = arena, .files = {.arena = arena}, .may = may}};
    *instrumented = (Instrumented){0};
    for (size_t i = 0; i < analysis->n_counts; i++)
        if (is_elsewhere(&instrument, &analysis->counts[i]))
            making_of(&instrument, &analysis->counts[i])->counted.why = "its file isn't in the source's folder";
        else
            count_one(&instrument, &analysis->counts[i]);
    bool ok =
        files_make_directory(directory, true) || err_set(err, ERR_ENVIRONMENT, "%s: %s", directory, strerror(errno));
    instrumented->files = analysis->program->files;
    instrumented->n_files = analysis->program->n_files;
    ok = ok && save_copies(&instrument, directory, instrumented, err);
    finish(&instrument, instrumented);
    return ok;
}
