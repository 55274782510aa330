/* SPDX-License-Identifier: BSD-3-Clause */
/* Signals that end firma wait where that would leave something behind. */
#pragma once

#include <signal.h>

/* From here to interrupts_let, they wait. */
void interrupts_hold(sigset_t *before);

/* One that has come, and waits; 0: none. It is taken, and will end nobody any more. */
int interrupts_take(void);

void interrupts_let(const sigset_t *before);
