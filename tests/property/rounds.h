/* SPDX-License-Identifier: BSD-3-Clause */
/* The number of random cases for a property. Under sanitizers it is a fifth, because each case
 * takes ten times as long. */
#pragma once

#ifdef __SANITIZE_ADDRESS__
#define ROUNDS(n) ((n) / 5)
#else
#define ROUNDS(n) (n)
#endif
