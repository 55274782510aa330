/* SPDX-License-Identifier: BSD-3-Clause */
/* See cheapest.h. More machines of a kind are taken to make no run longer, so the least number of them that keeps
 * the deadline is found by halving. Beside a number of one kind, the least number of another kind is looked for. */
#include "verbs/cost/cheapest.h"

#include "base/vec.h"
#include "cli/option_values.h"
#include "report/format.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Machines of a kind, and how many numbers of one kind are tried beside another kind. */
enum { MACHINES_LIMIT = 1024, TRIED_BESIDE = 16 };

static struct {
    double deadline_s;
    char *prices;
} options;

const struct poptOption cost_cheapest_option_table[] = {
    {"deadline", 0, OPTION_SECONDS, &options.deadline_s, 0,
     "find the cheapest machines on which the application takes at most this long", "SECONDS"},
    {"prices", 0, POPT_ARG_STRING, &options.prices, 0,
     "what a machine costs for an hour, by kinds, such as old:0.1,fast:0.4", "LIST"},
    POPT_TABLEEND};

typedef struct Price {
    const CpuModel *kind;
    double an_hour;
} Price;

typedef struct Search {
    Predictor *predictor;
    Arena *arena;
    VEC(Price) prices;
    Cheapest best, fastest;
    bool has_best, has_fastest;
} Search;

bool cheapest_is_wanted(void)
{
    return options.deadline_s > 0;
}

double cheapest_deadline_s(void)
{
    return options.deadline_s;
}

bool cheapest_check(Err *err)
{
    if (options.prices && !cheapest_is_wanted())
        return err_set(err, ERR_USAGE, "--prices goes with --deadline");
    return options.prices || !cheapest_is_wanted() || err_set(err, ERR_USAGE, "--deadline needs prices") ||
           err_hint(err, "say what a machine costs for an hour, by kinds: --prices old:0.1,fast:0.4");
}

static bool read_price(const MachineModel *machine, char *word, Price *price, Err *err)
{
    char *colon = strrchr(word, ':'), *end = NULL;
    price->an_hour = colon ? strtod(colon + 1, &end) : 0;
    if (!colon || colon == word || end == colon + 1 || *end || !(price->an_hour > 0 && price->an_hour < 1e12))
        return err_set(err, ERR_USAGE, "--prices: `%s` isn't KIND:PRICE", word) ||
               err_hint(err, "for example old:0.1,fast:0.4");
    *colon = '\0';
    price->kind = machine_find_processor(machine, word);
    return price->kind ||
           err_set(err, ERR_USAGE, "--prices: the machine model has no kind of machine called `%s`", word);
}

static bool check_kind(const Search *search, Err *err)
{
    const size_t last = search->prices.count - 1;
    for (size_t i = 0; i < last; i++)
        if (search->prices.items[i].kind == search->prices.items[last].kind)
            return err_set(err, ERR_USAGE, "--prices: `%s` has two prices", search->prices.items[last].kind->name);
    return true;
}

static bool read_prices(const MachineModel *machine, Search *search, Err *err)
{
    char *rest = NULL, *text = arena_strdup(search->arena, options.prices);
    for (char *word = strtok_r(text, ",", &rest); word; word = strtok_r(NULL, ",", &rest))
        if (!read_price(machine, word, vec_push(&search->prices), err) || !check_kind(search, err))
            return false;
    return search->prices.count || err_set(err, ERR_USAGE, "--prices: expected prices by kinds");
}

/* ---- Search ---- */

