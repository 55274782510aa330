/* SPDX-License-Identifier: BSD-3-Clause */
/* What `firma doctor` found: a check for each library, tool and trial. The checks decide which
 * questions of the README's table firma can answer on this machine. */
#pragma once

#include "base/fields.h"
#include <stdbool.h>

typedef enum Finding { FINDING_OK, FINDING_MISSING, FINDING_OPTIONAL, FINDING_UNWRITABLE, FINDING_SCARCE } Finding;

/* What a question may need. */
typedef enum Part {
    PART_NONE,
    PART_OPENMPI,
    PART_MPICH,
    PART_CRIU,
    PART_DMTCP,
    PART_PVM,
    PART_SIMGRID,
    PART_SSH,
    PART_SSHD,
    PART_SCOTCH,
    PART_LIBCLANG,
    PART_CC,
    PART_JAVA,
    PART_JAVAC,
    PART_COUNT
} Part;

typedef struct Check {
    const char *name, *version, *detail; /* version: "" if it isn't known */
    const char *advice;                  /* NULL if there is nothing to do */
    Finding finding;
} Check;

enum { CHECK_LIMIT = 48 };

typedef struct Checklist {
    Check checks[CHECK_LIMIT];
    size_t count;
    bool works[PART_COUNT];
    const char *advice[PART_COUNT]; /* what to do for a part that doesn't work */
    Arena *arena;
} Checklist;

/* Drops the advice if the finding is FINDING_OK. */
void checklist_add(Checklist *list, Check check);

/* Adds a check that decides whether the part works. */
void checklist_add_part(Checklist *list, Part part, Check check);

/* ---- questions ---- */

typedef enum Answer { ANSWER_YES, ANSWER_PARTLY, ANSWER_NO } Answer;

typedef struct Missing {
    const char *what;   /* what firma can't do here */
    const char *advice; /* the command that installs what is missing, or what to do first */
} Missing;

typedef struct Question {
    const char *question, *verb; /* as the README's table has them */
    Answer answer;
    Missing *missing;
    size_t n_missing;
} Question;

/* What firma doctor prints with --json. */
typedef struct DoctorReport {
    bool works; /* programs can be traced */
    Question *questions;
    size_t n_questions;
    Check *checks;
    size_t n_checks;
} DoctorReport;

extern const FieldList doctor_fields;

/* Answers the questions from the checks. */
DoctorReport checklist_report(Checklist *list, bool works);

const char *doctor_text(const DoctorReport *report, bool color, Arena *arena);

/* ---- groups of checks ---- */

/* Tries tracing under each MPI, and then saving and restoring by each back end under each MPI that works. True if any
 * program can be traced. May move firma into namespaces of its own. */
bool check_trials(Checklist *list);

/* Looks for libraries, programs and disk space. */
void check_tools(Checklist *list);
