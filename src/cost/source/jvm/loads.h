/* SPDX-License-Identifier: BSD-3-Clause */
/* Where in memory a load or store goes, as far as that matters in compiled code. Private to cost/source. Source:
 * docs/METHOD.md, section 17. */
#pragma once

#include "cost/source/values/scope.h"

/* Whether the element may be far from the one that the iteration before used: data tell its index, and not loops and
 * parameters alone; or, in warm Java, the innermost loop steps over more than a line. */
bool load_is_stray(const Scope *scope, const SourceExpression *element);

/* Whether the loop loads it once: a reference in a field of an object that stays the same (`this.keys[i]`), and which is
 * no step from object to object; in warm Java also a row, and a length. */
bool load_is_kept(const Scope *scope, const SourceExpression *expression);
