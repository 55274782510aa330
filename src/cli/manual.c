/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes man pages from the same tables as --help: firma(1) and firma-VERB(1), in man(7) macros, as
 * ASCII with groff escapes. */
#include "cli/verbs.h"
#include "config.h"

#include <ctype.h>
#include <errno.h>
#include <stdint.h>
#include <string.h>

/* Returns the code point of the UTF-8 character at `text`, and sets *length to its bytes. An
 * invalid byte counts as a character. */
static uint32_t code_point(const char *text, size_t *length)
{
    const unsigned char *bytes = (const unsigned char *)text;
    static const struct {
        unsigned char mask, lead, payload;
    } forms[] = {{0x80, 0x00, 0x7F}, {0xE0, 0xC0, 0x1F}, {0xF0, 0xE0, 0x0F}, {0xF8, 0xF0, 0x07}};
    for (size_t n = 0; n < sizeof forms / sizeof *forms; n++) {
        if ((bytes[0] & forms[n].mask) != forms[n].lead)
            continue;
        uint32_t point = bytes[0] & forms[n].payload;
        size_t i = 1;
        for (; i <= n && (bytes[i] & 0xC0) == 0x80; i++)
            point = point << 6 | (bytes[i] & 0x3F);
        if (i == n + 1) {
            *length = i;
            return point;
        }
    }
    *length = 1;
    return '?';
}

/* Prints text so that roff finds no request or escape in it. */
static void print_escaped(const char *text, size_t length, FILE *page)
{
    const char *end = text + length;
    bool line_begins = true;
    while (text < end) {
        size_t bytes;
        uint32_t point = code_point(text, &bytes);
        if (line_begins && (point == '.' || point == '\''))
            fputs("\\&", page);
        line_begins = point == '\n';
        if (point == '\\')
            fputs("\\e", page);
        else if (point == '-')
            fputs("\\-", page);
        else if (point == '`')
            fputs("\\(ga", page);
        else if (point == '^')
            fputs("\\(ha", page);
        else if (point == '~')
            fputs("\\(ti", page);
        else if (point < 0x80)
            fputc((int)point, page);
        else
            fprintf(page, "\\[u%04X]", point);
        text += bytes;
    }
}

static void print_text(const char *text, FILE *page)
{
    print_escaped(text, strlen(text), page);
}

static void print_paragraphs(const char *text, FILE *page)
{
    while (*text) {
        const char *end = strstr(text, "\n\n");
        size_t length = end ? (size_t)(end - text) : strlen(text);
        fputs(".PP\n", page);
        print_escaped(text, length, page);
        fputc('\n', page);
        text = end ? end + 2 : text + length;
    }
}

static void print_item(const char *term, const char *text, FILE *page)
{
    fputs(".TP\n.B ", page);
    print_text(term, page);
    fputc('\n', page);
    print_text(text, page);
    fputc('\n', page);
}

static void print_title(const char *name, const char *summary, FILE *page)
{
    fprintf(page, ".\\\" Generated from firma's option tables.\n.TH ");
    for (const char *letter = name; *letter; letter++)
        fputc(toupper((unsigned char)*letter), page);
    fprintf(page, " 1 \"\" \"firma %s\" \"firma manual\"\n.nh\n.SH NAME\n", FIRMA_VERSION);
    print_text(name, page);
    fputs(" \\- ", page);
    print_text(summary, page);
    fputc('\n', page);
}

static void print_statuses(FILE *page)
{
    fputs(".SH EXIT STATUS\n", page);
    for (const ExitStatus *status = exit_statuses; status->meaning; status++) {
        char number[16];
        snprintf(number, sizeof number, "%d", status->status);
        print_item(number, status->meaning, page);
    }
}

static void print_see_also(const VerbTable *table, const Verb *verb, FILE *page)
{
    fputs(".SH SEE ALSO\n", page);
    if (verb)
        fputs(".BR firma (1)", page);
    for (size_t i = 0; i < table->count; i++) {
        if (table->verbs[i] != verb)
            fprintf(page, "%s.BR firma\\-%s (1)", verb || i > 0 ? " ,\n" : "", table->verbs[i]->name);
    }
    fputc('\n', page);
}

/* Those that answer the question. */
static void print_verbs(const VerbTable *table, VerbQuestion question, FILE *page)
{
    for (size_t i = 0; i < table->count; i++)
        if (table->verbs[i]->question == question)
            print_item(verb_last_name(table->verbs[i]), table->verbs[i]->summary, page);
}

