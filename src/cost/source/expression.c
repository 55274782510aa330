/* SPDX-License-Identifier: BSD-3-Clause */
/* Emits the operations of expressions, by the type in which they are computed. Follows the effects
 * of assignments on known values. `if`, `?:`, switch, && and || count a branch or logical
 * operation. A loop's jump back is part of its comparison (the paper's figure 2). */
#include "cost/source/expression.h"
#include "cost/source/chain.h"

#include "cost/source/growth.h"
#include "cost/source/guard.h"
#include "cost/source/jvm/inlining.h"
#include "cost/source/jvm/loads.h"
#include "cost/source/operation.h"
#include "cost/source/order.h"
#include "cost/source/program/reach.h"
#include "cost/source/values/place.h"

#include <math.h>
#include <string.h>

typedef struct Operator {
    const char *text;
    CpuOperation operation;
} Operator;

static const Operator operators[] = {
    {"+", CPU_SUM},      {"-", CPU_SUB},      {"*", CPU_MUL},      {"/", CPU_DIV},      {"%", CPU_MOD},
    {"<", CPU_COMPARE},  {"<=", CPU_COMPARE}, {">", CPU_COMPARE},  {">=", CPU_COMPARE}, {"==", CPU_COMPARE},
    {"!=", CPU_COMPARE}, {"&", CPU_BITWISE},  {"|", CPU_BITWISE},  {"^", CPU_BITWISE},  {"<<", CPU_SHIFT},
    {">>", CPU_SHIFT},   {">>>", CPU_SHIFT},  {"&&", CPU_LOGICAL}, {"||", CPU_LOGICAL},
};

/* A quotient by a constant, as compilers compute it: a shift that rounds towards 0, or the upper half of a product. */
static void emit_constant_quotient(Scope *scope, double divisor, bool is_rest, CpuType type)
{
    int exponent;
    bool is_power = frexp(fabs(divisor), &exponent) == 0.5;
    emit_operation(scope, is_power ? CPU_SUM : CPU_MUL, type);
    emit_operation(scope, CPU_SHIFT, type);
    emit_operation(scope, is_power ? CPU_SHIFT : CPU_SUB, type);
    if (!is_rest)
        return;
    emit_operation(scope, is_power ? CPU_SHIFT : CPU_MUL, type);
    emit_operation(scope, CPU_SUB, type);
}

/* Whether the expression divides a whole number by a constant in warm Java. In C, costs of compiled code include that. */
static bool divides_by_constant(const Scope *scope, const SourceExpression *expression, CpuType type, double *divisor)
{
    if (!is_warm_java(scope->all) || !strchr("/%", expression->operator[0]) || !type_is_whole(type))
        return false;
    const SourceExpression *right = without_casts(expression->operands[1]);
    bool is_constant = right->kind == SOURCE_VARIABLE && right->variable->is_constant;
    *divisor = is_constant ? right->variable->value : right->value;
    return (is_constant || right->kind == SOURCE_NUMBER) && isfinite(*divisor) && *divisor != 0;
}

/* Emits the operation of the first `length` bytes of the operator. An operator that isn't in the
 * table becomes a named cost, so that it isn't lost. */
static void emit_operator(Scope *scope, const SourceExpression *expression, size_t length, CpuType type)
{
    double divisor;
    if (divides_by_constant(scope, expression, type, &divisor)) {
        emit_constant_quotient(scope, divisor, *expression->operator== '%', type);
        return;
    }
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
        if (strlen(operators[i].text) == length && strncmp(operators[i].text, expression->operator, length) == 0) {
            emit_operation(scope, operators[i].operation, type);
            return;
        }
    emit_unknown(scope, expression);
}

/* Emits what computes an element's index. In compiled code, i - 1 is part of the address. */
static void emit_index(Scope *scope, const SourceExpression *index)
{
    bool is_moved = is_warm_java(scope->all) && (operator_is(index, "+") || operator_is(index, "-")) &&
                    index->n_operands == 2 && index->operands[1]->kind == SOURCE_NUMBER;
    emit_expression(scope, is_moved ? index->operands[0] : index);
}

/* Emits what computes a place, without its load or store. */
static void emit_place(Scope *scope, const SourceExpression *target)
{
    if (target->kind == SOURCE_ELEMENT) {
        emit_expression(scope, target->operands[0]);
        emit_index(scope, target->operands[1]);
        return;
    }
    for (size_t i = 0; i < target->n_operands && target->kind != SOURCE_VARIABLE; i++)
        emit_expression(scope, target->operands[i]);
}

