/* SPDX-License-Identifier: BSD-3-Clause */
/* From the definitions of an archive to its Trace and to what reading its events needs. Private to trace/. */
#ifndef FIRMA_TRACE_READER_TABLES_H
#define FIRMA_TRACE_READER_TABLES_H

#include "trace/reader/definitions.h"

/* The archive's processes and their locations: the first of the tables to be made. ERR_INPUT: no MPI processes, or what
 * the definitions say of them doesn't fit together. */
bool tables_build_processes(Archive *archive, const Definitions *definitions, Err *err);

/* Communicators of the trace, and how those of the archive and its RMA windows map to them. */
bool tables_build_comms(Archive *archive, Definitions *definitions, Err *err);

/* Regions and calling contexts; which MPI calls the archive knows. */
void tables_build_regions(Archive *archive, const Definitions *definitions);

/* The attributes and the metric in which firma keeps what OTF2 has no record for. */
void tables_find_own(Archive *archive, const Definitions *definitions);

#endif
