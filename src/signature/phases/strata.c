/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds strata. The occurrences of a stratum must be apart, be regular, and matter.
 *
 *    apart     Clusters are peaks of the histogram of levels. The valley between two clusters is at
 *              most a third as high as the lower peak. Their means are at least 1.5 times apart.
 *    regular   The fullest cluster is the base. For each gap between clusters, the occurrences
 *              beyond the gap must stand at regular places (regular.h). Others may be the machine's noise,
 *              and stay in the base. Two kinds of regular places can be noise, too: a slow stretch
 *              that isn't at the beginning, and a period that lasts for less than a quarter of the
 *              run. They count only if at least half of the difference is computation, or waiting
 *              for it.
 *    matter    The time of its occurrences beyond the base's mean is at least 0.5 % of the
 *              application's time.
 *
 *      occurrences
 *         |    _
 *         |   / \            _           gaps are tried outwards: "every 10th" is
 *         |  /   \  |       / \   |      all beyond the first gap, "every 100th" all
 *         |_/_____\_|______/___\__|__._  beyond the second; the last match counts
 *                 log duration */
#include "signature/phases/strata.h"

#include "base/vec.h"
#include "signature/phases/regular.h"
#include <math.h>
#include <stdbool.h>

/* A level of the histogram has FINE_LEVELS fine levels. */
enum { N_LEVELS = 256, FINE_LEVELS = 256 };

static const double LEVEL_RATIO = 1.1, FIRST_LEVEL_NS = 10;
static const double VALLEY_SHARE = 1.0 / 3, MEANS_RATIO = 1.5, EXCESS_SHARE = 0.005;
static const double SPAN_SHARE = 0.25, COMPUTED_SHARE = 0.5;

uint16_t strata_level(double duration_ns)
{
    if (duration_ns < FIRST_LEVEL_NS)
        return 0;
    double level = FINE_LEVELS * (1 + log(duration_ns / FIRST_LEVEL_NS) / log(LEVEL_RATIO));
    return (uint16_t)fmin(level, N_LEVELS * FINE_LEVELS - 1);
}

/* The duration in the middle of a fine level. */
static double fine_level_ns(unsigned level)
{
    return level ? FIRST_LEVEL_NS * pow(LEVEL_RATIO, (level + 0.5) / FINE_LEVELS - 1) : FIRST_LEVEL_NS / 2;
}

/* The duration in the middle of a level of the histogram. */
static double level_ns(unsigned level)
{
    return fine_level_ns(level * FINE_LEVELS + (level ? FINE_LEVELS / 2 : 0));
}

/* ---- Clusters of the histogram ---- */

typedef struct Cluster {
    unsigned from, to; /* levels [from, to) */
    double count, sum_ns, peak;
} Cluster;

typedef struct Histogram {
    double count[N_LEVELS], smooth[N_LEVELS];
    unsigned n_clusters;
    Cluster clusters[N_LEVELS];
} Histogram;

static void count_levels(Histogram *histogram, const OccurrenceLevels *levels, size_t n)
{
    *histogram = (Histogram){0};
    for (size_t i = 0; i < n; i++)
        histogram->count[levels[i].duration / FINE_LEVELS]++;
    for (unsigned i = 0; i < N_LEVELS; i++)
        histogram->smooth[i] = 0.5 * histogram->count[i] + (i ? 0.25 * histogram->count[i - 1] : 0) +
                               (i + 1 < N_LEVELS ? 0.25 * histogram->count[i + 1] : 0);
}

static void add_level(Cluster *cluster, const Histogram *histogram, unsigned level)
{
    cluster->to = level + 1;
    cluster->count += histogram->count[level];
    cluster->sum_ns += histogram->count[level] * level_ns(level);
    cluster->peak = fmax(cluster->peak, histogram->smooth[level]);
}

/* Makes a cluster for each peak. A new one begins where the histogram rises after it has fallen. */
static void split_at_valleys(Histogram *histogram)
{
    bool falling = true;
    for (unsigned i = 0; i < N_LEVELS; i++) {
        double before = i ? histogram->smooth[i - 1] : 0, here = histogram->smooth[i];
        if (here > before && falling) {
            histogram->clusters[histogram->n_clusters++] = (Cluster){.from = i};
            falling = false;
        } else if (here < before) {
            falling = true;
        }
        if (histogram->n_clusters)
            add_level(&histogram->clusters[histogram->n_clusters - 1], histogram, i);
    }
}

