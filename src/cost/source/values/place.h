/* SPDX-License-Identifier: BSD-3-Clause */
/* Parts of variables: elements with known indexes, and fields. firma knows their values while a
 * program runs (Running in generator.h), and follows references to them. References to data of
 * which firma knows nothing aren't followed. Private to cost/source. */
#pragma once

#include "cost/source/values/scope.h"

/* Handles of MPI are numbers from here on, with a half, so that no whole number is one of them. */
#define LEAST_HANDLE (1e12 + 0.5)

/* Functions that pointers hold are numbers, too, from here on. */
#define LEAST_FUNCTION (2e12 + 0.5)

bool is_handle(double number);

struct Place {
    const SourceVariable *variable;
    const char *part; /* "", "[3]", ".left", "[1].size" */
    bool is_element;  /* a reference to an element, whose neighbours are its array's */
    /* Of the array of arrays whose indexes the part ends with; NULL: none, or sizes that aren't fixed. */
    const SourceSizes *sizes;
    /* What the memory holds there (program.h); NULL: not known. HELD_OTHERWISE: a reference takes it as another type, so
     * it may read and write any part of the variable. */
    const char *held;
};

#define HELD_OTHERWISE "?"
bool is_held_otherwise(const Place *place);

/* The place that an expression denotes, or the place that a reference points to. False: unknown. */
bool place_of(const Scope *scope, const SourceExpression *expression, Place *place);
bool place_pointed_to(const Scope *scope, const SourceExpression *reference, Place *place);
/* The element with this index of the array at a place. An index beyond the end of a row is in a further row. */
Place place_element(const Scope *scope, const Place *array, int64_t index);

Amount place_get(const Scope *scope, const Place *place);
void place_set(Scope *scope, const Place *place, Amount value);
/* Where a reference at a place points to, if it is followed; NULL: it isn't. */
const Place *place_target(const Scope *scope, const Place *reference);
Amount place_value(const Scope *scope, const SourceExpression *expression);

/* Where an assigned reference points to, before the assignment runs. NULL: it isn't followed, as references to data
 * without known parts. So programs may swap their buffers, and each iteration leaves the same values. */
const Place *place_followed(const Scope *scope, const SourceExpression *right);
/* The memory that an allocation gives, a further one each time as long as references to the earlier ones exist. */
const Place *place_allocated(Scope *scope, const SourceExpression *allocation);
/* Whether so many bytes from here are all of the variable. */
bool place_is_whole(const Place *place, double bytes);
void place_clear(Scope *scope, const Place *whole);
void place_copy_whole(Scope *scope, const Place *to, const Place *from);
/* free(): the reference doesn't point there any more. */
void place_release(Scope *scope, const SourceExpression *reference);
/* Where a followed reference points to, so many elements further. */
const Place *place_stepped(const Scope *scope, const SourceExpression *reference, Amount steps);

/* Assigns a value to what `left` denotes, which is `place` (NULL: not known). right: the assigned expression; target:
 * where that points to; NULL: none.
 * If the index isn't known, all parts of the variable become unknown. */
void place_assign(Scope *scope, const SourceExpression *left, const Place *place, Amount value,
                  const SourceExpression *right, const Place *target);
/* How many numbers two references into one array are apart. False: not known. */
bool place_distance(const Scope *scope, const SourceExpression *from, const SourceExpression *to, int64_t *distance);

/* The same, where nothing in `left` has run yet. */
void place_assign_now(Scope *scope, const SourceExpression *left, Amount value, const SourceExpression *right,
                      const Place *target);
void place_declare(Scope *scope, const SourceVariable *variable, Amount value, const SourceExpression *initial,
                   const Place *target);
/* Gives a structure the parts of another one, as far as they are known. */
void place_copy(Scope *scope, const Place *to, const SourceExpression *structure);
/* Makes a reference point to a place. */
void place_bind(Scope *scope, const SourceVariable *reference, const Place *target);
/* Forgets the values of all parts of what the reference points to, and of what that contains. */
void place_forget_parts(Scope *scope, const SourceExpression *reference);
/* Also the value of the variable, element or field itself, as of n for &n, and for a reference that points to it. */
void place_forget(Scope *scope, const SourceExpression *reference);
/* Forgets what a statement may assign through references: parts, and variables whose address it
 * takes. */
void places_forget(Scope *scope, const SourceStatement *statement);
