/* SPDX-License-Identifier: BSD-3-Clause */
/* Field lists: what a result consists of, said once. A FieldList lists the fields of a C struct: what each is called,
 * where it lies and what it means. JSON is written and read by it, CSV and rows of text tables
 * (report/table_fields.h) are written by it, and its section of docs/FORMATS.md is generated from it.
 *
 *     const FieldList host_fields = FIELDS(Host, FIELD(Host, name, "as `uname -n` says it"),
 *                                          FIELD_AS(Host, n_cpus, "cpus", "processors of the host"));
 *     json_t *json = fields_to_json(&host_fields, &host, 0);                 {"name": "node1", "cpus": 4}
 *
 * The end of a name tells the unit: `_s` is seconds, `bytes` is bytes. Times are never negative. */
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
    FIELD_TEXT,   /* const char * */
    FIELD_STRUCT, /* a struct; `of` lists its fields */
    FIELD_CUSTOM  /* `write` and `read` know its form */
} FieldType;

typedef enum FieldShape {
    SHAPE_ONE,    /* a value in the struct */
    SHAPE_FIXED,  /* an array of `count` values in the struct */
    SHAPE_LIST,   /* a pointer to values, and how many in another member of the struct */
    SHAPE_SAME,   /* the same, and an earlier field of the struct is that number */
    SHAPE_EACH,   /* a pointer to values, as many as the document has of something, such as processes */
    SHAPE_POINTED /* a pointer to a value; NULL: there is none. Such fields are written, never read */
} FieldShape;

/* How a text table shows a value. */
typedef enum FieldLook {
    LOOK_BY_NAME, /* a time, if the name ends in `_s`; bytes, if it ends in `bytes`; else a number or a text */
    LOOK_SHARE,   /* 0.975 is 97.5 % */
    LOOK_DIGITS   /* a whole number without groups of digits, such as an id */
} FieldLook;

enum {
    FIELD_OPTIONAL = 1,      /* read: may be absent, and is then 0, false, "" or an empty list */
    FIELD_ABSENT = 2,        /* written only if there is a value; read: as FIELD_OPTIONAL */
    FIELD_NULL = 4,          /* written as null if there is no value; read: null means that there is none */
    FIELD_INLINE = 8,        /* a record whose fields stand among the others, without a name of its own */
    FIELD_NOT_NEGATIVE = 16, /* real numbers; times never are */
    FIELD_LINE = 32,         /* a text that isn't empty and has no control characters */
    FIELD_UNREAD = 64        /* a hook reads it */
};
/* There is no value: NULL, a number that isn't finite, UINT32_MAX, UINT64_MAX, below 0 (FIELD_INT32), false, no items.
 * A number that isn't finite is left out without these flags, too. */

/* What hooks may know: the outermost value, how many values SHAPE_EACH has, and, of reading, where results go. */
typedef struct FieldContext {
    const void *root;
    const uint32_t *n_each;
    Arena *arena;
} FieldContext;

struct Field {
    const char *name;
    FieldType type;
    FieldShape shape;
    unsigned flags;
    size_t offset;
    size_t count_offset, count_size; /* SHAPE_LIST, SHAPE_SAME: the member that says how many */
    size_t count;                    /* SHAPE_FIXED */
    size_t stride, inner;            /* arrays: bytes from value to value, and of what precedes a value in its item */
    const char *const *choices;      /* a number whose text is choices[number]; ends with NULL */
    double limit;                    /* the largest number, or the largest count of a list; 0: as large as fits */
    const FieldList *of;
    json_t *(*write)(const FieldContext *context, const void *record); /* NULL: the field is left out */
    bool (*read)(const FieldContext *context, json_t *value, const JsonPlace *place, void *record, Err *err);
    const char *meaning;
    const char *heading; /* of its column in text tables; NULL: it has none */
    FieldLook look;
};

