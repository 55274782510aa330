/* SPDX-License-Identifier: BSD-3-Clause */
/* Phase similarity (thesis §3.4.3; spec/1 §1.6) as a scan over the TickSends. A phase grows tick by tick until a
 * process has an event of a type that it already has in it:
 *
 *      startpoint       earlier          here
 *          | 1            2     3          2          similar to a known phase, or earlier == startpoint: one phase
 *          |--- a --------|---- b ---------|          otherwise two
 *
 * Most occurrences repeat an earlier one exactly. So after each, the content that followed last time is predicted, and
 * ticks are only compared with it. If all of it comes, and then the first tick of something that followed it before,
 * the phase ends there, as it did then: no look at types is needed. At the first tick that differs, what has come so
 * far is put down as if it had been scanned, and the scan goes on. */
#include "phases/content.h"
#include "phases/durations.h"
#include "phases/loops.h"
#include "phases/phases.h"
#include "phases/similarity.h"
#include "phases/summary.h"

struct PhaseFinder {
    TickSink sink;
    uint32_t n_processes;
    uint32_t n_known;
    uint64_t n_ticks;     /* so far */
    uint64_t startpoint;  /* tick of the phase that grows */
    size_t n_phase_ticks; /* its length */
    uint32_t predicted;   /* variant that it equals so far, or NO_VARIANT: then it is in `content` */
    uint32_t previous;    /* variant of the occurrence before, or NO_VARIANT */
    Content content, part;
    VEC(Touch) touches; /* of the events of the growing phase */
    Participants participants;
    Places places;
    Library library;
    Durations durations;
    Loops loops;
};

/* Puts down a tick that may not be as predicted. */
static void extend(PhaseFinder *finder, const LogicalEvent *events, size_t count)
{
    Content *content = &finder->content;
    *vec_push(&content->tick_starts) = (uint32_t)content->events.count;
    vec_reserve(&content->events, count);
    vec_reserve(&content->places, count);
    for (size_t i = 0; i < count; i++) {
        uint32_t place = places_find(&finder->places, events[i].process, events[i].type);
        *vec_push(&content->events) =
            (PhaseEvent){(uint32_t)finder->n_phase_ticks, events[i].process, events[i].type, events[i].bytes};
        *vec_push(&content->places) = place;
        finder->places.last_tick.items[place] = finder->n_ticks + 1;
    }
}

static void add_touches(PhaseFinder *finder, const LogicalEvent *events, size_t count)
{
    vec_reserve(&finder->touches, count);
    Touch *touch = finder->touches.items + finder->touches.count;
    for (size_t i = 0; i < count; i++)
        touch[i] = (Touch){events[i].enter_ns, events[i].number, events[i].compute_ns};
    finder->touches.count += count;
}

/* The prediction doesn't hold any longer: goes over to scanning. */
static void give_up_prediction(PhaseFinder *finder)
{
    if (finder->predicted == NO_VARIANT)
        return;
    const Content *predicted = &finder->library.variants.items[finder->predicted].content;
    finder->predicted = NO_VARIANT;
    content_clear(&finder->content);
    content_append(&finder->content, predicted, 0, finder->n_phase_ticks);
    for (size_t i = 0; i < finder->content.events.count; i++)
        finder->places.last_tick.items[finder->content.places.items[i]] =
            finder->startpoint + finder->content.events.items[i].tick + 1;
}

/* The tick of the growing phase in which one of these events was already there; if several were, the earliest. */
static bool find_repeated(PhaseFinder *finder, const LogicalEvent *events, size_t count, uint64_t *earlier)
{
    uint64_t earliest = UINT64_MAX;
    for (size_t i = 0; i < count; i++) {
        uint32_t place = places_find(&finder->places, events[i].process, events[i].type);
        uint64_t last = finder->places.last_tick.items[place];
        if (last > finder->startpoint && last < earliest)
            earliest = last;
    }
    *earlier = earliest - 1;
    return earliest != UINT64_MAX;
}

static bool tick_is(const Content *content, size_t tick, const LogicalEvent *events, size_t count)
{
    size_t first = content->tick_starts.items[tick];
    if (content_tick_end(content, tick) - first != count)
        return false;
    const PhaseEvent *expected = content->events.items + first;
    for (size_t i = 0; i < count; i++)
        if (events[i].process != expected[i].process || events[i].type != expected[i].type ||
            events[i].bytes != expected[i].bytes)
            return false;
    return true;
}

