/* SPDX-License-Identifier: BSD-3-Clause */
/* The index of groups behind candidates.h. How many groups can differ? Let two contents have n and
 * m events, and share s >= f max(n, m) of them; f is the least share. At most n - s <= (1 - f) n
 * events of the first content aren't in the second. If a group has an event in each tick, the
 * second content can have no other event there. So of floor((1 - f) n) + 1 such groups, at least
 * one is the same in both.
 *
 * Other groups can also differ by events that only the second content has; these are m - s. If f >
 * 1/2, the differences of both kinds are at most
 *
 *     n + m - 2 s  <=  n + m - 2 f max(n, m)  <=  2 (1 - f) n
 *
 * The longer the groups, the rarer each; but there must be enough of them. Groups are compared by
 * hash alone: an equal hash of another group only adds a candidate. */
#include "signature/phases/candidates.h"

typedef struct Posting {
    uint32_t group, content;
    uint32_t next_plus_1; /* next posting of the bucket, of an earlier content or the same one */
} Posting;

typedef struct Bucket {
    uint32_t first_plus_1, count;
} Bucket;

typedef struct GroupSum {
    uint64_t sum;
    uint32_t n_events;
} GroupSum;

/* LONG_LIST: longer lists count as equally long when groups are chosen. */
enum { FIRST_BUCKETS = 1024, LONG_LIST = 256, LONGEST_GROUP = 4 };

void candidates_init(Candidates *candidates, double least_match)
{
    /* A little more than 1 - least_match, because similarity is decided with a tolerance of
     * 1e-9. */
    *candidates = (Candidates){.differing = 1 - least_match + 1e-6};
    if (least_match > 0)
        candidates->ticks_per_group = 1;
    while (candidates->ticks_per_group && candidates->ticks_per_group < LONGEST_GROUP &&
           candidates->differing * (candidates->ticks_per_group + 1) < 0.75)
        candidates->ticks_per_group++;
}

void candidates_free(Candidates *candidates)
{
    vec_free(&candidates->postings);
    free(candidates->buckets);
    vec_free(&candidates->found);
    vec_free(&candidates->seen);
    vec_free(&candidates->sums);
    vec_free(&candidates->processes);
    vec_free(&candidates->groups);
}

static uint64_t hash_of(uint64_t word)
{
    word *= 0x9e3779b97f4a7c15u;
    return (word >> 32 ^ word) * 0xd6e8feb86659fd93u;
}

/* The groups of these ticks are complete. */
static void end_groups(Candidates *candidates, size_t n_ticks)
{
    for (size_t i = 0; i < candidates->processes.count; i++) {
        GroupSum *sum = &candidates->sums.items[candidates->processes.items[i]];
        uint32_t group = (uint32_t)(hash_of(sum->sum) >> 32), *place = vec_push(&candidates->groups);
        if (sum->n_events == n_ticks) {
            *place = candidates->groups.items[candidates->n_full];
            place = &candidates->groups.items[candidates->n_full++];
        }
        *place = group;
        *sum = (GroupSum){0};
    }
    candidates->processes.count = 0;
}

static void add_to_group(Candidates *candidates, uint32_t process, uint64_t event)
{
    while (candidates->sums.count <= process)
        *vec_push(&candidates->sums) = (GroupSum){0};
    GroupSum *sum = &candidates->sums.items[process];
    if (!sum->n_events++)
        *vec_push(&candidates->processes) = process;
    sum->sum += hash_of(event);
}

static void list_groups(Candidates *candidates, const Content *content)
{
    uint32_t n_ticks = candidates->ticks_per_group;
    candidates->groups.count = candidates->n_full = 0;
    for (size_t tick = 0; tick < content->tick_starts.count; tick++) {
        if (tick && tick % n_ticks == 0)
            end_groups(candidates, n_ticks);
        for (size_t i = content->tick_starts.items[tick]; i < content_tick_end(content, tick); i++)
            add_to_group(candidates, content->events.items[i].process, (uint64_t)tick << 32 | content->places.items[i]);
    }
    size_t n_last = content->tick_starts.count % n_ticks;
    end_groups(candidates, n_last ? n_last : n_ticks);
}

/* Whether each process has at most one event in each tick. This is so in contents from a trace, but
 * may not be so in a signature's file. */
static bool is_proper(const Content *content)
{
    for (size_t i = 1; i < content->events.count; i++) {
        const PhaseEvent *before = &content->events.items[i - 1], *event = before + 1;
        if (before->tick == event->tick && before->process >= event->process)
            return false;
    }
    return true;
}

static Bucket *bucket_of(const Candidates *candidates, uint32_t group)
{
    return &candidates->buckets[group & (candidates->n_buckets - 1)];
}

