/* SPDX-License-Identifier: BSD-3-Clause */
/* Preloaded into firma: kills it when it is about to give a file its name.
 *
 *   KILL_AT_FILE   the end of that file's path, such as /time.svg
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

int rename(const char *from, const char *to)
{
    const char *end = getenv("KILL_AT_FILE");
    size_t length = strlen(to), wanted = end ? strlen(end) : 0;
    if (wanted && length >= wanted && strcmp(to + length - wanted, end) == 0)
        kill(getpid(), SIGKILL);
    return (int)syscall(SYS_renameat2, -100, from, -100, to, 0); /* AT_FDCWD */
}
