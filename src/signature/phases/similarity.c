/* SPDX-License-Identifier: BSD-3-Clause */
/* Decides which phase a content belongs to (similarity.h). */
#include "signature/phases/similarity.h"

#include "signature/phases/candidates.h"
#include <assert.h>
#include <math.h>

/* Limits of what is remembered. Beyond them results are the same, but take longer. */
enum { VERDICT_LIMIT = 1 << 20, VARIANT_EVENT_LIMIT = 1 << 20 };

/* If a length has at least this many phases, candidates.h selects the phases to compare with. */
enum { INDEXED_PHASES = 256 };

/* Of phases with the same types in each process, how many of the latest a content is compared with,
 * if their ticks differ. More there are only where volumes never repeat. */
enum { STEPS_COMPARED = 64 };

/* A sketch counts a content's triples (tick, process, type) in a few buckets. Two contents share at
 * most the sum of the smaller counts. A new content is compared with all phases of its length, so
 * with very many phases these sums take most of the time. Therefore counts and their sum have 16
 * bits, and the sketches of a length are contiguous: the compiler adds eight at a time. */
enum { SKETCH_BUCKETS = 64, SKETCH_EVENT_LIMIT = INT16_MAX };
_Static_assert(SKETCH_BUCKETS == 1 << (64 - 58), "the hash in make_sketch() selects one of these buckets");

typedef struct Sketch {
    int16_t counts[SKETCH_BUCKETS];
    uint32_t n_events;
} Sketch;

typedef struct Verdict {
    uint32_t phase; /* NO_PHASE: similar to none of the first n_compared phases of its length */
    uint32_t n_compared;
    uint32_t variant, n_matches;
} Verdict;

typedef struct PhaseList {
    VEC(uint32_t) phases;  /* indices, by ascending id */
    VEC(Sketch) sketches;  /* [phases.count] */
    Candidates candidates; /* the same phases, if there are at least INDEXED_PHASES */
} PhaseList;

void library_init(Library *library, const PhaseParameters *parameters, uint32_t n_processes)
{
    *library = (Library){.parameters = *parameters, .n_processes = n_processes, .next_id = 1};
    vec_reserve(&library->participant_of, n_processes);
    memset(library->participant_of.items, 0, n_processes * sizeof(uint32_t));
}

void library_free(Library *library)
{
    for (size_t i = 0; i < library->variants.count; i++) {
        content_free(&library->variants.items[i].content);
        vec_free(&library->variants.items[i].participants);
    }
    for (size_t i = 0; i < library->lengths.count; i++) {
        vec_free(&library->lengths.items[i].phases);
        vec_free(&library->lengths.items[i].sketches);
        candidates_free(&library->lengths.items[i].candidates);
    }
    vec_free(&library->phases);
    vec_free(&library->variants);
    vec_free(&library->verdicts);
    map_free(&library->verdict_of);
    map_free(&library->same_length);
    map_free(&library->same_steps);
    vec_free(&library->lengths);
    vec_free(&library->participant_of);
}

static bool volumes_match(uint64_t a, uint64_t b, double tolerance)
{
    if (a == b)
        return true;
    uint64_t larger = a > b ? a : b, smaller = a > b ? b : a;
    return (double)(larger - smaller) <= tolerance * (double)larger;
}

/* The exact number if it is at least `least`; otherwise some number below. */
static uint32_t count_matches(const Content *a, const Content *b, double volume_tolerance, size_t least)
{
    const PhaseEvent *left = a->events.items, *left_end = left + a->events.count;
    const PhaseEvent *right = b->events.items, *right_end = right + b->events.count;
    uint32_t n = 0;
    while (left < left_end && right < right_end) {
        uint64_t left_place = (uint64_t)left->tick << 32 | left->process;
        uint64_t right_place = (uint64_t)right->tick << 32 | right->process;
        bool match = left_place == right_place && left->type == right->type &&
                     volumes_match(left->bytes, right->bytes, volume_tolerance);
        n += match;
        left += left_place <= right_place;
        right += right_place <= left_place;
        if (!match && (n + (size_t)(left_end - left) < least || n + (size_t)(right_end - right) < least))
            break;
    }
    return n;
}

static double least_matches(const Library *library, size_t n_a, size_t n_b)
{
    double n = (double)(n_a > n_b ? n_a : n_b);
    return library->parameters.least_match * n - 1e-9 * n;
}

static bool are_enough(const Library *library, size_t n_matches, size_t n_a, size_t n_b)
{
    return (double)n_matches >= least_matches(library, n_a, n_b);
}

static void make_sketch(const Content *content, Sketch *sketch)
{
    *sketch = (Sketch){.n_events = (uint32_t)content->events.count};
    for (size_t i = 0; i < content->events.count; i++) {
        uint64_t token = (uint64_t)content->events.items[i].tick << 32 | content->places.items[i];
        int16_t *bucket = &sketch->counts[token * 0x9e3779b97f4a7c15u >> 58];
        *bucket = (int16_t)(*bucket + (*bucket < SKETCH_EVENT_LIMIT));
    }
}

