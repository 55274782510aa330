/* SPDX-License-Identifier: BSD-3-Clause */
/* Endless loops that a conditional `break` ends, as loops with a condition. Private to cost/source. */
#pragma once

#include "cost/source/program/program.h"

/* The statements that do the same as `while (1) { A; if (c) { X; break; } B }`:
 *
 *     A; while (!c) { B; A } X
 *
 * False: the loop has a condition, or other jumps are in the way. */
bool endless_rewrite(const SourceStatement *loop, Arena *arena, SourceStatement **rewritten);
