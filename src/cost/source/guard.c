/* SPDX-License-Identifier: BSD-3-Clause */
/* See guard.h. */
#include "cost/source/guard.h"

#include <string.h>

/* ---- Conditions ---- */

static bool is_null(const SourceExpression *expression)
{
    expression = without_casts(expression);
    return expression->kind == SOURCE_NUMBER && expression->value == 0;
}

/* Whether the condition being `holds` means that all tested references are NULL. */
static bool tests_null(const SourceExpression *condition, bool holds)
{
    condition = condition_without_hints(condition);
    if (condition->kind == SOURCE_UNARY && operator_is(condition, "!"))
        return tests_null(condition->operands[0], !holds);
    if (operator_is(condition, holds ? "||" : "&&"))
        return tests_null(condition->operands[0], holds) && tests_null(condition->operands[1], holds);
    if (operator_is(condition, holds ? "==" : "!="))
        return condition->type == CPU_REFERENCE && (is_null(condition->operands[0]) || is_null(condition->operands[1]));
    return condition->type == CPU_REFERENCE && !holds && condition->kind != SOURCE_BINARY;
}

/* What the condition, being `holds`, says isn't 0, such as `status`; NULL: nothing. */
static const SourceExpression *failed_status(const SourceExpression *condition, bool holds)
{
    condition = condition_without_hints(condition);
    if (condition->kind == SOURCE_UNARY && operator_is(condition, "!"))
        return failed_status(condition->operands[0], !holds);
    bool compares = holds && (operator_is(condition, "!=") || operator_is(condition, "<"));
    if (compares && is_null(condition->operands[1]))
        condition = without_casts(condition->operands[0]);
    if (condition->kind == SOURCE_ASSIGN && operator_is(condition, "="))
        condition = without_casts(condition->operands[0]);
    return holds && condition->kind == SOURCE_VARIABLE ? condition : NULL;
}

/* Whether the condition, being `holds`, says that a call returned 0. */
static bool call_failed(const SourceExpression *condition, bool holds)
{
    condition = condition_without_hints(condition);
    if (condition->kind == SOURCE_UNARY && operator_is(condition, "!"))
        return call_failed(condition->operands[0], !holds);
    if (operator_is(condition, holds ? "||" : "&&"))
        return call_failed(condition->operands[0], holds) && call_failed(condition->operands[1], holds);
    return !holds && condition->kind == SOURCE_CALL;
}

/* ---- Returned values ---- */

/* Returns of a side, behind its condition. */
typedef struct Returns {
    const Scope *scope;
    const SourceFunction *function;
    const SourceStatement *side;
    const SourceExpression *condition;
    bool holds;
} Returns;

static bool is_above_zero(const SourceExpression *value)
{
    value = without_casts(value);
    if (value->kind == SOURCE_CONDITIONAL)
        return is_above_zero(value->operands[1]) || is_above_zero(value->operands[2]);
    return value->kind == SOURCE_NUMBER && value->value > 0;
}

static bool returns_above_zero(const SourceStatement *statement)
{
    if (!statement)
        return false;
    if (statement->kind == SOURCE_RETURN && statement->n_expressions && is_above_zero(statement->expressions[0]))
        return true;
    for (size_t i = 0; i < statement->n_children; i++)
        if (returns_above_zero(statement->children[i]))
            return true;
    return false;
}

/* What the side assigns to a variable; NULL: nothing. */
static const SourceExpression *assigned_value(const SourceStatement *statement, const SourceVariable *variable)
{
    const SourceExpression *value = NULL;
    if (!statement)
        return NULL;
    if (statement->kind == SOURCE_EXPRESSION) {
        const SourceExpression *expression = statement->expressions[0];
        bool is_assigned = expression->kind == SOURCE_ASSIGN && operator_is(expression, "=") &&
                           expression->operands[0]->kind == SOURCE_VARIABLE &&
                           expression->operands[0]->variable == variable;
        return is_assigned ? without_casts(expression->operands[1]) : NULL;
    }
    for (size_t i = 0; i < statement->n_children; i++) {
        const SourceExpression *later = assigned_value(statement->children[i], variable);
        value = later ? later : value;
    }
    return value;
}

/* The number that is returned: itself, or as a variable's value. (A reference's value is a length.) */
static bool returned_number(const Returns *returns, const SourceExpression *value, double *number)
{
    const SourceExpression *assigned =
        value->kind == SOURCE_VARIABLE ? assigned_value(returns->side, value->variable) : NULL;
    value = assigned ? assigned : value;
    *number = value->value;
    return value->kind == SOURCE_NUMBER ||
           (value->kind == SOURCE_VARIABLE && !assigned && value->type != CPU_REFERENCE &&
            amount_is_number(variable_value(returns->scope, value->variable), number));
}

