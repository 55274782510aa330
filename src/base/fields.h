/* SPDX-License-Identifier: BSD-3-Clause */
/* Field lists describe a result once, for all its written forms. A FieldList names the fields of a
 * C struct, with their places in the struct and their meanings. firma writes and reads JSON by
 * field lists. It also writes CSV and rows of text tables (report/table_fields.h) by them, and
 * generates their section of docs/FORMATS.md.
 *
 *     const FieldList host_fields = FIELDS(Host, FIELD(Host, name, "as `uname -n` says it"),
 *                                          FIELD_AS(Host, n_cpus, "cpus", "processors of the host"));
 *     json_t *json = fields_to_json(&host_fields, &host, 0);                 {"name": "node1", "cpus": 4}
 *
 * The end of a name is the unit: `_s` is seconds, `bytes` is bytes. Times are never negative. */
#pragma once

#include "base/arena.h"
#include "base/json.h"
#include "base/text.h"
#include <stddef.h>

typedef struct FieldList FieldList;
typedef struct Field Field;

typedef enum FieldType {
    FIELD_BOOL,
    FIELD_INT32,
    FIELD_UINT32,
    FIELD_UINT64,
    FIELD_REAL,
    FIELD_NANOSECONDS, /* int64_t, written as seconds, never read */
    FIELD_TEXT,        /* const char * */
    FIELD_STRUCT,      /* a struct; `of` lists its fields */
    FIELD_CUSTOM       /* the functions `write` and `read` of the field know its form */
} FieldType;

typedef enum FieldShape {
    SHAPE_ONE,    /* a value in the struct */
    SHAPE_FIXED,  /* an array of `count` values in the struct */
    SHAPE_LIST,   /* a pointer to values; another member of the struct has their number */
    SHAPE_SAME,   /* as SHAPE_LIST, but an earlier field has stored the number of values */
    SHAPE_EACH,   /* a pointer to values: one for each process, for example; see FieldContext.n_each */
    SHAPE_POINTED /* a pointer to a value, or NULL without a value; such fields are only written */
} FieldShape;

/* How a text table shows a value. */
typedef enum FieldLook {
    LOOK_BY_NAME, /* a name in `_s` is a time, a name in `bytes` is bytes; others are numbers or texts */
    LOOK_SHARE,   /* a percentage: 0.975 is 97.5 % */
    LOOK_DIGITS   /* a whole number without groups of digits, such as an id */
} FieldLook;

enum {
    FIELD_OPTIONAL = 1,      /* reading: may be absent, and is then 0, false, "" or an empty list */
    FIELD_ABSENT = 2,        /* writing: left out without a value; reading: as FIELD_OPTIONAL */
    FIELD_NULL = 4,          /* writing: null without a value; reading: null means no value */
    FIELD_INLINE = 8,        /* a record whose fields stand among the others; it has no name */
    FIELD_NOT_NEGATIVE = 16, /* for real numbers other than times */
    FIELD_LINE = 32,         /* a text that isn't empty and has no control characters */
    FIELD_UNREAD = 64        /* fields_from_json() skips the field; other code reads it */
};
/* These count as no value: NULL, a number that isn't finite, UINT32_MAX, UINT64_MAX, a FIELD_INT32
 * below 0, false, and a list without items. Numbers that aren't finite are left out without these
 * flags, too. */

/* What `write`, `read` and `check` get to know. */
typedef struct FieldContext {
    const void *root;       /* the outermost struct */
    const uint32_t *n_each; /* number of values of SHAPE_EACH */
    Arena *arena;           /* for results of reading */
} FieldContext;

struct Field {
    const char *name;
    FieldType type;
    FieldShape shape;
    unsigned flags;
    size_t offset;
    size_t count_offset, count_size; /* SHAPE_LIST, SHAPE_SAME: the member that has the number of values */
    size_t count;                    /* SHAPE_FIXED */
    size_t stride;                   /* arrays: bytes from one item to the next */
    size_t inner;                    /* arrays: bytes from an item's beginning to its value */
    const char *const *choices;      /* texts of a number: choices[number]; NULL ends the list */
    double limit; /* the largest number, or the largest count of a list; 0: no limit but the type's */
    const FieldList *of;
    json_t *(*write)(const FieldContext *context, const void *record); /* may return NULL: the field is left out */
    bool (*read)(const FieldContext *context, json_t *value, const JsonPlace *place, void *record, Err *err);
    const char *noun; /* FIELD_CUSTOM: the type of the value in documents, such as "text"; may be NULL */
    const char *meaning;
    const char *heading; /* of the column in text tables; NULL: no column */
    FieldLook look;
};

struct FieldList {
    size_t size;
    const Field *fields; /* ends with a field whose name is NULL */
    bool refuses_others; /* reading refuses members that aren't among the fields */
    bool is_document;    /* "format" and "version" may stand among the fields */
    /* Called after all fields are read. Checks rules that fields can't express, and computes
     * members that depend on several fields. May be NULL. */
    bool (*check)(const FieldContext *context, const JsonPlace *place, void *record, Err *err);
};

