/* SPDX-License-Identifier: BSD-3-Clause */
/* What the small library over one MPI (mpi.c) gives to firma, which itself is linked with none: their ABIs differ, and
 * only a run under a launcher needs one. Messages are bytes; those from one rank to another arrive in order. An error
 * of MPI's ends the job. */
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
    /* Begins to send what stays at `bytes` until the slot is free again. */
    void (*send)(uint32_t slot, uint32_t to, const void *bytes, size_t size_bytes);
    bool (*is_free)(uint32_t slot);
    /* Whether a message is there; then it must be received next. */
    bool (*has_arrived)(uint32_t *from, size_t *size_bytes);
    void (*receive)(void *bytes, size_t size_bytes);
    void (*end)(void);
} TeamModule;
