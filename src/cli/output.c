/* SPDX-License-Identifier: BSD-3-Clause */
/* Output that all verbs share: documents of --json, notes, errors. With --json, stdout gets exactly
 * one document. If the verb fails before printing its document, this is {"error": …}. */
#include "base/json.h"
#include "base/text.h"
#include "cli/verbs.h"
#include "config.h"
#include "report/format.h"
#include "report/table.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static bool document_printed;

static void print_document(const Verb *verb, json_t *incomplete, json_t *document)
{
    json_t *whole = json_object();
    json_object_set_new(whole, "firma", json_string(FIRMA_VERSION));
    if (verb)
        json_object_set_new(whole, "verb", json_stringn(verb->name, strcspn(verb->name, " ")));
    if (incomplete)
        json_object_set(whole, "incomplete", incomplete);
    json_object_update(whole, document);
    json_decref(document);
    char *text = json_text(whole);
    json_decref(whole);
    fputs(text, stdout);
    free(text);
    document_printed = true;
}

void cli_print_json(const Cli *cli, json_t *document)
{
    print_document(cli ? cli->verb : NULL, cli ? cli->incomplete : NULL, document);
}

/* The length of a style's escape sequence at `at`: bold, dim, green, red, or the end of these
 * (report/table.h). 0: none. */
static size_t style_bytes(const char *at)
{
    static const char *const styles[] = {STYLE_BOLD, STYLE_DIM, STYLE_GOOD, STYLE_BAD, STYLE_END};
    for (size_t i = 0; i < sizeof styles / sizeof *styles; i++)
        if (strncmp(at, styles[i], strlen(styles[i])) == 0)
            return strlen(styles[i]);
    return 0;
}

/* All text output goes through here, because it may hold names out of files and programs. A terminal
 * would obey control characters, so they become question marks; not so `blanks`. */
static void put_words(const char *words, const char *blanks, bool color, FILE *stream)
{
    const char *kept = words;
    uint32_t point;
    for (size_t length; *words; words += length) {
        length = text_character(words, &point);
        size_t style = color && *words == '\033' ? style_bytes(words) : 0;
        if (style > 0)
            length = style;
        else if (!text_is_visible(point) && !strchr(blanks, *words)) {
            fwrite(kept, 1, (size_t)(words - kept), stream);
            fputc('?', stream);
            kept = words + length;
        }
    }
    fwrite(kept, 1, (size_t)(words - kept), stream);
}

static void put_formatted(const char *format, va_list arguments, const char *blanks, bool color, FILE *stream)
{
    Text text = {0};
    text_add_list(&text, format, arguments);
    *vec_push(&text.bytes) = '\0';
    put_words(text.bytes.items, blanks, color, stream);
    vec_free(&text.bytes);
}

/* The width of the terminal on stdout, or what COLUMNS says; 0: neither is there. */
static size_t known_columns(void)
{
    enum { LEAST = 40, MOST = 10000 };
    struct winsize size;
    const char *given = getenv("COLUMNS");
    long columns = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : given ? strtol(given, NULL, 10) : 0;
    return columns <= 0 ? 0 : columns < LEAST ? LEAST : columns > MOST ? MOST : (size_t)columns;
}

/* Where the last part of a line begins: behind a gap of several blanks, such as between columns. */
static size_t last_part(const char *line)
{
    size_t start = strspn(line, " ");
    for (size_t i = start; line[i]; i++)
        if (line[i] == ' ' && line[i + 1] == ' ')
            start = i + strspn(line + i, " ");
    return start;
}

/* Adds a line that is too long, folded between words below its last part. One with styles, or with little room there,
 * stays. */
static void add_folded(Text *made, const char *line, size_t columns, Arena *arena)
{
    size_t start = last_part(line);
    const char *before = arena_strndup(arena, line, start);
    size_t column = text_width(before), indent = before[strspn(before, " ")] ? column : column + 2;
    if (strchr(line, '\033') || column > columns / 2) {
        text_add(made, "%s\n", line);
        return;
    }
    text_add(made, "%s", before);
    format_add_filled(made, line + start, strlen(line + start), column, indent, columns);
}