/* Over 1: the two clusters are too near to each other to be kept apart. */
static double nearness(const Histogram *histogram, const Cluster *left, const Cluster *right)
{
    if (!left->count || !right->count)
        return INFINITY;
    double valley = fmin(histogram->smooth[right->from], histogram->smooth[right->from - 1]);
    double ratio = right->sum_ns / right->count / (left->sum_ns / left->count);
    return fmax(valley / fmin(left->peak, right->peak) / VALLEY_SHARE, log(MEANS_RATIO) / log(ratio));
}

static void merge_clusters(Histogram *histogram)
{
    Cluster *clusters = histogram->clusters;
    while (histogram->n_clusters > 1) {
        unsigned nearest = 0;
        double most = 0;
        for (unsigned i = 0; i + 1 < histogram->n_clusters; i++) {
            double near = nearness(histogram, &clusters[i], &clusters[i + 1]);
            if (near > most) {
                most = near;
                nearest = i;
            }
        }
        if (most <= 1)
            return;
        Cluster *left = &clusters[nearest], *right = left + 1;
        *left = (Cluster){left->from, right->to, left->count + right->count, left->sum_ns + right->sum_ns,
                          fmax(left->peak, right->peak)};
        histogram->n_clusters--;
        memmove(right, right + 1, (size_t)(&clusters[histogram->n_clusters] - right) * sizeof *right);
    }
}

/* ---- Strata ---- */

typedef struct Search {
    const OccurrenceLevels *levels;
    size_t n_levels;
    uint64_t weight;
    uint32_t *members; /* [n_levels] scratch */
    StratumRange ranges[STRATA_RANGES_LIMIT];
    uint32_t n_ranges;
    Stratum strata[STRATA_LIMIT];
    uint32_t n_strata;
    /* Of the occurrences whose levels are known. */
    double sum_ns[STRATA_LIMIT], path_ns[STRATA_LIMIT], count[STRATA_LIMIT];
} Search;

static bool is_level_in(const Search *search, size_t i, unsigned from, unsigned to)
{
    unsigned level = search->levels[i].duration / FINE_LEVELS;
    return level >= from && level < to;
}

/* Do the occurrences at these places take another time than those outside [from, to) because they
 * compute for another time? */
static bool is_computed(const Search *search, const StratumRange *range, unsigned from, unsigned to)
{
    double duration_ns[2] = {0}, path_ns[2] = {0}, count[2] = {0};
    for (size_t i = 0; i < search->n_levels; i++) {
        bool inside = is_level_in(search, i, from, to);
        if (inside && (i < range->first || (i - range->first) % range->period ||
                       (i - range->first) / range->period >= range->count))
            continue;
        count[inside]++;
        duration_ns[inside] += fine_level_ns(search->levels[i].duration);
        path_ns[inside] += fine_level_ns(search->levels[i].path);
    }
    if (!count[0] || !count[1])
        return false;
    double longer_ns = duration_ns[1] / count[1] - duration_ns[0] / count[0],
           computed_ns = path_ns[1] / count[1] - path_ns[0] / count[0];
    return computed_ns / longer_ns >= COMPUTED_SHARE;
}

/* Whether the machine's noise can cause such regular places: a slow stretch, or interruptions that
 * are regular for a short time. */
static bool may_be_noise(const Search *search, const StratumRange *range)
{
    if (range->period == 1)
        return range->first > 0;
    return (double)(range->count * range->period) < SPAN_SHARE * (double)search->n_levels;
}

/* Makes a stratum of the occurrences with levels in [from, to), if they are regular. If all ranges hold less than half
 * of them, the base would be as mixed as the phase, and its first occurrences wouldn't be like the others. */
