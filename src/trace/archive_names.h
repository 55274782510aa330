/* SPDX-License-Identifier: BSD-3-Clause */
/* Names in archives, shared by writer and reader (docs/FORMATS.md). Private to trace/. */
#pragma once

/* A PVM task begins by the first call, and ends by the last one. */
#define PVM_FIRST_CALL "pvm_mytid"
#define PVM_LAST_CALL "pvm_exit"

#define ARCHIVE_NAME "traces"

#define PROPERTY_EXECUTABLE "FIRMA::EXECUTABLE"
#define PROPERTY_BUILD_ID "FIRMA::BUILD_ID"
#define PROPERTY_ARGUMENTS "FIRMA::ARGUMENTS"                     /* JSON array of strings */
#define PROPERTY_ARGUMENTS_TRUNCATED "FIRMA::ARGUMENTS_TRUNCATED" /* "true", or absent */
#define PROPERTY_ARGUMENTS_HASH "FIRMA::ARGUMENTS_HASH"           /* of hidden arguments, or absent */
#define PROPERTY_MPI_LIBRARY "FIRMA::MPI_LIBRARY"
#define PROPERTY_HOSTS "FIRMA::HOSTS"                             /* JSON array of strings */
#define PROPERTY_PLACES "FIRMA::PLACES"                           /* JSON array: [host, processors] of each rank */
#define PROPERTY_RANKS_PER_PROCESSOR "FIRMA::RANKS_PER_PROCESSOR" /* of the fullest processors, or absent */
#define PROPERTY_RECORDED_CALLS "FIRMA::RECORDED_CALLS"           /* JSON array: calls of each rank */
#define PROPERTY_RECORDING_COST_S "FIRMA::RECORDING_COST_S"       /* of a call, or absent */
#define PROPERTY_SLOWDOWN "FIRMA::SLOWDOWN"                       /* by other programs, or absent */
#define PROPERTY_INCOMPLETE "FIRMA::INCOMPLETE"                   /* JSON array of strings, or absent */
/* JSON array, or absent: of each communicator with a topology [number, [sources, destinations] of each
 * member], as ranks in the communicator */
#define PROPERTY_NEIGHBOURS "FIRMA::NEIGHBOURS"
#define PROPERTY_NOTES "FIRMA::NOTES" /* JSON array of strings */

#define ASLEEP_REGION "asleep (firma)" /* a stretch between calls in which the thread slept at a stop */

/* The longest time from the first record to the last. */
#define ARCHIVE_SPAN_LIMIT_NS (UINT64_C(1) << 61)

#define CPU_METRIC_NAME "CPU time"
#define CPU_METRIC_UNIT "ns"

/* Attributes. OTF2 describes a nonblocking collective only at its completion. The first five
 * attributes describe it at its request. */
#define ATTRIBUTE_COLLECTIVE "FIRMA::COLLECTIVE" /* uint8: Collective of model/event.h */
#define ATTRIBUTE_COMM "FIRMA::COMM"
#define ATTRIBUTE_ROOT "FIRMA::ROOT" /* uint32, as in MpiCollectiveEnd */
#define ATTRIBUTE_BYTES_SENT "FIRMA::BYTES_SENT"
#define ATTRIBUTE_BYTES_RECEIVED "FIRMA::BYTES_RECEIVED"
#define ATTRIBUTE_REPEATS                                                                                              \
    "FIRMA::REPEATS" /* uint32 at an Enter: number of further calls of this kind that this call stands for */

/* Attributes of an archive with analysis results. */
#define ATTRIBUTE_LOGICAL_TIME "logical time"
#define ATTRIBUTE_TICK "tick"
#define ATTRIBUTE_OCCURRENCE "occurrence"
