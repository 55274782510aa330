/* SPDX-License-Identifier: BSD-3-Clause */
/* See counters.h. The functions whose calls are written are those of cost/run/worker/counters.h. */
#include "cost/count/counters.h"

#include "cost/count/macros.h"
#include "cost/source/program/syntax.h"

#include <math.h>

static const char NOT_COMPILED[] = "a copy of the source that counts it doesn't compile, or doesn't run";
static const char IN_MACRO[] = "a macro's body, or its argument, holds it";

static Edits *edits_of(Counters *counters, const WrittenFile *file)
{
    for (size_t i = 0; i < counters->edits.count; i++)
        if (counters->edits.items[i]->file == file)
            return counters->edits.items[i];
    Edits *edits = arena_new_array(counters->arena, Edits, 1);
    *edits = (Edits){.file = file};
    *vec_push(&counters->edits) = edits;
    return edits;
}

/* *is_new: nothing is written yet. part: of an argument; "": all of it. */
static size_t first_of_part(Counters *counters, CounterKind kind, Stretch at, const char *part, size_t n, bool *is_new)
{
    for (size_t i = 0; i < counters->items.count; i++) {
        const Counter *counter = &counters->items.items[i];
        *is_new = false;
        if (counter->kind == kind && counter->at.file == at.file && counter->at.from == at.from &&
            counter->at.to == at.to && strcmp(counter->part, part) == 0)
            return counter->first;
    }
    *is_new = true;
    *vec_push(&counters->items) = (Counter){kind, at, part, counters->n};
    counters->n += n;
    return counters->n - n;
}

static size_t first_of(Counters *counters, CounterKind kind, Stretch at, size_t n, bool *is_new)
{
    return first_of_part(counters, kind, at, "", n, is_new);
}

static void insert(Counters *counters, const WrittenFile *file, Insertion insertion)
{
    *vec_push(&edits_of(counters, file)->items) = insertion;
}

/* ---- Conditions ---- */

static Stretch loop_word(Counters *counters, const SourceStatement *loop)
{
    static const char *const words[] = {"for", "while", "do"};
    Stretch word = {NULL, 0, 0};
    for (size_t i = 0; i < sizeof words / sizeof *words && !word.file; i++)
        word = written_word(&counters->files, &loop->place, words[i]);
    return word;
}

/* A condition is the statement's own. The loop that firma makes of an endless one has that of an `if` in it. */
static bool is_of_statement(Counters *counters, const SourceExpression *condition, const SourceStatement *statement)
{
    Stretch word = statement->kind == SOURCE_IF ? written_word(&counters->files, &statement->place, "if")
                                                : loop_word(counters, statement);
    Stretch own = written_expression(&counters->files, condition, NULL);
    if (!word.file || own.file != word.file)
        return false;
    return !condition->is_opposite || written_is_behind(own, "if");
}

static Stretch condition_stretch(Counters *counters, const SourceExpression *condition, const SourceExpression *around,
                                 const SourceStatement *statement)
{
    if (!around && !is_of_statement(counters, condition, statement))
        return (Stretch){NULL, 0, 0};
    return written_expression(&counters->files, condition, around);
}

const char *counters_condition(Counters *counters, const SourceExpression *condition, const SourceExpression *around,
                               const SourceStatement *statement, size_t *first)
{
    const Stretch at = condition_stretch(counters, condition, around, statement);
    bool is_new;
    if (!at.file)
        return IN_MACRO;
    *first = first_of(counters, COUNTER_CONDITION, at, 2, &is_new);
    if (is_new)
        edits_around(edits_of(counters, at.file), at.from, at.to,
                     arena_printf(counters->arena, "firma_truth(%zu, (", *first), ") != 0)");
    return NULL;
}

static bool is_edited(Counters *counters, Stretch condition)
{
    const Edits *edits = edits_of(counters, condition.file);
    for (size_t i = 0; i < edits->items.count; i++)
        if (edits->items.items[i].at == condition.from && edits->items.items[i].other == condition.to)
            return true;
    return false;
}

