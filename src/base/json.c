/* SPDX-License-Identifier: BSD-3-Clause */
/* See json.h. */
#include "base/json.h"

#include "base/files.h"
#include "base/text.h"
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Where a directory is named instead of a file in it: names that file, if it's there. */
static bool hint_file_within(const char *path, const char *format, Err *err)
{
    char file[PATH_MAX];
    const char *last = strrchr(format, ' ') ? strrchr(format, ' ') + 1 : format;
    const char *name = strcmp(last, "signature") == 0 ? "app.firma" : NULL;
    if (!files_is_directory(path))
        return false;
    int length =
        name ? snprintf(file, sizeof file, "%s/%s", path, name) : snprintf(file, sizeof file, "%s/%s.json", path, last);
    return length < PATH_MAX && files_exist(file) && err_hint(err, "did you mean %s?", file);
}

static bool refuse_text(const char *path, const char *format, const json_error_t *error, Err *err)
{
    const char *kind = files_kind(path);
    if (kind)
        err_set(err, ERR_INPUT, "%s: not valid JSON, but %s", path, kind);
    else
        err_set(err, ERR_INPUT, "%s:%d:%d: not valid JSON: %s", path, error->line, error->column, error->text);
    return err_hint(err, "give a file that firma wrote; it has `\"format\": \"%s\"` at its top", format);
}

bool json_load_root(const char *path, const char *format, json_t **root, Err *err)
{
    FILE *file = files_open_input(path, err);
    if (!file)
        return hint_file_within(path, format, err);
    json_error_t error;
    json_t *loaded = json_loadf(file, JSON_REJECT_DUPLICATES, &error);
    int failure = ferror(file) ? errno : 0;
    fclose(file);
    if (!loaded && failure)
        return err_set(err, ERR_INPUT, "%s: %s", path, strerror(failure));
    if (!loaded)
        return refuse_text(path, format, &error, err);
    if (!json_is_object(loaded)) {
        json_decref(loaded);
        return err_set(err, ERR_INPUT, "%s: not a JSON object", path);
    }
    *root = loaded;
    return true;
}

bool json_has_format(const json_t *root, const char *format)
{
    const char *found = json_string_value(json_object_get(root, "format"));
    return found && strcmp(found, format) == 0;
}

bool json_check_format(const json_t *root, const char *path, const char *format, int version, Err *err)
{
    const JsonPlace place = json_place(path, "%s", "");
    const char *found = "";
    uint64_t found_version;
    if (!json_get_string(root, "format", &place, &found, err))
        return err_hint(err, "give a file that firma wrote; it has `\"format\": \"%s\"` at its top", format);
    if (!json_has_format(root, format))
        return err_set(err, ERR_INPUT, "%s: holds a `%s` document; expected `%s`", path, found, format);
    if (!json_get_uint(root, "version", &place, INT32_MAX, &found_version, err))
        return false;
    if (!found_version)
        return err_set(err, ERR_INPUT, "%s: version: 0, but versions count from 1", path);
    return found_version <= (uint64_t)version ||
           err_set(err, ERR_INPUT, "%s: version %lu of the %s format; this firma reads up to %d", path,
                   (unsigned long)found_version, format, version) ||
           err_hint(err, "create the file again with this firma, or use a newer firma");
}

bool json_load_document(const char *path, const char *format, int version, json_t **root, Err *err)
{
    json_t *loaded;
    if (!json_load_root(path, format, &loaded, err))
        return false;
    if (!json_check_format(loaded, path, format, version, err)) {
        json_decref(loaded);
        return false;
    }
    *root = loaded;
    return true;
}

/* Adds the JSON with escapes for characters that a reader of the text can't see. Jansson escapes
 * only those below U+0020. Outside of strings, JSON holds none but newlines. */
