/* SPDX-License-Identifier: BSD-3-Clause */
/* Pieces of assembler text: the loops and functions that an entry may reach, each with the source's loop or function
 * that it was compiled from. Private to this folder. */
#pragma once

#include "cost/compiled/regions.h"
#include "cost/compiled/report.h"
#include "cost/compiled/walk.h"

typedef struct Piece {
    const AssemblyFunction *function;
    int loop;        /* -1: the function's own blocks */
    int unit;        /* the region; -1: none */
    unsigned factor; /* the source's iterations in one of the loop */
    unsigned jammed; /* iterations of the loop around that a run of this loop belongs to */
    unsigned parts;  /* loops of this kind that do the unit's work together */
    bool is_main;    /* does the unit's work; the rest of a vectorised loop doesn't */
    size_t n_inner;  /* units of loops in it */
} Piece;

typedef struct Pieces {
    size_t n;
    Piece *items; /* of each function its loops, inner ones first, and then the function */
} Pieces;

/* NULL: there is no such entry. */
Pieces *pieces_find(const Assembly *assembly, const char *entry, const CompiledRegions *regions, const Report *report,
                    Arena *arena);
/* The piece of this loop. */
const Piece *pieces_loop(const Pieces *pieces, const AssemblyFunction *function, int loop);
/* The piece that stands for the unit, or NULL. */
const Piece *pieces_of_unit(const Pieces *pieces, int unit);
/* Whether an own block of the piece comes from this unit of the source. */
bool piece_contains(const Piece *piece, const CompiledRegions *regions, int unit);
/* Whether the first unit is the second, or a loop or function around it. */
bool unit_is_around(const CompiledRegions *regions, int outer, int unit);
/* Whether a loop in the piece comes from the unit. */
bool pieces_has_inside(const Pieces *pieces, const Piece *piece, int unit);
/* Whether the first piece is the second, or a loop in it. */
bool piece_is_within(const Piece *inner, const Piece *outer);
/* Whether the assembler text still has the function by itself, perhaps specialised; also if the entry isn't seen to
 * reach it. */
bool assembly_has_function(const Assembly *assembly, const char *name);
