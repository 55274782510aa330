/* SPDX-License-Identifier: BSD-3-Clause */
/* What a process leaves in the control file before it records, so that firma can tell why a launch
 * left no record: that a rank began to run (a constructor writes it), and why a rank could not
 * record. */
#pragma once

/* error: an errno. */
void notice_failure(const char *directory, int error);
