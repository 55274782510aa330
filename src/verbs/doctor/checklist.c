/* SPDX-License-Identifier: BSD-3-Clause */
/* See checklist.h. */
#include "verbs/doctor/checklist.h"

#include "cli/cli.h"
#include "report/table.h"

void checklist_add(Checklist *list, Check check)
{
    if (check.finding == FINDING_OK)
        check.advice = NULL;
    if (list->count < CHECK_LIMIT)
        list->checks[list->count++] = check;
}

void checklist_add_part(Checklist *list, Part part, Check check)
{
    list->works[part] = check.finding == FINDING_OK;
    list->advice[part] = check.advice;
    checklist_add(list, check);
}

/* ---- questions ---- */

enum { ALTERNATIVES_LIMIT = 2, NEEDS_LIMIT = 8 };

/* What a question needs: any one of `parts` meets the need. Unused places hold PART_NONE. */
typedef struct Need {
    const char *what; /* what can't be done without it; NULL ends the question's list */
    Part parts[ALTERNATIVES_LIMIT];
    bool is_required; /* without it firma can't answer the question */
} Need;

typedef struct QuestionNeeds {
    VerbQuestion question;
    const char *verb; /* the verb to ask */
    Need needs[NEEDS_LIMIT];
} QuestionNeeds;

static const QuestionNeeds question_needs[] = {
    {QUESTION_TIME,
     "firma study",
     {{"tracing MPI programs", {PART_OPENMPI, PART_MPICH}, true},
      {"states saved along the run (firma checkpoint)", {PART_CRIU, PART_DMTCP}, false},
      {"runs simulated by SimGrid (smpirun)", {PART_SIMGRID}, false}}},
    {QUESTION_CONTENT,
     "firma show",
     {{"tracing MPI programs", {PART_OPENMPI, PART_MPICH}, false}}},
    {QUESTION_MESSAGES,
     "firma comm",
     {{"messages under MPI", {PART_OPENMPI, PART_MPICH}, false},
      {"programs and messages under PVM", {PART_PVM}, false},
      {"messages to other hosts", {PART_SSH}, false},
      {"messages from other hosts to this one", {PART_SSHD}, false},
      {"simulations on the exported platform", {PART_SIMGRID}, false}}},
    {QUESTION_PLACEMENT,
     "firma map",
     {{"tracing MPI programs, and comparing runs", {PART_OPENMPI, PART_MPICH}, false},
      {"the mapper `scotch`", {PART_SCOTCH}, false}}},
    {QUESTION_SOURCE,
     "firma cost",
     {{"reading sources", {PART_LIBCLANG, PART_JAVAC}, true},
      {"reading C sources", {PART_LIBCLANG}, false},
      {"reading Java sources", {PART_JAVAC}, false},
      {"running tasks in C", {PART_CC}, false},
      {"running tasks in Java", {PART_JAVA}, false},
      {"running tasks on several processors", {PART_OPENMPI, PART_MPICH}, false}}},
    {QUESTION_SCALING,
     "firma scale",
     {{"tracing MPI programs", {PART_OPENMPI, PART_MPICH}, false}}},
};
enum { N_QUESTIONS = sizeof question_needs / sizeof *question_needs };

static bool is_met(const Checklist *list, const Need *need)
{
    for (size_t i = 0; i < ALTERNATIVES_LIMIT; i++)
        if (need->parts[i] != PART_NONE && list->works[need->parts[i]])
            return true;
    return false;
}

static Question answer(Checklist *list, const QuestionNeeds *question)
{
    Question result = {.question = verb_questions[question->question],
                       .verb = question->verb,
                       .missing = arena_new_array(list->arena, Missing, NEEDS_LIMIT)};
    for (const Need *need = question->needs; need->what; need++) {
        if (is_met(list, need))
            continue;
        const char *advice = list->advice[need->parts[0]];
        result.missing[result.n_missing++] = (Missing){need->what, advice ? advice : ""};
        if (need->is_required)
            result.answer = ANSWER_NO;
        else if (result.answer == ANSWER_YES)
            result.answer = ANSWER_PARTLY;
    }
    return result;
}

