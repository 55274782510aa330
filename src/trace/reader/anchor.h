/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks an archive's anchor file before OTF2 reads it. OTF2 trusts the sizes in it: a broken one makes it clear
 * gigabytes or count to 2^32. Private to trace/. */
#pragma once

#include "base/err.h"

/* What OTF2 itself would find and refuse passes; a file that can't be read, is empty or isn't OTF2's doesn't. */
bool anchor_check(const char *path, Err *err);
