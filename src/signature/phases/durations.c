/* SPDX-License-Identifier: BSD-3-Clause */
/* Adds up how long occurrences took (durations.h). Times are whole nanoseconds, so sums don't
 * depend on the order of addition. */
#include "signature/phases/durations.h"

#define NO_SLOT UINT32_MAX

/* Each cut holds numbers for each phase and each process. With very many phases (blocks that hardly
 * repeat) or processes, fewer cuts are kept. */
enum { CUT_LIMIT = 4096, FEWEST_CUTS = 16, FEWEST_CUTS_OF_PROCESSES = 512, CUT_CELL_LIMIT = 1 << 22 };

/* Most memory of all samples, which have two numbers of each process. */
static const uint64_t SAMPLES_BYTES = UINT64_C(1) << 30;

typedef struct ProcessClock {
    int64_t start_ns;    /* entry of its first event in its current occurrence */
    Path path;           /* up to this event */
    int64_t first_ns;    /* entry of its first event in the trace */
    uint64_t occurrence; /* number of the current occurrence + 1; 0: none yet */
    uint64_t n_events;   /* events in the occurrences so far */
    uint32_t slot;
} ProcessClock;

/* The beginning of a process's occurrence, or its end. */
typedef struct Beginning {
    int64_t time_ns;
    Path path;
} Beginning;

/* An occurrence that some process is still in. */
typedef struct OpenOccurrence {
    uint32_t phase;
    uint32_t n_processes; /* processes still in it; of a free slot: the next free slot */
    uint32_t n_participants;
    int64_t slowest_ns, total_ns, computed_ns; /* computed_ns: Path.compute_ns */
    uint64_t occurrence, ordinal;              /* its number among all occurrences, and among those of its
                                     phase */
} OpenOccurrence;

void durations_init(Durations *durations, uint32_t n_processes, uint64_t samples_limit)
{
    *durations = (Durations){.n_processes = n_processes,
                             .free_slot = NO_SLOT,
                             .grid = grid_start,
                             .samples_limit = samples_limit ? samples_limit : DEFAULT_SAMPLES};
    durations->clocks = memory_zeroed(n_processes, sizeof(ProcessClock));
}

static void free_cut(Cut *cut)
{
    free(cut->send_events);
    free(cut->phase_weight);
    free(cut->phase_time_ns);
    free(cut->phase_path_ns);
}

static void free_sample(PhaseSample *sample)
{
    free(sample->startpoint);
    free(sample->endpoint);
}

static void free_samples(PhaseDurations *phase)
{
    for (size_t i = 0; i < phase->samples.count; i++)
        free_sample(&phase->samples.items[i]);
    vec_free(&phase->samples);
}

void durations_free(Durations *durations)
{
    free(durations->clocks);
    vec_free(&durations->open);
    for (size_t i = 0; i < durations->phases.count; i++) {
        free(durations->phases.items[i].processes);
        free_samples(&durations->phases.items[i]);
        vec_free(&durations->phases.items[i].levels);
    }
    vec_free(&durations->phases);
    for (size_t i = 0; i < durations->cuts.count; i++)
        free_cut(&durations->cuts.items[i]);
    vec_free(&durations->cuts);
    vec_free(&durations->starts);
}

void durations_add_phase(Durations *durations)
{
    *vec_push(&durations->phases) =
        (PhaseDurations){.processes = memory_zeroed(durations->n_processes, sizeof(PhaseProcess)), .sample_stride = 1};
}

static void add_cut(Durations *durations)
{
    Cut *cut = vec_push(&durations->cuts);
    size_t n_phases = durations->phases.count;
    *cut = (Cut){.occurrence = durations->n_occurrences,
                 .n_phases = n_phases,
                 .send_events = memory_resize(NULL, durations->n_processes * sizeof(uint64_t)),
                 .phase_weight = memory_resize(NULL, n_phases * sizeof(uint64_t)),
                 .phase_time_ns = memory_resize(NULL, n_phases * sizeof(int64_t)),
                 .phase_path_ns = memory_resize(NULL, n_phases * sizeof(int64_t))};
    for (uint32_t i = 0; i < durations->n_processes; i++)
        cut->send_events[i] = durations->clocks[i].n_events;
    for (size_t i = 0; i < n_phases; i++) {
        cut->phase_weight[i] = durations->phases.items[i].weight;
        cut->phase_time_ns[i] = durations->phases.items[i].total_ns;
        cut->phase_path_ns[i] = durations->phases.items[i].path_ns;
    }
}

static size_t most_cuts(const Durations *durations)
{
    size_t n = CUT_CELL_LIMIT / (durations->phases.count + 1),
           of_processes = CUT_CELL_LIMIT / (durations->n_processes + 1);
    of_processes = of_processes < FEWEST_CUTS_OF_PROCESSES ? FEWEST_CUTS_OF_PROCESSES : of_processes;
    n = n < of_processes ? n : of_processes;
    return n > CUT_LIMIT ? CUT_LIMIT : n < FEWEST_CUTS ? FEWEST_CUTS : n;
}

