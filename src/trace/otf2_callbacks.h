/* SPDX-License-Identifier: BSD-3-Clause */
/* OTF2 hands its callbacks more than they need. Private to trace/. */
#pragma once

#define UNUSED __attribute__((unused))

/* What every callback for an event begins with; of these, all use `time` and `user`, and some `attributes`. */
#define EVENT_RECORD                                                                                                   \
    UNUSED OTF2_LocationRef ref, OTF2_TimeStamp time, UNUSED uint64_t position, void *user,                            \
        UNUSED OTF2_AttributeList *attributes
