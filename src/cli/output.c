/* SPDX-License-Identifier: BSD-3-Clause */
/* Output that all verbs share: documents of --json, notes, errors. With --json, stdout gets exactly
 * one document. If the verb fails before printing its document, this is {"error": …}. */
#include "base/json.h"
#include "base/text.h"
#include "cli/verbs.h"
#include "config.h"

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

void cli_note(const Cli *cli, const char *format, ...)
{
    if (cli->quiet)
        return;
    progress_bar_end();
    va_list arguments;
    va_start(arguments, format);
    fflush(stdout);
    fprintf(stderr, "firma %s: ", cli->verb->name);
    vfprintf(stderr, format, arguments);
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

/* Prints text that may quote a file. Control characters, which a terminal would obey, become
 * question marks. */
static void put_words(const char *words)
{
    while (*words) {
        size_t control = *words == '\n' || *words == '\t' ? 0 : text_control_bytes(words);
        fputc(control ? '?' : *words, stderr);
        words += control ? control : 1;
    }
}

void cli_print_error(const Verb *verb, bool json, const Err *err)
{
    progress_bar_end();
    fflush(stdout);
    fprintf(stderr, "firma%s%s: ", verb ? " " : "", verb ? verb->name : "");
    put_words(err->message);
    if (err->hint[0]) {
        fputs("\n  hint: ", stderr);
        put_words(err->hint);
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

void cli_progress_end(Cli *cli)
{
    (void)cli;
    progress_bar_end();
}

size_t cli_columns(void)
{
    struct winsize size;
    return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 40 ? size.ws_col : 100;
}
