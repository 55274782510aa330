/* SPDX-License-Identifier: BSD-3-Clause */
/* The page of a report: its sections, in their order, each if its document is there. */
#pragma once

#include "base/text.h"
#include "report/html.h"
#include "report/lanes.h"
#include "report/svg.h"
#include "report/table.h"
#include "verbs/report/data.h"
#include <jansson.h>

typedef struct Page {
    Text text;
    Arena *arena;
    const json_t *documents;
} Page;

typedef struct Section {
    const char *id, *title;
    const char *caption; /* what the section shows, and how to read it */
    const char *needs;   /* the document */
    const char *command; /* which gives it */
    void (*write)(Page *page, const json_t *document);
} Section;

/* The whole page. command: as the user typed it. */
const char *page_make(const json_t *documents, const char *command, Arena *arena);

/* A list of sentences, a paragraph each. */
void page_add_captions(Page *page, const json_t *sentences);

/* Classes and names of activities, in the order of `RunActivity`. */
enum { N_PAGE_ACTIVITIES = 4 };
extern const char *const page_activities[N_PAGE_ACTIVITIES];

/* What the rows of lanes do over time: objects that have, by activity, the percents of each piece of the time.
 * meanings: what the activities are in this picture. */
void draw_activities(Text *body, const Lanes *lanes, const json_t *rows, const char *const meanings[N_PAGE_ACTIVITIES],
                     Arena *arena);

/* The picture of such rows. of: where the page's data have them, with the time that they last as "length_s"; so the
 * page tells what the piece under the pointer is. */
void insert_lanes(Page *page, Text *body, const Lanes *lanes, double height, const char *title, const char *of);

/* What processes do when, and in which phases, with its table. timeline: NULL: not known. */
void draw_activity(Page *page, const json_t *activity, const json_t *timeline, const char *of);

/* The phases alone, along the run. */
void draw_timeline(Page *page, const json_t *timeline);

/* The most rows and columns of the matrix of messages: with more processes, each is several neighbours. */
enum { PAGE_MATRIX_ROWS = 32 };

/* A picture of one occurrence of a phase, as firma show --occurrence has it. */
void draw_occurrence(Page *page, const json_t *occurrence);

/* What the section "change" needs of an earlier study's documents. */
json_t *change_before(const json_t *documents, const char *path);

void section_answer(Page *page, const json_t *documents);
void section_program(Page *page, const json_t *application);
void section_time(Page *page, const json_t *activity);
void section_phases(Page *page, const json_t *phases);
void section_efficiencies(Page *page, const json_t *efficiencies);
void section_calls(Page *page, const json_t *profile);
void section_waits(Page *page, const json_t *waits);
void section_matrix(Page *page, const json_t *matrix);
void section_scaling(Page *page, const json_t *scaling);
void section_counts(Page *page, const json_t *counts);
void section_mapping(Page *page, const json_t *mapping);
void section_communication(Page *page, const json_t *communication);
void section_cost(Page *page, const json_t *cost);
void section_simulation(Page *page, const json_t *simulation);
void section_runs(Page *page, const json_t *runs);
void section_comparison(Page *page, const json_t *comparison);
void section_change(Page *page, const json_t *before);
