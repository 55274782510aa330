/* SPDX-License-Identifier: BSD-3-Clause */
/* A measurement of communication as text, JSON and CSV. */
#pragma once

#include "base/fields.h"
#include "model/comm.h"
#include "model/machine.h"

/* The summary, each configuration, the times of sizes (`all`, or three), what libraries cost over the system, collectives and their models, problems. */
const char *comm_text(const CommMeasurement *measurement, const MachineModel *machine, bool all, bool color,
                      Arena *arena);

/* A table of nonblocking collectives: alone, and with computing between start and wait. "" if there are none. */
const char *comm_overlap_text(const CommMeasurement *measurement, bool all, bool color, Arena *arena);

/* A table of the percentiles that were asked for, of each size. "" if none were. */
const char *comm_percentiles_text(const CommMeasurement *measurement, bool color, Arena *arena);

/* A table of streams: bytes and messages a second. "" if there are none. */
const char *comm_streams_text(const CommMeasurement *measurement, bool all, bool color, Arena *arena);

/* The hosts of the processes, and how far apart they are on a host; "" if there is only one host, whose cores are
 * alike. */
const char *comm_place_text(const CommMeasurement *measurement, const CommSeries *series, Arena *arena);

/* "openmpi tcp" */
const char *comm_way_text(const CommMeasurement *measurement, const CommSeries *series, Arena *arena);

/* Whether tables have this point: of each series the smallest, the middle and the largest size, or all. */
bool comm_has_row(const CommSeries *series, uint32_t point, bool all);

/* "": none. */
const char *comm_bandwidth_text(double bytes_per_s, Arena *arena);

/* The size of a point; "": the operation has no sizes. */
const char *comm_size_text(const CommSeries *series, const CommPoint *point, Arena *arena);

/* What `firma comm --json` prints. output: the directory of -o, or NULL. */
extern const FieldList comm_view_fields;
json_t *comm_view_json(const CommMeasurement *measurement, const MachineModel *machine, const char *output,
                       Arena *arena);

/* What libraries cost over the system: the list `overheads` of that document. */
json_t *comm_overheads_json(const CommMeasurement *measurement, Arena *arena);

/* One line a point, or a sample (`samples`: those that were kept), under a line of names (RFC 4180). */
extern const FieldList comm_csv_fields, comm_samples_fields;
const char *comm_csv(const CommMeasurement *measurement, bool samples, Arena *arena);
