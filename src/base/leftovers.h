/* SPDX-License-Identifier: BSD-3-Clause */
/* Removes what firma has begun to write, and its temporary directories, if a signal ends it. */
#pragma once

/* From now on, SIGINT, SIGQUIT, SIGTERM and SIGHUP remove the file or directory, if it is still there, before they
 * end firma. Signals that are ignored, or caught by others, stay as they are. The path must hold its owner's name
 * (owner.h), so that nobody else's file ever has it. */
void leftovers_note(const char *path);