DoctorReport checklist_report(Checklist *list, bool works)
{
    Question *questions = arena_new_array(list->arena, Question, N_QUESTIONS);
    for (size_t i = 0; i < N_QUESTIONS; i++)
        questions[i] = answer(list, &question_needs[i]);
    return (DoctorReport){works, questions, N_QUESTIONS, list->checks, list->count};
}

/* ---- views ---- */

static const char *const answer_names[] = {
    [ANSWER_YES] = "yes", [ANSWER_PARTLY] = "partly", [ANSWER_NO] = "no", [ANSWER_NO + 1] = NULL};
static const char *const finding_names[] = {[FINDING_OK] = "ok",           [FINDING_MISSING] = "missing",
                                            [FINDING_OPTIONAL] = "absent", [FINDING_UNWRITABLE] = "not writable",
                                            [FINDING_SCARCE] = "scarce",   [FINDING_SCARCE + 1] = NULL};

static const FieldList missing_fields =
    FIELDS(Missing, FIELD(Missing, what, "what firma can't do here"),
           FIELD(Missing, advice, "the command that installs what is missing, or what to do first"));

static const FieldList question_fields = FIELDS(
    Question, FIELD(Question, question, "as the README's table has it"), FIELD(Question, verb, "the verb to ask"),
    FIELD(Question, answer, "`yes`; `partly`: all but what `missing` lists; `no`", .choices = answer_names),
    FIELD_LIST(Question, missing, n_missing, "missing", "what can't be done", .of = &missing_fields));

static const FieldList check_fields =
    FIELDS(Check, FIELD_AS(Check, name, "check", "the library, the tool or the trial"),
           FIELD(Check, finding,
                 "`ok`; `missing`: should work here and doesn't; `absent`: firma works without it; `not writable` and "
                 "`scarce`: no room for traces",
                 .choices = finding_names),
           FIELD(Check, version, "empty: not known"), FIELD(Check, detail, "what was found, or what it is for"),
           FIELD(Check, advice, "what to do", .flags = FIELD_ABSENT));

const FieldList doctor_fields =
    FIELDS(DoctorReport, FIELD(DoctorReport, works, "whether programs can be traced"),
           FIELD_LIST(DoctorReport, questions, n_questions, "questions", "those of the README's table",
                      .of = &question_fields),
           FIELD_LIST(DoctorReport, checks, n_checks, "checks", "one by one", .of = &check_fields));

static const char *questions_text(const DoctorReport *report, bool color, Arena *arena)
{
    static const TableStyle styles[] = {
        [ANSWER_YES] = TABLE_GOOD, [ANSWER_PARTLY] = TABLE_PLAIN, [ANSWER_NO] = TABLE_BAD};
    Table *table = table_new(arena);
    table_columns(table, "answer|you want to know|ask");
    for (size_t i = 0; i < report->n_questions; i++) {
        const Question *question = &report->questions[i];
        table_cells(table, "%s|%s|%s", answer_names[question->answer], question->question, question->verb);
        table_row_style(table, styles[question->answer]);
        for (size_t k = 0; k < question->n_missing; k++)
            table_cells(table, "%s|- without %s|→ %s", "", question->missing[k].what, question->missing[k].advice);
    }
    return table_text(table, color);
}

static const char *checks_text(const DoctorReport *report, bool color, Arena *arena)
{
    Table *table = table_new(arena);
    table_columns(table, "finding|what|version|");
    for (size_t i = 0; i < report->n_checks; i++) {
        const Check *check = &report->checks[i];
        table_cells(table, "%s|%s|%s|%s", finding_names[check->finding], check->name, check->version, check->detail);
        table_row_style(table, check->finding == FINDING_OK         ? TABLE_GOOD
                               : check->finding == FINDING_OPTIONAL ? TABLE_DIM
                                                                    : TABLE_BAD);
        if (check->advice)
            table_cells(table, "%s|%s|%s|→ %s", "", "", "", check->advice);
    }
    return table_text(table, color);
}

const char *doctor_text(const DoctorReport *report, bool color, Arena *arena)
{
    return arena_printf(arena, "%s\n%s", questions_text(report, color, arena), checks_text(report, color, arena));
}
