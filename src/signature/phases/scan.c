/* SPDX-License-Identifier: BSD-3-Clause */
/* Phase similarity (thesis §3.4.3) as a scan over the ticks of send-like events. A phase grows tick
 * by tick, until a process has an event of a type that the phase already has for this process:
 *
 *     startpoint       earlier          here
 *         | 1            2     3          2    similar to a known phase, or earlier == startpoint:
 *         |--- a --------|---- b ---------|    one phase; otherwise two
 *
 * Most occurrences repeat an earlier one exactly. So after each occurrence the scan predicts the
 * content that followed last time, and only compares ticks with this content. If all of it comes,
 * and then the first tick of a content that followed it before, the phase ends there, as it did
 * last time. So no types have to be looked up. At the first tick that differs, the scan stores the
 * ticks so far as if it had scanned them, and goes on without a prediction. */
#include "model/loops.h"
#include "signature/phases/content.h"
#include "signature/phases/finder.h"
#include "signature/phases/similarity.h"
#include "signature/phases/summary.h"
#include <assert.h>

typedef struct Scan {
    PhaseFinder finder;
    uint32_t n_processes;
    uint64_t n_ticks;     /* ticks so far */
    uint64_t startpoint;  /* first tick of the growing phase */
    size_t n_phase_ticks; /* ticks of the growing phase */
    uint32_t predicted;   /* variant that equals the phase so far; NO_VARIANT: the phase is in
                             `content` */
    uint32_t previous;    /* variant of the previous occurrence, or NO_VARIANT */
    Content content, part;
    VEC(Touch) touches;   /* events of the growing phase */
    int64_t *computed_ns; /* [n_processes] as in OccurrenceStart */
    Participants participants;
    Places places;
    Library library;
    Loops loops;
} Scan;

/* Appends a tick to the content of the growing phase. */
static void extend(Scan *scan, const LogicalEvent *events, size_t count)
{
    Content *content = &scan->content;
    *vec_push(&content->tick_starts) = (uint32_t)content->events.count;
    vec_reserve(&content->events, count);
    vec_reserve(&content->places, count);
    for (size_t i = 0; i < count; i++) {
        uint32_t place = places_find(&scan->places, events[i].process, events[i].type);
        *vec_push(&content->events) =
            (PhaseEvent){(uint32_t)scan->n_phase_ticks, events[i].process, events[i].type, events[i].bytes};
        *vec_push(&content->places) = place;
        scan->places.last_tick.items[place] = scan->n_ticks + 1;
    }
}

static void add_computation(Scan *scan, const LogicalEvent *events, size_t count)
{
    for (size_t i = 0; i < count; i++)
        scan->computed_ns[events[i].process] += events[i].compute_ns;
}

static void add_touches(Scan *scan, const LogicalEvent *events, size_t count)
{
    vec_reserve(&scan->touches, count);
    Touch *touch = scan->touches.items + scan->touches.count;
    for (size_t i = 0; i < count; i++)
        touch[i] = (Touch){events[i].enter_ns, events[i].number, path_of_event(&events[i]),
                           scan->computed_ns[events[i].process]};
    scan->touches.count += count;
}

/* The prediction no longer holds: goes on without one. */
static void give_up_prediction(Scan *scan)
{
    if (scan->predicted == NO_VARIANT)
        return;
    const Content *predicted = &scan->library.variants.items[scan->predicted].content;
    assert(scan->n_phase_ticks <= predicted->tick_starts.count);
    scan->predicted = NO_VARIANT;
    content_clear(&scan->content);
    content_append(&scan->content, predicted, 0, scan->n_phase_ticks);
    for (size_t i = 0; i < scan->content.events.count; i++)
        scan->places.last_tick.items[scan->content.places.items[i]] =
            scan->startpoint + scan->content.events.items[i].tick + 1;
}

/* The tick of the growing phase that already has one of these events. If there are several, the
 * earliest. */
static bool find_repeated(Scan *scan, const LogicalEvent *events, size_t count, uint64_t *earlier)
{
    uint64_t earliest = UINT64_MAX;
    for (size_t i = 0; i < count; i++) {
        uint32_t place = places_find(&scan->places, events[i].process, events[i].type);
        uint64_t last = scan->places.last_tick.items[place];
        if (last > scan->startpoint && last < earliest)
            earliest = last;
    }
    *earlier = earliest - 1;
    return earliest != UINT64_MAX;
}

