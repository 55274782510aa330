/* SPDX-License-Identifier: BSD-3-Clause */
/* See place.h. */
#include "cost/source/place.h"

#include "cost/source/command_line.h"
#include "cost/source/part.h"
#include "cost/source/value.h"
#include <string.h>

static bool is_reference(const SourceExpression *expression)
{
    return expression->type == CPU_REFERENCE;
}

static const VariableValue *entry_of(const Scope *scope, const Place *place)
{
    if (!*place->part)
        return variable_entry(scope, place->variable);
    for (size_t i = 0; i < scope->values.count; i++) {
        const VariableValue *entry = &scope->values.items[i];
        if (entry->variable == place->variable && entry->part && strcmp(entry->part, place->part) == 0)
            return entry;
    }
    return NULL;
}

/* ---- Finding places ---- */

/* The number of the last index, if the part ends with one. */
static bool last_index(const char *part, size_t *length, int64_t *index)
{
    const char *bracket = strrchr(part, '[');
    if (!bracket || part[strlen(part) - 1] != ']')
        return false;
    *length = (size_t)(bracket - part);
    *index = strtoll(bracket + 1, NULL, 10);
    return true;
}

Place place_element(const Scope *scope, const Place *array, int64_t index)
{
    Arena *arena = scope->all->arena;
    size_t length = strlen(array->part);
    int64_t first;
    if (array->is_element && last_index(array->part, &length, &first))
        index += first;
    return (Place){array->variable, arena_printf(arena, "%.*s[%lld]", (int)length, array->part, (long long)index),
                   false};
}

static Place place_field(const Scope *scope, const Place *object, const char *name)
{
    return (Place){object->variable, arena_printf(scope->all->arena, "%s.%s", object->part, name), false};
}

static bool index_of(const Scope *scope, const SourceExpression *expression, int64_t *index)
{
    Amount amount = amount_of(scope, expression);
    return amount.expr && expr_is_integer(amount.expr, index);
}

static bool place_of_element(const Scope *scope, const SourceExpression *array, const SourceExpression *at,
                             Place *place)
{
    Place base;
    int64_t index;
    if (!place_pointed_to(scope, array, &base) || !index_of(scope, at, &index))
        return false;
    *place = place_element(scope, &base, index);
    return true;
}

bool place_of(const Scope *scope, const SourceExpression *expression, Place *place)
{
    Place base;
    expression = without_casts(expression);
    switch (expression->kind) {
    case SOURCE_VARIABLE:
        *place = (Place){expression->variable, "", false};
        return true;
    case SOURCE_FIELD:
        if (!place_pointed_to(scope, expression->operands[0], &base))
            return false;
        *place = place_field(scope, &base, expression->name);
        return true;
    case SOURCE_ELEMENT:
        return place_of_element(scope, expression->operands[0], expression->operands[1], place);
    case SOURCE_DEREFERENCE:
        if (!place_pointed_to(scope, expression->operands[0], place))
            return false;
        place->is_element = false;
        return true;
    default:
        return false;
    }
}

/* From an element to one that stands behind it, or from an array to its element. */
static Place step(const Scope *scope, const Place *place, int64_t steps)
{
    Place stepped = place_element(scope, place, steps);
    stepped.is_element = true;
    return stepped;
}

