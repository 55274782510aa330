/* SPDX-License-Identifier: BSD-3-Clause */
/* See vectors.h. HotSpot vectorises a loop that only assigns elements of arrays of one type, all at the loop's own
 * index, from sums, differences, products and bits of such elements, numbers, and variables that stay the same:
 *
 *     for (int i = 0; i < n; i++)
 *         y[i] += a * x[i];
 *
 * Sums that go from iteration to iteration, neighbours (x[i - 1]), rows of arrays of arrays, conditions and calls
 * prevent it. */
#include "cost/source/jvm/vectors.h"

#include "cost/source/jvm/inlining.h"

enum { VECTOR_BYTES = 32 };

typedef struct Check {
    const SourceVariable *index;
    CpuType type;
    bool has_type, fails;
} Check;

static bool is_index(const Check *check, const SourceExpression *expression)
{
    return expression->kind == SOURCE_VARIABLE && expression->variable == check->index;
}

static void check_element(Check *check, const SourceExpression *element)
{
    check->fails |= !is_index(check, element->operands[1]) || element->type == CPU_REFERENCE ||
                    (check->has_type && element->type != check->type) || element->operands[0]->kind != SOURCE_VARIABLE;
    check->type = element->type;
    check->has_type = true;
}

static void check_value(Check *check, const SourceExpression *value)
{
    value = without_casts(value);
    switch (value->kind) {
    case SOURCE_NUMBER:
        return;
    case SOURCE_VARIABLE:
        check->fails |= is_index(check, value);
        return;
    case SOURCE_ELEMENT:
        check_element(check, value);
        return;
    case SOURCE_BINARY:
        check->fails |= !strchr("+-*&|^", value->operator[0]) || value->operator[1];
        check_value(check, value->operands[0]);
        check_value(check, value->operands[1]);
        return;
    default:
        check->fails = true;
    }
}

static void check_statement(Check *check, const SourceStatement *statement)
{
    const SourceExpression *only = statement->n_expressions ? statement->expressions[0] : NULL;
    if (statement->kind == SOURCE_BLOCK) {
        for (size_t i = 0; i < statement->n_children && !check->fails; i++)
            check_statement(check, statement->children[i]);
    } else if (statement->kind == SOURCE_EXPRESSION && only->kind == SOURCE_ASSIGN &&
               only->operands[0]->kind == SOURCE_ELEMENT && strchr("=+-*&|^", only->operator[0])) {
        check_element(check, only->operands[0]);
        check_value(check, only->operands[1]);
    } else {
        check->fails = true;
    }
}

int vector_lanes(const Generator *all, const SourceStatement *body, const SourceVariable *index)
{
    Check check = {.index = index};
    if (!is_warm_java(all) || !index || !body)
        return 1;
    check_statement(&check, body);
    return check.fails || !check.has_type ? 1 : VECTOR_BYTES / (int)cpu_type_bytes(check.type, 0);
}
