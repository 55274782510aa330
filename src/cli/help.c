/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints --help, from the same tables as the man pages and the completion. */
#include "cli/option_values.h"
#include "cli/verbs.h"
#include "report/format.h"
#include "report/table.h"

#include <string.h>

#define HELP_COLUMNS 80

/* Prints a paragraph with line breaks. Lines from the second on are indented. The first line begins
 * at `column`. */
static void print_filled(const char *paragraph, size_t length, size_t column, size_t indent, FILE *stream)
{
    Text text = {0};
    format_add_filled(&text, paragraph, length, column, indent, HELP_COLUMNS);
    fwrite(text.bytes.items, 1, text.bytes.count, stream);
    vec_free(&text.bytes);
}

static void print_paragraphs(const char *text, FILE *stream)
{
    while (*text) {
        const char *end = strstr(text, "\n\n");
        size_t length = end ? (size_t)(end - text) : strlen(text);
        print_filled(text, length, 0, 0, stream);
        fputc('\n', stream);
        text = end ? end + 2 : text + length;
    }
}

static void print_indented_lines(const char *text, FILE *stream)
{
    while (*text) {
        size_t length = strcspn(text, "\n");
        fprintf(stream, "  %.*s\n", (int)length, text);
        text += length + (text[length] == '\n');
    }
}

static void print_options(const Verb *verb, Arena *arena, FILE *stream)
{
    const struct poptOption *options[OPTION_LIMIT];
    const char *texts[OPTION_LIMIT];
    size_t count = verb_options(verb, options), widest = 0;
    for (size_t i = 0; i < count; i++) {
        texts[i] = option_text(options[i], arena);
        size_t width = text_width(texts[i]) + (options[i]->shortName ? 0 : 4);
        widest = width > widest ? width : widest;
    }
    size_t indent = widest + 4;
    for (size_t i = 0; i < count; i++) {
        size_t lead = options[i]->shortName ? 2 : 6; /* aligns long options */
        fprintf(stream, "%*s%s%*s", (int)lead, "", texts[i], (int)(indent - lead - text_width(texts[i])), "");
        const char *meaning = option_meaning(options[i], arena);
        print_filled(meaning, strlen(meaning), indent, indent, stream);
    }
}

static size_t widest_name(const VerbTable *table)
{
    size_t widest = 0;
    for (size_t i = 0; i < table->count; i++) {
        size_t width = strlen(verb_last_name(table->verbs[i]));
        widest = width > widest ? width : widest;
    }
    return widest;
}

/* Those that answer the question. */
static void print_verbs(const VerbTable *table, VerbQuestion question, FILE *stream)
{
    int width = (int)widest_name(table);
    for (size_t i = 0; i < table->count; i++)
        if (table->verbs[i]->question == question)
            fprintf(stream, "  %-*s  %s\n", width, verb_last_name(table->verbs[i]), table->verbs[i]->summary);
}

void help_print_verb(const Verb *verb, Arena *arena, FILE *stream)
{
    fprintf(stream, "Usage: firma %s %s\n\n", verb->name, verb->synopsis);
    print_paragraphs(verb->description, stream);
    if (verb->words.count) {
        print_verbs(&verb->words, QUESTION_NONE, stream);
        fprintf(stream, "\n`firma %s WORD --help` describes a word.\n\n", verb->name);
    }
    fprintf(stream, "Options:\n");
    print_options(verb, arena, stream);
    if (verb->examples && *verb->examples) {
        fprintf(stream, "\nExamples:\n");
        print_indented_lines(verb->examples, stream);
    }
}

void help_print_overview(const VerbTable *table, FILE *stream)
{
    fprintf(stream, "firma %s\n\nUsage: firma VERB [OPTIONS] …\n\n", FIRMA_SUMMARY);
    for (VerbQuestion question = QUESTION_TIME; question < VERB_QUESTIONS; question++) {
        fprintf(stream, "%s\n", verb_questions[question]);
        print_verbs(table, question, stream);
        fputc('\n', stream);
    }
    fprintf(stream, "`firma help VERB` describes a verb, with examples; `firma help VERB WORD`\n"
                    "describes one of its words. All verbs have the options --json, -q and --help.\n");
}

static json_t *verbs_json(const VerbTable *table)
{
    json_t *verbs = json_array();
    for (size_t i = 0; i < table->count; i++) {
        const Verb *verb = table->verbs[i];
        json_array_append_new(verbs, json_pack("{s:s, s:s*, s:s, s:s}", "name", verb->name, "question",
                                               verb_questions[verb->question], "summary", verb->summary, "synopsis",
                                               verb->synopsis));
    }
    return verbs;
}

json_t *help_overview_json(const VerbTable *table)
{
    return json_pack("{s:o}", "verbs", verbs_json(table));
}

/* The names that an option takes, as a JSON array; NULL if it takes none. */
static json_t *names_json(const struct poptOption *option)
{
    json_t *names = option_name_at(option, 0) ? json_array() : NULL;
    for (size_t i = 0; names && option_name_at(option, i); i++)
        json_array_append_new(names, json_string(option_name_at(option, i)));
    return names;
}

json_t *help_verb_json(const Verb *verb, Arena *arena)
{
    const struct poptOption *options[OPTION_LIMIT];
    size_t count = verb_options(verb, options);
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(list, json_pack("{s:s, s:s, s:o*}", "option", option_text(options[i], arena), "meaning",
                                              options[i]->descrip, "values", names_json(options[i])));
    return json_pack("{s:s, s:s, s:s, s:s, s:o*, s:o}", "name", verb->name, "summary", verb->summary, "synopsis",
                     verb->synopsis, "description", verb->description, "words",
                     verb->words.count ? verbs_json(&verb->words) : NULL, "options", list);
}
