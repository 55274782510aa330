/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds processes by a mark: a word in their environment that no other process has. So firma finds
 * everything that a launcher started, even processes that were adopted by another parent. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* True if the process's environment has the word "NAME=VALUE"; with `as_beginning`, a word that
 * begins so. */
bool marked_has(pid_t pid, const char *word, bool as_beginning);

/* Sends a signal (0: none) to every process of this host whose environment has the word
 * "NAME=VALUE". With `as_beginning`, words that begin so count, too. Returns the number of these
 * processes. The calling process doesn't count. Zombies don't count either, because they have no
 * environment. */
size_t marked_signal(const char *word, bool as_beginning, int number);

/* Waits until no such process is left. After patience_ms, kills those that are left, and waits for
 * at most another second. */
void marked_sweep(const char *word, bool as_beginning, int patience_ms);