static void add_escaped(Text *text, const char *json)
{
    const char *kept = json;
    for (const char *at = json; *at;) {
        uint32_t point;
        size_t length = text_character(at, &point);
        if (*at != '\n' && !text_is_visible(point)) {
            text_add(text, "%.*s", (int)(at - kept), kept);
            if (point >= 0x10000)
                text_add(text, "\\u%04x", 0xD800 + ((point - 0x10000) >> 10));
            text_add(text, "\\u%04x", point < 0x10000 ? point : 0xDC00 + (point & 0x3FF));
            kept = at + length;
        }
        at += length;
    }
    text_add(text, "%s\n", kept);
}

char *json_text(const json_t *root)
{
    Text text = {0};
    char *json = json_dumps(root, JSON_INDENT(1) | JSON_REAL_PRECISION(12));
    if (!json) {
        fprintf(stderr, "firma: out of memory\n");
        exit(ERR_ENVIRONMENT);
    }
    add_escaped(&text, json);
    free(json);
    *vec_push(&text.bytes) = '\0';
    return text.bytes.items;
}

bool json_save_document(const json_t *root, const char *path, Err *err)
{
    char *text = json_text(root);
    bool ok = files_save_text(path, text, err);
    free(text);
    return ok;
}

JsonPlace json_place(const char *file, const char *format, ...)
{
    JsonPlace place = {.file = file};
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(place.path, sizeof place.path, format, arguments);
    va_end(arguments);
    return place;
}

static bool wrong(const char *key, const JsonPlace *place, const char *expected, Err *err)
{
    return err_set(err, ERR_INPUT, "%s: %s%s%s: %s", place->file, place->path, place->path[0] ? "." : "", key,
                   expected);
}

bool json_get_uint(const json_t *object, const char *key, const JsonPlace *place, uint64_t limit, uint64_t *value,
                   Err *err)
{
    const json_t *member = json_object_get(object, key);
    if (!json_is_integer(member) || json_integer_value(member) < 0)
        return wrong(key, place, "expected a whole number, not negative", err);
    if ((uint64_t)json_integer_value(member) > limit) {
        char expected[64];
        snprintf(expected, sizeof expected, "larger than the limit of %lu", (unsigned long)limit);
        return wrong(key, place, expected, err);
    }
    *value = (uint64_t)json_integer_value(member);
    return true;
}

bool json_get_real(const json_t *object, const char *key, const JsonPlace *place, double *value, Err *err)
{
    const json_t *member = json_object_get(object, key);
    if (!json_is_number(member) || !isfinite(json_number_value(member)))
        return wrong(key, place, "expected a number", err);
    *value = json_number_value(member);
    return true;
}

bool json_get_string(const json_t *object, const char *key, const JsonPlace *place, const char **value, Err *err)
{
    const json_t *member = json_object_get(object, key);
    if (!json_is_string(member))
        return wrong(key, place, "expected a text in quotes", err);
    *value = json_string_value(member);
    return true;
}

bool json_get_bool(const json_t *object, const char *key, const JsonPlace *place, bool *value, Err *err)
{
    const json_t *member = json_object_get(object, key);
    if (!json_is_boolean(member))
        return wrong(key, place, "expected true or false", err);
    *value = json_is_true(member);
    return true;
}

bool json_get_object(const json_t *object, const char *key, const JsonPlace *place, json_t **value, Err *err)
{
    json_t *member = json_object_get(object, key);
    if (!json_is_object(member))
        return wrong(key, place, "expected an object", err);
    *value = member;
    return true;
}

bool json_get_array(const json_t *object, const char *key, const JsonPlace *place, size_t count, json_t **value,
                    Err *err)
{
    json_t *member = json_object_get(object, key);
    if (!json_is_array(member))
        return wrong(key, place, "expected an array", err);
    if (count != SIZE_MAX && json_array_size(member) != count) {
        char expected[96];
        snprintf(expected, sizeof expected, "expected %zu items, found %zu", count, json_array_size(member));
        return wrong(key, place, expected, err);
    }
    *value = member;
    return true;
}

