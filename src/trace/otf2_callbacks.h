/* SPDX-License-Identifier: BSD-3-Clause */
/* Parameters of OTF2's callbacks, most of which firma doesn't use. Private to trace/. */
#pragma once

#define UNUSED __attribute__((unused))

/* The first parameters of every callback for an event. All callbacks use `time` and `user`, and
 * some use `attributes`. */
#define EVENT_RECORD                                                                                                   \
    UNUSED OTF2_LocationRef ref, OTF2_TimeStamp time, UNUSED uint64_t position, void *user,                            \
        UNUSED OTF2_AttributeList *attributes