static void link_posting(Candidates *candidates, size_t number)
{
    Posting *posting = &candidates->postings.items[number];
    Bucket *bucket = bucket_of(candidates, posting->group);
    posting->next_plus_1 = bucket->first_plus_1;
    bucket->first_plus_1 = (uint32_t)number + 1;
    bucket->count++;
}

static void grow_buckets(Candidates *candidates)
{
    free(candidates->buckets);
    candidates->n_buckets = candidates->n_buckets ? 2 * candidates->n_buckets : FIRST_BUCKETS;
    candidates->buckets = memory_zeroed(candidates->n_buckets, sizeof(Bucket));
    for (size_t i = 0; i < candidates->postings.count; i++)
        link_posting(candidates, i);
}

void candidates_add(Candidates *candidates, const Content *content)
{
    candidates->n_contents++;
    *vec_push(&candidates->seen) = 0;
    if (!is_proper(content))
        candidates->ticks_per_group = 0;
    if (!candidates->ticks_per_group)
        return;
    list_groups(candidates, content);
    for (size_t i = 0; i < candidates->groups.count; i++) {
        if (candidates->postings.count == candidates->n_buckets)
            grow_buckets(candidates);
        *vec_push(&candidates->postings) =
            (Posting){.group = candidates->groups.items[i], .content = candidates->n_contents - 1};
        link_posting(candidates, candidates->postings.count - 1);
    }
}

/* Of the first `n_groups` groups, moves `n` with the shortest lists to the front. Returns the sum
 * of these lists' lengths. */
static uint64_t choose_rarest(Candidates *candidates, size_t n_groups, size_t n)
{
    size_t n_of_length[LONG_LIST + 1] = {0};
    uint32_t *groups = candidates->groups.items;
    for (size_t i = 0; i < n_groups; i++) {
        uint32_t length = bucket_of(candidates, groups[i])->count;
        n_of_length[length < LONG_LIST ? length : LONG_LIST]++;
    }
    uint32_t longest = 0;
    size_t n_shorter = 0;
    for (; n_shorter + n_of_length[longest] < n; longest++)
        n_shorter += n_of_length[longest];
    size_t n_longest = n - n_shorter, n_chosen = 0;
    uint64_t sum = 0;
    for (size_t i = 0; n_chosen < n; i++) {
        uint32_t group = groups[i], length = bucket_of(candidates, group)->count;
        uint32_t limited = length < LONG_LIST ? length : LONG_LIST;
        if (limited > longest || (limited == longest && !n_longest))
            continue;
        n_longest -= limited == longest;
        groups[i] = groups[n_chosen];
        groups[n_chosen++] = group;
        sum += length;
    }
    return sum;
}

/* Moves groups to the front, of which a similar content must share at least one. Returns their
 * number. 0: there aren't enough groups, or their lists are longer than n_others. */
static size_t choose_groups(Candidates *candidates, size_t n_events, size_t n_others)
{
    size_t n = (size_t)(candidates->differing * (double)n_events) + 1, n_groups = candidates->n_full;
    if (n > n_groups && candidates->differing < 0.5) {
        n = (size_t)(2 * candidates->differing * (double)n_events) + 1;
        n_groups = candidates->groups.count;
    }
    return n <= n_groups && choose_rarest(candidates, n_groups, n) + candidates->groups.count <= n_others ? n : 0;
}

static int compare_numbers(const void *left, const void *right)
{
    uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    return (a > b) - (a < b);
}

static void find_with_group(Candidates *candidates, uint32_t group, uint32_t from)
{
    for (uint32_t at = bucket_of(candidates, group)->first_plus_1; at;) {
        const Posting *posting = &candidates->postings.items[at - 1];
        if (posting->content < from)
            return;
        at = posting->next_plus_1;
        uint32_t *seen = &candidates->seen.items[posting->content];
        if (posting->group != group || *seen == candidates->n_searches)
            continue;
        *seen = candidates->n_searches;
        *vec_push(&candidates->found) = posting->content;
    }
}

bool candidates_find(Candidates *candidates, const Content *content, uint32_t from)
{
    if (!candidates->ticks_per_group || !candidates->n_buckets || !is_proper(content))
        return false;
    uint32_t n_others = candidates->n_contents - from;
    if (n_others < content->events.count / LONGEST_GROUP)
        return false;
    list_groups(candidates, content);
    size_t n = choose_groups(candidates, content->events.count, n_others);
    candidates->found.count = 0;
    candidates->n_searches++;
    for (size_t i = 0; i < n; i++)
        find_with_group(candidates, candidates->groups.items[i], from);
    if (candidates->found.count)
        qsort(candidates->found.items, candidates->found.count, sizeof(uint32_t), compare_numbers);
    return n > 0;
}