/* glibc's blocks have a head of 8 bytes, and multiples of 16 bytes, two at least. */
static double block_bytes(double bytes)
{
    return fmax(32, 16 * ceil((bytes + 8) / 16));
}

void emit_allocated_bytes(Scope *scope, const SourceExpression *allocation)
{
    Amount bytes = amount_number(scope->space, allocation->unit_bytes);
    double number;
    if (!scope->all->options->for_context || !allocation->unit_bytes)
        return;
    for (size_t i = allocation_first_size(allocation); i < allocation->n_operands; i++)
        bytes = amount_multiply(scope->space, bytes, amount_of(scope, allocation->operands[i]));
    if (strcmp(scope->all->program->language, "c") == 0 && amount_is_number(bytes, &number) && number > 0)
        bytes = amount_number(scope->space, block_bytes(number));
    CpuType type = allocation->is_recycled ? CPU_RECYCLED : CPU_INT8;
    if (bytes.expr)
        block_cost(scope->all, scope->block, cpu_name(CPU_ALLOCATE, type, scope->all->arena), bytes.expr);
    if (bytes.expr && allocation->is_recycled)
        emit_operation(scope, CPU_ALLOCATE, CPU_RECYCLING);
}

/* Loads or stores an element whose index data tell. What its own index leads to is like a reference. */
static void emit_stray(Scope *scope, const SourceExpression *element)
{
    Reach reach = scope->loop ? reach_of(scope->loop->statement, element->operands[1]) : REACH_ANYWHERE;
    bool is_chain = reach == REACH_FOLLOWS || reach == REACH_DESCENDS;
    if (is_chain)
        emit_operation(scope, CPU_FIELD, CPU_REFERENCE);
    else
        emit_operation(scope, reach == REACH_IN_ORDER ? CPU_ELEMENT : CPU_STRAY, element->type);
}

/* Whether the loop steps from object to object by this element: node = node->child[i]. */
static bool leads_on(const Scope *scope, const SourceExpression *element)
{
    const SourceExpression *object = without_casts(element->operands[0]);
    if (!scope->all->options->for_context || !scope->loop || element->type != CPU_REFERENCE ||
        object->kind != SOURCE_FIELD)
        return false;
    while (object->n_operands && (object->kind == SOURCE_FIELD || object->kind == SOURCE_DEREFERENCE))
        object = without_casts(object->operands[0]);
    return object->kind == SOURCE_VARIABLE && reach_of(scope->loop->statement, object) == REACH_FOLLOWS;
}

/* A reference from a field leads far away, unless it's stored, or leads to a neighbour: then it's like a number. */
static CpuType type_of_field(const Scope *scope, const SourceExpression *field, bool is_store)
{
    bool is_near = scope->all->options->for_context && field->type == CPU_REFERENCE &&
                   (is_store || (field->name && references_are_in_order(scope->all, field->name)));
    return is_near ? CPU_INT64 : field->type;
}

/* Emits the load or store of a place. */
static void emit_load_or_store(Scope *scope, const SourceExpression *target, CpuOperation of_scalar)
{
    switch (target->kind) {
    case SOURCE_VARIABLE:
        emit_operation(scope, of_scalar, target->type);
        return;
    case SOURCE_FIELD:
        if (load_is_kept(scope, target))
            emit_operation(scope, CPU_ACCESS, target->type);
        else
            emit_operation(scope, CPU_FIELD, type_of_field(scope, target, of_scalar == CPU_ASSIGN));
        return;
    case SOURCE_ELEMENT:
        if (of_scalar != CPU_ASSIGN && leads_on(scope, target))
            emit_operation(scope, CPU_FIELD, CPU_REFERENCE);
        else if (load_is_stray(scope, target))
            emit_stray(scope, target);
        else
            emit_operation(scope, CPU_ELEMENT, target->type);
        return;
    case SOURCE_DEREFERENCE:
        emit_operation(scope, CPU_ELEMENT, target->type);
        return;
    default:
        emit_operation(scope, of_scalar, target->type);
    }
}

static CpuType wider(CpuType a, CpuType b)
{
    if (a == CPU_REFERENCE || b == CPU_REFERENCE)
        return CPU_REFERENCE;
    CpuType type = a > b ? a : b;
    return type < CPU_INT32 ? CPU_INT32 : type;
}