/* Whether a returned value stands for an error. */
static bool is_error(const Returns *returns, const SourceExpression *value)
{
    const SourceExpression *status = failed_status(returns->condition, returns->holds);
    double number;
    value = without_casts(value);
    if (status && status->kind == SOURCE_VARIABLE && value->kind == SOURCE_VARIABLE &&
        value->variable == status->variable)
        return true;
    if (!returned_number(returns, value, &number))
        return false;
    if (number < 0) /* of floating-point values, -1 is an answer as any other */
        return type_is_whole(returns->function->return_type) && !returns_above_zero(returns->function->body);
    if (number > 0)
        return strcmp(returns->function->name, "main") == 0;
    return returns->function->return_type == CPU_REFERENCE || call_failed(returns->condition, returns->holds);
}

/* Whether all returns below the statement are of errors. */
static bool returns_errors(const Returns *returns, const SourceStatement *statement)
{
    if (!statement)
        return true;
    if (statement->kind == SOURCE_RETURN && !(statement->n_expressions && is_error(returns, statement->expressions[0])))
        return false;
    for (size_t i = 0; i < statement->n_children; i++)
        if (!returns_errors(returns, statement->children[i]))
            return false;
    return true;
}

/* ---- Calls that never return ---- */

/* exit(0) ends a program as it should end. */
static bool is_success(const SourceExpression *call)
{
    static const char *const names[] = {"exit", "_exit", "_Exit", "quick_exit", "System.exit"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(call->name, names[i]) == 0)
            return call->n_operands && is_null(call->operands[0]);
    return false;
}

/* A search for exit(0), also in functions that never return. */
typedef struct Success {
    const Generator *all;
    unsigned depth; /* of calls that are followed */
} Success;

static bool succeeds(const Generator *all, const SourceStatement *statement, unsigned depth);

static bool is_successful_end(const SourceExpression *expression, void *self)
{
    const Success *search = self;
    if (!expression->never_returns || !expression->name)
        return false;
    const SourceFunction *function = source_find(search->all->program, expression->name);
    return function ? search->depth && succeeds(search->all, function->body, search->depth - 1)
                    : is_success(expression);
}

static bool succeeds(const Generator *all, const SourceStatement *statement, unsigned depth)
{
    return source_any_in(statement, is_successful_end, &(Success){all, depth});
}

enum { CALLS_FOLLOWED = 4 };

bool expression_gives_up(const Generator *all, const SourceExpression *expression)
{
    return expression_never_returns(expression) &&
           !source_any_in_expression(expression, is_successful_end, &(Success){all, CALLS_FOLLOWED});
}

bool case_gives_up(const Scope *scope, const SourceStatement *statement, size_t i)
{
    for (; i < statement->n_children; i++) {
        const SourceStatement *one_case = statement->children[i];
        unsigned ends = ends_of(one_case);
        if (succeeds(scope->all, one_case, CALLS_FOLLOWED) || (ends & ~(unsigned)(ENDS_NORMALLY | ENDS_NEVER)))
            return false;
        if (ends == ENDS_NEVER || !one_case->falls_through)
            return ends == ENDS_NEVER;
    }
    return false;
}

/* ---- Guards ---- */

static bool gives_up(const Scope *scope, const SourceStatement *choice, int side, bool in_endless_loop)
{
    const SourceStatement *branch = (size_t)side < choice->n_children ? choice->children[side] : NULL;
    unsigned ends = ends_of(branch);
    const Returns returns = {scope, scope->function, branch, choice->expressions[0], side == 0};
    if (!branch || (ends & ~(unsigned)ENDS_FUNCTION))
        return false;
    if (succeeds(scope->all, branch, CALLS_FOLLOWED))
        return false;
    if (ends == ENDS_NEVER)
        return true;
    if (in_endless_loop || !scope->function || calls_reach(scope->all, scope->function, scope->function))
        return false;
    return tests_null(returns.condition, returns.holds) || returns_errors(&returns, branch);
}

bool side_gives_up(const Scope *scope, const SourceStatement *choice, int side)
{
    return gives_up(scope, choice, side, scope->loop && scope->loop->is_endless);
}

typedef struct WithoutGuards {
    LeftOut left_out; /* first, since is_guard() gets a pointer to it */
    const Scope *scope;
    bool is_endless;
} WithoutGuards;

static bool is_guard(const LeftOut *left_out, const SourceStatement *choice, int side)
{
    const WithoutGuards *without = (const WithoutGuards *)left_out;
    return gives_up(without->scope, choice, side, without->is_endless);
}

unsigned ends_without_guards(const Scope *scope, const SourceStatement *body, bool is_endless)
{
    const WithoutGuards without = {{is_guard}, scope, is_endless};
    return ends_without(body, &without.left_out);
}