const char *counters_macro(Counters *counters, const SourcePlace *place, size_t *first)
{
    MacroConditions conditions = {0};
    const Stretch use = macro_use(&counters->files, place, &conditions);
    bool is_new = false;
    if (!(counters->may & COUNT_IN_MACROS) || !use.file || !conditions.count) {
        vec_free(&conditions);
        return IN_MACRO;
    }
    *first = first_of(counters, COUNTER_MACRO, use, 2, &is_new);
    if (is_new)
        edits_around(edits_of(counters, use.file), use.from, use.to,
                     arena_printf(counters->arena, "__extension__({ enum { firma_site = %zu }; ", *first), "; })");
    for (size_t i = 0; i < conditions.count; i++)
        if (!is_edited(counters, conditions.items[i]))
            edits_around(edits_of(counters, use.file), conditions.items[i].from, conditions.items[i].to,
                         "firma_truth(firma_site, (", ") != 0)");
    counters->has_made |= COUNT_IN_MACROS;
    vec_free(&conditions);
    return NULL;
}

/* ---- Loops ---- */

const char *counters_loop(Counters *counters, const SourceStatement *loop, size_t *first)
{
    const Stretch word = loop_word(counters, loop);
    bool is_new;
    if (!word.file)
        return IN_MACRO;
    if (written_after_directive(word))
        return "a directive for the compiler stands before the loop";
    *first = first_of(counters, COUNTER_LOOP, word, 3, &is_new);
    if (is_new)
        insert(counters, word.file,
               (Insertion){word.from, INSERT_BEFORE_STATEMENT, 0,
                           arena_printf(counters->arena, "if (firma_begin(%zu)) {} else ", *first)});
    return NULL;
}

/* Without a condition, or with one that always holds, iterations count where the condition stands. */
static const char *endless_iterations(Counters *counters, const SourceStatement *loop,
                                      const SourceExpression *condition, size_t *first)
{
    const Stretch word = loop_word(counters, loop);
    Stretch at = {NULL, 0, 0};
    bool is_new;
    if (!word.file)
        return IN_MACRO;
    if (condition && is_of_statement(counters, condition, loop))
        at = written_expression(&counters->files, condition, NULL);
    else if (!condition && written_semicolon(word, 1) != SIZE_MAX)
        at = (Stretch){word.file, written_semicolon(word, 1), written_semicolon(word, 1)};
    if (!at.file)
        return IN_MACRO;
    *first = first_of(counters, COUNTER_CONDITION, at, 2, &is_new);
    if (is_new)
        insert(counters, at.file,
               (Insertion){
                   at.from, INSERT_BEFORE, at.to,
                   arena_printf(counters->arena, condition ? "firma_reach(%zu), " : "firma_truth(%zu, 1)", *first)});
    return NULL;
}

const char *counters_iterations(Counters *counters, const SourceStatement *loop, size_t *first, bool *adds_reached)
{
    const LoopParts parts = loop_parts(loop);
    const SourceExpression *condition = parts.condition;
    *adds_reached = parts.tests_last;
    if (condition_is_true(condition))
        return parts.tests_last ? "its condition always holds" : endless_iterations(counters, loop, condition, first);
    const char *why = counters_condition(counters, condition, NULL, loop, first);
    if (!why && condition->is_opposite)
        ++*first;
    return why;
}

/* ---- Bounds of loops ---- */

static bool has_effects(const SourceExpression *expression, void *self)
{
    (void)self;
    return expression->kind == SOURCE_CALL || expression->kind == SOURCE_ASSIGN ||
           expression->kind == SOURCE_INCREMENT || expression->kind == SOURCE_UNKNOWN || expression->kind == SOURCE_NEW;
}

typedef struct Step {
    const SourceVariable *variable;
    double by;
    unsigned n; /* assignments of the variable */
} Step;