#define FIELD_ARRAY(...)                                                                                               \
    (const Field[])                                                                                                    \
    {                                                                                                                  \
        __VA_ARGS__,                                                                                                   \
        {                                                                                                              \
            0                                                                                                          \
        }                                                                                                              \
    }

#define FIELDS(Struct, ...)                                                                                            \
    {                                                                                                                  \
        .size = sizeof(Struct), .fields = FIELD_ARRAY(__VA_ARGS__)                                                     \
    }
#define FIELDS_STRICT(Struct, ...)                                                                                     \
    {                                                                                                                  \
        .size = sizeof(Struct), .refuses_others = true, .fields = FIELD_ARRAY(__VA_ARGS__)                             \
    }
#define FIELDS_CHECKED(Struct, checker, ...)                                                                           \
    {                                                                                                                  \
        .size = sizeof(Struct), .check = (checker), .fields = FIELD_ARRAY(__VA_ARGS__)                                 \
    }

/* The type of a value's field. Enums are numbers, and usually have `choices`. */
#define FIELD_TYPE(value)                                                                                              \
    _Generic((value), bool                                                                                             \
             : FIELD_BOOL, int32_t                                                                                     \
             : FIELD_INT32, uint32_t                                                                                   \
             : FIELD_UINT32, uint64_t                                                                                  \
             : FIELD_UINT64, double                                                                                    \
             : FIELD_REAL, int64_t                                                                                     \
             : FIELD_NANOSECONDS, char *                                                                               \
             : FIELD_TEXT, const char *                                                                                \
             : FIELD_TEXT, default                                                                                     \
             : FIELD_STRUCT)
#define FIELD_MEMBER(Struct, member) (((Struct *)0)->member)
#define FIELD_ITEMS(Struct, member, key, item_shape)                                                                   \
    .name = (key), .type = FIELD_TYPE(*FIELD_MEMBER(Struct, member)), .shape = (item_shape),                           \
    .offset = offsetof(Struct, member), .stride = sizeof *FIELD_MEMBER(Struct, member)
#define FIELD_COUNTED(Struct, member, n_member, key, item_shape)                                                       \
    FIELD_ITEMS(Struct, member, key, item_shape), .count_offset = offsetof(Struct, n_member),                          \
                                                  .count_size = sizeof FIELD_MEMBER(Struct, n_member)

/* Each macro takes the meaning, then other members (`.flags = FIELD_NULL`, `.of = &host_fields`).
 * FIELD and FIELD_AS describe one value. */
#define FIELD(Struct, member, ...) FIELD_AS(Struct, member, #member, __VA_ARGS__)
#define FIELD_AS(Struct, member, key, ...)                                                                             \
    {                                                                                                                  \
        .name = (key), .type = FIELD_TYPE(FIELD_MEMBER(Struct, member)), .offset = offsetof(Struct, member),           \
        .meaning = __VA_ARGS__                                                                                         \
    }
/* All fields of another list for the same struct. */
#define FIELD_INLINE_ALL(list)                                                                                         \
    {                                                                                                                  \
        .name = "", .flags = FIELD_INLINE, .of = &(list)                                                               \
    }
/* All fields of a record that is a member, or that a member points to. A NULL pointer has no
 * fields. */
#define FIELD_INLINE_MEMBER(Struct, member, list)                                                                      \
    {                                                                                                                  \
        .name = "", .flags = FIELD_INLINE, .offset = offsetof(Struct, member), .of = &(list)                           \
    }
#define FIELD_INLINE_POINTED(Struct, member, list)                                                                     \
    {                                                                                                                  \
        .name = "", .flags = FIELD_INLINE, .shape = SHAPE_POINTED, .offset = offsetof(Struct, member), .of = &(list)   \
    }
/* The value to which a pointer points. */
#define FIELD_POINTED(Struct, member, key, ...)                                                                        \
    {                                                                                                                  \
        FIELD_ITEMS(Struct, member, key, SHAPE_POINTED), .meaning = __VA_ARGS__                                        \
    }
/* Lists: a pointer with its count (SHAPE_LIST, SHAPE_SAME), SHAPE_EACH, an array in the struct. */
#define FIELD_LIST(Struct, member, n_member, key, ...)                                                                 \
    {                                                                                                                  \
        FIELD_COUNTED(Struct, member, n_member, key, SHAPE_LIST), .meaning = __VA_ARGS__                               \
    }
#define FIELD_SAME(Struct, member, n_member, key, ...)                                                                 \
    {                                                                                                                  \
        FIELD_COUNTED(Struct, member, n_member, key, SHAPE_SAME), .meaning = __VA_ARGS__                               \
    }
#define FIELD_EACH(Struct, member, key, ...)                                                                           \
    {                                                                                                                  \
        FIELD_ITEMS(Struct, member, key, SHAPE_EACH), .meaning = __VA_ARGS__                                           \
    }
#define FIELD_FIXED(Struct, member, key, ...)                                                                          \
    {                                                                                                                  \
        FIELD_ITEMS(Struct, member, key, SHAPE_FIXED),                                                                 \
            .count = sizeof FIELD_MEMBER(Struct, member) / sizeof *FIELD_MEMBER(Struct, member),                       \
            .meaning = __VA_ARGS__                                                                                     \
    }
