/* SPDX-License-Identifier: BSD-3-Clause */
/* Evaluates expressions. What depends on exact bindings alone is added up exactly, per product of what isn't exact: so
 * n^2/2 - n/2 operations of a time that is an interval lose nothing by cancelling. */
#include "cost/expr/evaluate.h"
#include "base/text.h"
#include "cost/expr/program.h"

#include <math.h>

Known *evaluation_known(Evaluation *evaluation, const Atom *atom)
{
    uint64_t *place = map_put(&evaluation->known, (MapKey){1, atom->id}, NULL);
    if (!*place) {
        Known *known = arena_new_array(evaluation->arena, Known, 1);
        known->atom = atom;
        *place = (uint64_t)(uintptr_t)known;
    }
    return (Known *)(uintptr_t)*place;
}

void evaluation_forget(Evaluation *evaluation, size_t n_filled, const Atom *symbol)
{
    size_t n = n_filled;
    for (size_t i = n_filled; i < evaluation->filled.count; i++) {
        Known *known = evaluation->filled.items[i];
        if (!known->is_valid || !atom_has(known->atom, symbol)) {
            evaluation->filled.items[n++] = known;
            continue;
        }
        value_clear(&known->value);
        known->is_valid = false;
    }
    evaluation->filled.count = n;
}

const ExprBinding *evaluation_binding(const Evaluation *evaluation, const Atom *symbol)
{
    for (size_t i = 0; i < evaluation->n_bindings; i++)
        if (strcmp(evaluation->bindings[i].name, symbol->name) == 0)
            return &evaluation->bindings[i];
    return NULL;
}

static bool compute_atom(Evaluation *evaluation, const Atom *atom, Value *value)
{
    if (atom->kind == ATOM_SYMBOL) {
        const ExprBinding *binding = evaluation_binding(evaluation, atom);
        if (!binding)
            return err_set(evaluation->err, ERR_BUG, "`%s` was checked to have a value, and has none", atom->name);
        *value = value_span(binding->value.low, binding->value.high);
        return true;
    }
    if (atom->kind == ATOM_GROUP)
        return evaluate_expr(evaluation, atom->arguments[0], value);
    if (atom->index)
        return evaluate_sum(evaluation, atom, value);
    Value few[4], *arguments = atom->n_arguments <= 4 ? few : memory_zeroed(atom->n_arguments, sizeof(Value));
    size_t n = 0;
    while (n < atom->n_arguments && evaluate_expr(evaluation, atom->arguments[n], &arguments[n]))
        n++;
    bool is_computed =
        n == atom->n_arguments && evaluate_function(atom->function, arguments, n, value, evaluation->err);
    for (size_t i = 0; i < n; i++)
        value_clear(&arguments[i]);
    if (arguments != few)
        free(arguments);
    return is_computed;
}

static const Known *value_of(Evaluation *evaluation, const Atom *atom)
{
    Known *known = evaluation_known(evaluation, atom);
    if (known->is_valid)
        return known;
    Value value;
    if (!compute_atom(evaluation, atom, &value))
        return NULL;
    known->value = value;
    known->is_valid = true;
    *vec_push(&evaluation->filled) = known;
    return known;
}

/* Terms with the same inexact factors. */
typedef struct Group {
    MapKey key;
    const Monomial *of; /* the first one's; its inexact powers are the group's */
    Value exact;
} Group;

enum { FEW_GROUPS = 8 };

typedef struct Groups {
    Group few[FEW_GROUPS]; /* the first ones, without memory of their own */
    VEC(Group) more;
    size_t count;
} Groups;

static Group *group_at(Groups *groups, size_t at)
{
    return at < FEW_GROUPS ? &groups->few[at] : &groups->more.items[at - FEW_GROUPS];
}

