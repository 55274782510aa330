/* SPDX-License-Identifier: BSD-3-Clause */
/* Assembler text that a compiler wrote (gcc -S -g, x86-64): its functions, their basic blocks, and their
 * loops. Private to this folder. Source: docs/METHOD.md, section 17. */
#pragma once

#include "base/arena.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct Instruction {
    const char *text;      /* "addq\t$1, %rax" */
    uint32_t line, column; /* in the source; 0: not known, or of another file */
} Instruction;

bool instruction_is(const Instruction *instruction, const char *opcode);

typedef struct BasicBlock {
    size_t n_instructions;
    const Instruction *instructions;
    /* Blocks that may follow; one that a jump table names several times occurs as often. */
    size_t n_next;
    const uint32_t *next;
} BasicBlock;

/* A loop. */
typedef struct AssemblyLoop {
    uint32_t head;
    bool *has;                /* [n_blocks] */
    bool has_entries;         /* others than the head */
    int outer;                /* the smallest loop around; -1: none */
    size_t n_blocks;          /* in it */
    const Instruction *latch; /* the jump back to the head; NULL: none is known */
} AssemblyLoop;

typedef struct AssemblyFunction {
    const char *name;
    size_t n_blocks;
    const BasicBlock *blocks; /* the first is the entry */
    size_t n_loops;
    const AssemblyLoop *loops;
} AssemblyFunction;

typedef struct Assembly {
    size_t n_functions;
    AssemblyFunction *functions;
} Assembly;

/* Reads a text. Lines of other files than `source` are 0. What isn't understood is left out. */
Assembly *assembly_read(const char *text, const char *source, Arena *arena);

/* loops.c: finds a function's loops; outer ones come first. */
void assembly_find_loops(AssemblyFunction *function, Arena *arena);

/* The innermost loop around the block, inside of this one (-1: of the function); -1: none. The block must be in it. */
int assembly_inner_loop(const AssemblyFunction *function, int loop, uint32_t block);

/* Whether the innermost loop around the block is this one (-1: none is around it). */
bool assembly_owns(const AssemblyFunction *function, int loop, uint32_t block);

/* Where a search through the instructions of a loop (-1: of a function) is. */
typedef struct InstructionCursor {
    const AssemblyFunction *function;
    int loop;
    bool without_inner; /* not those of inner loops */
    uint32_t block;     /* 0 at first, as `at` */
    size_t at;
} InstructionCursor;

/* NULL: there is no further one. */
const Instruction *assembly_next(InstructionCursor *cursor);
