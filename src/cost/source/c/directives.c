/* SPDX-License-Identifier: BSD-3-Clause */
/* OpenMP's directives. libclang doesn't show the statements of directives that it understands, so it
 * ignores them, and they are read from the lines above a loop or a block. */
#include "cost/source/c/tree.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_THREADS = 1000000 };

/* A directive with its clauses, and its lines if they are joined by backslashes. */
typedef struct Directive {
    const char *text; /* behind `#pragma omp` */
    size_t length;
} Directive;

typedef struct Word {
    const char *text;
    size_t length;
    const char *argument; /* behind its bracket; NULL: none */
} Word;

static bool is_word(const Word *word, const char *text)
{
    return strlen(text) == word->length && memcmp(text, word->text, word->length) == 0;
}

static bool is_one_of(const Word *word, const char *const *texts)
{
    while (*texts && !is_word(word, *texts))
        texts++;
    return *texts;
}

static size_t skip_blanks(const Directive *directive, size_t at)
{
    while (at < directive->length && !isalpha((unsigned char)directive->text[at]) && directive->text[at] != '(')
        at++;
    return at;
}

static size_t behind_brackets(const Directive *directive, size_t at)
{
    unsigned depth = 0;
    do {
        depth += directive->text[at] == '(';
        depth -= directive->text[at] == ')';
    } while (++at < directive->length && depth);
    return at;
}

/* The word at *at, and behind it the next one. An empty word: the end. */
static Word next_word(const Directive *directive, size_t *at)
{
    Word word = {.text = directive->text + skip_blanks(directive, *at)};
    size_t end = (size_t)(word.text - directive->text);
    while (end < directive->length && (isalnum((unsigned char)directive->text[end]) || directive->text[end] == '_'))
        end++;
    word.length = end - (size_t)(word.text - directive->text);
    *at = skip_blanks(directive, end);
    if (*at < directive->length && directive->text[*at] == '(') {
        word.argument = directive->text + *at + 1;
        *at = behind_brackets(directive, *at);
    }
    return word;
}

/* Of a part of the source that begins a line. */
static bool read_directive(const char *line, size_t length, Directive *directive)
{
    static const char *const beginning[] = {"#", "pragma", "omp"};
    size_t at = 0;
    for (size_t i = 0; i < sizeof beginning / sizeof *beginning; i++) {
        while (at < length && (line[at] == ' ' || line[at] == '\t'))
            at++;
        size_t n = strlen(beginning[i]);
        if (length - at < n || memcmp(line + at, beginning[i], n) != 0)
            return false;
        at += n;
    }
    *directive = (Directive){line + at, length - at};
    return true;
}

/* False: threads don't do what the directive says as firma counts it. */
static bool read_team(const Directive *directive, SourceTeam *team)
{
    static const char *const others[] = {"sections",   "section",  "task",    "taskloop", "target", "teams",
                                         "distribute", "critical", "atomic",  "ordered",  "single", "master",
                                         "masked",     "loop",     "barrier", "taskwait", NULL};
    size_t at = 0;
    for (Word word = next_word(directive, &at); word.length; word = next_word(directive, &at)) {
        if (!word.argument && is_one_of(&word, others))
            return false;
        team->starts |= is_word(&word, "parallel");
        team->shares |= is_word(&word, "for");
        if (word.argument && is_word(&word, "num_threads")) {
            char *end;
            unsigned long n = strtoul(word.argument, &end, 10);
            team->n_threads = *end == ')' && n <= MOST_THREADS ? (unsigned)n : 0;
        }
    }
    return team->starts || team->shares;
}

/* The first line of those that end before `end`, and are joined. */
static size_t line_before(const char *text, size_t end)
{
    size_t start = end;
    do {
        start -= start > 0;
        while (start > 0 && text[start - 1] != '\n')
            start--;
    } while (start > 1 && text[start - 2] == '\\');
    return start;
}

static bool is_blank(const char *text, size_t n)
{
    while (n && isspace((unsigned char)text[n - 1]))
        n--;
    return !n;
}

/* Directives above the statement, up to other code. */
void c_directives(CReader *reader, CXCursor cursor, SourceStatement *statement)
{
    const Clang *clang = reader->clang;
    SourceTeam team = {0};
    CXFile file;
    unsigned offset;
    size_t size, start;
    clang->getExpansionLocation(clang->getRangeStart(clang->getCursorExtent(cursor)), &file, NULL, NULL, &offset);
    const char *text = file && reader->has_threads ? clang->getFileContents(reader->unit, file, &size) : NULL;
    if (!text || offset > size)
        return;
    for (start = offset; start > 0 && text[start - 1] != '\n';)
        start--;
    if (!is_blank(text + start, offset - start))
        return;
    while (start > 0) {
        size_t end = start;
        Directive directive;
        start = line_before(text, end);
        if (is_blank(text + start, end - start))
            continue;
        if (!read_directive(text + start, end - start, &directive) || !read_team(&directive, &team))
            break;
        *vec_push(&reader->directives) = text + start;
    }
    if (team.starts || team.shares) {
        SourceTeam *own = arena_alloc(reader->arena, sizeof *own);
        *own = team;
        statement->team = own;
    }
}

static bool is_understood(const CReader *reader, const char *line, const Directive *directive)
{
    /* Their statements run once in the time of a thread, or at compile time. */
    static const char *const without_effect[] = {"single", "master", "masked",        "barrier",
                                                 "flush",  "simd",   "threadprivate", NULL};
    size_t at = 0;
    Word first = next_word(directive, &at);
    for (size_t i = 0; i < reader->directives.count; i++)
        if (reader->directives.items[i] == line)
            return true;
    return is_one_of(&first, without_effect);
}

void c_note_directives(CReader *reader, const char *name)
{
    size_t size = 0;
    CXFile file = reader->clang->getFile(reader->unit, name);
    const char *text = file ? reader->clang->getFileContents(reader->unit, file, &size) : NULL;
    unsigned line = 1;
    for (size_t at = 0, end; text && at < size; at = end + 1, line++) {
        const char *newline = memchr(text + at, '\n', size - at);
        Directive directive;
        end = newline ? (size_t)(newline - text) : size;
        if (read_directive(text + at, end - at, &directive) && !is_understood(reader, text + at, &directive))
            build_note(&reader->notes, (SourcePlace){arena_strdup(reader->arena, name), line, 1},
                       reader->has_threads ? "OpenMP's directive is ignored: one thread counts"
                                           : "OpenMP's directive is ignored, as by a compiler without -fopenmp",
                       reader->arena);
    }
}
