/* SPDX-License-Identifier: BSD-3-Clause */
/* What saving and restoring takes, for who isn't root. Private to checkpoint/. */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include <stdbool.h>
#include <sys/types.h>

/* If this process may not yet do what checkpoints take: moves this process, which must have one thread, into a user
 * namespace where it may, and into a network namespace that holds this host's addresses and nothing else; what it starts
 * from here on lives there too, as the same user, and without these rights. Once for all. ERR_ENVIRONMENT: the host
 * doesn't let users have namespaces; the hint says by which setting. */
bool privileges_get(Arena *arena, Err *err);

/* Whether privileges_get had to make a namespace. */
bool privileges_are_of_namespace(void);

/* In a new user namespace: the user and group are there what they are outside. False with errno. */
bool privileges_keep_user(uid_t user, gid_t group);

/* In a new mount namespace: terminals of its own. False with errno. */
bool privileges_mount_terminals(void);

/* Whether programs that are started from here on have these rights too. */
void privileges_pass_on(bool pass);
