/* SPDX-License-Identifier: BSD-3-Clause */
/* The runs of a study, and their order (study.h). */
#include "scaling/study.h"

#include "base/text.h"

#include <inttypes.h>
#include <string.h>

#define P_PLACE "{processes}"
#define N_PLACE "{size}"

static bool mentions(char *const *words, const char *place)
{
    for (; *words; words++)
        if (strstr(*words, place))
            return true;
    return false;
}

static bool check_words(char *const *words, bool has_sizes, Err *err)
{
    bool has_n = mentions(words, N_PLACE);
    if (!mentions(words, P_PLACE))
        return err_set(err, ERR_USAGE,
                       "the command doesn't contain {processes}, which stands for the number of processes") ||
               err_hint(err, "for example: mpirun -n {processes} ./app");
    if (has_sizes != has_n)
        return err_set(err, ERR_USAGE,
                       has_n ? "the command contains {size}, but --sizes isn't given"
                             : "--sizes is given, but the command doesn't contain {size}");
    return true;
}

bool study_make(char *const *words, const char *clock, uint32_t n_sizes, const uint64_t *sizes, uint32_t n_processes,
                const uint64_t *processes, uint32_t repeats, Arena *arena, Study *study, Err *err)
{
    if (!check_words(words, n_sizes > 0, err))
        return false;
    uint32_t rows = n_sizes ? n_sizes : 1;
    StudyPoint *points = arena_new_array(arena, StudyPoint, (size_t)rows * n_processes);
    for (uint32_t i = 0; i < rows; i++)
        for (uint32_t k = 0; k < n_processes; k++)
            points[(size_t)i * n_processes + k] = (StudyPoint){n_sizes ? sizes[i] : 0, processes[k], 0, 0};
    *study = (Study){.words = words,
                     .clock = clock,
                     .has_sizes = n_sizes > 0,
                     .repeats = repeats,
                     .n_points = rows * n_processes,
                     .points = points};
    return true;
}

static uint32_t tried(const StudyPoint *point)
{
    return point->n_done + point->n_failed;
}

static bool is_open(const Study *study, const StudyPoint *point)
{
    return tried(point) < study->repeats && point->n_failed < STUDY_FAILURES;
}

bool study_next(const Study *study, uint32_t *point)
{
    uint32_t round = UINT32_MAX;
    for (uint32_t i = 0; i < study->n_points; i++)
        if (is_open(study, &study->points[i]) && tried(&study->points[i]) < round)
            round = tried(&study->points[i]);
    for (uint32_t i = 0; i < study->n_points; i++) {
        uint32_t number = round % 2 ? study->n_points - 1 - i : i;
        if (!is_open(study, &study->points[number]) || tried(&study->points[number]) != round)
            continue;
        *point = number;
        return true;
    }
    return false;
}

uint64_t study_left(const Study *study)
{
    uint64_t left = 0;
    for (uint32_t i = 0; i < study->n_points; i++)
        if (is_open(study, &study->points[i]))
            left += study->repeats - tried(&study->points[i]);
    return left;
}

static char *filled(const char *word, const StudyPoint *point, Arena *arena)
{
    Text text = {0};
    while (*word) {
        bool is_p = strncmp(word, P_PLACE, strlen(P_PLACE)) == 0, is_n = strncmp(word, N_PLACE, strlen(N_PLACE)) == 0;
        if (is_p || is_n)
            text_add(&text, "%" PRIu64, is_p ? point->p : point->n);
        else
            text_add(&text, "%c", *word);
        word += is_p ? strlen(P_PLACE) : is_n ? strlen(N_PLACE) : 1;
    }
    return (char *)text_take(&text, arena);
}

char **study_command(const Study *study, const StudyPoint *point, Arena *arena)
{
    size_t n = 0;
    while (study->words[n])
        n++;
    char **words = arena_new_array(arena, char *, n + 1);
    for (size_t i = 0; i < n; i++)
        words[i] = filled(study->words[i], point, arena);
    return words;
}