/* Makes the grid coarser, and drops the cuts that aren't on it. Of the cuts before kept_from, drops
 * every other one. */
static void thin_cuts(Durations *durations)
{
    static const Loops no_loops;
    uint64_t kept_from;
    size_t kept = 0;
    durations->grid = grid_coarser(&durations->grid, durations->loops ? durations->loops : &no_loops, &kept_from);
    for (size_t i = 0; i < durations->cuts.count; i++) {
        Cut *cut = &durations->cuts.items[i];
        bool stays =
            cut->occurrence >= kept_from ? grid_next(&durations->grid, cut->occurrence) == cut->occurrence : i % 2 == 0;
        if (stays)
            durations->cuts.items[kept++] = *cut;
        else
            free_cut(cut);
    }
    durations->cuts.count = kept;
    durations->next_cut = grid_next(&durations->grid, durations->n_occurrences);
}

static uint32_t take_slot(Durations *durations, uint32_t phase, uint32_t n_processes)
{
    uint32_t slot = durations->free_slot;
    if (slot == NO_SLOT) {
        slot = (uint32_t)durations->open.count;
        vec_push(&durations->open);
    } else {
        durations->free_slot = durations->open.items[slot].n_processes;
    }
    durations->open.items[slot] = (OpenOccurrence){.phase = phase,
                                                   .n_processes = n_processes,
                                                   .n_participants = n_processes,
                                                   .occurrence = durations->n_occurrences,
                                                   .ordinal = durations->phases.items[phase].weight - 1};
    return slot;
}

/* All processes have left the occurrence: keeps its levels. */
static void complete_occurrence(Durations *durations, const OpenOccurrence *open)
{
    PhaseDurations *phase = &durations->phases.items[open->phase];
    phase->slowest_ns += open->slowest_ns;
    if (open->ordinal < phase->levels.count)
        phase->levels.items[open->ordinal] =
            (OccurrenceLevels){strata_level((double)open->total_ns / open->n_participants),
                               strata_level((double)open->computed_ns / open->n_participants)};
}

/* The process leaves its current occurrence. */
static void end_stay(Durations *durations, uint32_t process, int64_t stay_ns, Path added)
{
    uint32_t slot = durations->clocks[process].slot;
    OpenOccurrence *open = &durations->open.items[slot];
    PhaseDurations *phase = &durations->phases.items[open->phase];
    phase->processes[process].count++;
    phase->processes[process].total_ns += stay_ns;
    phase->total_ns += stay_ns;
    phase->path_ns += added.outside_ns;
    open->total_ns += stay_ns;
    /* Threads of a process may compute at the same time, longer in sum than the process stays. */
    open->computed_ns += added.compute_ns < stay_ns ? added.compute_ns : stay_ns;
    if (open->slowest_ns < stay_ns)
        open->slowest_ns = stay_ns;
    if (--open->n_processes)
        return;
    complete_occurrence(durations, open);
    open->n_processes = durations->free_slot;
    durations->free_slot = slot;
}

/* The process reaches the entry of an event in a later occurrence: completes the cuts in
 * between. */
static void leave_occurrence(Durations *durations, uint32_t process, int64_t enter_ns, Path path)
{
    ProcessClock *clock = &durations->clocks[process];
    int64_t stay_ns = enter_ns - clock->start_ns;
    const Path added = {path.outside_ns - clock->path.outside_ns, path.compute_ns - clock->path.compute_ns};
    uint32_t phase = clock->occurrence ? durations->open.items[clock->slot].phase : NO_PHASE;
    for (size_t i = durations->cuts.count; i && durations->cuts.items[i - 1].occurrence >= clock->occurrence; i--) {
        Cut *cut = &durations->cuts.items[i - 1];
        cut->time_ns += clock->occurrence ? enter_ns - clock->first_ns : 0;
        if (phase != NO_PHASE)
            cut->phase_time_ns[phase] += stay_ns, cut->phase_path_ns[phase] += added.outside_ns;
    }
    if (clock->occurrence)
        end_stay(durations, process, stay_ns, added);
    else
        clock->first_ns = enter_ns;
}

static int compare_starts(const void *left, const void *right)
{
    const OccurrenceStart *a = left, *b = right;
    return (a->process > b->process) - (a->process < b->process);
}

/* Where a process's occurrence begins. Threads of a process that communicate at the same time are in
 * step in the logical trace, but not in time. No occurrence begins before the one before it. */
static Beginning begin_of(const ProcessClock *clock, const Touch *first)
{
    return clock->occurrence ? (Beginning){first->enter_ns > clock->start_ns ? first->enter_ns : clock->start_ns,
                                           path_longest(clock->path, first->path)}
                             : (Beginning){first->enter_ns, first->path};
}