static Group *group_of(Groups *groups, MapKey key, const Monomial *monomial)
{
    for (size_t i = 0; i < groups->count; i++) {
        Group *group = group_at(groups, i);
        if (group->key.low == key.low && group->key.high == key.high)
            return group;
    }
    if (groups->count >= FEW_GROUPS)
        vec_push(&groups->more);
    Group *group = group_at(groups, groups->count++);
    *group = (Group){.key = key, .of = monomial, .exact = value_whole(0)};
    return group;
}

/* Multiplies the powers that are exact, or those that aren't. */
static bool multiply_powers(Evaluation *evaluation, const Monomial *monomial, bool exact, Value *product, MapKey *key)
{
    for (size_t i = 0; i < monomial->count; i++) {
        const Power *power = &monomial->powers[i];
        const Known *known = value_of(evaluation, power->atom);
        if (!known)
            return false;
        if (value_is_exact(&known->value) != exact) {
            *key = hash_word(hash_word(*key, power->atom->id), (uint64_t)(int64_t)power->exponent);
            continue;
        }
        if (power->exponent == 1) {
            value_multiply(product, &known->value);
            continue;
        }
        Value raised = value_copy(&known->value);
        if (!value_raise(&raised, power->exponent)) {
            value_clear(&raised);
            return err_set(evaluation->err, ERR_INPUT, "division by zero");
        }
        value_multiply(product, &raised);
        value_clear(&raised);
    }
    return true;
}

static bool add_groups(Evaluation *evaluation, Groups *groups, Value *value)
{
    MapKey unused = {0};
    *value = value_whole(0);
    for (size_t i = 0; i < groups->count; i++) {
        Group *group = group_at(groups, i);
        Value product = value_copy(&group->exact);
        bool is_multiplied = multiply_powers(evaluation, group->of, false, &product, &unused);
        if (is_multiplied)
            value_add(value, &product);
        value_clear(&product);
        if (!is_multiplied) {
            value_clear(value);
            return false;
        }
    }
    return true;
}

bool evaluate_expr(Evaluation *evaluation, const Expr *expr, Value *value)
{
    Groups groups;
    groups.count = 0;
    memset(&groups.more, 0, sizeof groups.more);
    bool is_evaluated = true;
    for (size_t i = 0; i < expr->n_terms && is_evaluated; i++) {
        MapKey key = {0};
        Value product = value_rational(&expr->terms[i].coefficient);
        is_evaluated = multiply_powers(evaluation, expr->terms[i].monomial, true, &product, &key);
        if (is_evaluated)
            value_add(&group_of(&groups, key, expr->terms[i].monomial)->exact, &product);
        value_clear(&product);
    }
    is_evaluated = is_evaluated && add_groups(evaluation, &groups, value);
    for (size_t i = 0; i < groups.count; i++)
        value_clear(&group_at(&groups, i)->exact);
    vec_free(&groups.more);
    return is_evaluated;
}

/* All that have no value are named at once. */
static bool check_bindings(Evaluation *evaluation, const Expr *expr)
{
    Map seen = {0};
    Text missing = {0};
    size_t n_missing = 0;
    for (size_t i = 0; i < expr->n_terms; i++) {
        const SymbolSet *set = &expr->terms[i].monomial->free;
        for (size_t j = 0; j < set->count; j++) {
            bool is_new;
            map_put(&seen, (MapKey){1, set->symbols[j]->id}, &is_new);
            if (is_new && !evaluation_binding(evaluation, set->symbols[j]))
                text_add(&missing, "%s%s", n_missing++ ? ", " : "", set->symbols[j]->name);
        }
    }
    map_free(&seen);
    const char *names = text_take(&missing, evaluation->arena);
    if (n_missing)
        return err_set(evaluation->err, ERR_INPUT, n_missing == 1 ? "%s has no value" : "these have no value: %s",
                       names);
    return true;
}

static void forget_all(Evaluation *evaluation)
{
    for (size_t i = 0; i < evaluation->filled.count; i++) {
        if (evaluation->filled.items[i]->is_valid)
            value_clear(&evaluation->filled.items[i]->value);
        evaluation->filled.items[i]->is_valid = false;
    }
    evaluation->filled.count = 0;
}

