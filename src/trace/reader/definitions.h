/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads an archive's definitions, and builds the tables of the open archive from them: its Trace,
 * and tables for reading events. Numbers and order of definitions are arbitrary. Private to
 * trace/. */
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
    const uint32_t *ranks; /* computed when first needed */
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
    VEC(RawPair) classes;    /* classes with one member: ref, member */
    RefTable accelerators;   /* location groups that aren't processes */
} Definitions;

/* Reads all definitions, and the properties of the archive's clock. ERR_INPUT: broken, truncated,
 * or without locations. */
bool definitions_read(Archive *archive, Definitions *definitions, Err *err);
void definitions_free(Definitions *definitions);

/* The text of a string, or "" if the string isn't defined. */
const char *definitions_text(const Definitions *definitions, uint32_t ref);

/* The file with the definitions, for messages. */
const char *definitions_path(const Archive *archive);

/* ---- tables (processes.c, comms.c, names.c) ---- */

/* Builds the archive's processes and their locations; to be called before the other tables.
 * ERR_INPUT: no MPI processes, or inconsistent definitions. */
bool tables_build_processes(Archive *archive, const Definitions *definitions, Err *err);

/* Builds the trace's communicators, and the maps from the archive's communicators and RMA windows
 * to them. */
bool tables_build_comms(Archive *archive, Definitions *definitions, Err *err);

/* Reads the topologies of communicators from the text of PROPERTY_NEIGHBOURS into the trace's
 * communicators (neighbours.c). */
void tables_read_neighbours(Archive *archive, const char *text, Comm *comms);

/* Builds regions and calling contexts, and finds out which MPI calls the archive defines. */
void tables_build_regions(Archive *archive, const Definitions *definitions);

/* Finds firma's own attributes and its metric, for which OTF2 has no records. */
void tables_find_own(Archive *archive, const Definitions *definitions);
