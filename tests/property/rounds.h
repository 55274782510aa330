/* SPDX-License-Identifier: BSD-3-Clause */
/* How many random cases a property is tried on: a fifth of them under sanitizers, where each takes ten times as long.
 */
#pragma once

#ifdef __SANITIZE_ADDRESS__
#define ROUNDS(n) ((n) / 5)
#else
#define ROUNDS(n) (n)
#endif
