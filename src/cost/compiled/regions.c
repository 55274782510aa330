/* SPDX-License-Identifier: BSD-3-Clause */
/* See regions.h. A place belongs to the region of the last statement or expression that begins at or before it:
 * so the ends of statements aren't needed. */
#include "cost/compiled/regions.h"

#include "base/vec.h"
#include "cost/source/program/syntax.h"

typedef struct Builder {
    const char *file, *function;
    size_t n_of_function; /* the region of the function */
    VEC(CompiledRegion) regions;
    VEC(CompiledPoint) points;
    VEC(CompiledUse) uses;
} Builder;

/* Where a part of the source stands. */
typedef struct Within {
    int region;
    int test; /* the conditional to whose condition it belongs; -1: none */
} Within;

static int add_region(Builder *builder, CompiledKind kind, int outer, const void *origin, const SourcePlace *place)
{
    *vec_push(&builder->regions) = (CompiledRegion){
        .kind = kind, .outer = outer, .function = builder->function, .origin = origin, .place = *place, .test = -1};
    return (int)builder->regions.count - 1;
}

static int add_side(Builder *builder, int outer, const void *origin, const SourcePlace *place, unsigned side)
{
    int region = add_region(builder, COMPILED_SIDE, outer, origin, place);
    builder->regions.items[region].side = side;
    return region;
}

/* The sides of a conditional: jumps of its condition decide for both. */
static void add_sides(Builder *builder, int outer, const void *origin, const SourceExpression *condition,
                      const SourcePlace *place, int sides[2])
{
    for (unsigned i = 0; i < 2; i++) {
        sides[i] = add_side(builder, outer, origin, place, i);
        builder->regions.items[sides[i]].test = sides[0];
        builder->regions.items[sides[i]].condition = condition;
    }
    builder->regions.items[sides[0]].n_tests = 1;
}

static void add_point(Builder *builder, const SourcePlace *place, Within within)
{
    if (place->line && place->file && strcmp(place->file, builder->file) == 0)
        *vec_push(&builder->points) =
            (CompiledPoint){place->line, place->column, within.region, within.test, builder->points.count};
}

static void add_use(Builder *builder, const SourceExpression *expression, int region)
{
    switch (expression->kind) {
    case SOURCE_ELEMENT:
    case SOURCE_DEREFERENCE:
    case SOURCE_FIELD:
    case SOURCE_ASSIGN:
    case SOURCE_INCREMENT:
    case SOURCE_CALL:
    case SOURCE_NEW:
        *vec_push(&builder->uses) = (CompiledUse){region, NULL, expression};
        return;
    default:
        return;
    }
}

static void add_expression(Builder *builder, const SourceExpression *expression, Within within);

/* a && b: b is a side of its own, for which jumps of the same condition decide. gcc gives these jumps the place of the
 * condition, and of the operator. */
static void add_short_circuit(Builder *builder, const SourceExpression *expression, Within within)
{
    const SourceExpression *left = expression->operands[0], *right = expression->operands[1];
    int side = add_side(builder, within.region, expression, &expression->place, 0);
    bool is_alone = within.test < 0;
    within.test = is_alone ? side : within.test;
    builder->regions.items[side].condition = left;
    builder->regions.items[side].test = within.test;
    builder->regions.items[side].order = builder->regions.items[within.test].n_tests++;
    add_point(builder, &expression->place, within);
    add_expression(builder, left, within);
    add_point(builder, &left->end, within);
    add_expression(builder, right, (Within){side, within.test});
    add_point(builder, &expression->end, within);
}

/* a ? b : c. gcc gives the jump the place of the colon. */
static void add_choice(Builder *builder, const SourceExpression *expression, Within within)
{
    int sides[2];
    add_sides(builder, within.region, expression, expression->operands[0], &expression->place, sides);
    const Within own = {within.region, sides[0]};
    add_point(builder, &expression->place, own);
    add_expression(builder, expression->operands[0], own);
    add_expression(builder, expression->operands[1], (Within){sides[0], within.test});
    add_point(builder, &expression->operands[1]->end, own);
    add_expression(builder, expression->operands[2], (Within){sides[1], within.test});
    add_point(builder, &expression->end, within);
}

static void add_expression(Builder *builder, const SourceExpression *expression, Within within)
{
    if (!expression)
        return;
    if (expression->kind == SOURCE_CONDITIONAL) {
        add_choice(builder, expression, within);
        return;
    }
    if (operator_is(expression, "&&") || operator_is(expression, "||")) {
        add_short_circuit(builder, expression, within);
        return;
    }
    add_point(builder, &expression->place, within);
    if (expression->kind == SOURCE_CALL && expression->name && strcmp(expression->name, builder->function) == 0)
        builder->regions.items[builder->n_of_function].n_self_calls++;
    add_use(builder, expression, within.region);
    for (size_t i = 0; i < expression->n_operands; i++)
        add_expression(builder, expression->operands[i], within);
}

static void add_statement(Builder *builder, const SourceStatement *statement, int region);