/* `heading` is ".SH", or ".SS" within a word's section. */
static void print_usage(const Verb *verb, const char *heading, Arena *arena, FILE *page)
{
    const struct poptOption *options[OPTION_LIMIT];
    size_t count = verb_options(verb, options);
    fprintf(page, "%s SYNOPSIS\n.B firma %s\n", heading, verb->name);
    print_text(verb->synopsis, page);
    fprintf(page, "\n%s DESCRIPTION\n", heading);
    print_paragraphs(verb->description, page);
    if (verb->words.count)
        print_verbs(&verb->words, QUESTION_NONE, page);
    fprintf(page, "%s OPTIONS\n", heading);
    for (size_t i = 0; i < count; i++)
        print_item(option_text(options[i], arena), option_meaning(options[i], arena), page);
    if (verb->examples && *verb->examples) {
        fprintf(page, "%s EXAMPLES\n.nf\n", heading);
        print_text(verb->examples, page);
        fputs("\n.fi\n", page);
    }
}

/* Prints a verb's page. Each of its words has a section. */
static void print_verb(const VerbTable *table, const Verb *verb, Arena *arena, FILE *page)
{
    print_title(arena_printf(arena, "firma-%s", verb->name), verb->summary, page);
    print_usage(verb, ".SH", arena, page);
    for (size_t i = 0; i < verb->words.count; i++) {
        const Verb *word = verb->words.verbs[i];
        fprintf(page, ".SH firma %s\n", word->name);
        print_text(word->summary, page);
        fputc('\n', page);
        print_usage(word, ".SS", arena, page);
    }
    print_statuses(page);
    print_see_also(table, verb, page);
}

/* Prints what is common to all verbs; docs/CONVENTIONS.md has more. */
static void print_conventions(Arena *arena, FILE *page)
{
    static const Verb any = {.name = ""};
    const struct poptOption *options[OPTION_LIMIT];
    size_t count = verb_options(&any, options);
    fputs(".SH OPTIONS\nAll verbs have these options.\n", page);
    for (size_t i = 0; i < count; i++)
        print_item(option_text(options[i], arena), option_meaning(options[i], arena), page);
    fputs(".SH OUTPUT\n", page);
    print_paragraphs(
        "Results go to standard output; notes, progress and errors go to standard error. With --json, "
        "standard output holds exactly one document, also if the verb fails: then the document has "
        "`error`. With -q, firma prints nothing on standard output, and errors alone on standard error.\n\n"
        "A verb replaces no file or directory that exists, unless --force is given.\n\n"
        "All conventions are in docs/CONVENTIONS.md of firma's sources.",
        page);
}

static void print_overview(const VerbTable *table, Arena *arena, FILE *page)
{
    print_title("firma", FIRMA_SUMMARY, page);
    fputs(
        ".SH SYNOPSIS\n.B firma\n.I VERB\n[options] \\&...\n.br\n.B firma help\n.I VERB\n[\\fIWORD\\fR]\n.br\n.B firma \\-\\-version\n",
        page);
    fputs(".SH DESCRIPTION\n", page);
    print_paragraphs("firma predicts the run time of a message-passing program on a machine. It records one run of "
                     "the program, and finds the phases that repeat, and how often (the program's signature). On the "
                     "machine in question, it runs a small part of the program to measure each phase. From these "
                     "times it computes the run time of the whole program.\n\n"
                     "firma needs neither the program's source nor root, and doesn't relink the program.",
                     page);
    fputs(".SH VERBS\n", page);
    for (VerbQuestion question = QUESTION_TIME; question < VERB_QUESTIONS; question++) {
        fputs(".SS ", page);
        print_text(verb_questions[question], page);
        fputc('\n', page);
        print_verbs(table, question, page);
    }
    print_conventions(arena, page);
    print_statuses(page);
    fputs(".SH ENVIRONMENT\n", page);
    for (const Variable *variable = variables; variable->name; variable++)
        print_item(variable->name, variable->meaning, page);
    print_see_also(table, NULL, page);
}

static bool open_page(const char *path, FILE **page, Err *err)
{
    *page = fopen(path, "w");
    return *page || err_set(err, ERR_ENVIRONMENT, "%s: %s", path, strerror(errno));
}

static bool close_page(const char *path, FILE *page, Err *err)
{
    bool failed = ferror(page);
    failed |= fclose(page) != 0;
    return !failed || err_set(err, ERR_ENVIRONMENT, "%s: cannot write: %s", path, strerror(errno));
}

bool manual_write(const VerbTable *table, const char *directory, Arena *arena, Err *err)
{
    FILE *page;
    const char *path = arena_printf(arena, "%s/firma.1", directory);
    if (!open_page(path, &page, err))
        return false;
    print_overview(table, arena, page);
    if (!close_page(path, page, err))
        return false;
    for (size_t i = 0; i < table->count; i++) {
        path = arena_printf(arena, "%s/firma-%s.1", directory, table->verbs[i]->name);
        if (!open_page(path, &page, err))
            return false;
        print_verb(table, table->verbs[i], arena, page);
        if (!close_page(path, page, err))
            return false;
    }
    return true;
}