/* Predicts on so many machines of two kinds; `beside` may be none. */
static bool predict(Search *search, const Price *kind, uint32_t n, const Price *beside, uint32_t n_beside,
                    bool *keeps_deadline, Err *err)
{
    MachineChoice *items = arena_new_array(search->arena, MachineChoice, 2);
    CostPrediction *prediction;
    size_t count = 0;
    double an_hour = 0;
    if (n) {
        items[count++] = (MachineChoice){kind->kind->name, n, kind->kind->n_cores};
        an_hour += n * kind->an_hour;
    }
    if (n_beside) {
        items[count++] = (MachineChoice){beside->kind->name, n_beside, beside->kind->n_cores};
        an_hour += n_beside * beside->an_hour;
    }
    if (!predictor_predict(search->predictor, items, count, &prediction, err))
        return false;
    double time_s = prediction->time_s.high;
    const Cheapest found = {{count, items}, time_s, an_hour * time_s / 3600};
    *keeps_deadline = time_s <= options.deadline_s;
    if (*keeps_deadline && (!search->has_best || found.price < search->best.price)) {
        search->best = found;
        search->has_best = true;
    }
    if (!search->has_fastest || time_s < search->fastest.time_s) {
        search->fastest = found;
        search->has_fastest = true;
    }
    return true;
}

/* The least number of machines of a kind that keeps the deadline beside others; 0: none up to `most`. */
static bool find_least(Search *search, const Price *kind, uint32_t most, const Price *beside, uint32_t n_beside,
                       uint32_t *least, Err *err)
{
    uint32_t below = 0, n = 1;
    bool keeps = false;
    for (;; n = n * 2 < most ? n * 2 : most) {
        if (!predict(search, kind, n, beside, n_beside, &keeps, err))
            return false;
        if (keeps || n == most)
            break;
        below = n;
    }
    while (keeps && n - below > 1) {
        uint32_t middle = below + (n - below) / 2;
        bool is_enough;
        if (!predict(search, kind, middle, beside, n_beside, &is_enough, err))
            return false;
        *(is_enough ? &n : &below) = middle;
    }
    *least = keeps ? n : 0;
    return true;
}

static bool search_beside(Search *search, const Price *kind, const Price *beside, uint32_t n_alone, Err *err)
{
    uint32_t most = n_alone ? n_alone - 1 : MACHINES_LIMIT, step = most / TRIED_BESIDE + 1, least;
    for (uint32_t n = step; n <= most; n += step)
        if (!find_least(search, kind, MACHINES_LIMIT, beside, n, &least, err))
            return false;
    return true;
}

static bool search_all(Search *search, Err *err)
{
    uint32_t *alone = arena_new_array(search->arena, uint32_t, search->prices.count);
    for (size_t i = 0; i < search->prices.count; i++)
        if (!find_least(search, &search->prices.items[i], MACHINES_LIMIT, NULL, 0, &alone[i], err))
            return false;
    for (size_t i = 0; i < search->prices.count; i++)
        for (size_t j = 0; j < i; j++)
            if (!search_beside(search, &search->prices.items[i], &search->prices.items[j], alone[j], err))
                return false;
    return true;
}

static const char *machines_text(const Cheapest *cheapest, Arena *arena)
{
    const char *text = "";
    for (size_t i = 0; i < cheapest->choice.count; i++) {
        const MachineChoice *one = &cheapest->choice.items[i];
        text = arena_printf(arena, "%s%s%u of %s", text, i ? " and " : "", one->n_machines, one->kind);
    }
    return text;
}

const char *cheapest_text(const Cheapest *cheapest, Arena *arena)
{
    return arena_printf(arena, "Within %s, the cheapest machines are %s: at most %s, for %.3g.\n",
                        format_seconds(arena, options.deadline_s), machines_text(cheapest, arena),
                        format_seconds(arena, cheapest->time_s), cheapest->price);
}

bool cheapest_find(Predictor *predictor, const MachineModel *machine, Arena *arena, Cheapest *cheapest, Err *err)
{
    Search search = {.predictor = predictor, .arena = arena};
    bool is_fine = read_prices(machine, &search, err) && search_all(&search, err);
    vec_free(&search.prices);
    if (is_fine && !search.has_best)
        return err_set(err, ERR_NEGATIVE, "no %d machines keep the deadline of %s; the fastest are %s, with %s",
                       MACHINES_LIMIT, format_seconds(arena, options.deadline_s), machines_text(&search.fastest, arena),
                       format_seconds(arena, search.fastest.time_s));
    *cheapest = search.best;
    return is_fine;
}