/* The variant that followed `variant` before and begins with this tick, or NO_VARIANT. */
static uint32_t predict(const PhaseFinder *finder, uint32_t variant, const LogicalEvent *events, size_t count)
{
    if (variant == NO_VARIANT)
        return NO_VARIANT;
    const Variant *variants = finder->library.variants.items;
    for (int i = 0; i < 2; i++) {
        uint32_t next = variants[variant].successors[i];
        if (next != NO_VARIANT && tick_is(&variants[next].content, 0, events, count))
            return next;
    }
    return NO_VARIANT;
}

/* One occurrence is complete. `first_event` is where its events start among the touches. `ended_by_repeat`: what
 * follows it repeats one of its own types. */
static void add_occurrence(PhaseFinder *finder, const Recognised *phase, const Participants *participants,
                           size_t n_events, size_t first_event, bool ended_by_repeat)
{
    const KnownPhase *known = &finder->library.phases.items[phase->phase];
    size_t n_known = finder->library.variants.items[known->variant].content.events.count;
    size_t larger = n_events > n_known ? n_events : n_known;
    durations_add(&finder->durations, phase->phase, known->id, (double)phase->n_matches / (double)larger, participants,
                  finder->touches.items + first_event);
    loops_append(&finder->loops, phase->phase);
    if (finder->previous != NO_VARIANT && phase->variant != NO_VARIANT)
        variant_followed_by(&finder->library.variants.items[finder->previous], phase->variant);
    finder->previous = ended_by_repeat ? phase->variant : NO_VARIANT;
}

/* The occurrence whose content was scanned: known already, or a new phase. */
static void add_scanned(PhaseFinder *finder, const Content *content, Recognised phase, size_t first_event,
                        bool ended_by_repeat)
{
    if (phase.phase == NO_PHASE) {
        phase = library_add(&finder->library, content, phase.verdict, 0);
        durations_add_phase(&finder->durations);
    }
    library_list_participants(&finder->library, content, &finder->participants);
    add_occurrence(finder, &phase, &finder->participants, content->events.count, first_event, ended_by_repeat);
}

static void add_part(PhaseFinder *finder, size_t from, size_t to, bool ended_by_repeat)
{
    content_clear(&finder->part);
    content_append(&finder->part, &finder->content, from, to);
    add_scanned(finder, &finder->part, library_recognise(&finder->library, &finder->part),
                finder->content.tick_starts.items[from], ended_by_repeat);
}

/* The growing phase ends before this tick; `earlier` is the tick, from the startpoint, of what repeats. */
static void end_phase(PhaseFinder *finder, size_t earlier)
{
    if (finder->predicted != NO_VARIANT) {
        const Variant *variant = &finder->library.variants.items[finder->predicted];
        Recognised phase = {variant->phase, finder->predicted, variant->n_matches, NO_VERDICT};
        add_occurrence(finder, &phase, &variant->participants, variant->content.events.count, 0, true);
    } else {
        Recognised phase = library_recognise(&finder->library, &finder->content);
        if (phase.phase != NO_PHASE || earlier == 0) {
            add_scanned(finder, &finder->content, phase, 0, true);
        } else {
            add_part(finder, 0, earlier, false);
            add_part(finder, earlier, finder->n_phase_ticks, true);
        }
    }
    content_clear(&finder->content);
    finder->touches.count = 0;
    finder->startpoint = finder->n_ticks;
    finder->n_phase_ticks = 0;
    finder->predicted = NO_VARIANT;
}

/* True: the phase ends before this tick. */
static bool ends_before(PhaseFinder *finder, const LogicalEvent *events, size_t count, uint64_t *earlier)
{
    *earlier = 0;
    if (!finder->n_phase_ticks)
        return false;
    if (finder->predicted != NO_VARIANT) {
        const Content *content = &finder->library.variants.items[finder->predicted].content;
        if (finder->n_phase_ticks < content->tick_starts.count) {
            if (tick_is(content, finder->n_phase_ticks, events, count))
                return false;
        } else if (predict(finder, finder->predicted, events, count) != NO_VARIANT) {
            return true;
        }
        give_up_prediction(finder);
    }
    if (!find_repeated(finder, events, count, earlier))
        return false;
    *earlier -= finder->startpoint;
    return true;
}

