/* SPDX-License-Identifier: BSD-3-Clause */
/* See bind.h. */
#include "verbs/measure/bind.h"

#include "base/vec.h"
#include "cli/values.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { PROCESSORS_LIMIT = 1 << 20 };

static bool refuse_bind(const char *text, Err *err)
{
    return err_set(err, ERR_USAGE, "--bind: `%s` isn't a list of processors", text) ||
           err_hint(err, "a processor or a range for each rank, for example 0,1 or 0:3 for four ranks, or 0-3,4-7");
}

static bool is_processor(const char *text)
{
    Err problem = {0};
    uint64_t number;
    return number_option_parse("", text, &number, &problem) && number < PROCESSORS_LIMIT;
}

typedef VEC(const char *) Words;

/* "0-3": one rank runs on these processors. */
static bool read_rank_range(const char *word, Arena *arena, Words *words)
{
    size_t dash = strcspn(word, "-");
    const char *first = arena_strndup(arena, word, dash), *last = word + dash + 1;
    if (!is_processor(first) || !is_processor(last) || atol(first) > atol(last))
        return false;
    *vec_push(words) = word;
    return true;
}

/* "3", "0:3", "0:8x2": a processor for each of several ranks. */
static bool read_processors(const char *word, Arena *arena, Words *words, Err *err)
{
    const NumberList list = {.option = "--bind", .by_default = word, .keeps_order = true, .most = PROCESSORS_LIMIT - 1};
    const uint64_t *numbers;
    uint32_t n;
    if (!numbers_option_parse(&list, arena, &n, &numbers, err))
        return false;
    for (uint32_t i = 0; i < n; i++)
        *vec_push(words) = arena_printf(arena, "%" PRIu64, numbers[i]);
    return true;
}

/* Reads the processors of each rank. */
static bool read_bind(const char *text, Arena *arena, Words *words, Err *err)
{
    const char *const *parts;
    if (!list_option_parse("--bind", text, arena, &parts, err))
        return refuse_bind(text, err);
    for (; *parts; parts++) {
        bool is_range = strchr(*parts, '-') != NULL;
        if (is_range && !read_rank_range(*parts, arena, words))
            return refuse_bind(text, err);
        if (!is_range && !read_processors(*parts, arena, words, err))
            return false;
    }
    return true;
}

bool bind_check(const char *text, Arena *arena, Err *err)
{
    Words words = {0};
    bool fine = read_bind(text, arena, &words, err);
    vec_free(&words);
    return fine;
}

bool bind_read(const char *text, uint32_t n_ranks, Arena *arena, const char *const **cpus_of_rank, Err *err)
{
    Words words = {0};
    bool fine = read_bind(text, arena, &words, err);
    const char *for_all = fine && words.count == 1 ? words.items[0] : NULL;
    while (for_all && words.count < n_ranks)
        *vec_push(&words) = for_all;
    if (fine && words.count != n_ranks)
        fine =
            err_set(err, ERR_USAGE, "--bind: names processors for %zu ranks, and there are %u", words.count, n_ranks);
    *cpus_of_rank = fine ? vec_copy(&words, arena) : NULL;
    vec_free(&words);
    return fine;
}