static bool take_step(const SourceExpression *expression, void *self)
{
    Step *step = self;
    const bool assigns = expression->kind == SOURCE_ASSIGN || expression->kind == SOURCE_INCREMENT;
    const SourceExpression *target = assigns ? without_casts(expression->operands[0]) : NULL;
    if (!target || target->kind != SOURCE_VARIABLE || target->variable != step->variable)
        return false;
    const SourceExpression *by = expression->n_operands > 1 ? without_casts(expression->operands[1]) : NULL;
    step->n++;
    if (!by)
        step->by = operator_is(expression, "++") ? 1 : -1;
    else if (by->kind == SOURCE_NUMBER && (operator_is(expression, "+=") || operator_is(expression, "-=")))
        step->by = operator_is(expression, "+=") ? by->value : -by->value;
    else
        step->by = NAN;
    return false;
}

static double step_of(const SourceStatement *loop, const SourceExpression *side)
{
    Step step = {.by = NAN};
    const SourceExpression *variable = without_casts(side);
    const LoopParts parts = loop_parts(loop);
    if (variable->kind != SOURCE_VARIABLE || variable->type == CPU_REFERENCE)
        return NAN;
    step.variable = variable->variable;
    if (parts.step)
        source_any_in_expression(parts.step, take_step, &step);
    source_any_in(parts.body, take_step, &step);
    return step.n == 1 ? step.by : NAN;
}

/* What may fail where it isn't guarded: a load, or a quotient. */
static bool may_fail(const SourceExpression *expression, void *self)
{
    (void)self;
    return expression->kind == SOURCE_ELEMENT || expression->kind == SOURCE_DEREFERENCE ||
           expression->kind == SOURCE_FIELD || operator_is(expression, "/") || operator_is(expression, "%");
}

/* Whether the comparison is the first part of the condition, so that nothing guards it. */
static bool is_first_part(const SourceExpression *condition, const SourceExpression *comparison)
{
    condition = without_casts(condition);
    while (operator_is(condition, "&&"))
        condition = without_casts(condition->operands[0]);
    return condition == comparison;
}

static const char *side_text(Counters *counters, const SourceExpression *side, const SourceExpression *comparison)
{
    const Stretch at = written_expression(&counters->files, side, comparison);
    if (!at.file || side->type == CPU_REFERENCE || source_any_in_expression(side, has_effects, NULL))
        return NULL;
    return written_text(at, counters->arena);
}

/* As C: how many iterations the comparison allows from now on. NULL: that isn't known. */
static const char *steps_text(Counters *counters, const SourceStatement *loop, const SourceExpression *comparison)
{
    double left = step_of(loop, comparison->operands[0]), right = step_of(loop, comparison->operands[1]);
    const char *texts[2];
    const bool is_strict = strlen(comparison->operator) == 1, is_unequal = operator_is(comparison, "!=");
    for (size_t i = 0; i < 2; i++)
        if (!(texts[i] = side_text(counters, comparison->operands[i], comparison)))
            return NULL;
    const double by = !isnan(left) ? left : -right; /* of left - right */
    if (isnan(left) == isnan(right) || by == 0)
        return NULL;
    const bool is_up = comparison->operator[0] == '<' ||(is_unequal && by > 0);
    if (!strchr("<>", comparison->operator[0]) && !is_unequal)
        return NULL;
    if (is_up != (by > 0))
        return NULL;
    return arena_printf(counters->arena, "firma_steps((double)(%s) - (double)(%s), %.17g, %d)", texts[is_up ? 1 : 0],
                        texts[is_up ? 0 : 1], fabs(by), is_strict || is_unequal);
}