static bool evaluate_once(Evaluation *evaluation, const Expr *expr, Value *value)
{
    if (!evaluation->approximates)
        evaluate_sums(evaluation, &expr, 1);
    bool is_evaluated = !evaluation->has_too_many && evaluate_expr(evaluation, expr, value);
    forget_all(evaluation);
    return is_evaluated;
}

static Evaluation begin(const ExprBinding *bindings, size_t n_bindings, Err *err)
{
    return (Evaluation){.arena = arena_new(),
                        .bindings = bindings,
                        .n_bindings = n_bindings,
                        .points_left = EXPR_MOST_TERMS,
                        .points = 1e6,
                        .err = err};
}

static void end(Evaluation *evaluation)
{
    vec_free(&evaluation->filled);
    map_free(&evaluation->known);
    arena_free(evaluation->arena);
}

static bool is_finite(Interval interval)
{
    return isfinite(interval.low) && isfinite(interval.high);
}

bool expr_evaluate(const Expr *expr, const ExprBinding *bindings, size_t n_bindings, Interval *value,
                   bool *approximated, Err *err)
{
    Evaluation evaluation = begin(bindings, n_bindings, err);
    Value result = value_whole(0);
    bool is_evaluated = check_bindings(&evaluation, expr);
    if (is_evaluated) {
        is_evaluated = evaluate_once(&evaluation, expr, &result);
        if (!is_evaluated && evaluation.has_too_many) {
            evaluation.approximates = true;
            evaluation.has_too_many = false;
            is_evaluated = evaluate_once(&evaluation, expr, &result);
        }
    }
    Interval interval = {0, 0};
    if (is_evaluated) {
        interval = value_interval(&result);
        value_clear(&result);
        is_evaluated = is_finite(interval) || err_set(err, ERR_INPUT, "a value beyond what a double holds");
    }
    if (is_evaluated)
        *value = interval;
    if (is_evaluated && approximated)
        *approximated = evaluation.is_approximated;
    end(&evaluation);
    return is_evaluated;
}

/* As long as nothing is in the way. */
static bool evaluate_together(const Expr *const *exprs, size_t n, const ExprBinding *bindings, size_t n_bindings,
                              Interval *values)
{
    Err unused;
    Evaluation evaluation = begin(bindings, n_bindings, &unused);
    bool is_evaluated = true;
    for (size_t i = 0; i < n && is_evaluated; i++)
        is_evaluated = check_bindings(&evaluation, exprs[i]);
    if (is_evaluated)
        evaluate_sums(&evaluation, exprs, n);
    for (size_t i = 0; i < n && is_evaluated && !evaluation.has_too_many; i++) {
        Value value;
        is_evaluated = evaluate_expr(&evaluation, exprs[i], &value);
        if (!is_evaluated)
            break;
        values[i] = value_interval(&value);
        value_clear(&value);
        is_evaluated = is_finite(values[i]);
    }
    is_evaluated = is_evaluated && !evaluation.has_too_many;
    forget_all(&evaluation);
    end(&evaluation);
    return is_evaluated;
}

bool expr_evaluate_all(const Expr *const *exprs, size_t n, const ExprBinding *bindings, size_t n_bindings,
                       Interval *values, bool *approximated, Err *err)
{
    bool any_is_approximated = false, is_evaluated = true;
    if (!evaluate_together(exprs, n, bindings, n_bindings, values))
        for (size_t i = 0; i < n && is_evaluated; i++) {
            bool is_approximated = false;
            is_evaluated = expr_evaluate(exprs[i], bindings, n_bindings, &values[i], &is_approximated, err);
            any_is_approximated = any_is_approximated || is_approximated;
        }
    if (is_evaluated && approximated)
        *approximated = any_is_approximated;
    return is_evaluated;
}