static void try_stratum(Search *search, unsigned from, unsigned to)
{
    const uint32_t limit = STRATA_RANGES_LIMIT - search->n_ranges;
    size_t n = 0, n_left;
    for (size_t i = 0; i < search->n_levels; i++)
        if (is_level_in(search, i, from, to))
            search->members[n++] = (uint32_t)i;
    n_left = n;
    StratumRange *ranges = search->ranges + search->n_ranges;
    uint32_t found = regular_find(search->members, &n_left, search->n_levels, ranges, limit), kept = 0;
    if (found == limit && 2 * n_left > n)
        return;
    for (uint32_t i = 0; i < found; i++)
        if (!may_be_noise(search, &ranges[i]) || is_computed(search, &ranges[i], from, to))
            ranges[kept++] = ranges[i];
    if (!kept || search->n_strata == STRATA_LIMIT)
        return;
    for (uint32_t i = 0; i < kept; i++) /* a range that reaches the last known occurrence goes on
                                           after it */
        if (ranges[i].count > 1 && ranges[i].first + ranges[i].count * ranges[i].period >= search->n_levels)
            ranges[i].count = (search->weight - 1 - ranges[i].first) / ranges[i].period + 1;
    search->strata[search->n_strata++] = (Stratum){.n_ranges = kept, .ranges = ranges};
    search->n_ranges += kept;
}

static void sum_strata(Search *search)
{
    memset(search->sum_ns, 0, sizeof search->sum_ns);
    memset(search->path_ns, 0, sizeof search->path_ns);
    memset(search->count, 0, sizeof search->count);
    for (size_t i = 0; i < search->n_levels; i++) {
        uint32_t stratum = strata_find(search->strata, search->n_strata, i);
        search->count[stratum]++;
        search->sum_ns[stratum] += fine_level_ns(search->levels[i].duration);
        search->path_ns[stratum] += fine_level_ns(search->levels[i].path);
    }
    for (uint32_t i = 0; i < search->n_strata; i++)
        search->strata[i].count = strata_count(search->strata, search->n_strata, i, search->weight);
}

static double mean_ns(const Search *search, uint32_t stratum)
{
    return search->count[stratum] ? search->sum_ns[stratum] / search->count[stratum] : 0;
}

/* The time of all occurrences, if unknown ones are like the known ones. */
static double expected_ns(const Search *search)
{
    double sum = 0;
    for (uint32_t i = 0; i < search->n_strata; i++)
        sum += mean_ns(search, i) * (double)search->strata[i].count;
    return sum;
}

static bool is_apart(const Search *search, uint32_t stratum)
{
    double base_ns = mean_ns(search, 0), own_ns = mean_ns(search, stratum);
    return own_ns > 0 && fmax(own_ns / base_ns, base_ns / own_ns) >= MEANS_RATIO;
}

/* Drops strata that don't matter, the least important first. Their occurrences fall to the strata
 * before them. */
static void prune(Search *search, double s_per_ns, double least_s)
{
    while (search->n_strata > 1) {
        uint32_t least = 0;
        double least_excess_s = INFINITY;
        sum_strata(search);
        for (uint32_t i = 1; i < search->n_strata; i++) {
            double excess_s = fabs(mean_ns(search, i) - mean_ns(search, 0)) * (double)search->strata[i].count;
            excess_s = is_apart(search, i) ? excess_s * s_per_ns : 0;
            if (excess_s < least_excess_s) {
                least_excess_s = excess_s;
                least = i;
            }
        }
        if (least_excess_s >= least_s)
            return;
        search->n_strata--;
        memmove(&search->strata[least], &search->strata[least + 1],
                (search->n_strata - least) * sizeof *search->strata);
    }
}

/* Drops ranges whose places are all in later strata. */
static void drop_covered_ranges(Search *search)
{
    for (uint32_t i = 1; i < search->n_strata; i++) {
        Stratum *stratum = &search->strata[i];
        StratumRange *ranges = search->ranges + (stratum->ranges - search->ranges);
        for (uint32_t k = 0; k < stratum->n_ranges;) {
            StratumRange left_out = ranges[k];
            stratum->n_ranges--;
            memmove(&ranges[k], &ranges[k + 1], (stratum->n_ranges - k) * sizeof *ranges);
            if (strata_count(search->strata, search->n_strata, i, search->weight) == stratum->count)
                continue;
            memmove(&ranges[k + 1], &ranges[k], (stratum->n_ranges - k) * sizeof *ranges);
            ranges[k++] = left_out;
            stratum->n_ranges++;
        }
    }
}

