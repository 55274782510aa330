/* SPDX-License-Identifier: BSD-3-Clause */
/* PVM's collective operations. Private to the PVM worker. */
#pragma once

#include "comm/worker/pvm/task.h"

/* For packing "xdr", and for other packings. */
extern const Collective pvm_collectives_xdr[], pvm_collectives_other[];

/* Whether one of the operations is a collective: the harness separates all of them by barriers, which need a
 * group. */
bool pvm_collectives_need_group(const json_t *operations);

/* Pack into the send buffer, and unpack from the receive buffer. Negative: PVM's error code. */
int pvm_pack(int encoding, const void *buffer, size_t size_bytes);
int pvm_unpack(void *buffer, size_t size_bytes);
