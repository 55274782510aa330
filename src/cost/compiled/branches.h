/* SPDX-License-Identifier: BSD-3-Clause */
/* Which conditionals of the source the compiler made branches of. Private to this folder. */
#pragma once

#include "cost/compiled/pieces.h"

/* Sets has_branch of all sides. */
void branches_find(const Pieces *pieces, CompiledRegions *regions);