/* The text with longer lines folded. */
static const char *folded(const char *text, size_t columns, Arena *arena)
{
    Text made = {0};
    for (size_t length; *text; text += length) {
        length = strcspn(text, "\n");
        const char *line = arena_strndup(arena, text, length);
        bool is_whole = text[length] == '\n';
        if (is_whole && text_width(line) > columns)
            add_folded(&made, line, columns, arena);
        else
            text_add(&made, "%s%s", line, is_whole ? "\n" : "");
        length += is_whole;
    }
    return text_take(&made, arena);
}

void cli_print(const Cli *cli, const char *format, ...)
{
    va_list arguments;
    size_t columns = known_columns();
    Arena *arena = arena_new();
    Text text = {0};
    va_start(arguments, format);
    text_add_list(&text, format, arguments);
    va_end(arguments);
    const char *whole = text_take(&text, arena);
    put_words(columns ? folded(whole, columns, arena) : whole, "\n\t", cli->color, stdout);
    arena_free(arena);
}

void cli_print_aside(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    put_formatted(format, arguments, "\n\t", false, stderr);
    va_end(arguments);
}

void cli_note(const Cli *cli, const char *format, ...)
{
    if (cli->quiet)
        return;
    progress_bar_end();
    va_list arguments;
    va_start(arguments, format);
    fflush(stdout);
    fprintf(stderr, "firma %s: ", cli->verb->name);
    put_formatted(format, arguments, "", false, stderr);
    fputc('\n', stderr);
    va_end(arguments);
}

static bool has_text(const json_t *texts, const json_t *text)
{
    for (size_t i = 0; i < json_array_size(texts); i++)
        if (json_equal(json_array_get(texts, i), text))
            return true;
    return false;
}

void cli_note_incomplete(Cli *cli, const char *path, const char *const *sentences, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        const char *sentence = arena_printf(cli->arena, "%s is incomplete: %s", path, sentences[i]);
        json_t *text = json_from_text(sentence);
        if (!cli->incomplete)
            cli->incomplete = json_array();
        if (!has_text(cli->incomplete, text)) {
            cli_note(cli, "%s", sentence);
            json_array_append(cli->incomplete, text);
        }
        json_decref(text);
    }
}

static const char *kind_name(ErrKind kind)
{
    switch (kind) {
    case ERR_NEGATIVE:
        return "negative";
    case ERR_USAGE:
        return "usage";
    case ERR_INPUT:
        return "input";
    case ERR_ENVIRONMENT:
        return "environment";
    case ERR_NONE:
    case ERR_BUG:
        break;
    }
    return "bug";
}

void cli_print_error(const Verb *verb, bool json, const Err *err)
{
    progress_bar_end();
    fflush(stdout);
    fprintf(stderr, "firma%s%s: ", verb ? " " : "", verb ? verb->name : "");
    put_words(err->message, "", false, stderr);
    if (err->hint[0]) {
        fputs("\n  hint: ", stderr);
        put_words(err->hint, "", false, stderr);
    }
    fputc('\n', stderr);
    if (!json || document_printed)
        return;
    json_t *error = json_object();
    json_object_set_new(error, "kind", json_string(kind_name(err->kind)));
    json_object_set_new(error, "exit_status", json_integer(err->kind));
    json_object_set_new(error, "message", json_from_text(err->message));
    if (err->hint[0])
        json_object_set_new(error, "hint", json_from_text(err->hint));
    json_t *document = json_object();
    json_object_set_new(document, "error", error);
    print_document(verb, NULL, document);
}

const char *cli_own_command(const Cli *cli)
{
    const char *end = strstr(cli->command_line, " -- ");
    size_t length = end ? (size_t)(end - cli->command_line) : strlen(cli->command_line);
    return arena_printf(cli->arena, "firma %.*s", (int)length, cli->command_line);
}

void cli_progress_end(Cli *cli)
{
    (void)cli;
    progress_bar_end();
}

size_t cli_columns(void)
{
    size_t columns = known_columns();
    return columns ? columns : 100;
}

void cli_fit_tables(void)
{
    table_fit(known_columns());
}
