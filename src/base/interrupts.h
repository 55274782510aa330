/* SPDX-License-Identifier: BSD-3-Clause */
/* Holds back the signals that end firma (SIGINT, SIGQUIT, SIGTERM, SIGHUP) while they would leave
 * something behind: processes, or half-written files. */
#pragma once

#include <signal.h>

/* Blocks these signals until interrupts_release(). *before is the signal mask to restore. */
void interrupts_hold(sigset_t *before);

/* Takes a blocked signal that has arrived, and returns its number. Returns 0 if none has arrived. A
 * signal that was taken has no further effect. */
int interrupts_take(void);

void interrupts_release(const sigset_t *before);
