/* SPDX-License-Identifier: BSD-3-Clause */
/* Members of JSON objects that documents of the model share, on top of base/json.h; and that nothing is written which
 * couldn't be read again. */
#ifndef FIRMA_MODEL_MEMBERS_H
#define FIRMA_MODEL_MEMBERS_H

#include "base/arena.h"
#include "base/json.h"

/* A member whose number isn't finite is left out, so that reading the document misses it. */
void json_set_real(json_t *object, const char *key, double value);

/* A text, in the arena. */
bool json_get_text(const json_t *object, const char *key, const JsonPlace *place, Arena *arena, const char **text,
                   Err *err);

/* A name: a line of text that isn't empty, with no control characters in it. */
bool json_get_name(const json_t *object, const char *key, const JsonPlace *place, Arena *arena, const char **name,
                   Err *err);

/* No members but these, NULL at their end: a name that is misspelt would otherwise silently mean its default. */
bool json_check_members(const json_t *object, const char *const *known, const JsonPlace *place, Err *err);

/* A number that isn't negative. */
bool json_get_share(const json_t *object, const char *key, const JsonPlace *place, double *value, Err *err);

/* The same, up to a limit. */
bool json_get_quantity(const json_t *object, const char *key, const JsonPlace *place, double limit, double *value,
                       Err *err);

bool json_get_uint32(const json_t *object, const char *key, const JsonPlace *place, uint32_t limit, uint32_t *value,
                     Err *err);

/* An index into an array of `count` items. */
bool json_get_index(const json_t *object, const char *key, const JsonPlace *place, uint32_t count, uint32_t *value,
                    Err *err);

/* What makes a document's root into what it says; and loads a file by it, or saves a document unless it would refuse
 * that: ERR_BUG. */
typedef bool (*DocumentReader)(const json_t *root, const char *file, Arena *arena, void *result, Err *err);
bool load_document(const char *path, const char *format, int version, DocumentReader read, Arena *arena, void *result,
                   Err *err);
bool save_readable_document(const json_t *root, const char *path, DocumentReader read, Err *err);

#endif