static size_t most_matches(const Sketch *a, const Sketch *b)
{
    int16_t n = 0; /* at most the number of events of one content */
    for (int i = 0; i < SKETCH_BUCKETS; i++)
        n = (int16_t)(n + (a->counts[i] < b->counts[i] ? a->counts[i] : b->counts[i]));
    return (size_t)n;
}

static bool could_be_similar(const Library *library, const Sketch *a, const Sketch *b)
{
    if (!are_enough(library, a->n_events < b->n_events ? a->n_events : b->n_events, a->n_events, b->n_events))
        return false;
    if (a->n_events > SKETCH_EVENT_LIMIT || b->n_events > SKETCH_EVENT_LIMIT)
        return true; /* a bucket may have overflowed */
    return are_enough(library, most_matches(a, b), a->n_events, b->n_events);
}

static PhaseList *phases_of_length(Library *library, size_t n_ticks)
{
    size_t number = map_number(&library->same_length, (MapKey){0, n_ticks}, library->lengths.count);
    if (number == library->lengths.count) {
        PhaseList *list = vec_push(&library->lengths);
        *list = (PhaseList){0};
        candidates_init(&list->candidates, library->parameters.least_match);
    }
    return &library->lengths.items[number];
}

static const Content *content_of(const Library *library, const PhaseList *list, size_t number)
{
    assert(number < list->phases.count);
    const KnownPhase *phase = &library->phases.items[list->phases.items[number]];
    return &library->variants.items[phase->variant].content;
}

/* Whether the content is similar to the list's phase of this number. If so, fills in the
 * verdict. */
static bool is_similar(const Library *library, const PhaseList *list, size_t number, const Content *content,
                       const Sketch *sketch, Verdict *verdict)
{
    if (!could_be_similar(library, sketch, &list->sketches.items[number]))
        return false;
    const Content *known = content_of(library, list, number);
    double least = least_matches(library, content->events.count, known->events.count);
    uint32_t n_matches =
        count_matches(content, known, library->parameters.volume_tolerance, least > 0 ? (size_t)ceil(least) : 0);
    if (!are_enough(library, n_matches, content->events.count, known->events.count))
        return false;
    verdict->phase = list->phases.items[number];
    verdict->n_matches = n_matches;
    return true;
}

/* Whether the content ends with one collective of all processes. */
static bool ends_together(const Library *library, const Content *content)
{
    size_t first = content->tick_starts.items[content->tick_starts.count - 1];
    const PhaseEvent *last = content->events.items + first;
    size_t n = content->events.count - first;
    for (size_t i = 0; i < n; i++)
        if (comm_type_kind(last[i].type) != TYPE_COLLECTIVE || last[i].type != last[0].type)
            return false;
    return n == library->n_processes && content->tick_starts.count > 1;
}

static int compare_steps(const void *left, const void *right)
{
    const PhaseEvent *a = left, *b = right;
    if (a->process != b->process)
        return a->process < b->process ? -1 : 1;
    return (a->tick > b->tick) - (a->tick < b->tick);
}

/* The content's events process by process, in order. */
static PhaseEvent *list_steps(const Content *content)
{
    size_t n = content->events.count;
    PhaseEvent *steps = memory_resize(NULL, n * sizeof *steps);
    memcpy(steps, content->events.items, n * sizeof *steps);
    qsort(steps, n, sizeof *steps, compare_steps);
    return steps;
}

static MapKey hash_steps(const Content *content)
{
    PhaseEvent *steps = list_steps(content);
    MapKey hash = {0x7374657073, content->events.count};
    for (size_t i = 0; i < content->events.count; i++)
        hash = hash_word(hash_word(hash, steps[i].process), steps[i].type);
    free(steps);
    return hash;
}

/* The number of steps that are the same in both, if all have the same types. */
static uint32_t count_same_steps(const Content *a, const Content *b, double volume_tolerance)
{
    size_t n = a->events.count;
    if (b->events.count != n)
        return 0;
    PhaseEvent *left = list_steps(a), *right = list_steps(b);
    uint32_t n_same = 0;
    bool same_types = true;
    for (size_t i = 0; i < n; i++) {
        same_types &= left[i].process == right[i].process && left[i].type == right[i].type;
        n_same += volumes_match(left[i].bytes, right[i].bytes, volume_tolerance);
    }
    free(left);
    free(right);
    return same_types ? n_same : 0;
}

/* Looks for a phase that differs only by the moments at which messages were received. */
static void compare_steps_alone(const Library *library, const Content *content, Verdict *verdict)
{
    if (!ends_together(library, content))
        return;
    const uint64_t *last = map_get(&library->same_steps, hash_steps(content));
    int n_left = STEPS_COMPARED;
    for (uint32_t phase = last ? (uint32_t)*last - 1 : NO_PHASE; phase != NO_PHASE;
         phase = library->phases.items[phase].earlier) {
        if (!n_left--)
            return;
        const Content *known = &library->variants.items[library->phases.items[phase].variant].content;
        uint32_t n_same = count_same_steps(content, known, library->parameters.volume_tolerance);
        if (!n_same || !are_enough(library, n_same, content->events.count, known->events.count))
            continue;
        verdict->phase = phase; /* the first of them is found last */
        verdict->n_matches = n_same;
    }
}

