/* SPDX-License-Identifier: BSD-3-Clause */
/* What the JSON forms of comm.json and machine.json share (docs/FORMATS.md): hosts and configurations. */
#ifndef FIRMA_MODEL_COMM_JSON_H
#define FIRMA_MODEL_COMM_JSON_H

#include "base/arena.h"
#include "model/comm.h"
#include "model/members.h"

json_t *hosts_to_json(const CommHost *hosts, uint32_t n_hosts);

/* The member "hosts" of the document. */
bool hosts_from_json(const json_t *root, const JsonPlace *place, Arena *arena, const CommHost **hosts,
                     uint32_t *n_hosts, Err *err);

/* Members of an object that describes more than a configuration. */
void configuration_to_json(json_t *object, const CommConfiguration *configuration);
bool configuration_from_json(const json_t *object, const JsonPlace *place, Arena *arena,
                             CommConfiguration *configuration, Err *err);

#endif