/* Emits x += y: computed in the wider type, and then converted back. */
static void emit_compound(Scope *scope, const SourceExpression *expression)
{
    const SourceExpression *left = expression->operands[0], *right = expression->operands[1];
    size_t length = strlen(expression->operator) - 1;
    bool is_shift = length >= 2;
    CpuType type = is_shift ? wider(left->type, left->type) : wider(left->type, right->type);
    emit_load_or_store(scope, left, CPU_ACCESS);
    if (type != left->type)
        emit_operation(scope, CPU_CAST, type);
    if (type != right->type && !is_shift && right->kind != SOURCE_NUMBER && right->kind != SOURCE_CAST &&
        type != CPU_REFERENCE)
        emit_operation(scope, CPU_CAST, type);
    emit_operator(scope, expression, length, type);
    if (type != left->type)
        emit_operation(scope, CPU_CAST, left->type);
}

/* Where an assigned reference will point to: `p = q`, `p += 2`; NULL: it isn't followed. */
static const Place *assigned_target(const Scope *scope, const SourceExpression *expression)
{
    const SourceExpression *left = expression->operands[0], *right = expression->operands[1];
    if (left->type != CPU_REFERENCE)
        return NULL;
    Amount zero = amount_number(scope->space, 0);
    switch (expression->operator[0]) {
    case '=':
        return place_followed(scope, right);
    case '+':
        return place_stepped(scope, left, amount_of(scope, right));
    default:
        return place_stepped(scope, left, amount_subtract(scope->space, zero, amount_of(scope, right)));
    }
}

static void emit_assignment(Scope *scope, const SourceExpression *expression)
{
    const SourceExpression *left = without_casts(expression->operands[0]);
    Amount value = amount_of(scope, expression);
    const Place *target = assigned_target(scope, expression);
    Place place;
    bool is_known = scope->all->running && place_of(scope, left, &place); /* before ++ in it */
    emit_place(scope, left);
    emit_expression(scope, expression->operands[1]);
    if (strlen(expression->operator) > 1)
        emit_compound(scope, expression);
    emit_load_or_store(scope, left, CPU_ASSIGN);
    if (left->kind == SOURCE_VARIABLE && !value.expr)
        chain_assign(scope, left->variable, expression->operator, expression->operands[1]);
    place_assign(scope, left, is_known ? &place : NULL, value,
                 strcmp(expression->operator, "=") == 0 ? expression->operands[1] : NULL, target);
}

static void emit_increment(Scope *scope, const SourceExpression *expression)
{
    const SourceExpression *target = without_casts(expression->operands[0]);
    bool is_up = operator_is(expression, "++");
    Amount before = amount_of(scope, target), behind = value_stepped(scope, expression);
    Place place;
    bool is_known = scope->all->running && place_of(scope, target, &place);
    const Place *next = place_stepped(scope, target, amount_number(scope->space, is_up ? 1 : -1));
    emit_place(scope, target);
    emit_load_or_store(scope, target, CPU_ACCESS);
    emit_operation(scope, is_up ? CPU_SUM : CPU_SUB, target->type);
    emit_load_or_store(scope, target, CPU_ASSIGN);
    if (target->kind == SOURCE_VARIABLE && !before.expr)
        chain_assign(scope, target->variable, expression->operator, NULL);
    place_assign(scope, target, is_known ? &place : NULL, behind, NULL, next);
}

/* The operations of an expression that isn't always reached, as a node. */
static PamelaNode *expression_to_node(Scope *scope, const SourceExpression *expression, Guess expected)
{
    Block block = {0}, *outer = scope->block;
    scope->block = &block;
    emit_condition(scope, expression, expected);
    scope->block = outer;
    return block_end(scope->all, &block);
}

/* Floating-point numbers are seldom equal. */
static Guess guess_of_comparison(const SourceExpression *condition)
{
    condition = condition_without_hints(condition);
    bool is_equal = operator_is(condition, "=="), is_unequal = operator_is(condition, "!=");
    if (condition->kind != SOURCE_BINARY || !(is_equal || is_unequal))
        return GUESS_HALF;
    CpuType type = without_casts(condition->operands[0])->type;
    return type != CPU_FLOAT && type != CPU_DOUBLE ? GUESS_HALF : is_equal ? GUESS_FALSE : GUESS_TRUE;
}

