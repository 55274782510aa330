/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the allocations of a program in C that may get memory which was given back before. Private to cost/source. */
#pragma once

#include "cost/source/program/program.h"

/* Marks allocations in loops that also free memory, and those of functions that such loops call. */
void recycling_find(SourceProgram *program);