const char *counters_bound(Counters *counters, const AnalysisCount *count, size_t *first)
{
    static const char UNKNOWN[] = "how many iterations its condition allows isn't counted";
    const SourceStatement *loop = count->statement;
    const LoopParts parts = loop_parts(loop);
    size_t condition;
    const char *all = NULL, *why = counters_loop(counters, loop, first);
    if (why)
        return why;
    if (parts.tests_last || !count->n_bounds || condition_is_true(parts.condition))
        return UNKNOWN;
    for (size_t i = 0; i < count->n_bounds; i++) {
        const bool is_guarded = !is_first_part(parts.condition, count->bounds[i]) &&
                                source_any_in_expression(count->bounds[i], may_fail, NULL);
        const char *steps = is_guarded ? NULL : steps_text(counters, loop, count->bounds[i]);
        if (!steps)
            return UNKNOWN;
        all = all ? arena_printf(counters->arena, "firma_least(%s, %s)", all, steps) : steps;
    }
    if ((why = counters_condition(counters, parts.condition, NULL, loop, &condition)))
        return why;
    const Stretch at = written_expression(&counters->files, parts.condition, NULL);
    bool is_new;
    first_of(counters, COUNTER_LOOP, at, 0, &is_new);
    if (is_new) /* outside of the condition's own counter */
        insert(counters, at.file,
               (Insertion){at.from, INSERT_BEFORE, SIZE_MAX,
                           arena_printf(counters->arena, "firma_bound(%zu, %zu, %s), ", *first, *first + 2, all)});
    return NULL;
}

/* ---- Others ---- */

/* As C: the number of the case to which a value jumps. NULL: a label isn't known. */
static const char *jump_text(Counters *counters, const SourceStatement *statement, size_t first)
{
    Text text = {0};
    size_t other = statement->n_children;
    bool is_known = true;
    for (size_t i = 0; i < statement->n_children; i++) {
        const SourceStatement *one = statement->children[i];
        for (size_t k = 0; k < one->n_expressions; k++) {
            const SourceExpression *label = without_casts(one->expressions[k]);
            is_known = is_known && label->kind == SOURCE_NUMBER && fabs(label->value) < 0x1p53;
            text_add(&text, "firma_value == %.0fLL%s", label->value, k + 1 < one->n_expressions ? " || " : "");
        }
        if (one->n_expressions)
            text_add(&text, " ? %zu : ", first + i);
        else
            other = i;
    }
    text_add(&text, "%zu", first + other);
    const char *all = text_take(&text, counters->arena);
    return is_known ? all : NULL;
}

/* A value that is looked at before it is used. */
static void look_at(Counters *counters, Stretch at, const char *look)
{
    edits_around(edits_of(counters, at.file), at.from, at.to, "__extension__({ __auto_type firma_value = (",
                 arena_printf(counters->arena, "); %s; firma_value; })", look));
}

const char *counters_switch(Counters *counters, const SourceStatement *statement, size_t *first)
{
    const Stretch word = written_word(&counters->files, &statement->place, "switch"),
                  at = written_expression(&counters->files, statement->expressions[0], NULL);
    const char *jump;
    bool is_new;
    if (!word.file || !at.file)
        return IN_MACRO;
    if (!jump_text(counters, statement, 0))
        return "a label of the switch isn't known";
    *first = first_of(counters, COUNTER_SWITCH, at, statement->n_children + 1, &is_new);
    jump = jump_text(counters, statement, *first);
    if (is_new)
        look_at(counters, at, arena_printf(counters->arena, "firma_reach(%s)", jump));
    return NULL;
}

const char *counters_function(Counters *counters, const SourceFunction *function, size_t *first)
{
    const Stretch brace = written_character(&counters->files, &function->body->place, '{');
    bool is_new;
    if (!brace.file)
        return IN_MACRO;
    *first = first_of(counters, COUNTER_FUNCTION, brace, 2, &is_new);
    if (is_new)
        insert(counters, brace.file,
               (Insertion){brace.to, INSERT_IN_BLOCK, 0,
                           arena_printf(counters->arena,
                                        " static __thread unsigned firma_depth; __attribute__((cleanup(firma_leave), "
                                        "unused)) unsigned *firma_inside = firma_enter(%zu, &firma_depth);",
                                        *first)});
    return NULL;
}