static void keep_strata(Search *search, double total_s, Arena *arena, Phase *phase)
{
    Stratum *strata = arena_new_array(arena, Stratum, search->n_strata);
    double s_per_ns = total_s / expected_ns(search);
    for (uint32_t i = 0; i < search->n_strata; i++) {
        strata[i] = search->strata[i];
        StratumRange *ranges = arena_new_array(arena, StratumRange, strata[i].n_ranges);
        for (uint32_t k = 0; k < strata[i].n_ranges; k++)
            ranges[k] = strata[i].ranges[k];
        strata[i].ranges = ranges;
        strata[i].total_s = mean_ns(search, i) * (double)strata[i].count * s_per_ns;
        strata[i].path_s = search->sum_ns[i] > 0 ? strata[i].total_s * search->path_ns[i] / search->sum_ns[i] : 0;
    }
    phase->strata = strata;
    phase->n_strata = search->n_strata;
}

static void search_strata(Search *search, const Histogram *histogram)
{
    const Cluster *clusters = histogram->clusters;
    unsigned base = 0;
    for (unsigned i = 1; i < histogram->n_clusters; i++)
        if (clusters[i].count > clusters[base].count)
            base = i;
    search->strata[0] = (Stratum){0};
    search->n_strata = 1;
    for (unsigned i = base + 1; i < histogram->n_clusters; i++)
        try_stratum(search, clusters[i].from, N_LEVELS);
    for (unsigned i = base; i-- > 0;)
        try_stratum(search, 0, clusters[i].to);
}

void strata_fill(Phase *phase, const OccurrenceLevels *levels, size_t n_levels, double total_s, double application_s,
                 Arena *arena)
{
    if (n_levels < 2 || total_s < EXCESS_SHARE * application_s)
        return;
    Histogram histogram;
    count_levels(&histogram, levels, n_levels);
    split_at_valleys(&histogram);
    merge_clusters(&histogram);
    if (histogram.n_clusters < 2)
        return;
    Search search = {.levels = levels,
                     .n_levels = n_levels,
                     .weight = phase->weight,
                     .members = memory_resize(NULL, n_levels * sizeof(uint32_t))};
    search_strata(&search, &histogram);
    sum_strata(&search);
    prune(&search, total_s / expected_ns(&search), EXCESS_SHARE * application_s);
    drop_covered_ranges(&search);
    if (search.n_strata > 1)
        keep_strata(&search, total_s, arena, phase);
    free(search.members);
}

/* Adds the times of occurrences [from, to) to their strata. After the last known level, each takes
 * its stratum's mean. */
static void add_times(const Phase *phase, const OccurrenceLevels *levels, size_t n_levels, uint64_t from, uint64_t to,
                      double s_per_ns, double sums_s[STRATA_LIMIT])
{
    for (; from < to && from < n_levels; from++)
        sums_s[strata_find(phase->strata, phase->n_strata, from)] += fine_level_ns(levels[from].duration) * s_per_ns;
    for (uint32_t k = 0; from < to && k < phase->n_strata; k++) {
        const Stratum *stratum = &phase->strata[k];
        uint64_t count =
            strata_count(phase->strata, phase->n_strata, k, to) - strata_count(phase->strata, phase->n_strata, k, from);
        sums_s[k] += stratum->count ? (double)count * stratum->total_s / (double)stratum->count : 0;
    }
}

void strata_fill_times(Phase *phase, const OccurrenceLevels *levels, size_t n_levels, double total_s,
                       const double before[], uint32_t n_milestones, Arena *arena)
{
    double sums_s[STRATA_LIMIT] = {0}, *times_s[STRATA_LIMIT], known_s[STRATA_LIMIT] = {0}, all_s = 0;
    add_times(phase, levels, n_levels, 0, phase->weight, 1e-9, known_s);
    for (uint32_t k = 0; k < phase->n_strata; k++) {
        times_s[k] = arena_new_array(arena, double, n_milestones);
        all_s += known_s[k];
    }
    for (uint32_t i = 0; i < n_milestones; i++) {
        add_times(phase, levels, n_levels, i ? (uint64_t)before[i - 1] : 0, (uint64_t)before[i], 1e-9 * total_s / all_s,
                  sums_s);
        for (uint32_t k = 0; k < phase->n_strata; k++)
            times_s[k][i] = sums_s[k];
    }
    Stratum *strata = arena_copy_array(arena, phase->strata, phase->n_strata, sizeof *strata);
    for (uint32_t k = 0; k < phase->n_strata; k++) {
        strata[k].n_milestones = n_milestones;
        strata[k].time_s = times_s[k];
    }
    phase->strata = strata;
}
