/* SPDX-License-Identifier: BSD-3-Clause */
/* Conditions in the bodies of macros such as MAX(a, b), whose body is one expression in brackets. The definition counts
 * for whichever use it is expanded in: firma_site is a constant there, of the innermost use around.
 *
 *     #define MAX(a, b) ((a) > (b) ? (a) : (b))    ->    #define MAX(a, b) (firma_truth(firma_site, ((a) > (b)) != 0) ? …
 *     y = MAX(a, b);                               ->    y = __extension__({ enum { firma_site = 4 }; MAX(a, b); });
 *
 * Private to this folder. */
#pragma once

#include "cost/count/written.h"

/* The condition of a `?:` in a macro's body. */
typedef VEC(Stretch) MacroConditions;

/* The use of a macro at the place, with its arguments, and the conditions of its definition in the same file, which are
 * empty if they can't be counted. */
Stretch macro_use(WrittenFiles *files, const SourcePlace *place, MacroConditions *conditions);
