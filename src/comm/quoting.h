/* SPDX-License-Identifier: BSD-3-Clause */
/* A request as one word that survives whatever shell an agent (ssh) hands it to: %XX for all but letters and digits. */
#ifndef FIRMA_COMM_QUOTING_H
#define FIRMA_COMM_QUOTING_H

#include "base/arena.h"

const char *quoting_pack(const char *text, Arena *arena);

/* Back; a text that doesn't begin with '%' isn't packed, and is returned as it is. NULL: broken. */
const char *quoting_unpack(const char *word, Arena *arena);

#endif