const Expr *probability_or(Scope *scope, const SourceExpression *condition, const char *suffix, const char *meaning,
                           Guess guess, const char *seldom)
{
    Generator *all = scope->all;
    const Expr *exact = probability_of(scope, condition);
    if (exact)
        return exact;
    const char *name = name_of_place(all, "Q", suffix, &condition->place);
    const char *text = condition->text && *condition->text ? condition->text : "a condition";
    const char *reason =
        seldom ? arena_printf(all->arena, "%s side %s", guess == GUESS_TRUE ? "the other" : "that", seldom)
               : "floating-point numbers are seldom equal";
    guess = guess == GUESS_HALF ? guess_of_comparison(condition) : guess;
    reason = guess == GUESS_HALF ? "1/2 by the paper's rule"
                                 : arena_printf(all->arena, "%d, because %s", guess == GUESS_TRUE, reason);
    finding_add(all, &condition->place, name, arena_printf(all->arena, "%s`%s`: %s", meaning, text, reason))
        ->is_assumed |= guess == GUESS_HALF;
    const Expr *value =
        guess == GUESS_HALF ? expr_rational(all->space, 1, 2) : expr_integer(all->space, guess == GUESS_TRUE);
    return parameter_make(all, name, value, &condition->place, arena_printf(all->arena, "%s%s", meaning, text));
}

void count_condition(Scope *scope, const SourceExpression *condition, const char *suffix,
                     const SourceExpression *around, const SourceStatement *statement)
{
    if (!probability_of(scope, condition))
        count_add(scope->all, &(AnalysisCount){.parameter = name_of_place(scope->all, "Q", suffix, &condition->place),
                                               .kind = COUNT_TRUE,
                                               .place = condition->place,
                                               .expression = condition,
                                               .around = around,
                                               .statement = statement});
}

/* Both sides of && hold if the whole does; neither side of || holds if the whole doesn't. */
static Guess side_guess(bool is_and, Guess expected)
{
    return expected == (is_and ? GUESS_TRUE : GUESS_FALSE) ? expected : GUESS_HALF;
}

/* The probability that && evaluates its right side, or that || doesn't. Exception: a loop runs
 * while all sides of && hold, so in a loop's condition the right side counts each time, once too
 * often at the end. */
static const Expr *left_share(Scope *scope, const SourceExpression *expression, bool is_and, const Expr *exact,
                              Guess expected)
{
    if (!exact && is_and && scope->in_loop_condition)
        return expr_integer(scope->all->space, 1);
    bool gives_up = expression_gives_up(scope->all, expression->operands[1]);
    bool makes_room = is_and && !gives_up && right_makes_room(scope->all, expression);
    count_condition(scope, expression->operands[0], is_and ? "_and" : "_or", expression, NULL);
    return probability_or(scope, expression->operands[0], is_and ? "_and" : "_or",
                          is_and ? "before &&: " : "before ||: ",
                          makes_room  ? GUESS_FALSE
                          : !gives_up ? side_guess(is_and, expected)
                          : is_and    ? GUESS_FALSE
                                      : GUESS_TRUE,
                          makes_room                                               ? "makes room"
                          : gives_up || side_guess(is_and, expected) != GUESS_HALF ? "gives up"
                                                                                   : NULL);
}

/* Emits a && b: b has the probability of a, which has a Q of its own. */
static void emit_short_circuit(Scope *scope, const SourceExpression *expression, Guess expected)
{
    Generator *all = scope->all;
    const SourceExpression *left = expression->operands[0];
    bool is_and = operator_is(expression, "&&");
    const Expr *exact = probability_of(scope, left);
    const Expr *q = left_share(scope, expression, is_and, exact, expected);
    if (!is_and)
        q = expr_subtract(all->space, expr_integer(all->space, 1), q);
    emit_condition(scope, left, side_guess(is_and, expected));
    emit_operation(scope, CPU_LOGICAL, expression->type);
    Snapshot without = variables_save(scope);
    PamelaNode *right = expression_to_node(scope, expression->operands[1], side_guess(is_and, expected));
    const char *text = is_and ? left->text : arena_printf(all->arena, "!(%s)", left->text ? left->text : "");
    block_if(all, scope->block, (Condition){text, place_text(all, &expression->place), expression}, q, right, NULL);
    variables_merge(scope, &without, &(Ordering){NULL, NULL}, exact ? q : NULL);
}

