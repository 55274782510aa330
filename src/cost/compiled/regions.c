/* SPDX-License-Identifier: BSD-3-Clause */
/* See regions.h. A place belongs to the region of the last statement or expression that begins at or before it:
 * so the ends of statements aren't needed. */
#include "cost/compiled/regions.h"

#include "base/vec.h"
#include "cost/source/syntax.h"

typedef struct Builder {
    const char *file, *function;
    size_t n_of_function; /* the region of the function */
    VEC(CompiledRegion) regions;
    VEC(CompiledPoint) points;
} Builder;

static int add_region(Builder *builder, CompiledKind kind, int outer, const SourcePlace *place, unsigned side)
{
    *vec_push(&builder->regions) =
        (CompiledRegion){.kind = kind, .outer = outer, .function = builder->function, .place = *place, .side = side};
    return (int)builder->regions.count - 1;
}

static void add_point(Builder *builder, const SourcePlace *place, int region)
{
    if (place->line && place->file && strcmp(place->file, builder->file) == 0)
        *vec_push(&builder->points) = (CompiledPoint){place->line, place->column, region};
}

static void add_expression(Builder *builder, const SourceExpression *expression, int region)
{
    if (!expression)
        return;
    add_point(builder, &expression->place, region);
    if (expression->kind == SOURCE_CALL && expression->name && strcmp(expression->name, builder->function) == 0)
        builder->regions.items[builder->n_of_function].n_self_calls++;
    for (size_t i = 0; i < expression->n_operands; i++)
        add_expression(builder, expression->operands[i], region);
}

static void add_statement(Builder *builder, const SourceStatement *statement, int region);

static void add_loop(Builder *builder, const SourceStatement *statement, int region)
{
    LoopParts parts = loop_parts(statement);
    int body = add_region(builder, COMPILED_LOOP, region, &statement->place, 0);
    if (statement->kind == SOURCE_FOR)
        add_statement(builder, statement->children[0], region);
    add_expression(builder, parts.condition, body);
    add_expression(builder, parts.step, body);
    add_statement(builder, parts.body, body);
}

static void add_sides(Builder *builder, const SourceStatement *statement, int region)
{
    add_expression(builder, statement->expressions[0], region);
    for (size_t i = 0; i < statement->n_children; i++) {
        const SourceStatement *child = statement->children[i];
        const SourcePlace *place = statement->kind == SOURCE_IF || !child ? &statement->place : &child->place;
        if (child)
            add_statement(builder, child,
                          add_region(builder, COMPILED_SIDE, region, place,
                                     statement->kind == SOURCE_IF ? (unsigned)i : COMPILED_CASE));
    }
}

static void add_statement(Builder *builder, const SourceStatement *statement, int region)
{
    if (!statement)
        return;
    add_point(builder, &statement->place, region);
    switch (statement->kind) {
    case SOURCE_FOR:
    case SOURCE_WHILE:
    case SOURCE_DO:
    case SOURCE_FOR_EACH:
        add_loop(builder, statement, region);
        return;
    case SOURCE_IF:
    case SOURCE_SWITCH:
        add_sides(builder, statement, region);
        return;
    default:
        for (size_t i = 0; i < statement->n_expressions; i++)
            add_expression(builder, statement->expressions[i], region);
        for (size_t i = 0; i < statement->n_children; i++)
            add_statement(builder, statement->children[i], region);
    }
}

static int by_place(const void *a, const void *b)
{
    const CompiledPoint *left = a, *right = b;
    if (left->line != right->line)
        return left->line < right->line ? -1 : 1;
    if (left->column != right->column)
        return left->column < right->column ? -1 : 1;
    return left->region < right->region ? -1 : left->region > right->region;
}

CompiledRegions *compiled_regions(const SourceProgram *program, const char *file, Arena *arena)
{
    Builder builder = {.file = file};
    for (size_t i = 0; i < program->n_functions; i++) {
        const SourceFunction *function = &program->functions[i];
        builder.function = function->name;
        builder.n_of_function = builder.regions.count;
        int region = add_region(&builder, COMPILED_FUNCTION, -1, &function->place, 0);
        add_point(&builder, &function->place, region);
        add_statement(&builder, function->body, region);
    }
    if (builder.points.count)
        qsort(builder.points.items, builder.points.count, sizeof *builder.points.items, by_place);
    CompiledRegions *regions = arena_alloc(arena, sizeof *regions);
    *regions = (CompiledRegions){builder.regions.count, vec_copy(&builder.regions, arena), builder.points.count,
                                 vec_copy(&builder.points, arena)};
    vec_free(&builder.regions);
    vec_free(&builder.points);
    return regions;
}

int regions_at(const CompiledRegions *regions, uint32_t line, uint32_t column)
{
    size_t at = 0;
    vec_bisect(at, regions->n_points,
               regions->points[at].line < line ||
                   (regions->points[at].line == line && regions->points[at].column <= column));
    return line && at ? regions->points[at - 1].region : -1;
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
