/* SPDX-License-Identifier: BSD-3-Clause */
/* Asks which hosts answer before anything is measured: a launch with a dead host would fail on all hosts. */
#pragma once

#include "comm/hosts.h"

/* Executes `true` on each host by the agent, on all at once, for at most limit_s. The first host counts as answering, as
 * does this one. Returns the hosts that answer; silent[i], of [hosts->n], is the reason if host i doesn't, or NULL. */
Hosts answering_hosts(const Hosts *hosts, double limit_s, Arena *arena, const char **silent);