/* Of `condition ? work() : abort()`, the side that returns. */
static Guess choice_guess(const Scope *scope, const SourceExpression *expression)
{
    if (expression_gives_up(scope->all, expression->operands[1]))
        return GUESS_FALSE;
    return expression_gives_up(scope->all, expression->operands[2]) ? GUESS_TRUE : GUESS_HALF;
}

static void emit_conditional(Scope *scope, const SourceExpression *expression)
{
    const SourceExpression *condition = expression->operands[0];
    const Expr *exact = probability_of(scope, condition);
    Guess guess = choice_guess(scope, expression);
    count_condition(scope, condition, "", expression, NULL);
    const Expr *q = probability_or(scope, condition, "", "", guess, guess == GUESS_HALF ? NULL : "gives up");
    Ordering ordering = ordering_of(scope, condition);
    emit_condition(scope, condition, guess);
    emit_operation(scope, CPU_BRANCH, CPU_INT32);
    Snapshot before = variables_save(scope);
    PamelaNode *yes = expression_to_node(scope, expression->operands[1], GUESS_HALF);
    Snapshot after_yes = variables_save(scope);
    variables_restore(scope, &before);
    PamelaNode *no = expression_to_node(scope, expression->operands[2], GUESS_HALF);
    Snapshot after_no = variables_save(scope);
    variables_restore(scope, &after_yes);
    variables_merge(scope, &after_no, &ordering, exact);
    block_if(scope->all, scope->block,
             (Condition){condition->text, place_text(scope->all, &condition->place), expression}, q, yes, no);
}

static void emit_binary(Scope *scope, const SourceExpression *expression)
{
    if (operator_is(expression, "&&") || operator_is(expression, "||")) {
        emit_short_circuit(scope, expression, GUESS_HALF);
        return;
    }
    bool compares = strchr("<>=!", expression->operator[0]) && strcmp(expression->operator, "<<") != 0 &&
                    strcmp(expression->operator, ">>") != 0 && strcmp(expression->operator, ">>>") != 0;
    emit_expression(scope, expression->operands[0]);
    emit_expression(scope, expression->operands[1]);
    emit_operator(scope, expression, strlen(expression->operator),
                  compares ? wider(expression->operands[0]->type, expression->operands[1]->type) : expression->type);
}

static void emit_operands(Scope *scope, const SourceExpression *expression)
{
    for (size_t i = 0; i < expression->n_operands; i++)
        emit_expression(scope, expression->operands[i]);
}

/* Of the machine: a comparison's own type is that of what it compares. */
static CpuType value_type(const SourceExpression *expression)
{
    bool is_truth = expression->kind == SOURCE_BINARY &&
                    (strchr("!=", expression->operator[0]) ||
                     (strchr("<>", expression->operator[0]) && expression->operator[1] != expression->operator[0]));
    return is_truth ? CPU_INT32 : expression->type;
}

/* Emits the operation of a unary operator or cast, without its operand. */
static void emit_own(Scope *scope, const SourceExpression *expression)
{
    if (expression->kind == SOURCE_CAST && value_type(expression->operands[0]) == expression->type)
        return; /* between signed and unsigned */
    if (expression->kind == SOURCE_CAST)
        emit_operation(scope, CPU_CAST, expression->type);
    else if (operator_is(expression, "-"))
        emit_operation(scope, CPU_NEGATE, expression->type);
    else if (operator_is(expression, "!"))
        emit_operation(scope, CPU_LOGICAL, wider(expression->operands[0]->type, expression->operands[0]->type));
    else if (operator_is(expression, "~"))
        emit_operation(scope, CPU_BITWISE, expression->type);
    else if (!operator_is(expression, "+"))
        emit_unknown(scope, expression);
}

static void emit_address(Scope *scope, const SourceExpression *expression)
{
    const SourceExpression *target = without_casts(expression->operands[0]);
    emit_place(scope, target);
    if (target->kind == SOURCE_ELEMENT || target->kind == SOURCE_FIELD)
        emit_operation(scope, CPU_SUM, CPU_REFERENCE);
}

