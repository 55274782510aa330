/* SPDX-License-Identifier: BSD-3-Clause */
/* What the JSON forms of comm.json and machine.json share (docs/FORMATS.md): hosts and configurations, and that nothing
 * is written which couldn't be read again. */
#ifndef FIRMA_MODEL_COMM_JSON_H
#define FIRMA_MODEL_COMM_JSON_H

#include "base/arena.h"
#include "base/json.h"
#include "model/comm.h"

json_t *hosts_to_json(const CommHost *hosts, uint32_t n_hosts);

/* The member "hosts" of the document. */
bool hosts_from_json(const json_t *root, const JsonPlace *place, Arena *arena, const CommHost **hosts,
                     uint32_t *n_hosts, Err *err);

/* Members of an object that describes more than a configuration. */
void configuration_to_json(json_t *object, const CommConfiguration *configuration);
bool configuration_from_json(const json_t *object, const JsonPlace *place, Arena *arena,
                             CommConfiguration *configuration, Err *err);

/* A member whose number isn't finite is left out, so that reading the document misses it. */
void json_set_real(json_t *object, const char *key, double value);

/* A text, in the arena. */
bool json_get_text(const json_t *object, const char *key, const JsonPlace *place, Arena *arena, const char **text,
                   Err *err);

/* A number that isn't negative. */
bool json_get_share(const json_t *object, const char *key, const JsonPlace *place, double *value, Err *err);

bool json_get_uint32(const json_t *object, const char *key, const JsonPlace *place, uint32_t limit, uint32_t *value,
                     Err *err);

/* An index into an array of `count` items. */
bool json_get_index(const json_t *object, const char *key, const JsonPlace *place, uint32_t count, uint32_t *value,
                    Err *err);

/* What reads a document, for the document that is about to be written: ERR_BUG if it would be refused. */
typedef bool (*DocumentReader)(const json_t *root, const char *file, Arena *arena, void *result, Err *err);
bool save_readable_document(const json_t *root, const char *path, DocumentReader read, Err *err);

#endif
