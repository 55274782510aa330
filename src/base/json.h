/* SPDX-License-Identifier: BSD-3-Clause */
/* What all JSON forms of firma share, on top of Jansson. Errors name the file and the place in it.
 * The same document is always written as the same bytes. */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include <jansson.h>
#include <stdint.h>

/* Loads the root object of a file. Its "format" member must be `format` ("firma signature", …), and
 * its "version" at most `version`. The caller owns the reference. ERR_INPUT names file, line and
 * column. ERR_ENVIRONMENT: the file can't be opened. */
bool json_load_document(const char *path, const char *format, int version, json_t **root, Err *err);

/* The same in two steps, for a caller that reads several formats. The first step uses `format` only
 * in a hint. */
bool json_load_root(const char *path, const char *format, json_t **root, Err *err);
bool json_check_format(const json_t *root, const char *path, const char *format, int version, Err *err);

/* True if the root's "format" member is `format`. */
bool json_has_format(const json_t *root, const char *format);

/* Writes a document as files_save_text() does. */
bool json_save_document(const json_t *root, const char *path, Err *err);

/* The text that json_save_document() writes; it ends in a newline. Characters that
 * text_is_visible() refuses are escapes. The caller frees it. */
char *json_text(const json_t *root);

/* The place of a value, for errors: the file's name and the keys so far, such as "app.firma:
 * phases[3]". */
typedef struct JsonPlace {
    const char *file;
    char path[256];
} JsonPlace;

JsonPlace json_place(const char *file, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The longest time that firma reads, in seconds: over thirty thousand years. And the shortest but
 * for 0: far below what any clock tells, and far above numbers whose inverse is infinite. */
#define SECONDS_LIMIT 1e12
#define SECONDS_LEAST 1e-30

/* True for a time that firma reads: 0, or a number from SECONDS_LEAST to SECONDS_LIMIT. */
bool json_is_seconds(const json_t *value);
#define SECONDS_EXPECTED "expected a time in seconds, 0 or from 1e-30 to 1e+12"

/* Typed members of an object. ERR_INPUT names the place if a member is absent, has another type, is
 * negative where it must not be, or isn't finite. */
bool json_get_uint(const json_t *object, const char *key, const JsonPlace *place, uint64_t limit, uint64_t *value,
                   Err *err);
bool json_get_real(const json_t *object, const char *key, const JsonPlace *place, double *value, Err *err);
bool json_get_string(const json_t *object, const char *key, const JsonPlace *place, const char **value, Err *err);
bool json_get_bool(const json_t *object, const char *key, const JsonPlace *place, bool *value, Err *err);
bool json_get_object(const json_t *object, const char *key, const JsonPlace *place, json_t **value, Err *err);
/* An array of exactly `count` items, or of any number if count is SIZE_MAX. */
bool json_get_array(const json_t *object, const char *key, const JsonPlace *place, size_t count, json_t **value,
                    Err *err);
/* A time in seconds; see json_is_seconds(). */
bool json_get_seconds(const json_t *object, const char *key, const JsonPlace *place, double *seconds, Err *err);
/* An array of exactly `count` times. */
bool json_get_seconds_list(const json_t *object, const char *key, const JsonPlace *place, size_t count, double *values,
                           Err *err);
bool json_get_uints(const json_t *object, const char *key, const JsonPlace *place, size_t count, uint64_t *values,
                    Err *err);

/* A JSON text from any bytes, such as a file's name. JSON must be UTF-8. So a byte that belongs to
 * no UTF-8 character becomes \xHH (two hexadecimal digits), and a backslash becomes two.
 * json_to_text() turns them back. */
json_t *json_from_text(const char *text);

/* The bytes from which json_from_text() made the value. Other backslashes stay as they are. NULL:
 * the value isn't a text. */
const char *json_to_text(const json_t *value, Arena *arena);

/* The bytes of a member; see json_get_string(). */
bool json_get_text(const json_t *object, const char *key, const JsonPlace *place, Arena *arena, const char **value,
                   Err *err);

json_t *json_from_reals(const double *values, size_t count);
json_t *json_from_uints(const uint64_t *values, size_t count);
