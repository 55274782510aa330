/* SPDX-License-Identifier: BSD-3-Clause */
/* Values of fields in models: sizes that structures hold. A field of a parameter is a further parameter of
 * the sub-model, such as m_rows for m->rows. While a program runs, place.h knows more. Private to
 * cost/source. */
#pragma once

#include "cost/source/program/syntax.h"
#include "cost/source/values/place.h"

/* The value of a field, or the length of an array's elements (Java); unknown if anything may have changed
 * it. */
Amount part_value(Scope *scope, const SourceExpression *expression);

/* Follows an assignment of a value, or of a structure or reference with its known parts. */
void part_assign(Scope *scope, const SourceExpression *left, Amount value, const SourceExpression *right);
void part_declare(Scope *scope, const SourceVariable *variable, const SourceExpression *initial);

/* The values of a sub-model's parameters for parts (MadeSub), at a call. */
Amount part_argument(Scope *scope, const PartParameter *part, const SourceExpression *call);
/* What a call has changed: forgets parts, and sets those that the function leaves behind. */
void part_called(Scope *scope, const SourceExpression *call, const MadeSub *made, const Amount *values);

/* A function without source may change what it gets the address of. */
void part_unseen_call(Scope *scope, const SourceExpression *call);

/* Keeps the parts that a return gives back. */
void part_return(Scope *scope, const SourceExpression *value);
/* The parts of parameters that the function has set. */
PartEffects part_effects(const Scope *scope);

/* Forgets what a loop may assign. */
void parts_forget(Scope *scope, const SourceStatement *statement);
