/* SPDX-License-Identifier: BSD-3-Clause */
/* See place.h: finds places. */
#include "cost/source/values/parts.h"

#include "cost/source/values/value.h"
#include <string.h>

/* ---- Memory that is taken as another type ---- */

bool is_held_otherwise(const Place *place)
{
    return place->held && strcmp(place->held, HELD_OTHERWISE) == 0;
}

static bool is_typed(const char *held)
{
    return held && strcmp(held, HELD_NOTHING) != 0;
}

/* What the memory of an allocation holds is what the first reference to it points to. */
static const char *held_by(const Place *place, const SourceExpression *reference)
{
    SourceVariable *memory = (SourceVariable *)place->variable;
    bool is_allocated = !*memory->name && memory->type == CPU_REFERENCE && !memory->text;
    if (!is_allocated || !is_typed(reference->pointee))
        return is_typed(reference->pointee) ? reference->pointee : NULL;
    memory->held = memory->held ? memory->held : reference->pointee;
    return memory->held;
}

static void take(Place *place, const SourceExpression *reference)
{
    const char *as = reference->taken_as ? reference->taken_as : reference->pointee;
    if (!place->held)
        place->held = held_by(place, reference);
    bool is_other = place->held && is_typed(as) && strcmp(place->held, as) != 0;
    if (is_other)
        place->held = HELD_OTHERWISE;
}

static bool is_known_of(const Scope *scope, const SourceVariable *variable)
{
    bool is_known = variable->is_cleared || variable_value(scope, variable).expr;
    for (size_t i = 0; i < scope->values.count && !is_known; i++)
        is_known = scope->values.items[i].variable == variable && scope->values.items[i].value.expr;
    return is_known;
}

/* Of an expression that reads or writes a part of the variable as another type. */
void place_note_other_type(const Scope *scope, const Place *place, const SourceExpression *expression)
{
    Generator *all = scope->all;
    const char *name = *place->variable->name ? place->variable->name : "memory";
    if (all->running && is_known_of(scope, place->variable))
        finding_add(all, &expression->place, NULL,
                    arena_printf(all->arena, "`%s`: takes a part of %s as another type, so its value isn't known",
                                 expression->text ? expression->text : "", name));
}

/* ---- Finding places ---- */

/* The number of the last index, if the part ends with one. */
bool place_last_index(const char *part, size_t *length, int64_t *index)
{
    const char *bracket = strrchr(part, '[');
    if (!bracket || part[strlen(part) - 1] != ']')
        return false;
    *length = (size_t)(bracket - part);
    *index = strtoll(bracket + 1, NULL, 10);
    return true;
}

/* How many indexes a part ends with. */
size_t place_count_indexes(const char *part)
{
    size_t n = 0, length = strlen(part);
    while (length && part[length - 1] == ']') {
        while (part[--length] != '[')
            ;
        n++;
    }
    return n;
}

Place place_element(const Scope *scope, const Place *array, int64_t index)
{
    size_t length = strlen(array->part), depth = place_count_indexes(array->part);
    int64_t first;
    bool is_step = array->is_element && place_last_index(array->part, &length, &first);
    if (is_step) {
        index += first;
        depth--;
    }
    int64_t size = depth && array->sizes && depth < array->sizes->n ? array->sizes->items[depth] : 0;
    int64_t rows = size > 0 ? (index - (index % size + size) % size) / size : 0;
    Place before = *array;
    before.part = arena_strndup(scope->all->arena, array->part, length);
    before.is_element = false;
    if (rows) {
        before.is_element = true;
        before = place_element(scope, &before, rows);
    }
    const char *part = arena_printf(scope->all->arena, "%s[%lld]", before.part, (long long)(index - rows * size));
    return (Place){array->variable, part, false, array->sizes, array->held};
}

static Place place_field(const Scope *scope, const Place *object, const SourceExpression *field)
{
    const char *part = arena_printf(scope->all->arena, "%s.%s", object->part, field->name);
    return (Place){object->variable, part, false, field->sizes, field->held};
}

static bool index_of(const Scope *scope, const SourceExpression *expression, int64_t *index)
{
    Amount amount = amount_of(scope, expression);
    return amount.expr && expr_is_integer(amount.expr, index);
}

/* Whether a pointer may go on into a further row of an array whose rows have no fixed size. */
static bool is_of_other_row(const Place *base, const SourceExpression *array)
{
    size_t depth = place_count_indexes(base->part);
    array = without_casts(array);
    return array->kind == SOURCE_VARIABLE && array->variable != base->variable && base->sizes && depth > 1 &&
           depth <= base->sizes->n && !base->sizes->items[depth - 1];
}

static bool place_of_element(const Scope *scope, const SourceExpression *array, const SourceExpression *at,
                             Place *place)
{
    Place base;
    int64_t index;
    if (!place_pointed_to(scope, array, &base))
        return false;
    if (is_held_otherwise(&base)) {
        *place = base;
        return true;
    }
    if (!index_of(scope, at, &index) || is_of_other_row(&base, array))
        return false;
    *place = place_element(scope, &base, index);
    return true;
}