static bool tick_is(const Content *content, size_t tick, const LogicalEvent *events, size_t count)
{
    assert(tick < content->tick_starts.count);
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
static uint32_t predict(const Scan *scan, uint32_t variant, const LogicalEvent *events, size_t count)
{
    if (variant == NO_VARIANT)
        return NO_VARIANT;
    const Variant *variants = scan->library.variants.items;
    for (int i = 0; i < 2; i++) {
        uint32_t next = variants[variant].successors[i];
        if (next != NO_VARIANT && tick_is(&variants[next].content, 0, events, count))
            return next;
    }
    return NO_VARIANT;
}

/* Adds a complete occurrence. `first_event`: its first event among the touches. `ended_by_repeat`:
 * the next tick repeats one of its own types. */
static void add_occurrence(Scan *scan, const Recognised *phase, const Participants *participants, size_t n_events,
                           size_t first_event, bool ended_by_repeat)
{
    const KnownPhase *known = &scan->library.phases.items[phase->phase];
    size_t n_known = scan->library.variants.items[known->variant].content.events.count;
    size_t larger = n_events > n_known ? n_events : n_known;
    assert(larger && phase->n_matches <= larger && first_event + n_events <= scan->touches.count);
    durations_add(&scan->finder.durations, phase->phase, known->id, (double)phase->n_matches / (double)larger,
                  participants, scan->touches.items + first_event);
    loops_append(&scan->loops, phase->phase);
    if (scan->previous != NO_VARIANT && phase->variant != NO_VARIANT)
        variant_followed_by(&scan->library.variants.items[scan->previous], phase->variant);
    scan->previous = ended_by_repeat ? phase->variant : NO_VARIANT;
}

/* Adds an occurrence whose content was scanned: a known phase, or a new one. */
static void add_scanned(Scan *scan, const Content *content, Recognised phase, size_t first_event, bool ended_by_repeat)
{
    if (phase.phase == NO_PHASE) {
        phase = library_add(&scan->library, content, phase.verdict, 0);
        durations_add_phase(&scan->finder.durations);
    }
    library_list_participants(&scan->library, content, &scan->participants);
    add_occurrence(scan, &phase, &scan->participants, content->events.count, first_event, ended_by_repeat);
}

static void add_part(Scan *scan, size_t from, size_t to, bool ended_by_repeat)
{
    assert(from < to && to <= scan->content.tick_starts.count);
    content_clear(&scan->part);
    content_append(&scan->part, &scan->content, from, to);
    add_scanned(scan, &scan->part, library_recognise(&scan->library, &scan->part),
                scan->content.tick_starts.items[from], ended_by_repeat);
}

/* The growing phase ends before the current tick. `earlier`: tick, from the startpoint, of the
 * event that repeats. */
static void end_phase(Scan *scan, size_t earlier)
{
    assert(scan->n_phase_ticks && earlier < scan->n_phase_ticks);
    assert(scan->startpoint + scan->n_phase_ticks == scan->n_ticks);
    if (scan->predicted != NO_VARIANT) {
        const Variant *variant = &scan->library.variants.items[scan->predicted];
        Recognised phase = {variant->phase, scan->predicted, variant->n_matches, NO_VERDICT};
        add_occurrence(scan, &phase, &variant->participants, variant->content.events.count, 0, true);
    } else {
        Recognised phase = library_recognise(&scan->library, &scan->content);
        if (phase.phase != NO_PHASE || earlier == 0) {
            add_scanned(scan, &scan->content, phase, 0, true);
        } else {
            add_part(scan, 0, earlier, false);
            add_part(scan, earlier, scan->n_phase_ticks, true);
        }
    }
    content_clear(&scan->content);
    scan->touches.count = 0;
    scan->startpoint = scan->n_ticks;
    scan->n_phase_ticks = 0;
    scan->predicted = NO_VARIANT;
}

/* True: the phase ends before this tick. */
static bool ends_before(Scan *scan, const LogicalEvent *events, size_t count, uint64_t *earlier)
{
    *earlier = 0;
    if (!scan->n_phase_ticks)
        return false;
    if (scan->predicted != NO_VARIANT) {
        const Content *content = &scan->library.variants.items[scan->predicted].content;
        if (scan->n_phase_ticks < content->tick_starts.count) {
            if (tick_is(content, scan->n_phase_ticks, events, count))
                return false;
        } else if (predict(scan, scan->predicted, events, count) != NO_VARIANT) {
            return true;
        }
        give_up_prediction(scan);
    }
    if (!find_repeated(scan, events, count, earlier))
        return false;
    *earlier -= scan->startpoint;
    return true;
}

static bool take_tick(TickSink *sink, uint64_t lt, TickKind kind, const LogicalEvent *events, size_t count, Err *err)
{
    (void)lt;
    (void)err;
    Scan *scan = (Scan *)sink;
    if (scan->finder.durations.keep_starts)
        add_computation(scan, events, count);
    if (kind == TICK_RECV || !count)
        return true;
    uint64_t earlier;
    if (ends_before(scan, events, count, &earlier))
        end_phase(scan, (size_t)earlier);
    if (!scan->n_phase_ticks)
        scan->predicted = predict(scan, scan->previous, events, count);
    if (scan->predicted == NO_VARIANT)
        extend(scan, events, count);
    add_touches(scan, events, count);
    scan->n_phase_ticks++;
    scan->n_ticks++;
    return true;
}

/* Loads the content of a phase from a signature. */
static void load_content(Scan *scan, const Phase *phase, Content *content)
{
    content_clear(content);
    uint32_t tick = 0;
    for (uint32_t i = 0; i < phase->n_events; i++) {
        const PhaseEvent *event = &phase->events[i];
        if (event->process >= scan->n_processes || event->tick >= phase->n_ticks || event->tick + 1 < tick)
            continue;
        for (; tick <= event->tick; tick++)
            *vec_push(&content->tick_starts) = (uint32_t)content->events.count;
        *vec_push(&content->events) = *event;
        *vec_push(&content->places) = places_find(&scan->places, event->process, event->type);
    }
    for (; tick < phase->n_ticks; tick++)
        *vec_push(&content->tick_starts) = (uint32_t)content->events.count;
}

static void free_scan(PhaseFinder *finder)
{
    Scan *scan = (Scan *)finder;
    content_free(&scan->content);
    content_free(&scan->part);
    vec_free(&scan->touches);
    free(scan->computed_ns);
    vec_free(&scan->participants);
    places_free(&scan->places);
    library_free(&scan->library);
    durations_free(&finder->durations);
    loops_free(&scan->loops);
    free(scan);
}

static PhaseFinder *new_scan(const PhaseParameters *parameters, uint32_t n_processes, const Phase *known,
                             uint32_t n_known)
{
    Scan *scan = memory_zeroed(1, sizeof *scan);
    scan->finder.sink.tick = take_tick;
    scan->n_processes = n_processes;
    scan->predicted = scan->previous = NO_VARIANT;
    scan->computed_ns = memory_zeroed(n_processes, sizeof *scan->computed_ns);
    places_init(&scan->places, n_processes);
    library_init(&scan->library, parameters, n_processes);
    durations_init(&scan->finder.durations, n_processes, parameters->samples);
    scan->finder.durations.loops = &scan->loops;
    for (uint32_t i = 0; i < n_known; i++) {
        load_content(scan, &known[i], &scan->content);
        library_add(&scan->library, &scan->content, NO_VERDICT, known[i].id);
        durations_add_phase(&scan->finder.durations);
    }
    content_clear(&scan->content);
    return &scan->finder;
}

/* The ticks that are left at the end of the trace are a phase. */
static void end_scan(Scan *scan)
{
    if (!scan->n_phase_ticks)
        return;
    if (scan->predicted != NO_VARIANT &&
        scan->n_phase_ticks < scan->library.variants.items[scan->predicted].content.tick_starts.count)
        give_up_prediction(scan);
    end_phase(scan, 0);
}

static bool finish_scan(PhaseFinder *finder, const OrderReport *report, Arena *arena, Signature *signature, Err *err)
{
    Scan *scan = (Scan *)finder;
    end_scan(scan);
    size_t n = scan->library.phases.count;
    if (!n)
        return err_set(err, ERR_INPUT,
                       "the trace has no send, collective or one-sided event, so no phases can be found");
    durations_finish(&finder->durations, report->processes);
    FoundPhase *found = arena_new_array(arena, FoundPhase, n);
    uint32_t *ids = arena_new_array(arena, uint32_t, n);
    for (size_t i = 0; i < n; i++) {
        const KnownPhase *known = &scan->library.phases.items[i];
        const Content *content = &scan->library.variants.items[known->variant].content;
        ids[i] = known->id;
        found[i] = (FoundPhase){known->id, (uint32_t)content->tick_starts.count, (uint32_t)content->events.count,
                                vec_copy(&content->events, arena)};
    }
    summary_fill(&scan->library.parameters, found, &finder->durations, report, arena, signature);
    signature->sequence = loops_finish(&scan->loops, ids, arena);
    signature->n_ticks = scan->n_ticks;
    signature->n_blocks = signature->n_distinct_blocks = signature->n_blocks_cut_short = 0;
    return true;
}

const PhaseMethod phase_method_scan = {"phase", true, new_scan, free_scan, finish_scan};
