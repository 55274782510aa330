/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the functions of a program that never return. Private to cost/source. */
#pragma once

#include "cost/source/program/program.h"

/* Marks the calls of functions with source that always end in a call that never returns. */
void endings_find(SourceProgram *program);
