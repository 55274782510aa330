/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells whether the process that made a temporary file or directory still runs. A process id alone
 * can't tell, because the kernel uses ids again, and other PID namespaces use the same ids. So an
 * owner is a process id with the process's start time, its PID namespace and its host.
 *
 * Names of temporary files hold their owner: NAME.OWNER.part, NAME.OWNER.old. If firma was killed,
 * a later run finds such leftovers, and removes them. */
#pragma once

#include "base/arena.h"
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct Owner {
    int32_t pid;
    uint64_t start_ticks;   /* field 22 of /proc/PID/stat; 0: not known */
    uint64_t pid_namespace; /* inode of /proc/PID/ns/pid; 0: not known */
    uint64_t host;          /* hash of the host's name */
} Owner;

/* This process. */
Owner owner_self(void);

uint64_t owner_host(const char *host_name);

typedef enum OwnerState {
    OWNER_RUNS,
    OWNER_GONE,
    OWNER_UNKNOWN, /* it ran on another host, or in another PID namespace */
} OwnerState;

OwnerState owner_state(const Owner *owner);

/* True if the process of this PID namespace has ended, or its id belongs to another process now. A
 * zombie has ended. start_ticks 0: only the id is known. */
bool owner_has_ended(int32_t pid, uint64_t start_ticks);

/* "PID-START-NAMESPACE-HOST" of this process, for names of temporary files. */
const char *owner_name(Arena *arena);

#define OWNER_PART ".part"  /* is being written */
#define OWNER_FORMER ".old" /* was moved aside */

/* True if the name is NAME.OWNER.part of this whole. */
bool owner_is_part_of(const char *name, const char *whole);

/* Removes PATH.OWNER.part, files and directories, whose owners are gone. */
void owner_remove_parts(const char *path);

/* Removes such leftovers from a directory, whatever their NAME is. */
void owner_remove_parts_in(const char *directory);

/* Removes a directory. First renames it to PART_OF.OWNER.part, so a firma that is killed meanwhile leaves
 * no half directory under its name. False, with errno set: something remains. */
bool owner_remove_tree(const char *path, const char *part_of);

/* Finds a PATH.OWNER.old whose owner is gone. False: there is none. */
bool owner_find_former(const char *path, char former[PATH_MAX]);

/* Creates a new directory FOLDER/PREFIX-OWNER-XXXXXX, which only this user can enter. First removes
 * such directories whose owners are gone; `end`, unless NULL, is called with each before. FOLDER
 * NULL: TMPDIR, or /tmp. Returns NULL, with errno set, on failure. */
char *owner_make_temporary(const char *folder, const char *prefix, void (*end)(const char *directory), Arena *arena);