bool json_is_seconds(const json_t *value)
{
    double seconds = json_number_value(value);
    return json_is_number(value) && (seconds == 0 || (seconds >= SECONDS_LEAST && seconds <= SECONDS_LIMIT));
}

bool json_get_seconds(const json_t *object, const char *key, const JsonPlace *place, double *seconds, Err *err)
{
    const json_t *member = json_object_get(object, key);
    if (!json_is_seconds(member))
        return wrong(key, place, SECONDS_EXPECTED, err);
    *seconds = json_number_value(member);
    return true;
}

bool json_get_seconds_list(const json_t *object, const char *key, const JsonPlace *place, size_t count, double *values,
                           Err *err)
{
    json_t *array;
    if (!json_get_array(object, key, place, count, &array, err))
        return false;
    for (size_t i = 0; i < count; i++)
        if (!json_is_seconds(json_array_get(array, i)))
            return wrong(key, place, "expected times in seconds, each 0 or from 1e-30 to 1e+12", err);
    for (size_t i = 0; i < count; i++)
        values[i] = json_number_value(json_array_get(array, i));
    return true;
}

bool json_get_uints(const json_t *object, const char *key, const JsonPlace *place, size_t count, uint64_t *values,
                    Err *err)
{
    json_t *array;
    if (!json_get_array(object, key, place, count, &array, err))
        return false;
    for (size_t i = 0; i < count; i++)
        if (!json_is_integer(json_array_get(array, i)) || json_integer_value(json_array_get(array, i)) < 0)
            return wrong(key, place, "expected whole numbers, not negative", err);
    for (size_t i = 0; i < count; i++)
        values[i] = (uint64_t)json_integer_value(json_array_get(array, i));
    return true;
}

/* ---- texts of any bytes ---- */

json_t *json_from_text(const char *text)
{
    json_t *plain = strchr(text, '\\') ? NULL : json_string(text);
    if (plain)
        return plain;
    Text escaped = {0};
    for (const char *at = text; *at;) {
        uint32_t point;
        size_t length = text_character(at, &point);
        if (point == TEXT_NO_CHARACTER)
            text_add(&escaped, "\\x%02x", (unsigned char)*at);
        else if (*at == '\\')
            text_add(&escaped, "\\\\");
        else
            text_add(&escaped, "%.*s", (int)length, at);
        at += length;
    }
    json_t *value = json_stringn(escaped.bytes.count ? escaped.bytes.items : "", escaped.bytes.count);
    vec_free(&escaped.bytes);
    return value;
}

static int digit_value(char digit)
{
    return digit >= '0' && digit <= '9' ? digit - '0' : digit >= 'a' && digit <= 'f' ? digit - 'a' + 10 : -1;
}

const char *json_to_text(const json_t *value, Arena *arena)
{
    const char *from = json_string_value(value);
    if (!from)
        return NULL;
    char *text = arena_strdup(arena, from), *to = text;
    while (*from) {
        int high = from[0] == '\\' && from[1] == 'x' ? digit_value(from[2]) : -1;
        int low = high >= 8 ? digit_value(from[3]) : -1; /* a byte below 0x80 is a character */
        *to++ = low >= 0 ? (char)(high << 4 | low) : *from;
        from += low >= 0 ? 4 : from[0] == '\\' && from[1] == '\\' ? 2 : 1;
    }
    *to = '\0';
    return text;
}

bool json_get_text(const json_t *object, const char *key, const JsonPlace *place, Arena *arena, const char **value,
                   Err *err)
{
    const char *string;
    if (!json_get_string(object, key, place, &string, err))
        return false;
    *value = json_to_text(json_object_get(object, key), arena);
    return true;
}

json_t *json_from_reals(const double *values, size_t count)
{
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(array, json_real(values[i]));
    return array;
}

json_t *json_from_uints(const uint64_t *values, size_t count)
{
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(array, json_integer((json_int_t)values[i]));
    return array;
}