/* Compares with the phases of this length that the verdict doesn't cover yet. */
static void compare(Library *library, const Content *content, Verdict *verdict)
{
    PhaseList *list = phases_of_length(library, content->tick_starts.count);
    assert(verdict->n_compared <= list->phases.count && list->sketches.count == list->phases.count);
    if (verdict->n_compared == list->phases.count)
        return;
    Sketch sketch;
    make_sketch(content, &sketch);
    if (candidates_find(&list->candidates, content, verdict->n_compared)) {
        for (size_t i = 0; i < list->candidates.found.count; i++)
            if (is_similar(library, list, list->candidates.found.items[i], content, &sketch, verdict))
                return;
        verdict->n_compared = (uint32_t)list->phases.count;
    }
    for (; verdict->n_compared < list->phases.count; verdict->n_compared++)
        if (is_similar(library, list, verdict->n_compared, content, &sketch, verdict))
            return;
}

/* To be called after the list has grown. A short list is searched without an index. */
static void index_list(const Library *library, PhaseList *list)
{
    if (list->phases.count < INDEXED_PHASES)
        return;
    while (list->candidates.n_contents < list->phases.count)
        candidates_add(&list->candidates, content_of(library, list, list->candidates.n_contents));
}

void library_list_participants(Library *library, const Content *content, Participants *participants)
{
    uint32_t *place = library->participant_of.items;
    participants->count = 0;
    for (size_t i = 0; i < content->events.count; i++) {
        uint32_t process = content->events.items[i].process;
        if (place[process]) {
            participants->items[place[process] - 1].n_events++;
            continue;
        }
        *vec_push(participants) = (Participant){process, (uint32_t)i, 1};
        place[process] = (uint32_t)participants->count;
    }
    for (size_t i = 0; i < participants->count; i++)
        place[participants->items[i].process] = 0;
}

static uint32_t add_variant(Library *library, const Content *content, uint32_t phase, uint32_t n_matches)
{
    uint32_t number = (uint32_t)library->variants.count;
    Variant *variant = vec_push(&library->variants);
    *variant = (Variant){.phase = phase, .n_matches = n_matches, .successors = {NO_VARIANT, NO_VARIANT}};
    content_append(&variant->content, content, 0, content->tick_starts.count);
    library_list_participants(library, content, &variant->participants);
    library->n_variant_events += content->events.count;
    return number;
}

Recognised library_recognise(Library *library, const Content *content)
{
    MapKey hash = content_hash(content);
    Verdict forgotten = {NO_PHASE, 0, NO_VARIANT, 0}, *verdict = &forgotten;
    size_t number = NO_VERDICT;
    uint64_t *remembered = map_get(&library->verdict_of, hash);
    bool is_new = !remembered;
    if (remembered) {
        number = (size_t)*remembered;
        verdict = &library->verdicts.items[number];
    } else if (library->verdicts.count < VERDICT_LIMIT) {
        number = library->verdicts.count;
        *map_put(&library->verdict_of, hash, NULL) = number;
        verdict = vec_push(&library->verdicts);
        *verdict = forgotten;
    }
    if (verdict->phase == NO_PHASE)
        compare(library, content, verdict);
    if (verdict->phase == NO_PHASE)
        compare_steps_alone(library, content, verdict);
    if (verdict->phase != NO_PHASE && !is_new && verdict->variant == NO_VARIANT &&
        library->n_variant_events + content->events.count <= VARIANT_EVENT_LIMIT)
        verdict->variant = add_variant(library, content, verdict->phase, verdict->n_matches);
    return (Recognised){verdict->phase, verdict->variant, verdict->n_matches, number};
}

Recognised library_add(Library *library, const Content *content, size_t number, uint32_t id)
{
    uint32_t phase = (uint32_t)library->phases.count, n = (uint32_t)content->events.count;
    uint32_t variant = add_variant(library, content, phase, n);
    KnownPhase *known = vec_push(&library->phases);
    *known = (KnownPhase){id ? id : library->next_id, variant, NO_PHASE};
    if (known->id >= library->next_id)
        library->next_id = known->id + 1;
    PhaseList *list = phases_of_length(library, content->tick_starts.count);
    *vec_push(&list->phases) = phase;
    make_sketch(content, vec_push(&list->sketches));
    index_list(library, list);
    if (ends_together(library, content)) {
        uint64_t *last = map_put(&library->same_steps, hash_steps(content), NULL);
        known->earlier = *last ? (uint32_t)*last - 1 : NO_PHASE;
        *last = phase + 1;
    }
    if (number != NO_VERDICT) {
        Verdict *verdict = &library->verdicts.items[number];
        verdict->phase = phase;
        verdict->variant = variant;
        verdict->n_matches = n;
    }
    return (Recognised){phase, variant, n, number};
}

void variant_followed_by(Variant *variant, uint32_t next)
{
    if (variant->successors[0] == next)
        return;
    variant->successors[1] = variant->successors[0];
    variant->successors[0] = next;
}
