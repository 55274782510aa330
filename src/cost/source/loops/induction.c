/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds inductions: variables that change once in each iteration, always by the same rule. With
 * them, the counts of `for` and `while` loops become expressions. */
#include "cost/source/loops/counting.h"

#include <string.h>

typedef struct Search {
    Scope *scope;
    const AssignedSet *assigned;
    Snapshot before; /* before the loop */
    VEC(Induction) found;
} Search;

/* Adds the rule `variable OPERATOR amount`, if it is one that induction_value() can follow. */
static void add_rule(Search *search, const SourceVariable *variable, const char *operator, Amount amount,
                     bool in_condition)
{
    Scope *scope = search->scope;
    Snapshot inside = variables_save(scope);
    variables_restore(scope, &search->before);
    Induction induction = {variable, INDUCTION_ADD, variable_value(scope, variable), amount, in_condition};
    variables_restore(scope, &inside);
    double number = 0;
    bool is_number = amount_is_number(amount, &number);
    char c = operator[0];
    if (!induction.start.expr || !amount.expr)
        return;
    if (c == '-')
        induction.amount = amount_subtract(scope->space, amount_number(scope->space, 0), amount);
    if ((c == '<' || c == '>') && (!is_number || number < 1 || number > 50))
        return;
    if (c == '<' || c == '>')
        number = (double)(1ULL << (unsigned)number), induction.amount = amount_number(scope->space, number);
    if (c == '*' && is_number && number > 0 && number < 1)
        c = '/', number = 1 / number, induction.amount = amount_number(scope->space, number);
    if (c == '*' || c == '<')
        induction.kind = INDUCTION_MULTIPLY;
    else if (c == '/' || c == '>')
        induction.kind = INDUCTION_DIVIDE;
    if (induction.kind != INDUCTION_ADD && number <= 1)
        return;
    if (induction.kind == INDUCTION_ADD && is_number && number == 0)
        return;
    *vec_push(&search->found) = induction;
}

/* Adds the rule of i = i + c, i = c + i, i = i*c, … */
static void add_assignment(Search *search, const SourceExpression *update, bool in_condition)
{
    static const char known[] = "+-*/";
    const SourceVariable *variable = without_casts(update->operands[0])->variable;
    const SourceExpression *right = without_casts(update->operands[1]);
    const char *operator= update->operator;
    if (strlen(operator) == 1) {
        if (right->kind != SOURCE_BINARY)
            return;
        operator= right->operator;
        bool is_left = is_variable(right->operands[0], variable), is_right = is_variable(right->operands[1], variable);
        if (is_left == is_right || (is_right && operator[0] != '+' && operator[0] != '*'))
            return;
        right = right->operands[is_left ? 1 : 0];
    }
    if (strchr(known, operator[0]) || strncmp(operator, "<<", 2) == 0 || strncmp(operator, ">>", 2) == 0)
        add_rule(search, variable, operator, amount_of(search->scope, right), in_condition);
}

static void add_update(Search *search, const SourceExpression *update, bool in_condition)
{
    update = without_casts(update);
    bool by_one;
    const SourceVariable *list = resized_variable(update, &by_one);
    if (list && by_one && !list->is_global && assigned_count(search->assigned, list) == 1)
        add_rule(search, list, "++", amount_number(search->scope->space, 1), in_condition);
    if (update->kind == SOURCE_COMMA)
        for (size_t i = 0; i < update->n_operands; i++)
            add_update(search, update->operands[i], in_condition);
    if (update->kind != SOURCE_ASSIGN && update->kind != SOURCE_INCREMENT)
        return;
    const SourceExpression *target = without_casts(update->operands[0]);
    if (target->kind != SOURCE_VARIABLE || target->variable->is_global ||
        assigned_count(search->assigned, target->variable) != 1)
        return;
    if (update->kind == SOURCE_INCREMENT)
        add_rule(search, target->variable, update->operator, amount_number(search->scope->space, 1), in_condition);
    else
        add_assignment(search, update, in_condition);
}

/* Adds updates that are always evaluated with the condition. */
static void add_of_condition(Search *search, const SourceExpression *condition)
{
    condition = without_casts(condition);
    add_update(search, condition, true);
    bool is_logical = operator_is(condition, "&&") || operator_is(condition, "||");
    if (condition->kind == SOURCE_BINARY)
        add_of_condition(search, condition->operands[0]);
    if (condition->kind == SOURCE_BINARY && !is_logical)
        add_of_condition(search, condition->operands[1]);
}

/* Adds updates of the body that each iteration reaches. */
static void add_of_body(Search *search, const SourceStatement *body)
{
    if (body && body->kind == SOURCE_EXPRESSION)
        add_update(search, body->expressions[0], false);
    for (size_t i = 0; body && body->kind == SOURCE_BLOCK && i < body->n_children; i++) {
        if (body->children[i] && (ends_of(body->children[i]) & ENDS_CONTINUE))
            return;
        add_of_body(search, body->children[i]);
    }
}

Inductions inductions_find(Scope *scope, const LoopParts *parts, const AssignedSet *assigned)
{
    Search search = {.scope = scope, .assigned = assigned, .before = variables_save(scope)};
    variables_forget(scope, assigned);
    if (parts->step)
        add_update(&search, parts->step, false);
    if (parts->condition)
        add_of_condition(&search, parts->condition);
    add_of_body(&search, parts->body);
    variables_restore(scope, &search.before);
    Inductions found = {search.found.count, vec_copy(&search.found, scope->all->arena)};
    vec_free(&search.found);
    return found;
}

Amount induction_value(const Scope *scope, const Induction *induction, Amount k)
{
    if (induction->kind == INDUCTION_ADD)
        return amount_add(scope->space, induction->start, amount_multiply(scope->space, induction->amount, k));
    bool is_whole = induction->start.is_whole && induction->amount.is_whole;
    Amount power = amount_function(scope->space, EXPR_POW, induction->amount, k, induction->amount.is_whole);
    if (induction->kind == INDUCTION_MULTIPLY)
        return amount_multiply(scope->space, induction->start, power);
    Amount quotient = amount_divide(scope->space, induction->start, power);
    return is_whole ? amount_floor(scope->space, quotient) : quotient;
}
