/* SPDX-License-Identifier: BSD-3-Clause */
/* Files that hold a record; see fields.h. */
#include "base/fields.h"

#include "base/fields_values.h"
#include "base/files.h"

static uint32_t *document_n_each(const Document *document, const void *root)
{
    return (uint32_t *)(void *)((char *)(uintptr_t)root + document->n_each_offset);
}

json_t *document_to_json(const Document *document, const void *root)
{
    json_t *json = json_object();
    json_object_set_new(json, "format", json_string(document->format));
    json_object_set_new(json, "version", json_integer(document->version));
    const FieldContext context = {.root = root, .n_each = document_n_each(document, root)};
    fields_add_in_context(document->fields, &context, root, json);
    return json;
}

bool document_read(const Document *document, const json_t *json, const char *file, Arena *arena, void *root, Err *err)
{
    const JsonPlace place = json_place(file, "%s", "");
    const FieldList *list = document->choose ? document->choose(json) : document->fields;
    void *value = arena_alloc(arena, document->fields->size);
    const FieldContext context = {.root = value, .n_each = document_n_each(document, value), .arena = arena};
    if (!fields_from_json(list, &context, json, &place, value, err))
        return false;
    *(void **)root = value;
    return true;
}

bool document_save(const Document *document, const void *root, const char *path, Err *err)
{
    json_t *json = document_to_json(document, root);
    Arena *arena = arena_new();
    void *read;
    bool fine = !document->is_checked || document_read(document, json, path, arena, &read, err);
    if (!fine) {
        err->kind = ERR_BUG;
        err_prefix(err, "not written");
    }
    if (fine) {
        char *text = json_text(json);
        fine = files_save_texts(&(FileText){.path = path, .text = text, .is_private = document->is_private}, 1, err);
        free(text);
    }
    arena_free(arena);
    json_decref(json);
    return fine;
}

bool document_load(const Document *document, const char *path, Arena *arena, void *root, Err *err)
{
    json_t *json;
    if (!json_load_document(path, document->format, document->version, &json, err))
        return false;
    json_int_t version = json_integer_value(json_object_get(json, "version"));
    bool ok = version >= document->oldest_version;
    if (ok)
        ok = document_read(document, json, path, arena, root, err);
    else if (!err_set(err, ERR_INPUT, "%s: version %d of the %s format is too old; this firma reads version %d on",
                      path, (int)version, document->format, document->oldest_version))
        err_hint(err, "create the file again with this firma");
    json_decref(json);
    return ok;
}
