/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the allocations of a program in C that may get memory which was given back before. Private to cost/source. */
#pragma once

#include "cost/source/program/program.h"

/* Marks allocations behind a call that frees memory, in loops that do, in functions that do and call themselves, and in
 * the functions that are called there. */
void recycling_find(SourceProgram *program);
