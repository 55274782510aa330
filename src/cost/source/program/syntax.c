/* SPDX-License-Identifier: BSD-3-Clause */
/* See syntax.h. */
#include "cost/source/program/syntax.h"

#include <string.h>

bool type_is_whole(CpuType type)
{
    return type == CPU_INT8 || type == CPU_INT16 || type == CPU_INT32 || type == CPU_INT64 || type == CPU_REFERENCE;
}

bool operator_is(const SourceExpression *expression, const char *operator)
{
    return expression->operator&& strcmp(expression->operator, operator) == 0;
}

const SourceExpression *without_casts(const SourceExpression *expression)
{
    while (expression && expression->kind == SOURCE_CAST && expression->n_operands == 1)
        expression = expression->operands[0];
    return expression;
}

bool is_variable(const SourceExpression *expression, const SourceVariable *variable)
{
    expression = without_casts(expression);
    return expression->kind == SOURCE_VARIABLE && expression->variable == variable;
}

bool expression_is_same(const SourceExpression *a, const SourceExpression *b)
{
    a = without_casts(a);
    b = without_casts(b);
    bool is_value = a->kind == SOURCE_NUMBER || a->kind == SOURCE_VARIABLE || a->kind == SOURCE_UNARY ||
                    a->kind == SOURCE_BINARY || a->kind == SOURCE_FIELD || a->kind == SOURCE_DEREFERENCE;
    bool is_alike = is_value && a->kind == b->kind && a->variable == b->variable && a->n_operands == b->n_operands &&
                    (a->kind != SOURCE_NUMBER || a->value == b->value) &&
                    (!a->operator|| operator_is(b, a->operator)) &&
                    (a->kind != SOURCE_FIELD || (a->name && b->name && strcmp(a->name, b->name) == 0));
    for (size_t i = 0; is_alike && i < a->n_operands; i++)
        is_alike = expression_is_same(a->operands[i], b->operands[i]);
    return is_alike;
}

const SourceExpression *condition_without_hints(const SourceExpression *condition)
{
    condition = without_casts(condition);
    while (condition->kind == SOURCE_CALL && condition->name && condition->n_operands &&
           strcmp(condition->name, "__builtin_expect") == 0)
        condition = without_casts(condition->operands[0]);
    return condition;
}

LoopParts loop_parts(const SourceStatement *statement)
{
    const SourceExpression *first = statement->n_expressions ? statement->expressions[0] : NULL;
    switch (statement->kind) {
    case SOURCE_FOR:
        return (LoopParts){first, statement->n_expressions > 1 ? statement->expressions[1] : NULL,
                           statement->children[1], false};
    case SOURCE_FOR_EACH:
        return (LoopParts){NULL, NULL, statement->children[0], false};
    default:
        return (LoopParts){first, NULL, statement->children[0], statement->kind == SOURCE_DO};
    }
}

bool increments_first(const SourceExpression *increment)
{
    return increment->is_prefix;
}

bool condition_is_true(const SourceExpression *condition)
{
    return !condition || (without_casts(condition)->kind == SOURCE_NUMBER && without_casts(condition)->value != 0);
}

bool expression_never_returns(const SourceExpression *expression)
{
    expression = without_casts(expression);
    if (!expression || expression->never_returns)
        return expression;
    for (size_t i = 0; expression->kind == SOURCE_COMMA && i < expression->n_operands; i++)
        if (expression_never_returns(expression->operands[i]))
            return true;
    return false;
}

static unsigned ends_of_list(SourceStatement *const *list, size_t count, const LeftOut *left_out)
{
    unsigned ends = ENDS_NORMALLY;
    for (size_t i = 0; i < count && (ends & ENDS_NORMALLY); i++)
        ends = (ends & ~(unsigned)ENDS_NORMALLY) | ends_without(list[i], left_out);
    return ends;
}

static unsigned ends_of_loop(const SourceStatement *statement, const LeftOut *left_out)
{
    LoopParts parts = loop_parts(statement);
    unsigned inner = ends_without(parts.body, left_out), ends = inner & ENDS_FUNCTION;
    bool is_endless = statement->kind != SOURCE_FOR_EACH && condition_is_true(parts.condition) && !(inner & ENDS_BREAK);
    return is_endless ? ends : ends | ENDS_NORMALLY;
}

/* Cases that end with `break` end normally. All cases may be skipped. */
static unsigned ends_of_switch(const SourceStatement *statement, const LeftOut *left_out)
{
    unsigned ends = ENDS_NORMALLY;
    for (size_t i = 0; i < statement->n_children; i++)
        ends |= ends_without(statement->children[i], left_out);
    return ends & ~(unsigned)ENDS_BREAK;
}

static unsigned ends_of_choice(const SourceStatement *statement, const LeftOut *left_out)
{
    unsigned ends = 0;
    for (int side = 0; side < 2; side++)
        if (!left_out || !left_out->is_out(left_out, statement, side))
            ends |= ends_without((size_t)side < statement->n_children ? statement->children[side] : NULL, left_out);
    return ends;
}

unsigned ends_without(const SourceStatement *statement, const LeftOut *left_out)
{
    if (!statement)
        return ENDS_NORMALLY;
    switch (statement->kind) {
    case SOURCE_EXPRESSION:
        return expression_never_returns(statement->expressions[0]) ? ENDS_NEVER : ENDS_NORMALLY;
    case SOURCE_RETURN:
        return ENDS_RETURN;
    case SOURCE_BREAK:
        return ENDS_BREAK;
    case SOURCE_CONTINUE:
        return ENDS_CONTINUE;
    case SOURCE_BLOCK:
    case SOURCE_CASE:
    case SOURCE_NOT_UNDERSTOOD:
        return ends_of_list(statement->children, statement->n_children, left_out);
    case SOURCE_IF:
        return ends_of_choice(statement, left_out);
    case SOURCE_FOR:
    case SOURCE_WHILE:
    case SOURCE_DO:
    case SOURCE_FOR_EACH:
        return ends_of_loop(statement, left_out);
    case SOURCE_SWITCH:
        return ends_of_switch(statement, left_out);
    default:
        return ENDS_NORMALLY;
    }
}

