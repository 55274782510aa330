/* SPDX-License-Identifier: BSD-3-Clause */
/* What PVM has of collective operations. Private to the PVM worker. */
#pragma once

#include "comm/worker/pvm_task.h"

/* With packing "xdr", and with others. */
extern const Collective pvm_collectives_xdr[], pvm_collectives_other[];

/* Whether one of the operations needs a group. */
bool pvm_collectives_need_group(const json_t *operations);

/* Packs into the send buffer, or unpacks from the receive buffer; negative: PVM's error. */
int pvm_pack(int encoding, const void *buffer, size_t size_bytes);
int pvm_unpack(void *buffer, size_t size_bytes);
