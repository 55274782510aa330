/* SPDX-License-Identifier: BSD-3-Clause */
/* What a C source's functions and loops cost as they were compiled: the compiler's own assembler text is read,
 * its loops are matched with those of the source, and llvm-mca simulates what each executes. Source:
 * docs/METHOD.md, section 17. */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include "cost/source/program/program.h"

enum { COMPILED_CASE = 2 };

typedef enum CompiledKind {
    COMPILED_FUNCTION, /* its body */
    COMPILED_LOOP,     /* the body */
    COMPILED_SIDE      /* a side of a conditional or of ?:, the right side of && or ||, or a case of a switch */
} CompiledKind;

/* A part of the source that always runs as a whole, without its inner regions. */
typedef struct CompiledRegion {
    CompiledKind kind;
    int outer; /* -1: none */
    const char *function;
    const void *origin; /* the statement or expression of the source, as in PamelaNode; of a function its own */
    SourcePlace place;  /* of the loop, conditional or case */
    const SourceExpression *condition; /* that decides whether it runs; of a loop, again; NULL: none */
    unsigned side;                     /* 0: where the condition holds; 1: where not; COMPILED_CASE */
    int test;              /* of a side: the side whose jumps decide this one, too, as in a && b; -1: none */
    unsigned n_tests;      /* of a side: conditions for which its jumps decide */
    unsigned order;        /* of a side: how many of these conditions are before its own */
    unsigned n_self_calls; /* of a function: how many calls of itself are in it */
    double count;          /* how often it runs in a task; the caller sets it */
    /* What compiled_set_costs() finds, of functions and loops: */
    bool is_compiled; /* what each run costs is known */
    double cycles;    /* of each run; 0 where a region around it has them */
    bool has_branch;  /* of a side: the compiled code jumps there, or over it */
    /* What lines_count() finds: lines that each run brings from beyond a cache, one after the other, and apart. */
    double lines, leaps;
    bool waits;    /* the condition needs an element that data tell, and that may be far */
    bool descends; /* a loop that follows one of several references from object to object, as down a tree */
} CompiledRegion;

/* A place belongs to the last point that is at or before it. */
typedef struct CompiledPoint {
    uint32_t line, column;
    int region;
    int test;      /* the side for which a jump from here decides; -1: none */
    size_t number; /* in the order of the source's tree */
} CompiledPoint;

/* An expression that loads, stores or calls; or a variable's declaration with its first value. */
typedef struct CompiledUse {
    int region;
    const SourceVariable *variable; /* that is declared, or NULL */
    const SourceExpression *expression;
} CompiledUse;

typedef struct CompiledRegions {
    size_t n;
    CompiledRegion *items;
    size_t n_uses;
    const CompiledUse *uses;
    size_t n_points; /* of the source's own file, in its order */
    const CompiledPoint *points;
    const char *const *others; /* other sources of the program; NULL behind the last one, or instead of all */
} CompiledRegions;

/* The regions of all functions of a source. */
CompiledRegions *compiled_regions(const SourceProgram *program, const char *file, Arena *arena);

/* The processor that llvm-mca takes for this one: "znver3". ERR_ENVIRONMENT: there is no llvm-mca. */
bool compiled_find_scheduler(Arena *arena, const char **scheduler, Err *err);

/* A compiled source. */
typedef struct CompiledCode CompiledCode;

/* The options with which tasks become a library, besides their own. */
#define COMPILED_AS_LIBRARY "-fPIC"

/* Compiles a source with these options. `scheduler`: a processor that llvm-mca knows. ERR_ENVIRONMENT: there is no
 * compiler, or it doesn't write assembler text. */
bool compiled_open(const char *source, const char *options, const char *scheduler, Arena *arena, CompiledCode **code,
                   Err *err);

const char *compiled_source(const CompiledCode *code);

/* What a task executes of the compiled code, and how long a processor takes for it. */
typedef struct CompiledWalks CompiledWalks;

/* Walks through a task that begins with this function, as often as the regions count; NULL: all functions may run, as
 * in one of several sources. ERR_ENVIRONMENT: the compiled code has no such function. */
bool compiled_walk(const CompiledCode *code, const char *entry, CompiledRegions *regions, Arena *arena,
                   CompiledWalks **walks, Err *err);

/* Simulates all of these on the first one's processor. llvm-mca is started once, which takes longer than to simulate a
 * task. ERR_ENVIRONMENT: llvm-mca is missing, or doesn't understand the code. */
bool compiled_schedule(CompiledWalks *const *all, size_t n, Arena *arena, Err *err);

/* Sets what the regions cost. */
void compiled_set_costs(CompiledWalks *walks);