unsigned ends_of(const SourceStatement *statement)
{
    return ends_without(statement, NULL);
}

const SourceVariable *resized_variable(const SourceExpression *expression, bool *by_one)
{
    static const char *const lists[] = {"List.",  "ArrayList.", "LinkedList.", "Deque.",        "ArrayDeque.",
                                        "Queue.", "Stack.",     "Vector.",     "PriorityQueue."};
    static const char *const growing[] = {"add", "addLast", "addFirst", "push", "offer"};
    static const char *const changing[] = {
        "add",   "addAll",    "put",      "putAll",      "remove",     "removeAll",   "clear",          "poll",
        "pop",   "append",    "insert",   "setLength",   "delete",     "retainAll",   "removeIf",       "deleteCharAt",
        "merge", "pollFirst", "pollLast", "removeFirst", "removeLast", "putIfAbsent", "computeIfAbsent"};
    const SourceExpression *object =
        expression->kind == SOURCE_COMMA && expression->n_operands == 2 ? without_casts(expression->operands[0]) : NULL;
    const SourceExpression *call = object ? without_casts(expression->operands[1]) : NULL;
    const char *dot = call && call->kind == SOURCE_CALL && call->name ? strrchr(call->name, '.') : NULL;
    *by_one = false;
    if (!dot || object->kind != SOURCE_VARIABLE)
        return NULL;
    for (size_t i = 0; i < sizeof growing / sizeof *growing; i++)
        for (size_t j = 0; j < sizeof lists / sizeof *lists && strcmp(dot + 1, growing[i]) == 0; j++)
            *by_one |= strncmp(call->name, lists[j], strlen(lists[j])) == 0;
    bool changes = *by_one;
    for (size_t i = 0; i < sizeof changing / sizeof *changing && !changes; i++)
        changes = strcmp(dot + 1, changing[i]) == 0;
    return changes ? object->variable : NULL;
}

static void assigned_add(AssignedSet *set, const SourceVariable *variable)
{
    for (size_t i = 0; i < set->items.count; i++)
        if (set->items.items[i].variable == variable) {
            set->items.items[i].count++;
            return;
        }
    *vec_push(&set->items) = (Assigned){variable, 1};
}

/* Calls of MPI that assign a known value to a variable, and don't keep its address. */
static bool tells(const SourceExpression *expression)
{
    static const char *const names[] = {"MPI_Comm_rank", "MPI_Comm_size", "PMPI_Comm_rank", "PMPI_Comm_size"};
    for (size_t i = 0; expression->kind == SOURCE_CALL && expression->name && i < sizeof names / sizeof *names; i++)
        if (strcmp(expression->name, names[i]) == 0)
            return true;
    return false;
}

void assigned_in_expression(AssignedSet *set, const SourceExpression *expression)
{
    if (!expression)
        return;
    const SourceExpression *told = tells(expression) && expression->n_operands == 2 ? expression->operands[1] : NULL;
    if (told && told->kind == SOURCE_ADDRESS && told->operands[0]->kind == SOURCE_VARIABLE) {
        assigned_add(set, told->operands[0]->variable);
        return;
    }
    bool assigns = expression->kind == SOURCE_ASSIGN || expression->kind == SOURCE_INCREMENT;
    const SourceExpression *target = expression->n_operands ? without_casts(expression->operands[0]) : NULL;
    bool by_one;
    const SourceVariable *resized = resized_variable(expression, &by_one);
    if (assigns && target && target->kind == SOURCE_VARIABLE)
        assigned_add(set, target->variable);
    if (resized)
        assigned_add(set, resized);
    if (expression->kind == SOURCE_ADDRESS && target && target->kind == SOURCE_VARIABLE)
        *vec_push(&set->addressed) = target->variable;
    for (size_t i = 0; i < expression->n_operands; i++)
        assigned_in_expression(set, expression->operands[i]);
}

void assigned_in_statement(AssignedSet *set, const SourceStatement *statement)
{
    if (!statement)
        return;
    if (statement->variable)
        assigned_add(set, statement->variable);
    for (size_t i = 0; i < statement->n_expressions; i++)
        assigned_in_expression(set, statement->expressions[i]);
    for (size_t i = 0; i < statement->n_children; i++)
        assigned_in_statement(set, statement->children[i]);
}

unsigned assigned_count(const AssignedSet *set, const SourceVariable *variable)
{
    for (size_t i = 0; i < set->items.count; i++)
        if (set->items.items[i].variable == variable)
            return set->items.items[i].count;
    return 0;
}

void assigned_free(AssignedSet *set)
{
    vec_free(&set->items);
    vec_free(&set->addressed);
}

size_t allocation_first_size(const SourceExpression *allocation)
{
    static const struct {
        const char *name;
        size_t first;
    } others[] = {{"aligned_alloc", 1}, {"realloc", 1}, {"memalign", 1}, {"posix_memalign", 2}};
    for (size_t i = 0; allocation->name && i < sizeof others / sizeof *others; i++)
        if (strcmp(others[i].name, allocation->name) == 0)
            return others[i].first;
    return 0;
}
