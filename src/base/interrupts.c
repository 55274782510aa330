/* SPDX-License-Identifier: BSD-3-Clause */
/* See interrupts.h. A launch (trace/launch.h) blocks the same signals while the launcher runs.
 * These functions cover the time before, between and after launches. */
#include "base/interrupts.h"

#include <stddef.h>
#include <time.h>

static sigset_t ending_signals(void)
{
    static const int numbers[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP};
    sigset_t ending;
    sigemptyset(&ending);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        sigaddset(&ending, numbers[i]);
    return ending;
}

void interrupts_hold(sigset_t *before)
{
    sigset_t ending = ending_signals();
    sigprocmask(SIG_BLOCK, &ending, before);
}

int interrupts_take(void)
{
    sigset_t ending = ending_signals();
    int number = sigtimedwait(&ending, NULL, &(struct timespec){0, 0});
    return number > 0 ? number : 0;
}

void interrupts_release(const sigset_t *before)
{
    sigprocmask(SIG_SETMASK, before, NULL);
}
