/* SPDX-License-Identifier: BSD-3-Clause */
/* Texts that are known while a program runs (generator.h): literals, and the words of its command line. Private to
 * cost/source. */
#pragma once

#include "cost/source/values/place.h"

/* The characters to which a reference points; NULL: not known. */
const char *text_of(const Scope *scope, const SourceExpression *reference);

/* Whether a place is a part of the program's arguments, argv. */
bool is_in_arguments(const Scope *scope, const Place *place);
/* The characters from a place on; NULL: not known. */
const char *text_at(const Scope *scope, const Place *place);
/* The character at a place in the arguments or in a literal; unknown if these aren't so long. */
Amount character_at(const Scope *scope, const Place *place);
/* The place of a word of the command line, from this character on. */
Place argument_place(const Scope *scope, size_t word, size_t character);

/* A function of the C library that looks at what its arguments refer to, and changes nothing. */
bool only_reads(const char *function);
/* The value of a call that reads texts: atoi, strcmp, strlen and their like. Unknown: another call, or another text. */
Amount text_call_value(const Scope *scope, const SourceExpression *call);
/* Whether it is a search as by strchr() whose result is known; then sets where it found something, -1 for nowhere. */
bool text_search(const Scope *scope, const SourceExpression *call, int64_t *at);
/* Whether it is a call as of strtol(text, &end, 10); then sets its end, which may be unknown. */
bool text_call_sets_end(Scope *scope, const SourceExpression *call, Amount *value);