static void keep_starts(Durations *durations, uint32_t id, const Participants *participants, const Touch *touches)
{
    size_t first = durations->starts.count;
    for (size_t i = 0; i < participants->count; i++) {
        const Participant *participant = &participants->items[i];
        const Touch *touch = &touches[participant->first];
        const Beginning begin = begin_of(&durations->clocks[participant->process], touch);
        *vec_push(&durations->starts) =
            (OccurrenceStart){durations->n_occurrences, participant->process, id, begin.time_ns, touch->number,
                              begin.path.outside_ns,    touch->computed_ns};
    }
    qsort(durations->starts.items + first, participants->count, sizeof(OccurrenceStart), compare_starts);
}

static uint64_t *count_events(const Durations *durations)
{
    uint64_t *counts = memory_resize(NULL, durations->n_processes * sizeof *counts);
    for (uint32_t i = 0; i < durations->n_processes; i++)
        counts[i] = durations->clocks[i].n_events;
    return counts;
}

static void thin_samples(Durations *durations, PhaseDurations *phase)
{
    size_t kept = 0;
    for (size_t i = 0; i < phase->samples.count; i++) {
        if (i % 2 == 0)
            phase->samples.items[kept++] = phase->samples.items[i];
        else
            free_sample(&phase->samples.items[i]);
    }
    durations->n_samples -= phase->samples.count - kept;
    phase->samples.count = kept;
    phase->sample_stride *= 2;
}

/* The phase's occurrence number `weight`, counted from 1, begins. Samples are 2, 2 + stride, 2 + 2
 * stride, … Occurrence 1 is a sample only until occurrence 2 comes, because the first one is cold.
 * Returns NULL if this occurrence isn't a sample. */
static PhaseSample *begin_sample(Durations *durations, PhaseDurations *phase)
{
    const uint64_t most = SAMPLES_BYTES / (2 * sizeof(uint64_t)) / durations->n_processes;
    if (phase->weight < phase->next_sample)
        return NULL;
    if (phase->weight == 2) {
        free_sample(&phase->samples.items[--phase->samples.count]);
        durations->n_samples--;
    }
    if (phase->samples.count >= durations->samples_limit || (phase->samples.count > 2 && durations->n_samples >= most))
        thin_samples(durations, phase);
    uint64_t beyond = phase->weight > 1 ? (phase->weight - 2) % phase->sample_stride : 0;
    phase->next_sample = phase->weight + (phase->weight == 1 ? 1 : phase->sample_stride) - beyond;
    if (beyond)
        return NULL;
    durations->n_samples++;
    PhaseSample *sample = vec_push(&phase->samples);
    *sample = (PhaseSample){.startpoint = count_events(durations)};
    return sample;
}

void durations_add(Durations *durations, uint32_t phase, uint32_t id, double share_of_matches,
                   const Participants *participants, const Touch *touches)
{
    while (durations->n_occurrences == durations->next_cut && durations->cuts.count >= most_cuts(durations))
        thin_cuts(durations);
    if (durations->n_occurrences == durations->next_cut) {
        add_cut(durations);
        if (durations->loops)
            grid_follow(&durations->grid, durations->loops);
        durations->next_cut = grid_next(&durations->grid, durations->n_occurrences + 1);
    }
    PhaseDurations *own = &durations->phases.items[phase];
    if (!own->weight++)
        own->first_occurrence = durations->n_occurrences;
    own->similarity_sum += share_of_matches;
    PhaseSample *sample = begin_sample(durations, own);
    if (durations->n_levels < LEVELS_LIMIT) {
        *vec_push(&own->levels) = (OccurrenceLevels){0};
        durations->n_levels++;
    }
    if (durations->keep_starts)
        keep_starts(durations, id, participants, touches);
    uint32_t slot = take_slot(durations, phase, (uint32_t)participants->count);
    uint64_t occurrence = ++durations->n_occurrences;
    for (size_t i = 0; i < participants->count; i++) {
        const Participant *participant = &participants->items[i];
        ProcessClock *clock = &durations->clocks[participant->process];
        const Beginning begin = begin_of(clock, &touches[participant->first]);
        leave_occurrence(durations, participant->process, begin.time_ns, begin.path);
        clock->start_ns = begin.time_ns;
        clock->path = begin.path;
        clock->occurrence = occurrence;
        clock->slot = slot;
        clock->n_events += participant->n_events;
        durations->n_events += participant->n_events;
    }
    if (sample)
        sample->endpoint = count_events(durations);
}

void durations_finish(Durations *durations, const ProcessSpan *spans)
{
    add_cut(durations);
    for (uint32_t i = 0; i < durations->n_processes; i++) {
        const Touch last = {.enter_ns = spans[i].last_ns, .path = spans[i].path};
        const Beginning end = begin_of(&durations->clocks[i], &last);
        if (durations->clocks[i].occurrence)
            leave_occurrence(durations, i, end.time_ns, end.path);
    }
}
