/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks an archive's anchor file before OTF2 reads it. OTF2 trusts the sizes in this file: with
 * wrong sizes, it clears gigabytes or counts to 2^32. Private to trace/. */
#pragma once

#include "base/err.h"

/* Returns false if the file can't be read, is empty, or isn't OTF2's, or if sizes in it are wrong.
 * Other mistakes pass, because OTF2 itself finds them. */
bool anchor_check(const char *path, Err *err);
