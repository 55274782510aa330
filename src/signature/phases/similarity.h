/* SPDX-License-Identifier: BSD-3-Clause */
/* Which phase a content is (thesis §3.4.3; spec/1 §1.6): the first known phase of the same number of ticks with which
 * it shares enough events. Contents repeat exactly most of the time, so what was once decided is remembered by
 * hash; and the contents themselves are kept as variants, that the finder predicts the next occurrence from. */
#pragma once

#include "signature/phases/content.h"

#define NO_PHASE UINT32_MAX
#define NO_VARIANT UINT32_MAX

/* A process with events in a content. */
typedef struct Participant {
    uint32_t process;
    uint32_t first; /* its first event there */
    uint32_t n_events;
} Participant;

typedef VEC(Participant) Participants;

/* A content that is worth predicting: a phase's first one, or one that came again. */
typedef struct Variant {
    Content content;
    Participants participants; /* by first event */
    uint32_t phase;            /* index in Library.phases */
    uint32_t n_matches;        /* events shared with the phase's first content */
    uint32_t successors[2];    /* variants seen after it, the latest first, or NO_VARIANT */
} Variant;

typedef struct KnownPhase {
    uint32_t id, variant;
} KnownPhase;

typedef struct Library {
    PhaseParameters parameters;
    VEC(KnownPhase) phases;
    VEC(Variant) variants;
    size_t n_variant_events;
    VEC(struct Verdict) verdicts;
    Map verdict_of;  /* content hash -> number in verdicts */
    Map same_length; /* number of ticks -> number in lengths */
    VEC(struct PhaseList) lengths;
    uint32_t next_id;
    VEC(uint32_t) participant_of; /* [n_processes] scratch: its place in the list being made + 1 */
} Library;

void library_init(Library *library, const PhaseParameters *parameters, uint32_t n_processes);
void library_free(Library *library);

/* What was decided about a content. */
typedef struct Recognised {
    uint32_t phase;   /* index, or NO_PHASE */
    uint32_t variant; /* of just this content, or NO_VARIANT */
    uint32_t n_matches;
    size_t verdict; /* for library_add */
} Recognised;

#define NO_VERDICT SIZE_MAX

Recognised library_recognise(Library *library, const Content *content);

/* Makes a content that is none of the known phases a phase. id 0: the next. */
Recognised library_add(Library *library, const Content *content, size_t verdict, uint32_t id);

void library_list_participants(Library *library, const Content *content, Participants *participants);

/* Notes that variant `next` came right after variant `variant`, so that it's predicted. */
void variant_followed_by(Variant *variant, uint32_t next);