/* As C: counts the part of firma_value. A function doesn't use it where a pointer on the way there is NULL. */
static const char *part_text(Counters *counters, const char *access, size_t first)
{
    Text text = {0};
    text_add(&text, "if (1");
    for (size_t i = 0; access[i]; i++)
        if (access[i] == '[' || (access[i] == '-' && access[i + 1] == '>'))
            text_add(&text, " && firma_value%.*s", (int)i, access);
    text_add(&text, ") firma_mean(%zu, (double)firma_value%s)", first, access);
    return text_take(&text, counters->arena);
}

/* Why the part of an argument can't be counted; NULL: it can. */
static const char *refuse_part(const Counters *counters, const AnalysisCount *count, const SourceExpression *argument)
{
    if (!(counters->may & COUNT_PARTS))
        return NOT_COMPILED;
    const char *held = argument->is_structure ? argument->held : argument->pointee;
    if (!count->access.text)
        return "the function doesn't reach it by fields alone";
    if (access_is_cast(argument) || !held || !count->access.held || strcmp(held, count->access.held) != 0)
        return "another type is passed";
    return NULL;
}

static const char *refuse_argument(const Counters *counters, const AnalysisCount *count,
                                   const SourceExpression *argument)
{
    if (argument && count->is_part && count->expression->name)
        return refuse_part(counters, count, argument);
    return !argument || argument->type == CPU_REFERENCE || argument->is_structure || !count->expression->name
               ? "it isn't a number that is passed"
               : NULL;
}

const char *counters_argument(Counters *counters, const AnalysisCount *count, size_t *first)
{
    const SourceExpression *call = count->expression,
                           *argument = count->index < call->n_operands ? call->operands[count->index] : NULL;
    const char *why = refuse_argument(counters, count, argument);
    if (why)
        return why;
    const Stretch word = written_word(&counters->files, &call->place, call->name),
                  at = written_expression(&counters->files, argument, call);
    bool is_new;
    if (!word.file || !at.file)
        return IN_MACRO;
    if (strchr(written_text(at, counters->arena), '{')) /* a compound literal lives as long as the block around it */
        return "it has a block of its own";
    *first = first_of_part(counters, COUNTER_MEAN, at, count->is_part ? count->access.text : "", 2, &is_new);
    counters->has_made |= count->is_part ? COUNT_PARTS : 0;
    if (is_new)
        look_at(counters, at,
                count->is_part ? part_text(counters, count->access.text, *first)
                               : arena_printf(counters->arena, "firma_mean(%zu, (double)firma_value)", *first));
    return NULL;
}

/* firma_strlen(4, text) in place of strlen(text). */
const char *counters_text(Counters *counters, const AnalysisCount *count, size_t *first)
{
    const SourceExpression *call = count->expression;
    if (!call->name)
        return "it's called through a pointer";
    const Stretch word = written_word(&counters->files, &call->place, call->name);
    const size_t bracket = word.file ? written_bracket(word) : SIZE_MAX;
    bool is_new;
    if (!(counters->may & COUNT_PARTS))
        return NOT_COMPILED;
    if (strncmp(call->name, "__", 2) == 0)
        return "it's called by the compiler's own name";
    if (bracket == SIZE_MAX)
        return IN_MACRO;
    *first = first_of(counters, COUNTER_MEAN, word, 2, &is_new);
    counters->has_made |= COUNT_PARTS;
    if (is_new) {
        insert(counters, word.file, (Insertion){word.from, INSERT_BEFORE, word.to, "firma_"});
        insert(counters, word.file,
               (Insertion){bracket, INSERT_BEFORE, SIZE_MAX, arena_printf(counters->arena, "%zu, ", *first)});
    }
    return NULL;
}

void counters_end(Counters *counters)
{
    for (size_t i = 0; i < counters->edits.count; i++)
        vec_free(&counters->edits.items[i]->items);
    vec_free(&counters->edits);
    vec_free(&counters->items);
    written_end(&counters->files);
}
