/* SPDX-License-Identifier: BSD-3-Clause */
/* See reach.h. An index depends on variables, and these on what the loop assigns to them. If a variable depends on
 * itself by what memory holds, each iteration waits for the one before. */
#include "cost/source/program/reach.h"

#include "base/vec.h"
#include "cost/source/program/syntax.h"
#include <string.h>

/* Larger factors are those of random numbers and of hashes. */
static const double LARGEST_FANOUT = 8;
/* Of loops with more assignments than this, nothing is said: the search takes the square of their number. */
enum { MOST_STEPS = 64 };

/* A condition around an assignment. */
typedef struct Inside {
    const SourceExpression *condition;
    const struct Inside *outer;
} Inside;

/* An assignment in the loop. */
typedef struct Step {
    const SourceVariable *variable;
    const SourceExpression *value;  /* NULL: by a constant */
    const SourceExpression *choice; /* the innermost condition around it that loads; NULL: none */
} Step;

typedef struct Reaching {
    VEC(Step) steps;
    VEC(const SourceVariable *) variables; /* on which the index depends */
} Reaching;

static bool is_number(const SourceExpression *expression)
{
    return without_casts(expression)->kind == SOURCE_NUMBER;
}

static bool is_load(const SourceExpression *expression)
{
    return expression->kind == SOURCE_ELEMENT || expression->kind == SOURCE_DEREFERENCE ||
           expression->kind == SOURCE_FIELD;
}

static bool is_any_load(const SourceExpression *expression, void *unused)
{
    (void)unused;
    return is_load(expression);
}

/* ---- The loop's assignments ---- */

/* i = i + 1 */
static bool is_constant_step(const SourceVariable *variable, const SourceExpression *value)
{
    value = without_casts(value);
    bool is_sum = operator_is(value, "+") || operator_is(value, "-");
    return is_sum && value->n_operands == 2 && is_variable(value->operands[0], variable) &&
           is_number(value->operands[1]);
}

static void add_step(Reaching *reaching, const SourceVariable *variable, const SourceExpression *value,
                     const Inside *inside)
{
    bool is_constant = value && is_constant_step(variable, value);
    const SourceExpression *choice = NULL;
    for (; inside && !choice; inside = inside->outer)
        choice = source_any_in_expression(inside->condition, is_any_load, NULL) ? inside->condition : NULL;
    *vec_push(&reaching->steps) = (Step){variable, is_constant ? NULL : value, choice};
}

static void add_expression(Reaching *reaching, const SourceExpression *expression, const Inside *inside)
{
    if (!expression)
        return;
    bool assigns = expression->kind == SOURCE_ASSIGN || expression->kind == SOURCE_INCREMENT;
    const SourceExpression *target = assigns ? without_casts(expression->operands[0]) : NULL;
    if (target && target->kind == SOURCE_VARIABLE) {
        bool is_constant =
            expression->kind == SOURCE_INCREMENT ||
            ((operator_is(expression, "+=") || operator_is(expression, "-=")) && is_number(expression->operands[1]));
        bool is_plain = operator_is(expression, "=");
        add_step(reaching, target->variable,
                 is_constant ? NULL
                 : is_plain  ? expression->operands[1]
                             : expression,
                 inside);
    }
    const Inside chosen = {expression->n_operands ? expression->operands[0] : NULL, inside};
    bool chooses =
        expression->kind == SOURCE_CONDITIONAL || operator_is(expression, "&&") || operator_is(expression, "||");
    for (size_t i = 0; i < expression->n_operands; i++)
        add_expression(reaching, expression->operands[i], chooses && i ? &chosen : inside);
}

static void add_statement(Reaching *reaching, const SourceStatement *statement, const Inside *inside)
{
    if (!statement)
        return;
    if (statement->kind == SOURCE_DECLARE && statement->n_expressions && statement->expressions[0])
        add_step(reaching, statement->variable, statement->expressions[0], inside);
    const Inside chosen = {statement->n_expressions ? statement->expressions[0] : NULL, inside};
    bool chooses = statement->kind == SOURCE_IF && chosen.condition;
    for (size_t i = 0; i < statement->n_expressions; i++)
        add_expression(reaching, statement->expressions[i], inside);
    for (size_t i = 0; i < statement->n_children; i++)
        add_statement(reaching, statement->children[i], chooses ? &chosen : inside);
}

/* ---- Dependences ---- */

typedef VEC(const SourceVariable *) Variables;

static bool has(const Variables *variables, const SourceVariable *variable)
{
    for (size_t i = 0; i < variables->count; i++)
        if (variables->items[i] == variable)
            return true;
    return false;
}

