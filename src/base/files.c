/* SPDX-License-Identifier: BSD-3-Clause */
/* See files.h. */
#include "base/files.h"

#include <ftw.h>
#include <stdio.h>
#include <string.h>

enum { OPEN_DIRECTORIES = 16 };

static int remove_entry(const char *path, const struct stat *status, int type, struct FTW *place)
{
    (void)status, (void)type, (void)place;
    return remove(path);
}

bool files_remove_tree(const char *path)
{
    return nftw(path, remove_entry, OPEN_DIRECTORIES, FTW_DEPTH | FTW_PHYS | FTW_MOUNT) == 0;
}

bool files_has_suffix(const char *name, const char *suffix)
{
    size_t length = strlen(name), suffix_length = strlen(suffix);
    return length > suffix_length && strcmp(name + length - suffix_length, suffix) == 0;
}
