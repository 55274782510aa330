/* SPDX-License-Identifier: BSD-3-Clause */
/* A matrix of volumes in the format of the Matrix Market (Boisvert, Pozo, Remington 1996): dense
 * (array) or sparse (coordinate), whole or in its lower half (symmetric). Row i, column j is what
 * task i - 1 sends to task j - 1. */
#include "base/text.h"
#include "placement/exchange/volumes.h"
#include "placement/exchange/words.h"

#include <string.h>
#include <strings.h>

typedef struct Header {
    bool is_sparse, is_symmetric;
} Header;

static bool read_word(Words *words, const char *what, const char *const *choices, int *chosen, Arena *arena, Err *err)
{
    const char *word;
    if (!words_follow(words))
        return words_refuse(words, err, "the line ends where %s should follow", what);
    if (!words_next(words, what, arena, &word, err))
        return false;
    for (*chosen = 0; choices[*chosen]; ++*chosen)
        if (strcasecmp(word, choices[*chosen]) == 0)
            return true;
    return words_refuse(words, err, "`%.40s`: %s isn't one that holds volumes", word, what);
}

static bool read_header(Words *words, Header *header, Arena *arena, Err *err)
{
    static const char *const marks[] = {"%%MatrixMarket", NULL}, *const objects[] = {"matrix", NULL};
    static const char *const forms[] = {"array", "coordinate", NULL}, *const numbers[] = {"real", "integer", NULL};
    static const char *const symmetries[] = {"general", "symmetric", NULL};
    int form, symmetry, ignored;
    if (!read_word(words, "the mark %%MatrixMarket", marks, &ignored, arena, err) ||
        !read_word(words, "the kind of object", objects, &ignored, arena, err) ||
        !read_word(words, "the form", forms, &form, arena, err) ||
        !read_word(words, "the kind of numbers", numbers, &ignored, arena, err) ||
        !read_word(words, "the symmetry", symmetries, &symmetry, arena, err))
        return err_hint(err, "the first line should be %%%%MatrixMarket matrix coordinate real general; also array, "
                             "integer and symmetric are read");
    *header = (Header){.is_sparse = form == 1, .is_symmetric = symmetry == 1};
    return !words_follow(words) || words_refuse(words, err, "more words than the header has");
}

static void skip_comments(Words *words)
{
    const char *line;
    size_t length;
    for (;;) {
        const char *next = words->at + strspn(words->at, " \t\r\n");
        if (*next != '%')
            return;
        for (; words->at < next; words->at++)
            words->line += *words->at == '\n';
        words_line(words, &line, &length);
    }
}

static void add(Volumes *volumes, const Header *header, const Volume *volume)
{
    volumes_add(volumes, *volume);
    if (header->is_symmetric && volume->from != volume->to)
        volumes_add(volumes, (Volume){volume->to, volume->from, volume->line, volume->bytes});
}

static bool read_sparse(Words *words, const Header *header, Volumes *volumes, Err *err)
{
    int64_t n = volumes->n_tasks, n_entries, row, column;
    if (!words_whole(words, "the number of entries", 0, n * n, &n_entries, err))
        return false;
    for (int64_t i = 0; i < n_entries; i++) {
        Volume volume;
        if (!words_whole(words, "a row", 1, n, &row, err) || !words_whole(words, "a column", 1, n, &column, err))
            return false;
        if (header->is_symmetric && column > row)
            return words_refuse(words, err, "the entry is above the diagonal of a symmetric matrix");
        if (!words_real(words, "bytes", BYTES_LIMIT, &volume.bytes, err))
            return false;
        volume.from = (uint32_t)row - 1;
        volume.to = (uint32_t)column - 1;
        volume.line = words->line;
        add(volumes, header, &volume);
    }
    return true;
}

/* Column by column. */
static bool read_dense(Words *words, const Header *header, Volumes *volumes, Err *err)
{
    for (uint32_t column = 0; column < volumes->n_tasks; column++)
        for (uint32_t row = header->is_symmetric ? column : 0; row < volumes->n_tasks; row++) {
            Volume volume = {.from = row, .to = column};
            if (!words_real(words, "bytes", BYTES_LIMIT, &volume.bytes, err))
                return false;
            volume.line = words->line;
            if (volume.bytes > 0)
                add(volumes, header, &volume);
        }
    return true;
}

bool volumes_read_market(const char *path, Arena *arena, Volumes *volumes, Err *err)
{
    Words words;
    Header header = {0};
    int64_t rows, columns;
    if (!words_open(path, arena, &words, err) || !read_header(&words, &header, arena, err))
        return false;
    skip_comments(&words);
    if (!words_whole(&words, "the number of rows", 1, TASKS_LIMIT, &rows, err) ||
        !words_whole(&words, "the number of columns", 1, TASKS_LIMIT, &columns, err))
        return false;
    if (rows != columns)
        return words_refuse(&words, err, "%d rows and %d columns; a row and a column of each task were expected",
                            (int)rows, (int)columns);
    volumes->n_tasks = (uint32_t)rows;
    return (header.is_sparse ? read_sparse(&words, &header, volumes, err)
                             : read_dense(&words, &header, volumes, err)) &&
           words_end(&words, err);
}

const char *volumes_market_text(const Ttig *ttig, Arena *arena)
{
    Text text = {0};
    text_add(&text,
             "%%%%MatrixMarket matrix coordinate real general\n"
             "%% bytes that the task of the row sends to the task of the column\n%u %u %u\n",
             ttig->n_nodes, ttig->n_nodes, ttig->n_edges);
    for (uint32_t i = 0; i < ttig->n_edges; i++) {
        const TtigEdge *edge = &ttig->edges[i];
        text_add(&text, "%u %u %s\n", edge->from + 1, edge->to + 1, volume_text(edge->bytes, arena));
    }
    return text_take(&text, arena);
}
