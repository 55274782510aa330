/* SPDX-License-Identifier: BSD-3-Clause */
/* A Java source to a program: the methods of the source's classes, and what they call of classes in files beside it or
 * on the class path. */
#include "base/files.h"
#include "cost/source/java/tree.h"

#include <popt.h>

const TSLanguage *tree_sitter_java(void); /* the grammar's only function */

static void add_folder(JavaReader *reader, const char *folder, size_t length)
{
    bool has_slash = length && folder[length - 1] == '/';
    if (length)
        *vec_push(&reader->folders) = arena_printf(reader->arena, "%.*s%s", (int)length, folder, has_slash ? "" : "/");
}

/* "a:b/c" */
static void add_folders(JavaReader *reader, const char *path)
{
    while (*path) {
        size_t length = strcspn(path, ":");
        add_folder(reader, path, length);
        path += length + (path[length] == ':');
    }
}

static bool names_folders(const char *word)
{
    static const char *const NAMES[] = {"-cp", "-classpath", "--class-path", "-sourcepath", "--source-path"};
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++)
        if (strcmp(NAMES[i], word) == 0)
            return true;
    return false;
}

/* Class paths, with or without their option's name; other options don't change what the source means. */
static bool read_options(JavaReader *reader, const SourceOptions *options)
{
    const char **words = NULL;
    int n = 0;
    if (!options->options || !*options->options)
        return true;
    int status = poptParseArgvString(options->options, &n, &words);
    if (status != 0 && status != POPT_ERROR_NOARG)
        return err_set(reader->err, ERR_INPUT, "%s: compiler options \"%s\": %s", options->file, options->options,
                       poptStrerror(status));
    for (int i = 0; i < n; i++)
        if (names_folders(words[i]) && i + 1 < n)
            add_folders(reader, words[++i]);
        else if (*words[i] != '-' && files_is_directory(words[i]))
            add_folders(reader, words[i]);
    free(words);
    return true;
}

/* Those of the source itself; calls add others. Classes that methods declare are read with them. */
static void read_functions(JavaReader *reader, const JavaFile *file)
{
    size_t n_classes = reader->classes.count;
    for (size_t i = 0; i < n_classes; i++)
        for (size_t j = 0; reader->classes.items[i]->file == file && j < reader->classes.items[i]->methods.count; j++)
            java_want(reader, reader->classes.items[i]->methods.items[j]);
    for (size_t i = 0; i < n_classes; i++)
        if (reader->classes.items[i]->file == file)
            java_read_static(reader, reader->classes.items[i]);
    for (size_t i = 0; i < reader->wanted.count; i++)
        java_read_method(reader, reader->wanted.items[i]);
}

/* By their places. */
static int compare_notes(const void *a, const void *b)
{
    const SourcePlace *left = &((const SourceNote *)a)->place, *right = &((const SourceNote *)b)->place;
    int files = strcmp(left->file, right->file);
    if (files)
        return files;
    if (left->line != right->line)
        return left->line < right->line ? -1 : 1;
    return left->column < right->column ? -1 : left->column > right->column;
}

static SourceProgram *program_of(JavaReader *reader)
{
    SourceProgram *program = arena_alloc(reader->arena, sizeof *program);
    SourceFunction *functions = arena_new_array(reader->arena, SourceFunction, reader->functions.count);
    java_finish_guesses(reader);
    java_finish_variables(reader);
    SourceNote *notes = arena_new_array(reader->arena, SourceNote, reader->notes.count);
    for (size_t i = 0; i < reader->functions.count; i++)
        functions[i] = reader->functions.items[i];
    for (size_t i = 0; i < reader->notes.count; i++)
        notes[i] = reader->notes.items[i];
    qsort(notes, reader->notes.count, sizeof *notes, compare_notes);
    *program = (SourceProgram){"java", reader->functions.count, functions, reader->notes.count, notes};
    return program;
}

static void free_classes(JavaReader *reader)
{
    for (size_t i = 0; i < reader->classes.count; i++) {
        vec_free(&reader->classes.items[i]->supertypes);
        vec_free(&reader->classes.items[i]->fields);
        vec_free(&reader->classes.items[i]->methods);
    }
    vec_free(&reader->classes);
}

static void free_reader(JavaReader *reader)
{
    free_classes(reader);
    for (size_t i = 0; i < reader->files.count; i++)
        ts_tree_delete(reader->files.items[i]->tree);
    ts_parser_delete(reader->parser);
    vec_free(&reader->files);
    vec_free(&reader->folders);
    vec_free(&reader->missing);
    vec_free(&reader->wanted);
    vec_free(&reader->variables);
    vec_free(&reader->strangers);
    vec_free(&reader->functions);
    vec_free(&reader->notes);
    vec_free(&reader->guesses);
}

bool source_read_java(const SourceOptions *options, Arena *arena, SourceProgram **program, Err *err)
{
    JavaReader reader = {.arena = arena, .parser = ts_parser_new(), .err = err};
    JavaFile *file;
    bool is_read = false;
    if (!ts_parser_set_language(reader.parser, tree_sitter_java()))
        err_set(err, ERR_ENVIRONMENT, "%s: the grammar of Java isn't one that this tree-sitter can read",
                options->file);
    else
        is_read = read_options(&reader, options) && java_parse(&reader, options->file, &file);
    if (is_read) {
        java_declare_file(&reader, file);
        JavaScope scope = {.file = file};
        reader.scope = &scope;
        read_functions(&reader, file);
        *program = program_of(&reader);
    }
    free_reader(&reader);
    return is_read;
}
