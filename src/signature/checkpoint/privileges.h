/* SPDX-License-Identifier: BSD-3-Clause */
/* Capabilities for saving and restoring without root. Private to checkpoint/. */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include <stdbool.h>
#include <sys/types.h>

/* Gives this process the capabilities that checkpoints need. If it doesn't have them, moves it into
 * a user namespace, and into a network namespace with only this host's addresses. The process must
 * have one thread, and stays there. Processes that it starts from here on live there as the same
 * user, without these capabilities. ERR_ENVIRONMENT: the host doesn't allow user namespaces; the
 * hint names the setting. */
bool privileges_get(Arena *arena, Err *err);

/* Whether privileges_get() had to make a namespace. */
bool privileges_are_of_namespace(void);

/* In a new user namespace: keeps the numbers of user and group. False with errno. */
bool privileges_keep_user(uid_t user, gid_t group);

/* In a new mount namespace: mounts terminals of its own. False with errno. */
bool privileges_mount_terminals(void);

/* Whether programs that are started from here on get the capabilities, too. */
void privileges_pass_on(bool pass);