static void emit_call_operands(Scope *scope, const SourceExpression *call)
{
    if (call->callee)
        emit_expression(scope, call->callee);
    const SourceExpression *object = scope->object;
    scope->object = NULL;
    Amount *values = arena_new_array(scope->all->arena, Amount, call->n_operands);
    for (size_t i = 0; i < call->n_operands; i++) {
        values[i] = amount_of(scope, call->operands[i]);
        emit_expression(scope, call->operands[i]);
    }
    scope->object = object;
    emit_call(scope, call, values);
    scope->object = NULL;
}

/* In Java, a call of an object's method stands behind the object. */
static void emit_comma(Scope *scope, const SourceExpression *expression)
{
    for (size_t i = 0; i < expression->n_operands; i++) {
        bool is_method = i && expression->operands[i]->kind == SOURCE_CALL;
        scope->object = is_method ? expression->operands[i - 1] : NULL;
        emit_expression(scope, expression->operands[i]);
    }
    scope->object = NULL;
}

/* Follows the size of a list that grows by one. */
static void resize(Scope *scope, const SourceExpression *expression)
{
    bool by_one;
    const SourceVariable *variable = resized_variable(expression, &by_one);
    if (variable)
        variable_set(scope, variable,
                     by_one ? amount_add(scope->space, variable_value(scope, variable), amount_number(scope->space, 1))
                            : UNKNOWN_AMOUNT);
}

void emit_condition(Scope *scope, const SourceExpression *condition, Guess expected)
{
    if (condition->kind != SOURCE_CALL && run_value(scope, condition))
        return;
    if (condition->kind == SOURCE_CALL)
        condition = condition_without_hints(condition);
    bool is_not = condition->kind == SOURCE_UNARY && operator_is(condition, "!");
    if (condition->kind == SOURCE_CAST || is_not) {
        Guess opposite = expected == GUESS_TRUE ? GUESS_FALSE : expected == GUESS_FALSE ? GUESS_TRUE : GUESS_HALF;
        emit_condition(scope, condition->operands[0], is_not ? opposite : expected);
        emit_own(scope, condition);
    } else if (operator_is(condition, "&&") || operator_is(condition, "||")) {
        emit_short_circuit(scope, condition, expected);
    } else {
        emit_expression(scope, condition);
    }
}

void emit_expression(Scope *scope, const SourceExpression *expression)
{
    if (expression->kind != SOURCE_CALL && run_value(scope, expression))
        return;
    switch (expression->kind) {
    case SOURCE_NUMBER:
    case SOURCE_TEXT:
        return;
    case SOURCE_VARIABLE:
        emit_operation(scope, CPU_ACCESS, expression->type);
        return;
    case SOURCE_INCREMENT:
        emit_increment(scope, expression);
        return;
    case SOURCE_BINARY:
        emit_binary(scope, expression);
        return;
    case SOURCE_ASSIGN:
        emit_assignment(scope, expression);
        return;
    case SOURCE_ELEMENT:
        if (load_is_kept(scope, expression)) {
            emit_operation(scope, CPU_ACCESS, expression->type);
            return;
        }
        emit_place(scope, expression);
        emit_load_or_store(scope, expression, CPU_ACCESS);
        return;
    case SOURCE_DEREFERENCE:
    case SOURCE_FIELD:
        emit_operands(scope, expression);
        emit_load_or_store(scope, expression, CPU_ACCESS);
        return;
    case SOURCE_LENGTH:
        if (load_is_kept(scope, expression)) {
            emit_operation(scope, CPU_ACCESS, CPU_INT32);
            return;
        }
        emit_operands(scope, expression);
        emit_operation(scope, CPU_FIELD, CPU_INT32);
        return;
    case SOURCE_ADDRESS:
        emit_address(scope, expression);
        return;
    case SOURCE_UNARY:
    case SOURCE_CAST:
        emit_operands(scope, expression);
        emit_own(scope, expression);
        return;
    case SOURCE_CALL:
        emit_call_operands(scope, expression);
        return;
    case SOURCE_CONDITIONAL:
        emit_conditional(scope, expression);
        return;
    case SOURCE_COMMA:
        emit_comma(scope, expression);
        resize(scope, expression);
        return;
    case SOURCE_NEW:
        emit_operands(scope, expression);
        if (!expression->is_not_allocated || !scope->all->options->for_context)
            emit_operation(scope, CPU_ALLOCATE, CPU_REFERENCE);
        emit_allocated_bytes(scope, expression);
        return;
    case SOURCE_UNKNOWN:
        emit_operands(scope, expression);
        emit_unknown(scope, expression);
        return;
    }
}
