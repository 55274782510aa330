/* SPDX-License-Identifier: BSD-3-Clause */
/* Notices that a process writes to the control file before it records. By them, firma can tell why
 * a launch left no record. A constructor notes that a rank began to run. Another notice says why a
 * rank could not record. */
#pragma once

/* `error` is an errno. */
void notice_failure(const char *directory, int error);