/* A reference whose target isn't followed stands for its own target: p->x is the field x of p. */
bool place_pointed_to(const Scope *scope, const SourceExpression *reference, Place *place)
{
    reference = without_casts(reference);
    if (reference->kind == SOURCE_ADDRESS) {
        if (!place_of(scope, reference->operands[0], place))
            return false;
        place->is_element = without_casts(reference->operands[0])->kind == SOURCE_ELEMENT;
        return true;
    }
    if (reference->kind == SOURCE_BINARY && operator_is(reference, "+")) {
        if (!place_of_element(scope, reference->operands[0], reference->operands[1], place))
            return false;
        place->is_element = true;
        return true;
    }
    if (reference->kind == SOURCE_INCREMENT) {
        int64_t steps = !increments_first(reference) ? 0 : operator_is(reference, "++") ? 1 : -1;
        if (!place_pointed_to(scope, reference->operands[0], place))
            return false;
        if (steps)
            *place = step(scope, place, steps);
        return true;
    }
    if (reference->kind == SOURCE_CONDITIONAL) {
        double holds;
        const Expr *exact = scope->all->running ? probability_of(scope, reference->operands[0]) : NULL;
        return exact && expr_is_number(exact, &holds) &&
               place_pointed_to(scope, reference->operands[holds > 0 ? 1 : 2], place);
    }
    const Place *returned = reference->kind == SOURCE_CALL && scope->all->running
                                ? scope->all->running->call_target(scope->all->running, reference)
                                : NULL;
    if (returned)
        *place = *returned;
    if (returned || !place_of(scope, reference, place))
        return returned;
    const VariableValue *entry = entry_of(scope, place);
    if (entry && entry->target)
        *place = *entry->target;
    return true;
}

/* ---- Values ---- */

/* Stands for all parts of a variable that have no value of their own. */
#define OTHER_PARTS "*"

Amount place_get(const Scope *scope, const Place *place)
{
    if (!*place->part)
        return variable_value(scope, place->variable);
    const VariableValue *entry = entry_of(scope, place);
    if (!entry)
        entry = entry_of(scope, &(Place){place->variable, OTHER_PARTS, false});
    return entry ? entry->value : UNKNOWN_AMOUNT;
}

void place_set(Scope *scope, const Place *place, Amount value)
{
    if (!*place->part) {
        variable_set(scope, place->variable, value);
        return;
    }
    VariableValue *entry = (VariableValue *)entry_of(scope, place);
    if (entry) {
        entry->value = value;
        entry->target = NULL;
    } else if (value.expr || place->variable->is_cleared) {
        *vec_push(&scope->values) = (VariableValue){place->variable, value, place->part, NULL};
    }
}

Amount place_value(const Scope *scope, const SourceExpression *expression)
{
    Place place;
    if (!place_of(scope, expression, &place))
        return UNKNOWN_AMOUNT;
    bool is_data = !is_reference(expression);
    if (is_data && is_in_arguments(scope, &place))
        return argument_character(scope, &place);
    bool is_behind =
        is_data && !*place.part && place.variable->type == CPU_REFERENCE; /* a reference that isn't followed */
    return is_behind ? UNKNOWN_AMOUNT : place_get(scope, &place);
}

/* ---- References ---- */

static bool has_parts(const Scope *scope, const SourceVariable *variable)
{
    if (is_in_arguments(scope, &(Place){variable, "", false}))
        return true;
    for (size_t i = 0; i < scope->values.count; i++)
        if (scope->values.items[i].variable == variable && scope->values.items[i].part)
            return true;
    return false;
}

static void set_target(Scope *scope, const Place *reference, const Place *target)
{
    VariableValue *entry = (VariableValue *)entry_of(scope, reference);
    Place *kept = arena_alloc(scope->all->arena, sizeof *kept);
    *kept = *target;
    if (!entry) {
        const char *part = *reference->part ? reference->part : NULL;
        *vec_push(&scope->values) = (VariableValue){.variable = reference->variable, .part = part, .target = kept};
    } else {
        entry->target = kept;
    }
}

void place_bind(Scope *scope, const SourceVariable *reference, const Place *target)
{
    set_target(scope, &(Place){reference, "", false}, target);
}

static const Place *keep(const Scope *scope, const Place *place)
{
    return arena_copy_array(scope->all->arena, place, 1, sizeof *place);
}

const Place *place_followed(const Scope *scope, const SourceExpression *right)
{
    Place target;
    if (!scope->all->running || !is_reference(right) || !place_pointed_to(scope, right, &target))
        return NULL;
    bool is_known = without_casts(right)->kind == SOURCE_ADDRESS || target.is_element || *target.part ||
                    target.variable->type != CPU_REFERENCE || has_parts(scope, target.variable);
    return is_known ? keep(scope, &target) : NULL;
}

