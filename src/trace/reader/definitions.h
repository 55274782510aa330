/* SPDX-License-Identifier: BSD-3-Clause */
/* An archive's definitions as they come, and the tables of the open archive that are made of them: its Trace, and what
 * reading its events needs. Numbers and order of the definitions are the writer's. Private to trace/. */
#pragma once

#include "trace/reader/reader.h"

typedef struct RawRegion {
    uint64_t ref;
    uint32_t name, canonical;
    OTF2_Paradigm paradigm;
} RawRegion;

typedef struct RawGroup {
    OTF2_GroupType type;
    OTF2_Paradigm paradigm;
    OTF2_GroupFlag flags;
    uint32_t n_members;
    const uint64_t *members;
    const uint32_t *ranks; /* made when first needed */
} RawGroup;

typedef struct RawComm {
    uint32_t ref, name, group_a, group_b;
    bool is_inter;
} RawComm;

typedef struct RawLocation {
    uint64_t ref, n_events;
    uint32_t group;
    OTF2_LocationType type;
} RawLocation;

typedef struct RawPair {
    uint32_t ref, value;
} RawPair;

typedef struct RawMetric {
    uint32_t ref, name, unit;
} RawMetric;

typedef struct Definitions {
    Archive *archive;
    Arena *scratch;
    RefTable strings, groups;
    VEC(const char *) texts;
    VEC(RawRegion) regions;
    VEC(RawGroup) group_list;
    VEC(RawComm) comms;
    VEC(RawLocation) locations;
    VEC(RawPair) attributes; /* ref, name */
    VEC(RawPair) contexts;   /* ref, region */
    VEC(RawPair) windows;    /* ref, comm */
    VEC(RawMetric) metrics;  /* members */
    VEC(RawPair) classes;    /* of one member: ref, member */
    RefTable accelerators;   /* location groups that aren't processes */
} Definitions;

/* Reads them all, and the archive's clock. ERR_INPUT: broken, truncated, without locations. */
bool definitions_read(Archive *archive, Definitions *definitions, Err *err);
void definitions_free(Definitions *definitions);

/* A string's text; "" if there is none. */
const char *definitions_text(const Definitions *definitions, uint32_t ref);

/* The file that they stand in, for messages. */
const char *definitions_path(const Archive *archive);

/* ---- tables (processes.c, comms.c, names.c) ---- */

/* The archive's processes and their locations: the first of the tables to be made. ERR_INPUT: no MPI processes, or what
 * the definitions say of them doesn't fit together. */
bool tables_build_processes(Archive *archive, const Definitions *definitions, Err *err);

/* Communicators of the trace, and how those of the archive and its RMA windows map to them. */
bool tables_build_comms(Archive *archive, Definitions *definitions, Err *err);

/* Regions and calling contexts; which MPI calls the archive knows. */
void tables_build_regions(Archive *archive, const Definitions *definitions);

/* The attributes and the metric in which firma keeps what OTF2 has no record for. */
void tables_find_own(Archive *archive, const Definitions *definitions);
