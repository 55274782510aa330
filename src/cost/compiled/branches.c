/* SPDX-License-Identifier: BSD-3-Clause */
/* See branches.h. A conditional jump belongs to the condition at whose place in the source it is. Of a && b, the jumps
 * of a and of b have places of their own; with one place alone, the compiler tests both at once. */
#include "cost/compiled/branches.h"

#include <stdlib.h>

static bool is_branch(const Instruction *instruction)
{
    return *instruction->text == 'j' && !instruction_is(instruction, "jmp");
}

/* Counts a place from which something jumps: once for each condition. */
static void count_place(const CompiledRegions *regions, const Instruction *instruction, bool *is_counted,
                        unsigned *n_places)
{
    const CompiledPoint *last = regions_point(regions, instruction->line, instruction->column), *point = last;
    if (!last || is_counted[last - regions->points])
        return;
    is_counted[last - regions->points] = true;
    int before = -1;
    for (; point >= regions->points && point->line == last->line && point->column == last->column; point--)
        if (point->test >= 0 && point->test != before) {
            n_places[point->test]++;
            before = point->test;
        }
}

void branches_find(const Pieces *pieces, CompiledRegions *regions)
{
    bool *is_counted = memory_zeroed(regions->n_points, sizeof *is_counted);
    unsigned *n_places = memory_zeroed(regions->n, sizeof *n_places);
    for (size_t i = 0; i < pieces->n; i++) {
        InstructionCursor cursor = {.function = pieces->items[i].function, .loop = -1};
        const Instruction *instruction;
        while (pieces->items[i].loop < 0 && (instruction = assembly_next(&cursor)) != NULL)
            if (is_branch(instruction))
                count_place(regions, instruction, is_counted, n_places);
    }
    for (size_t i = 0; i < regions->n; i++) {
        CompiledRegion *side = &regions->items[i];
        if (side->kind == COMPILED_SIDE)
            side->has_branch |= side->side == COMPILED_CASE || (side->test >= 0 && n_places[side->test] > side->order);
    }
    free(is_counted);
    free(n_places);
}
