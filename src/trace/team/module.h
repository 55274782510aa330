/* SPDX-License-Identifier: BSD-3-Clause */
/* The interface of a small library over one MPI (mpi.c). firma loads this library only under a
 * launcher. firma itself is linked with no MPI, because the MPIs' ABIs differ. Messages are bytes;
 * messages from one rank to another arrive in order. An error in MPI ends the job. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TEAM_MODULE_SYMBOL "firma_team_module"
#define TEAM_MODULE_VERSION 1u
#define TEAM_MODULE_SLOTS 8u

typedef struct TeamModule {
    uint32_t version;
    bool (*start)(uint32_t *rank, uint32_t *size);
    /* Begins to send. `bytes` must stay unchanged until the slot is free again. */
    void (*send)(uint32_t slot, uint32_t to, const void *bytes, size_t size_bytes);
    bool (*is_free)(uint32_t slot);
    /* True if a message has arrived. The caller must receive it next. */
    bool (*has_arrived)(uint32_t *from, size_t *size_bytes);
    void (*receive)(void *bytes, size_t size_bytes);
    void (*end)(void);
} TeamModule;