static void forget_below(Scope *scope, const Place *place)
{
    size_t length = strlen(place->part), index_length;
    int64_t index;
    if (place->is_element && last_index(place->part, &index_length, &index))
        length = index_length;
    for (size_t i = 0; i < scope->values.count; i++) {
        VariableValue *entry = &scope->values.items[i];
        bool is_below =
            entry->part && (strncmp(entry->part, place->part, length) == 0 || strcmp(entry->part, OTHER_PARTS) == 0);
        if (entry->variable == place->variable && is_below)
            entry->value = UNKNOWN_AMOUNT;
    }
}

void place_copy(Scope *scope, const Place *to, const SourceExpression *structure)
{
    Place from;
    bool is_known = place_pointed_to(scope, without_casts(structure), &from);
    if (is_known && from.variable == to->variable && strcmp(from.part, to->part) == 0)
        return;
    size_t n = scope->values.count, length = is_known ? strlen(from.part) : 0;
    VariableValue *entries = arena_copy_array(scope->all->arena, scope->values.items, n, sizeof *entries);
    forget_below(scope, &(Place){to->variable, to->part, false});
    if (!*to->part)
        place_set(scope, &(Place){to->variable, OTHER_PARTS, false}, UNKNOWN_AMOUNT);
    for (size_t i = 0; is_known && i < n; i++) {
        const VariableValue *entry = &entries[i];
        if (entry->variable != from.variable || !entry->part || strncmp(entry->part, from.part, length) != 0)
            continue;
        bool is_rest = strcmp(entry->part, OTHER_PARTS) == 0;
        if (is_rest && *to->part)
            continue;
        const Place part = {to->variable, arena_printf(scope->all->arena, "%s%s", to->part, entry->part + length),
                            false};
        place_set(scope, &part, entry->value);
        if (entry->target)
            set_target(scope, &part, entry->target);
    }
}

/* All parts become 0; what the initialiser names is assigned afterwards. */
static void clear_parts(Scope *scope, const SourceVariable *variable)
{
    Amount zero = amount_number(scope->space, 0);
    for (size_t i = 0; i < scope->values.count; i++)
        if (scope->values.items[i].variable == variable && scope->values.items[i].part)
            scope->values.items[i].value = zero;
    place_set(scope, &(Place){variable, OTHER_PARTS, false}, zero);
}

void place_declare(Scope *scope, const SourceVariable *variable, Amount value, const SourceExpression *initial,
                   const Place *target)
{
    const Running *running = scope->all->running;
    if (running && variable->is_global) /* a static variable of the function */
        return;
    if (initial)
        variable_assign(scope, variable, value);
    else
        variable_set(scope, variable, value);
    if (!running)
        part_declare(scope, variable, initial);
    if (running && initial && initial->is_structure)
        place_copy(scope, &(Place){variable, "", false}, initial);
    else if (target)
        place_bind(scope, variable, target);
    if (running && variable->is_cleared)
        clear_parts(scope, variable);
}

void place_assign(Scope *scope, const SourceExpression *left, Amount value, const SourceExpression *right,
                  const Place *target)
{
    Place place;
    if (!scope->all->running) {
        if (left->kind == SOURCE_VARIABLE)
            variable_set(scope, left->variable, value);
        part_assign(scope, left, value, right);
        return;
    }
    if (!place_of(scope, left, &place)) {
        if (left->n_operands)
            place_forget_parts(scope, left->operands[0]);
        return;
    }
    if (*place.part)
        place_set(scope, &place, value);
    else
        variable_assign(scope, place.variable, value);
    if (right && right->is_structure)
        place_copy(scope, &place, right);
    else if (target)
        set_target(scope, &place, target);
}

