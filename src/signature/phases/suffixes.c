/* SPDX-License-Identifier: BSD-3-Clause */
/* The sort of suffixes.h. A suffix is of type S if it is smaller than the suffix one place further
 * right; otherwise it is of type L. An S that follows an L is a *leftmost S*:
 *
 *     b a n a n a     fewer than half of the suffixes start at a leftmost S; once these are in
 *     L S L S L L     order, one walk up orders all L suffixes, one walk down the other S suffixes
 *       *   *
 *
 * The same two walks order the pieces from one leftmost S to the next. These pieces, named by their
 * rank, are a shorter text. Its suffixes are sorted first. */
#include "signature/phases/suffixes.h"

#include "base/arena.h"
#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define NOWHERE UINT32_MAX

typedef struct Sorting {
    const uint32_t *text;
    uint32_t n, n_letters;
    uint8_t *is_s;               /* [n] */
    uint32_t *first_l, *first_s; /* [n_letters] for each first letter: where its L suffixes begin
                                    in the order, and its S suffixes */
    uint32_t *places;            /* [n_letters] scratch */
    uint32_t *order;
} Sorting;

static bool is_leftmost(const Sorting *sorting, uint32_t i)
{
    return i && sorting->is_s[i] && !sorting->is_s[i - 1];
}

static void classify(Sorting *sorting)
{
    const uint32_t *text = sorting->text;
    sorting->is_s[sorting->n - 1] = false;
    for (uint32_t i = sorting->n - 1; i-- > 0;)
        sorting->is_s[i] = text[i] < text[i + 1] || (text[i] == text[i + 1] && sorting->is_s[i + 1]);
    for (uint32_t i = 0; i < sorting->n; i++)
        (sorting->is_s[i] ? sorting->first_s : sorting->first_l)[text[i]]++;
    uint32_t before = 0;
    for (uint32_t letter = 0; letter < sorting->n_letters; letter++) {
        uint32_t n_l = sorting->first_l[letter], n_s = sorting->first_s[letter];
        sorting->first_l[letter] = before;
        sorting->first_s[letter] = before + n_l;
        before += n_l + n_s;
    }
    assert(before == sorting->n);
}

/* Takes the leftmost Ss in the order known so far, and orders all suffixes from them. */
static void induce(Sorting *sorting, const uint32_t *leftmost, uint32_t n_leftmost)
{
    const uint32_t *text = sorting->text;
    uint32_t *order = sorting->order, *places = sorting->places, n = sorting->n;
    for (uint32_t i = 0; i < n; i++)
        order[i] = NOWHERE;
    memcpy(places, sorting->first_s, sorting->n_letters * sizeof *places);
    for (uint32_t i = 0; i < n_leftmost; i++)
        order[places[text[leftmost[i]]]++] = leftmost[i];
    memcpy(places, sorting->first_l, sorting->n_letters * sizeof *places);
    order[places[text[n - 1]]++] = n - 1;
    for (uint32_t i = 0; i < n; i++)
        if (order[i] != NOWHERE && order[i] && !sorting->is_s[order[i] - 1])
            order[places[text[order[i] - 1]]++] = order[i] - 1;
    for (uint32_t letter = 0; letter < sorting->n_letters; letter++)
        places[letter] = letter + 1 < sorting->n_letters ? sorting->first_l[letter + 1] : n;
    for (uint32_t i = n; i-- > 0;)
        if (order[i] != NOWHERE && order[i] && sorting->is_s[order[i] - 1])
            order[--places[text[order[i] - 1]]] = order[i] - 1;
}

/* Whether the pieces that begin at a and b are equal, including the leftmost S that ends them. */
static bool pieces_are_equal(const Sorting *sorting, uint32_t a, uint32_t b)
{
    for (uint32_t i = 0;; i++) {
        if (a + i == sorting->n || b + i == sorting->n || sorting->text[a + i] != sorting->text[b + i])
            return false;
        bool a_ends = i && is_leftmost(sorting, a + i), b_ends = i && is_leftmost(sorting, b + i);
        if (a_ends || b_ends)
            return a_ends && b_ends;
    }
}

/* Brings the leftmost Ss from text order into suffix order. The pieces are in order in
 * sorting->order. */
static void sort_leftmost(Sorting *sorting, uint32_t *leftmost, uint32_t n_leftmost)
{
    uint32_t *names = memory_resize(NULL, ((size_t)sorting->n / 2 + 1) * sizeof *names); /* by position / 2 */
    uint32_t n_names = 0, previous = NOWHERE;
    for (uint32_t i = 0; i < sorting->n; i++) {
        uint32_t at = sorting->order[i];
        if (!is_leftmost(sorting, at))
            continue;
        n_names += previous == NOWHERE || !pieces_are_equal(sorting, previous, at);
        names[at / 2] = n_names - 1;
        previous = at;
    }
    assert(n_names && n_names <= n_leftmost);
    uint32_t *shorter = memory_resize(NULL, n_leftmost * sizeof *shorter);
    for (uint32_t i = 0; i < n_leftmost; i++)
        shorter[i] = names[leftmost[i] / 2];
    free(names);
    uint32_t *order = sorting->order; /* has room for both halves */
    if (n_names < n_leftmost) {
        suffixes_sort(shorter, n_leftmost, n_names, order);
    } else {
        for (uint32_t i = 0; i < n_leftmost; i++)
            order[shorter[i]] = i;
    }
    for (uint32_t i = 0; i < n_leftmost; i++)
        shorter[i] = leftmost[order[i]];
    memcpy(leftmost, shorter, n_leftmost * sizeof *leftmost);
    free(shorter);
}

void suffixes_sort(const uint32_t *text, uint32_t n, uint32_t n_letters, uint32_t *order)
{
    if (!n)
        return;
    Sorting sorting = {text,
                       n,
                       n_letters,
                       memory_zeroed(n, 1),
                       memory_zeroed(n_letters, sizeof(uint32_t)),
                       memory_zeroed(n_letters, sizeof(uint32_t)),
                       memory_zeroed(n_letters, sizeof(uint32_t)),
                       order};
    classify(&sorting);
    uint32_t *leftmost = memory_resize(NULL, ((size_t)n / 2 + 1) * sizeof *leftmost), n_leftmost = 0;
    for (uint32_t i = 0; i < n; i++)
        if (is_leftmost(&sorting, i))
            leftmost[n_leftmost++] = i;
    assert(n_leftmost <= n / 2); /* so the order has room for the shorter text */
    if (n_leftmost > 1) {
        induce(&sorting, leftmost, n_leftmost);
        sort_leftmost(&sorting, leftmost, n_leftmost);
    }
    induce(&sorting, leftmost, n_leftmost);
    free(leftmost);
    free(sorting.is_s);
    free(sorting.first_l);
    free(sorting.first_s);
    free(sorting.places);
}
