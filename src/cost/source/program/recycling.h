/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the allocations of a program in C that may get memory which was given back before. */
#pragma once

#include "cost/source/program/program.h"

/* Marks allocations behind a call that frees memory, in loops that do, in functions that do and call themselves, and in
 * the functions that are called there; as far as the entry reaches them. Marks of another entry are gone. */
void recycling_find(const SourceProgram *program, const SourceFunction *entry);
