/* SPDX-License-Identifier: BSD-3-Clause */
/* Which phase a content belongs to (thesis §3.4.3): the first known phase with the same number of
 * ticks that shares enough events with the content. Mostly contents repeat exactly. So verdicts are
 * remembered by hash. Contents that came again are kept as *variants*, from which the scan predicts
 * the next occurrence.
 *
 * A content that no known phase is similar to may still be one whose messages were received at other
 * moments: both end with a collective of all processes, and each process does the same in the same
 * order. Then it belongs to this phase, whatever its ticks. */
#pragma once

#include "signature/phases/content.h"

#define NO_PHASE UINT32_MAX
#define NO_VARIANT UINT32_MAX

/* A process with events in a content, and its first event there. */
typedef struct Participant {
    uint32_t process;
    uint32_t first; /* index of the process's first event in the content */
    uint32_t n_events;
} Participant;

typedef VEC(Participant) Participants;

/* A content that is worth predicting: a phase's first content, or one that came again. */
typedef struct Variant {
    Content content;
    Participants participants; /* ordered by their first event */
    uint32_t phase;            /* index in Library.phases */
    uint32_t n_matches;        /* events shared with the phase's first content */
    uint32_t successors[2];    /* variants seen right after this one, the latest first, or
                                  NO_VARIANT */
} Variant;

typedef struct KnownPhase {
    uint32_t id, variant;
    uint32_t earlier; /* the phase before it with the same steps, or NO_PHASE */
} KnownPhase;

typedef struct Library {
    PhaseParameters parameters;
    VEC(KnownPhase) phases;
    VEC(Variant) variants;
    size_t n_variant_events;
    VEC(struct Verdict) verdicts;
    Map verdict_of;  /* content hash -> number in verdicts */
    Map same_length; /* number of ticks -> number in lengths */
    Map same_steps;  /* what each process does in order -> the last phase of this, + 1 */
    uint32_t n_processes;
    VEC(struct PhaseList) lengths;
    uint32_t next_id;
    /* [n_processes] scratch: place of the process in the list being made, + 1. */
    VEC(uint32_t) participant_of;
} Library;

void library_init(Library *library, const PhaseParameters *parameters, uint32_t n_processes);
void library_free(Library *library);

/* The verdict on a content. */
typedef struct Recognised {
    uint32_t phase;   /* index, or NO_PHASE */
    uint32_t variant; /* with exactly this content, or NO_VARIANT */
    uint32_t n_matches;
    size_t verdict; /* for library_add() */
} Recognised;

#define NO_VERDICT SIZE_MAX

Recognised library_recognise(Library *library, const Content *content);

/* Makes a new phase of a content that belongs to no known phase. id 0: the next free id. */
Recognised library_add(Library *library, const Content *content, size_t verdict, uint32_t id);

void library_list_participants(Library *library, const Content *content, Participants *participants);

/* Notes that variant `next` came right after `variant`, for predictions. */
void variant_followed_by(Variant *variant, uint32_t next);