static void add_variables(Variables *variables, const SourceExpression *expression)
{
    if (expression->kind == SOURCE_VARIABLE && !has(variables, expression->variable))
        *vec_push(variables) = expression->variable;
    for (size_t i = 0; i < expression->n_operands; i++)
        add_variables(variables, expression->operands[i]);
}

/* All on which the expression depends in the loop. */
static void close_over(const Reaching *reaching, const SourceExpression *expression, Variables *variables)
{
    add_variables(variables, expression);
    for (size_t i = 0; i < variables->count; i++)
        for (size_t k = 0; k < reaching->steps.count; k++) {
            const Step *step = &reaching->steps.items[k];
            if (step->variable == variables->items[i] && step->value)
                add_variables(variables, step->value);
        }
}

static bool depends_on(const Reaching *reaching, const SourceExpression *expression, const SourceVariable *variable)
{
    Variables variables = {0};
    close_over(reaching, expression, &variables);
    bool found = has(&variables, variable);
    vec_free(&variables);
    return found;
}

/* Whether the expression loads from an address that depends on the variable. A choice's condition counts apart. */
static bool loads_by(const Reaching *reaching, const SourceExpression *expression, const SourceVariable *variable)
{
    if (is_load(expression) && depends_on(reaching, expression->operands[expression->n_operands - 1], variable))
        return true;
    for (size_t i = expression->kind == SOURCE_CONDITIONAL; i < expression->n_operands; i++)
        if (loads_by(reaching, expression->operands[i], variable))
            return true;
    return false;
}

static bool is_small_factor(const SourceExpression *number, bool is_shift)
{
    double value = without_casts(number)->value;
    return is_number(number) && value > 0 && (is_shift ? value <= 3 : value > 1 && value <= LARGEST_FANOUT);
}

/* child = 2*i + 1; middle = (low + high)/2 */
static bool scales(const Reaching *reaching, const SourceExpression *value, const SourceVariable *variable)
{
    bool is_shift =
        operator_is(value, "<<") || operator_is(value, ">>") || operator_is(value, "<<=") || operator_is(value, ">>=");
    bool is_scaled = is_shift || operator_is(value, "*") || operator_is(value, "/") || operator_is(value, "*=") ||
                     operator_is(value, "/=");
    for (size_t i = 0; i < 2 && is_scaled && value->n_operands == 2; i++)
        if (is_small_factor(value->operands[1 - i], is_shift) && depends_on(reaching, value->operands[i], variable))
            return true;
    for (size_t i = 0; i < value->n_operands; i++)
        if (!is_load(value) && scales(reaching, value->operands[i], variable))
            return true;
    return false;
}

static Reach reach_of_step(const Reaching *reaching, const Step *step)
{
    if (!step->value)
        return REACH_IN_ORDER;
    if (step->choice && loads_by(reaching, step->choice, step->variable))
        return REACH_DESCENDS;
    if (scales(reaching, step->value, step->variable))
        return REACH_DESCENDS;
    const SourceExpression *value = without_casts(step->value);
    if (value->kind == SOURCE_CONDITIONAL && loads_by(reaching, value->operands[0], step->variable))
        return REACH_DESCENDS;
    return loads_by(reaching, step->value, step->variable) ? REACH_FOLLOWS : REACH_ANYWHERE;
}

/* Whether the index is a sum of variables and numbers. */
static bool is_plain(const SourceExpression *index)
{
    index = without_casts(index);
    bool fine = index->kind == SOURCE_VARIABLE || index->kind == SOURCE_NUMBER || operator_is(index, "+") ||
                operator_is(index, "-") || index->kind == SOURCE_INCREMENT;
    for (size_t i = 0; i < index->n_operands && fine; i++)
        fine = is_plain(index->operands[i]);
    return fine;
}

Reach reach_of(const SourceStatement *loop, const SourceExpression *index)
{
    Reaching reaching = {0};
    Variables variables = {0};
    Reach found = REACH_ANYWHERE;
    bool in_order = is_plain(index), steps = false;
    add_statement(&reaching, loop, NULL);
    if (reaching.steps.count > MOST_STEPS) {
        vec_free(&reaching.steps);
        return REACH_ANYWHERE;
    }
    close_over(&reaching, index, &variables);
    for (size_t i = 0; i < reaching.steps.count; i++) {
        const Step *step = &reaching.steps.items[i];
        if (!has(&variables, step->variable))
            continue;
        Reach reach = reach_of_step(&reaching, step);
        steps = true;
        in_order = in_order && reach == REACH_IN_ORDER;
        if (reach == REACH_FOLLOWS || (reach == REACH_DESCENDS && found == REACH_ANYWHERE))
            found = reach;
    }
    vec_free(&reaching.steps);
    vec_free(&variables);
    return in_order && steps ? REACH_IN_ORDER : found;
}
