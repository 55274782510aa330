/* SPDX-License-Identifier: BSD-3-Clause */
/* What the verbs that start a program share: see launching.h. */
#include "verbs/trace/launching.h"
#include "trace/launch.h"

#include <ftw.h>
#include <string.h>
#include <sys/stat.h>

#define OPEN_DIRECTORIES 16

const char *program_name(char *const *command, Arena *arena)
{
    int program = launch_find_program(command, arena);
    if (program < 0)
        return "program";
    const char *slash = strrchr(command[program], '/');
    return slash ? slash + 1 : command[program];
}

static uint64_t bytes_seen; /* nftw passes no argument on to its callback */

static int add_bytes(const char *path, const struct stat *info, int type, struct FTW *place)
{
    (void)path, (void)place;
    bytes_seen += type == FTW_F ? (uint64_t)info->st_size : 0;
    return 0;
}

uint64_t directory_bytes(const char *path)
{
    bytes_seen = 0;
    nftw(path, add_bytes, OPEN_DIRECTORIES, FTW_PHYS);
    return bytes_seen;
}
