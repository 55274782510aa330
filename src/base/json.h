/* SPDX-License-Identifier: BSD-3-Clause */
/* What every JSON form of firma shares, on top of Jansson: reading with errors that name file and place, typed
 * access with a path in the error, and writing that is the same byte for byte each time. */
#pragma once

#include "base/err.h"
#include <jansson.h>
#include <stdint.h>

/* The root object of a file whose "format" member is `format` ("firma signature", …) and whose "version" is at most
 * `version`. The caller owns the reference. Errors: ERR_INPUT with file, line and column; ERR_ENVIRONMENT if
 * unreadable. */
bool json_load_document(const char *path, const char *format, int version, json_t **root, Err *err);

/* The same in two steps, for who reads several formats. `format` of the first is one that a hint may name. */
bool json_load_root(const char *path, const char *format, json_t **root, Err *err);
bool json_check_format(const json_t *root, const char *path, const char *format, int version, Err *err);

/* Whether the root says so. */
bool json_has_format(const json_t *root, const char *format);

/* As files_save_text does. */
bool json_save_document(const json_t *root, const char *path, Err *err);

/* The text of a document as json_save_document writes it, ending in a newline. The caller frees it. */
char *json_text(const json_t *root);

/* Where a value stands, for errors: the file's name and the chain of keys so far, e.g. "app.firma: phases[3]". */
typedef struct JsonPlace {
    const char *file;
    char path[256];
} JsonPlace;

JsonPlace json_place(const char *file, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* No run takes longer: thirty thousand years. */
#define SECONDS_LIMIT 1e12

/* Typed members of an object. Wrong type, absent, negative where unsigned, not finite: ERR_INPUT naming the place. */
bool json_get_uint(const json_t *object, const char *key, const JsonPlace *place, uint64_t limit, uint64_t *value,
                   Err *err);
bool json_get_real(const json_t *object, const char *key, const JsonPlace *place, double *value, Err *err);
bool json_get_string(const json_t *object, const char *key, const JsonPlace *place, const char **value, Err *err);
bool json_get_bool(const json_t *object, const char *key, const JsonPlace *place, bool *value, Err *err);
bool json_get_object(const json_t *object, const char *key, const JsonPlace *place, json_t **value, Err *err);
/* An array, of exactly `count` items unless count is SIZE_MAX. */
bool json_get_array(const json_t *object, const char *key, const JsonPlace *place, size_t count, json_t **value,
                    Err *err);
/* Times: from 0 to SECONDS_LIMIT. */
bool json_get_seconds(const json_t *object, const char *key, const JsonPlace *place, double *seconds, Err *err);
/* An array of exactly `count` times. */
bool json_get_seconds_list(const json_t *object, const char *key, const JsonPlace *place, size_t count, double *values,
                           Err *err);
bool json_get_uints(const json_t *object, const char *key, const JsonPlace *place, size_t count, uint64_t *values,
                    Err *err);

/* A JSON text of any bytes: what isn't UTF-8 becomes '?', so that a path in another encoding loses a letter, not the
 * file. */
json_t *json_from_text(const char *text);
json_t *json_from_reals(const double *values, size_t count);
json_t *json_from_uints(const uint64_t *values, size_t count);