struct FieldList {
    size_t size;
    const Field *fields; /* the last one's name is NULL */
    bool refuses_others; /* reading refuses members that aren't among the fields */
    bool is_document;    /* "format" and "version" may stand among them */
    /* What has to hold besides, once all fields are read; fills in what follows from them. May be NULL. */
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

/* The type of a value's field. Enums are numbers, usually with `choices`. */
#define FIELD_TYPE(value)                                                                                              \
    _Generic((value), bool                                                                                             \
             : FIELD_BOOL, int32_t                                                                                     \
             : FIELD_INT32, uint32_t                                                                                   \
             : FIELD_UINT32, uint64_t                                                                                  \
             : FIELD_UINT64, double                                                                                    \
             : FIELD_REAL, char *                                                                                      \
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

/* Each takes the meaning, then whatever else applies (`.flags = FIELD_NULL`, `.of = &host_fields`). A value: */
#define FIELD(Struct, member, ...) FIELD_AS(Struct, member, #member, __VA_ARGS__)
#define FIELD_AS(Struct, member, key, ...)                                                                             \
    {                                                                                                                  \
        .name = (key), .type = FIELD_TYPE(FIELD_MEMBER(Struct, member)), .offset = offsetof(Struct, member),           \
        .meaning = __VA_ARGS__                                                                                         \
    }
/* All fields of a list of the same struct. */
#define FIELD_INLINE_ALL(list)                                                                                         \
    {                                                                                                                  \
        .name = "", .flags = FIELD_INLINE, .of = &(list)                                                               \
    }
/* All fields of a record that is a member, or that a member points to: none of them if the pointer is NULL. */
#define FIELD_INLINE_MEMBER(Struct, member, list)                                                                      \
    {                                                                                                                  \
        .name = "", .flags = FIELD_INLINE, .offset = offsetof(Struct, member), .of = &(list)                           \
    }
#define FIELD_INLINE_POINTED(Struct, member, list)                                                                     \
    {                                                                                                                  \
        .name = "", .flags = FIELD_INLINE, .shape = SHAPE_POINTED, .offset = offsetof(Struct, member), .of = &(list)   \
    }
/* What a pointer points to. */
#define FIELD_POINTED(Struct, member, key, ...)                                                                        \
    {                                                                                                                  \
        FIELD_ITEMS(Struct, member, key, SHAPE_POINTED), .meaning = __VA_ARGS__                                        \
    }
/* A pointer and its count (SHAPE_LIST, SHAPE_SAME); as many as each; an array in the struct. */
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
/* A struct of real numbers, such as an Interval, as an array of them. */
#define FIELD_REALS(Struct, member, key, ...)                                                                          \
    {                                                                                                                  \
        .name = (key), .type = FIELD_REAL, .shape = SHAPE_FIXED, .offset = offsetof(Struct, member),                   \
        .stride = sizeof(double), .count = sizeof FIELD_MEMBER(Struct, member) / sizeof(double),                       \
        .meaning = __VA_ARGS__                                                                                         \
    }
/* One member of each item, as an array of its own. */
#define FIELD_EACH_INNER(Struct, member, Item, item_member, key, ...)                                                  \
    {                                                                                                                  \
        .name = (key), .type = FIELD_TYPE(FIELD_MEMBER(Item, item_member)), .shape = SHAPE_EACH,                       \
        .offset = offsetof(Struct, member), .stride = sizeof(Item), .inner = offsetof(Item, item_member),              \
        .meaning = __VA_ARGS__                                                                                         \
    }
/* `item_shape` says what reading expects: SHAPE_LIST and SHAPE_EACH an array, SHAPE_ONE an object. */
#define FIELD_OWN(key, item_shape, writer, reader, ...)                                                                \
    {                                                                                                                  \
        .name = (key), .type = FIELD_CUSTOM, .shape = (item_shape), .write = (writer), .read = (reader),               \
        .meaning = __VA_ARGS__                                                                                         \
    }

/* The object of a value. `n_each` is the length of SHAPE_EACH. */
json_t *fields_to_json(const FieldList *list, const void *value, uint32_t n_each);
json_t *fields_to_json_array(const FieldList *list, const void *values, size_t count, uint32_t n_each);

/* Adds the fields to an object. */
void fields_add_to_json(const FieldList *list, const void *value, uint32_t n_each, json_t *object);

/* The value of an object, zeroed before. ERR_INPUT names file and field. What is read lies in the context's arena. */
bool fields_from_json(const FieldList *list, const FieldContext *context, const json_t *object, const JsonPlace *place,
                      void *value, Err *err);

/* The place of a member or of an item: "phases[3].id". An item of the place itself has the name "". */
JsonPlace json_place_in(const JsonPlace *place, const char *name);
JsonPlace json_place_at(const JsonPlace *place, const char *name, size_t index);

/* ERR_INPUT with the place of a member, as errors of reading have it. Returns false. */
bool json_refuse(const JsonPlace *place, const char *name, Err *err, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Whether an index is one into a list of `count` items. */
bool json_check_index(const JsonPlace *place, const char *name, uint32_t index, uint32_t count, Err *err);

/* A file: a record with "format" and "version" before its fields. */
typedef struct Document {
    const char *format;
    int version;
    const FieldList *fields;
    size_t n_each_offset;                           /* where the root has the number of SHAPE_EACH, as uint32_t */
    bool is_checked;                                /* saving refuses what couldn't be read again: ERR_BUG */
    const FieldList *(*choose)(const json_t *json); /* what a file is read by, if it may hold a part alone; or NULL */
} Document;

json_t *document_to_json(const Document *document, const void *root);
bool document_save(const Document *document, const void *root, const char *path, Err *err);
/* `root` is a pointer to the pointer that is set. document_read takes the format for granted. */
bool document_load(const Document *document, const char *path, Arena *arena, void *root, Err *err);
bool document_read(const Document *document, const json_t *json, const char *file, Arena *arena, void *root, Err *err);

/* Declares NAME_document, and NAME_to_json, NAME_save and NAME_load of its type. */
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

/* CSV after RFC 4180: the line of names, and the line of a value. Numbers have a point and no groups, true is 1, and
 * the cell of a missing value is empty. Every field is one value. */
void fields_to_csv_names(const FieldList *list, Text *text);
void fields_to_csv(const FieldList *list, const void *value, Text *text);

/* The fields as nested Markdown lists, in lines of at most 100 columns. */
void fields_to_markdown(const FieldList *list, Text *text);
