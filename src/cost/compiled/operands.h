/* SPDX-License-Identifier: BSD-3-Clause */
/* Operands of instructions in assembler text, as gcc writes it: "addq\t8(%rax,%rdx,4), %rcx". Private to this folder. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Numbers of general registers; %r8 to %r15 have 8 to 15. */
enum { REGISTER_RAX, REGISTER_RBX, REGISTER_RCX, REGISTER_RDX, REGISTER_RSI, REGISTER_RDI, REGISTER_RBP, REGISTER_RSP };
enum { REGISTERS = 16 };

/* The number of the general register of which this is a name or a part's, such as "%eax"; below 0: it is none. */
int operand_register(const char *name, size_t length);

/* The operand with this number, counted from 0. NULL: there are fewer. */
const char *operand_at(const char *text, unsigned number);
unsigned operand_count(const char *text);
/* NULL: there is none. */
const char *operand_last(const char *text);
/* The operand that lies in memory, by a register; false: there is none. */
bool operand_in_memory(const char *text, const char **at, size_t *length);

/* Whether the instruction compares its operands, and writes none. */
bool operands_are_compared(const char *text);