static bool take_tick(TickSink *sink, uint64_t lt, TickKind kind, const LogicalEvent *events, size_t count, Err *err)
{
    (void)lt;
    (void)err;
    if (kind == TICK_RECV || !count)
        return true;
    PhaseFinder *finder = (PhaseFinder *)sink;
    uint64_t earlier;
    if (ends_before(finder, events, count, &earlier))
        end_phase(finder, (size_t)earlier);
    if (!finder->n_phase_ticks)
        finder->predicted = predict(finder, finder->previous, events, count);
    if (finder->predicted == NO_VARIANT)
        extend(finder, events, count);
    add_touches(finder, events, count);
    finder->n_phase_ticks++;
    finder->n_ticks++;
    return true;
}

/* The content of a phase from a signature. */
static void load_content(PhaseFinder *finder, const Phase *phase, Content *content)
{
    content_clear(content);
    uint32_t tick = 0;
    for (uint32_t i = 0; i < phase->n_events; i++) {
        const PhaseEvent *event = &phase->events[i];
        if (event->process >= finder->n_processes || event->tick >= phase->n_ticks || event->tick + 1 < tick)
            continue;
        for (; tick <= event->tick; tick++)
            *vec_push(&content->tick_starts) = (uint32_t)content->events.count;
        *vec_push(&content->events) = *event;
        *vec_push(&content->places) = places_find(&finder->places, event->process, event->type);
    }
    for (; tick < phase->n_ticks; tick++)
        *vec_push(&content->tick_starts) = (uint32_t)content->events.count;
}

PhaseFinder *phase_finder_new(const PhaseParameters *parameters, uint32_t n_processes, const Phase *known,
                              uint32_t n_known)
{
    PhaseFinder *finder = memory_zeroed(1, sizeof *finder);
    finder->sink.tick = take_tick;
    finder->n_processes = n_processes;
    finder->n_known = n_known;
    finder->predicted = finder->previous = NO_VARIANT;
    places_init(&finder->places, n_processes);
    library_init(&finder->library, parameters, n_processes);
    durations_init(&finder->durations, n_processes);
    finder->durations.loops = &finder->loops;
    for (uint32_t i = 0; i < n_known; i++) {
        load_content(finder, &known[i], &finder->content);
        library_add(&finder->library, &finder->content, NO_VERDICT, known[i].id);
        durations_add_phase(&finder->durations);
    }
    content_clear(&finder->content);
    return finder;
}

void phase_finder_free(PhaseFinder *finder)
{
    if (!finder)
        return;
    content_free(&finder->content);
    content_free(&finder->part);
    vec_free(&finder->touches);
    vec_free(&finder->participants);
    places_free(&finder->places);
    library_free(&finder->library);
    durations_free(&finder->durations);
    loops_free(&finder->loops);
    free(finder);
}

bool phase_similarity_exists(const char *name)
{
    return strcmp(name, "phase") == 0;
}

TickSink *phase_finder_sink(PhaseFinder *finder)
{
    return &finder->sink;
}

void phase_finder_keep_occurrences(PhaseFinder *finder)
{
    finder->durations.keep_starts = true;
}

const OccurrenceStart *phase_finder_occurrences(const PhaseFinder *finder, size_t *count)
{
    *count = finder->durations.starts.count;
    return finder->durations.starts.items;
}

/* What remains when the trace ends is a phase. */
static void end_scan(PhaseFinder *finder)
{
    if (!finder->n_phase_ticks)
        return;
    if (finder->predicted != NO_VARIANT &&
        finder->n_phase_ticks < finder->library.variants.items[finder->predicted].content.tick_starts.count)
        give_up_prediction(finder);
    end_phase(finder, 0);
}

bool phase_finder_finish(PhaseFinder *finder, const OrderReport *report, Arena *arena, Signature *signature, Err *err)
{
    end_scan(finder);
    if (!finder->library.phases.count)
        return err_set(err, ERR_INPUT, "the trace has no send, collective or one-sided event to find phases in");
    durations_finish(&finder->durations, report->processes);
    summary_fill(&finder->library, &finder->durations, report, arena, signature);
    uint32_t *ids = arena_new_array(arena, uint32_t, finder->library.phases.count);
    for (size_t i = 0; i < finder->library.phases.count; i++)
        ids[i] = finder->library.phases.items[i].id;
    signature->sequence = loops_finish(&finder->loops, ids, arena);
    signature->n_ticks = finder->n_ticks;
    return true;
}