/* A struct of real numbers, such as an Interval, written as an array of numbers. */
#define FIELD_REALS(Struct, member, key, ...)                                                                          \
    {                                                                                                                  \
        .name = (key), .type = FIELD_REAL, .shape = SHAPE_FIXED, .offset = offsetof(Struct, member),                   \
        .stride = sizeof(double), .count = sizeof FIELD_MEMBER(Struct, member) / sizeof(double),                       \
        .meaning = __VA_ARGS__                                                                                         \
    }
/* An array that takes one member of each item. */
#define FIELD_EACH_INNER(Struct, member, Item, item_member, key, ...)                                                  \
    {                                                                                                                  \
        .name = (key), .type = FIELD_TYPE(FIELD_MEMBER(Item, item_member)), .shape = SHAPE_EACH,                       \
        .offset = offsetof(Struct, member), .stride = sizeof(Item), .inner = offsetof(Item, item_member),              \
        .meaning = __VA_ARGS__                                                                                         \
    }
/* `item_shape` says what reading expects: SHAPE_LIST and SHAPE_EACH an array, SHAPE_ONE an
 * object. */
#define FIELD_OWN(key, item_shape, writer, reader, ...)                                                                \
    {                                                                                                                  \
        .name = (key), .type = FIELD_CUSTOM, .shape = (item_shape), .write = (writer), .read = (reader),               \
        .meaning = __VA_ARGS__                                                                                         \
    }

/* The JSON object of a value. `n_each` is the number of values of SHAPE_EACH. */
json_t *fields_to_json(const FieldList *list, const void *value, uint32_t n_each);
json_t *fields_to_json_array(const FieldList *list, const void *values, size_t count, uint32_t n_each);

/* Adds the fields of a value to an object. */
void fields_add_to_json(const FieldList *list, const void *value, uint32_t n_each, json_t *object);

/* Reads an object into *value, which must be zeroed. The result lies in the context's arena.
 * ERR_INPUT names the file and the field. */
bool fields_from_json(const FieldList *list, const FieldContext *context, const json_t *object, const JsonPlace *place,
                      void *value, Err *err);

/* The place of a member or of an item: "phases[3].id". With the name "", json_place_at() gives an
 * item of the place itself. */
JsonPlace json_place_in(const JsonPlace *place, const char *name);
JsonPlace json_place_at(const JsonPlace *place, const char *name, size_t index);

/* Sets ERR_INPUT with the place of a member, as fields_from_json() does. Returns false. */
bool json_refuse(const JsonPlace *place, const char *name, Err *err, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* True if index < count, where `count` is the length of the list that the index points into. */
bool json_check_index(const JsonPlace *place, const char *name, uint32_t index, uint32_t count, Err *err);

/* The form of a file: a record with "format" and "version" before its fields. */
typedef struct Document {
    const char *format;
    int version;
    const FieldList *fields;
    size_t n_each_offset; /* offset in the root of the number of SHAPE_EACH, a uint32_t */
    int oldest_version;   /* older files aren't read */
    bool is_private;      /* files are their owner's alone, because they hold a program's arguments */
    bool is_checked;      /* document_save() reads the text again first; failing is ERR_BUG */
    /* The fields by which a file is read, if a file may hold only a part. May be NULL. */
    const FieldList *(*choose)(const json_t *json);
} Document;

json_t *document_to_json(const Document *document, const void *root);
bool document_save(const Document *document, const void *root, const char *path, Err *err);
/* `root` points to the pointer that these functions set. document_read() doesn't check the
 * format. */
bool document_load(const Document *document, const char *path, Arena *arena, void *root, Err *err);
bool document_read(const Document *document, const json_t *json, const char *file, Arena *arena, void *root, Err *err);

/* Declares NAME_document, and NAME_to_json, NAME_save and NAME_load of the type. */
#define DOCUMENT(name, Type)                                                                                           \
    extern const Document name##_document;                                                                             \
    static inline json_t *name##_to_json(const Type *value)                                                            \
    {                                                                                                                  \
        return document_to_json(&name##_document, value);                                                              \
    }                                                                                                                  \
    static inline bool name##_save(const Type *value, const char *file, Err *err)                                      \
    {                                                                                                                  \
        return document_save(&name##_document, value, file, err);                                                      \
    }                                                                                                                  \
    static inline bool name##_load(const char *file, Arena *arena, Type **value, Err *err)                             \
    {                                                                                                                  \
        return document_load(&name##_document, file, arena, value, err);                                               \
    }                                                                                                                  \
    extern const Document name##_document

/* CSV after RFC 4180: a line of names, and a line for a value. Numbers have a decimal point and no
 * separators between groups of digits. true is 1. The cell of a missing value is empty. Each field
 * must be a single value. */
void fields_to_csv_names(const FieldList *list, Text *text);
void fields_to_csv(const FieldList *list, const void *value, Text *text);

/* The fields as nested Markdown lists, in lines of at most 100 columns. */
void fields_to_markdown(const FieldList *list, size_t indent, Text *text);