static bool find_place(const Scope *scope, const SourceExpression *expression, Place *place)
{
    Place base;
    switch (expression->kind) {
    case SOURCE_VARIABLE:
        *place = (Place){expression->variable, "", false, expression->variable->sizes, expression->held};
        return true;
    case SOURCE_FIELD:
        if (!place_pointed_to(scope, expression->operands[0], &base))
            return false;
        *place = is_held_otherwise(&base) ? base : place_field(scope, &base, expression);
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

bool place_of(const Scope *scope, const SourceExpression *expression, Place *place)
{
    expression = without_casts(expression);
    if (!find_place(scope, expression, place))
        return false;
    if (is_held_otherwise(place)) {
        place_note_other_type(scope, place, expression);
        return false;
    }
    place->held = expression->held;
    return true;
}

/* From an element to one that stands behind it, or from an array to its element. */
Place place_step(const Scope *scope, const Place *place, int64_t steps)
{
    Place stepped = place_element(scope, place, steps);
    stepped.is_element = true;
    return stepped;
}

Allocation *allocation_new(const Scope *scope, const SourceExpression *expression)
{
    Running *running = scope->all->running;
    Allocation *made = arena_alloc(scope->all->arena, sizeof *made);
    *made = (Allocation){
        running->allocations, expression, {.name = "", .type = CPU_REFERENCE, .value = NAN, .initial = NAN}};
    running->allocations = made;
    return made;
}

/* What stands for the characters of a string literal. */
static const SourceVariable *text_variable(const Scope *scope, const SourceExpression *text)
{
    Allocation *found = scope->all->running->allocations;
    while (found && found->expression != text)
        found = found->next;
    if (!found)
        found = allocation_new(scope, text);
    found->memory.text = text->literal;
    return &found->memory;
}

/* If it isn't known which side is chosen, nothing is known of both. */
static bool place_of_choice(const Scope *scope, const SourceExpression *choice, Place *place)
{
    double holds;
    const Expr *exact = scope->all->running ? probability_of(scope, choice->operands[0]) : NULL;
    if (exact && expr_is_number(exact, &holds))
        return place_pointed_to(scope, choice->operands[holds > 0 ? 1 : 2], place);
    for (size_t i = 1; i <= 2 && scope->all->running; i++)
        variable_escape((Scope *)scope, place_followed(scope, choice->operands[i]));
    return false;
}

/* A reference whose target isn't followed stands for its own target: p->x is the field x of p, or of its first element
 * while a program runs. */
static bool find_pointed_to(const Scope *scope, const SourceExpression *reference, Place *place)
{
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
        if (!is_reference(reference)) /* the sum is one of numbers of bytes */
            place->held = HELD_OTHERWISE;
        return true;
    }
    if (reference->kind == SOURCE_INCREMENT) {
        int64_t steps = !increments_first(reference) ? 0 : operator_is(reference, "++") ? 1 : -1;
        if (!place_pointed_to(scope, reference->operands[0], place))
            return false;
        if (steps)
            *place = place_step(scope, place, steps);
        return true;
    }
    if (reference->kind == SOURCE_TEXT && reference->literal && scope->all->running) {
        *place = (Place){.variable = text_variable(scope, reference), .part = "[0]", .is_element = true};
        return true;
    }
    if (reference->kind == SOURCE_CONDITIONAL)
        return place_of_choice(scope, reference, place);
    if (reference->kind == SOURCE_COMMA)
        return place_pointed_to(scope, reference->operands[reference->n_operands - 1], place);
    const RunValue *run = run_value(scope, reference);
    const Place *returned = run ? run->target : NULL;
    if (returned)
        *place = *returned;
    if (returned || !place_of(scope, reference, place))
        return returned;
    const VariableValue *entry = place_entry(scope, place);
    if (entry && entry->target)
        *place = *entry->target;
    else if (scope->all->running && !reference->is_structure)
        *place = place_step(scope, place, 0);
    if (!reference->is_structure && !(entry && entry->target))
        place->held = NULL; /* not the reference itself, but its target */
    return true;
}

bool place_pointed_to(const Scope *scope, const SourceExpression *reference, Place *place)
{
    reference = without_casts(reference);
    if (!find_pointed_to(scope, reference, place))
        return false;
    take(place, reference);
    return true;
}

/* How many numbers stand before a place in its array, or in its row if rows have no fixed size. *length: of the part
 * before the indexes that count. */
static int64_t number_in_array(const Scope *scope, const Place *place, size_t *length)
{
    const SourceSizes *sizes = place->sizes && place->sizes->items[place->sizes->n - 1] ? place->sizes : NULL;
    size_t depth = sizes ? place_count_indexes(place->part) : *place->part != 0;
    int64_t number = 0, size = 1, index;
    *length = strlen(place->part);
    for (size_t i = sizes ? sizes->n : depth; i-- > 0;) {
        if (i < depth && place_last_index(arena_strndup(scope->all->arena, place->part, *length), length, &index))
            number += index * size;
        size *= sizes ? sizes->items[i] : 0;
    }
    return number;
}

bool place_distance(const Scope *scope, const SourceExpression *from, const SourceExpression *to, int64_t *distance)
{
    Place a, b;
    size_t length_a, length_b;
    if (!place_followed(scope, from) || !place_followed(scope, to) || !place_pointed_to(scope, from, &a) ||
        !place_pointed_to(scope, to, &b) || a.variable != b.variable || is_held_otherwise(&a) || is_held_otherwise(&b))
        return false;
    int64_t first = number_in_array(scope, &a, &length_a), second = number_in_array(scope, &b, &length_b);
    if (length_a != length_b || strncmp(a.part, b.part, length_a) != 0)
        return false;
    *distance = second - first;
    return true;
}