const Place *place_stepped(const Scope *scope, const SourceExpression *reference, Amount steps)
{
    int64_t n;
    bool is_known = !scope->loop && steps.expr && expr_is_integer(steps.expr, &n);
    const Place *from = is_known ? place_followed(scope, reference) : NULL;
    const Place to = from ? step(scope, from, n) : (Place){0};
    return from ? keep(scope, &to) : NULL;
}

/* ---- Forgetting ---- */

void place_forget_parts(Scope *scope, const SourceExpression *reference)
{
    Place place;
    reference = without_casts(reference);
    if (place_pointed_to(scope, reference, &place))
        forget_below(scope, &place);
    else if (reference->n_operands) /* the index isn't known: forget the whole array */
        place_forget_parts(scope, reference->operands[0]);
}

void place_forget(Scope *scope, const SourceExpression *reference)
{
    Place place;
    reference = without_casts(reference);
    bool is_known = place_pointed_to(scope, reference, &place);
    if (is_known && *place.part && !place.is_element)
        place_set(scope, &place, UNKNOWN_AMOUNT);
    else if (is_known && !*place.part &&
             (reference->kind == SOURCE_ADDRESS || place.variable->type != CPU_REFERENCE)) /* not the reference's own */
        variable_assign(scope, place.variable, UNKNOWN_AMOUNT);
    place_forget_parts(scope, reference);
}

enum { CALLS_FOLLOWED = 8 };

/* A search for what is assigned through references, also in functions that are called. */
typedef struct Writes {
    const Scope *scope;
    unsigned depth; /* of calls that are followed */
} Writes;

static bool writes_here(const SourceExpression *expression, void *self);

/* Whether a function may assign what its arguments refer to; only reading functions are known not to. */
static bool function_writes(const Scope *scope, const char *name, unsigned depth)
{
    const SourceFunction *function = name && depth ? source_find(scope->all->program, name) : NULL;
    if (name && only_reads(name))
        return false;
    return !function || source_any_in(function->body, writes_here, &(Writes){scope, depth - 1});
}

static bool writes_here(const SourceExpression *expression, void *self)
{
    const Writes *search = self;
    bool assigns = expression->kind == SOURCE_ASSIGN || expression->kind == SOURCE_INCREMENT;
    return (assigns && without_casts(expression->operands[0])->kind != SOURCE_VARIABLE) ||
           (expression->kind == SOURCE_CALL && function_writes(search->scope, expression->name, search->depth));
}

/* What the called function may assign: all that its arguments refer to. */
static void forget_arguments(Scope *scope, const SourceExpression *call)
{
    if (!function_writes(scope, call->name, CALLS_FOLLOWED))
        return;
    for (size_t i = 0; i < call->n_operands; i++)
        if (is_reference(call->operands[i]))
            place_forget(scope, call->operands[i]);
}

static void forget_in(Scope *scope, const SourceExpression *expression)
{
    Place place;
    bool assigns = expression->kind == SOURCE_ASSIGN || expression->kind == SOURCE_INCREMENT;
    const SourceExpression *target = expression->n_operands ? without_casts(expression->operands[0]) : NULL;
    if (assigns && target->kind != SOURCE_VARIABLE && target->n_operands) {
        place_forget_parts(scope, target->operands[0]);
        if (target->kind == SOURCE_DEREFERENCE && place_of(scope, target, &place))
            place_set(scope, &place, UNKNOWN_AMOUNT);
    }
    if (expression->kind == SOURCE_ADDRESS && place_of(scope, target, &place))
        place_set(scope, &place, UNKNOWN_AMOUNT);
    if (expression->kind == SOURCE_CALL)
        forget_arguments(scope, expression);
    for (size_t i = 0; i < expression->n_operands; i++)
        forget_in(scope, expression->operands[i]);
}

void places_forget(Scope *scope, const SourceStatement *statement)
{
    if (!statement)
        return;
    for (size_t i = 0; i < statement->n_expressions; i++)
        if (statement->expressions[i])
            forget_in(scope, statement->expressions[i]);
    for (size_t i = 0; i < statement->n_children; i++)
        places_forget(scope, statement->children[i]);
}