static void add_loop(Builder *builder, const SourceStatement *statement, int region)
{
    LoopParts parts = loop_parts(statement);
    int body = add_region(builder, COMPILED_LOOP, region, statement, &statement->place);
    builder->regions.items[body].condition = parts.condition;
    if (statement->kind == SOURCE_FOR)
        add_statement(builder, statement->children[0], region);
    add_expression(builder, parts.condition, (Within){body, -1});
    add_expression(builder, parts.step, (Within){body, -1});
    add_statement(builder, parts.body, body);
}

static void add_if(Builder *builder, const SourceStatement *statement, int region)
{
    int sides[2];
    add_sides(builder, region, statement, statement->expressions[0], &statement->place, sides);
    add_point(builder, &statement->place, (Within){region, sides[0]});
    add_expression(builder, statement->expressions[0], (Within){region, sides[0]});
    for (size_t i = 0; i < statement->n_children; i++)
        add_statement(builder, statement->children[i], sides[i]);
}

static void add_switch(Builder *builder, const SourceStatement *statement, int region)
{
    add_point(builder, &statement->place, (Within){region, -1});
    add_expression(builder, statement->expressions[0], (Within){region, -1});
    for (size_t i = 0; i < statement->n_children; i++) {
        const SourceStatement *one = statement->children[i];
        if (one)
            add_statement(builder, one, add_side(builder, region, one, &one->place, COMPILED_CASE));
    }
}

static void add_statement(Builder *builder, const SourceStatement *statement, int region)
{
    if (!statement)
        return;
    switch (statement->kind) {
    case SOURCE_FOR:
    case SOURCE_WHILE:
    case SOURCE_DO:
    case SOURCE_FOR_EACH:
        add_point(builder, &statement->place, (Within){region, -1});
        add_loop(builder, statement, region);
        return;
    case SOURCE_IF:
        add_if(builder, statement, region);
        return;
    case SOURCE_SWITCH:
        add_switch(builder, statement, region);
        return;
    default:
        add_point(builder, &statement->place, (Within){region, -1});
        if (statement->kind == SOURCE_DECLARE && statement->n_expressions && statement->expressions[0])
            *vec_push(&builder->uses) = (CompiledUse){region, statement->variable, statement->expressions[0]};
        for (size_t i = 0; i < statement->n_expressions; i++)
            add_expression(builder, statement->expressions[i], (Within){region, -1});
        for (size_t i = 0; i < statement->n_children; i++)
            add_statement(builder, statement->children[i], region);
    }
}

/* Of points at the same place, the last one that was added is the last one: the innermost, or one behind a part. All
 * of a macro's are at its place. */
static int by_place(const void *a, const void *b)
{
    const CompiledPoint *left = a, *right = b;
    if (left->line != right->line)
        return left->line < right->line ? -1 : 1;
    if (left->column != right->column)
        return left->column < right->column ? -1 : 1;
    return left->number < right->number ? -1 : left->number > right->number;
}

CompiledRegions *compiled_regions(const SourceProgram *program, const char *file, Arena *arena)
{
    Builder builder = {.file = file};
    for (size_t i = 0; i < program->n_functions; i++) {
        const SourceFunction *function = &program->functions[i];
        builder.function = function->name;
        builder.n_of_function = builder.regions.count;
        int region = add_region(&builder, COMPILED_FUNCTION, -1, function, &function->place);
        add_point(&builder, &function->place, (Within){region, -1});
        add_statement(&builder, function->body, region);
    }
    if (builder.points.count)
        qsort(builder.points.items, builder.points.count, sizeof *builder.points.items, by_place);
    CompiledRegions *regions = arena_alloc(arena, sizeof *regions);
    *regions = (CompiledRegions){
        .n = builder.regions.count,
        .items = vec_copy(&builder.regions, arena),
        .n_uses = builder.uses.count,
        .uses = vec_copy(&builder.uses, arena),
        .n_points = builder.points.count,
        .points = vec_copy(&builder.points, arena),
    };
    vec_free(&builder.uses);
    vec_free(&builder.regions);
    vec_free(&builder.points);
    return regions;
}

const CompiledPoint *regions_point(const CompiledRegions *regions, uint32_t line, uint32_t column)
{
    size_t at = 0;
    vec_bisect(at, regions->n_points,
               regions->points[at].line < line ||
                   (regions->points[at].line == line && regions->points[at].column <= column));
    return line && at ? &regions->points[at - 1] : NULL;
}

int regions_at(const CompiledRegions *regions, uint32_t line, uint32_t column)
{
    const CompiledPoint *point = regions_point(regions, line, column);
    return point ? point->region : -1;
}

bool regions_is_elsewhere(const CompiledRegions *regions, int region)
{
    for (size_t i = 0; regions->others && regions->others[i]; i++)
        if (strcmp(regions->others[i], regions->items[region].place.file) == 0)
            return true;
    return false;
}

int regions_unit(const CompiledRegions *regions, int region)
{
    while (region >= 0 && regions->items[region].kind == COMPILED_SIDE)
        region = regions->items[region].outer;
    return region;
}

int regions_outer_unit(const CompiledRegions *regions, int unit)
{
    return regions_unit(regions, regions->items[unit].outer);
}
